"""The pictures of a study, PNG and SVG: who solves what by size, and how many in what time.

    success   the share solved, of the runs on boards that some run solved, against the side
    cactus    how many runs were decided within a time each

A panel for each family. A method has its own colour (Okabe and Ito, 2008), line style and marker:
the pictures can be read in black and white, and by the colour-blind. The same study gives the same
SVG, byte for byte. Needs the extra `ponder[plots]`.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from pathlib import Path
from typing import Any, cast

import numpy as np

from ponder.model.files import packed_file
from ponder.studies.study import Study
from ponder.studies.tables import lines, right
from ponder.system.errors import require

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
DASHES = ("-", "--", "-.", ":")
MARKERS = "osD^vPX*<>h"
MOST_POINTS = 500  # of a curve: one of a million runs is thinned out

Curves = dict[str, dict[str, list[tuple[float, float]]]]  # of methods, by family

_STYLE: dict[str, Any] = {
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.alpha": 0.3, "legend.frameon": False, "lines.linewidth": 1.4, "lines.markersize": 4.5,
    "svg.hashsalt": "ponder", "svg.fonttype": "path",
}  # fmt: skip


def draw_plots(study: Study, folder: str | os.PathLike[str]) -> list[Path]:
    """Draw the pictures that have data into a folder; return the files. Raises PonderError."""
    require("matplotlib", "plots", "plots")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    success, cactus = curves(study)
    labels = {
        "success": ("side (√ bulbs)", "solved, % of those with an order", success),
        "cactus": ("runs decided", "within seconds each", cactus),
    }
    written: list[Path] = []
    with mpl.rc_context(cast("Any", _STYLE)):
        for name, (across, up, families) in labels.items():
            if not families:
                continue
            methods = sorted({method for by_method in families.values() for method in by_method})
            columns = min(len(families), 3)
            rows = math.ceil(len(families) / columns)
            figure = Figure(figsize=(4.2 * columns + 0.8, 3.0 * rows + 0.8), layout="constrained")
            axes = figure.subplots(rows, columns, squeeze=False).reshape(-1)
            for panel, (family, its) in zip(axes, families.items(), strict=False):
                panel.set(title=family, xlabel=across, ylabel=up)
                for method, points in its.items():
                    k = methods.index(method)
                    x, y = zip(*points, strict=True)
                    panel.plot(
                        x, y, label=method, markevery=max(len(x) // 8, 1),
                        color=OKABE_ITO[k % len(OKABE_ITO)], marker=MARKERS[k % len(MARKERS)],
                        linestyle=DASHES[k % len(DASHES)],
                    )  # fmt: skip
                panel.legend(fontsize=7)
                if name == "success":
                    panel.set(ylim=(0, 104))
                else:
                    panel.set_yscale("symlog", linthresh=1e-6)
            for unused in axes[len(families) :]:
                unused.set_axis_off()
            Path(folder).mkdir(parents=True, exist_ok=True)
            for ending, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
                path = Path(folder) / f"{name}.{ending}"
                with packed_file(path) as file:
                    figure.savefig(file, format=ending, dpi=150, metadata=cast("Any", metadata))
                written.append(path)
    return written


def curves(study: Study) -> tuple[Curves, Curves]:
    """Return the points of both pictures."""
    runs = list(study.runs())
    success: Curves = defaultdict(lambda: defaultdict(list))
    for line in lines(runs):
        if line.possible:
            point = math.sqrt(line.bulbs), 100 * line.solved / line.possible
            success[line.family][line.method].append(point)
    seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run in runs:
        if right(run, "solved", "impossible"):
            seconds[run.family, run.method].append((run.encode_seconds or 0.0) + run.solve_seconds)
    cactus: Curves = defaultdict(dict)
    for (family, method), times in sorted(seconds.items()):
        at = np.linspace(0, len(times) - 1, min(len(times), MOST_POINTS)).astype(np.int64)
        cactus[family][method] = list(
            zip((at + 1).tolist(), np.sort(times)[at].tolist(), strict=True)
        )
    return success, cactus
