"""The pictures of a study: PNG and SVG, from the figures of `ponder.studies.report`.

    success     against the size, a panel for each family; and the share of boards that some run
                solved
    cactus      how many runs were decided within a time each
    trials      greedy: the share of those boards that it solved, by trials
    extra       how often each number of extra presses is needed

What `success` and `extra` count: `ponder.studies.report.LEGEND`.

A method has its own colour (Okabe and Ito, 2008), line style and marker: the pictures can be read
in black and white, and by the colour-blind. A picture without data is not drawn. The same study
gives the same SVG, byte for byte. Needs the extra `ponder[plots]`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ponder.studies.report import Figures, known
from ponder.system.errors import PonderError, require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
MARKERS = "osD^vPX*<>h"
ORDERABLE = "boards known to have an order"
SOLVED = "solved, % of those with an order"
MOST_POINTS = 500  # points of a curve: a curve of a million runs is thinned out

_Styles: TypeAlias = dict[str, dict[str, Any]]
_Curves: TypeAlias = dict[str, dict[str, list[tuple[float, float]]]]  # of methods, by family

_STYLE: dict[str, Any] = {
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.alpha": 0.3, "legend.frameon": False, "lines.linewidth": 1.4, "lines.markersize": 4.5,
    "svg.hashsalt": "ponder", "svg.fonttype": "path",
}  # fmt: skip


def draw(figures: Figures, folder: str | os.PathLike[str]) -> list[Path]:
    """Draw all pictures that have data into a folder; return the files. Raises PonderError."""
    require("matplotlib", "plots", "plots")
    import matplotlib as mpl

    place = Path(folder)
    written: list[Path] = []
    styles = _styles(figures)
    pictures = {"success": _success, "cactus": _cactus, "trials": _trials, "extra": _extra}
    with mpl.rc_context(cast("Any", _STYLE)):
        for name, picture in pictures.items():
            figure = picture(figures, styles)
            if figure is None:
                continue
            try:
                place.mkdir(parents=True, exist_ok=True)
                for ending, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
                    path = place / f"{name}.{ending}"
                    figure.savefig(path, dpi=150, metadata=metadata)
                    written.append(path)
            except OSError as error:
                raise PonderError(
                    f"{error.filename or place}: cannot be written: {error.strerror or error}"
                ) from None
    return written


def _styles(figures: Figures) -> _Styles:
    return {
        method: {
            "color": OKABE_ITO[k % len(OKABE_ITO)],
            "linestyle": DASHES[k % len(DASHES)],
            "marker": MARKERS[k % len(MARKERS)],
        }
        for k, method in enumerate(dict.fromkeys(figures.methods.values()))
    }


def _canvas(panels: int, legend: Collection[str]) -> tuple[Figure, list[Any]]:
    """Return a figure without a window: panels, at most three a row, above room for a legend."""
    from matplotlib.figure import Figure

    columns = min(panels, 3)
    rows = math.ceil(panels / columns)
    width = 4.2 * columns + 0.8
    foot = 0.25 + 0.2 * math.ceil(len(legend) / _legend_columns(width, legend))
    height = 3.0 * rows + foot
    figure = Figure(figsize=(width, height))
    axes = figure.subplots(rows, columns, squeeze=False).reshape(-1)
    # By hand: matplotlib's layout engines take longer than the drawing.
    across = {"left": 0.7 / width, "right": 1 - 0.2 / width, "wspace": 0.2}
    down = {"bottom": (foot + 0.5) / height, "top": 1 - 0.3 / height, "hspace": 0.4}
    figure.subplots_adjust(**across, **down)
    for unused in axes[panels:]:
        unused.set_axis_off()
    return figure, list(axes[:panels])


def _legend_columns(width: float, names: Collection[str]) -> int:
    """Return how many names fit side by side in a width, in inches."""
    longest = max(map(len, names), default=0)
    return max(1, min(len(names), int((width - 0.4) / (0.6 + 0.07 * longest))))


def _success(figures: Figures, styles: _Styles) -> Figure | None:
    bulbs = {(s.family, s.size): s.bulbs for s in figures.sizes.values()}
    curves: _Curves = {}
    solvable: dict[str, dict[float, float]] = {}
    for line in figures.lines():
        side = math.sqrt(bulbs[line.family, line.size])
        shares = solvable.setdefault(line.family, {})
        # `solve`, with repeats, finds more boards solvable than `order`: here the latter counts
        shares[side] = min(shares.get(side, 100.0), 100 * line.possible / line.runs)
        if line.possible:
            points = curves.setdefault(line.family, {}).setdefault(line.method, [])
            points.append((side, 100 * line.solved / line.possible))

    def dress(panel: Any, family: str) -> None:
        x, y = zip(*sorted(solvable[family].items()), strict=True)
        panel.bar(x, y, width=0.7, color="0.87", label=ORDERABLE)
        panel.set(xlabel="side (√ bulbs)", ylabel=SOLVED, ylim=(0, 104))
        panel.xaxis.get_major_locator().set_params(integer=True)

    return _panels(curves, styles, dress, [*styles, ORDERABLE])


def _cactus(figures: Figures, styles: _Styles) -> Figure | None:
    curves: _Curves = {}
    least: dict[str, float] = {}
    for family, _, method, places in figures.groups("family"):
        seconds = np.sort(figures.runs["seconds"][places[figures.decided[places]]])
        if seconds.size:
            at = np.linspace(0, seconds.size - 1, min(seconds.size, MOST_POINTS)).astype(np.int64)
            points = zip(at + 1, seconds[at], strict=True)
            curves.setdefault(family, {})[method] = list(points)
            least[family] = min(least.get(family, seconds[0]), seconds[0])

    def dress(panel: Any, family: str) -> None:
        _scale(panel.set_yscale, least[family], 1e-6)
        panel.set(xlabel="runs decided", ylabel="within seconds each")

    return _panels(curves, styles, dress, styles)


def _trials(figures: Figures, styles: _Styles) -> Figure | None:
    from matplotlib.ticker import LogLocator, NullLocator

    curves: _Curves = {}
    for family, _, method, places in figures.groups("family"):
        trials = known(figures.runs["trials"][places[figures.solved[places]]])
        values, counts = np.unique(trials, return_counts=True)
        if values.size:
            share = 100 * np.cumsum(counts) / np.count_nonzero(figures.possible[places])
            curves.setdefault(family, {})[method] = list(zip(values, share, strict=True))

    def dress(panel: Any, family: str) -> None:
        least = min(points[0][0] for points in curves[family].values())
        if _scale(panel.set_xscale, least, 1) == "log":
            panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter("{x:,.0f}")
        panel.xaxis.set_minor_locator(NullLocator())
        panel.set(xlabel="trials", ylabel=SOLVED, ylim=(0, 104))

    return _panels(curves, styles, dress, styles, drawstyle="steps-post")


def _extra(figures: Figures, styles: _Styles) -> Figure | None:
    boards: dict[str, list[Any]] = {}
    for family, _, _, places in figures.groups("family"):
        boards.setdefault(family, []).append(figures.runs["board"][places])
    extra = {
        family: known(figures.extra[np.unique(np.concatenate(pieces))])
        for family, pieces in boards.items()
    }

    def dress(panel: Any, family: str) -> None:
        values, counts = np.unique(extra[family], return_counts=True)
        panel.bar(values, counts, width=0.8, color=OKABE_ITO[5], edgecolor="black", hatch="//")
        panel.set(xlabel="presses beyond the lightest press set", ylabel="boards")

    return _panels({family: {} for family, its in extra.items() if its.size}, styles, dress, ())


def _panels(
    curves: _Curves,
    styles: _Styles,
    dress: Callable[[Any, str], None],
    legend: Collection[str],
    **more: Any,
) -> Figure | None:
    """Draw the curves of each family into a panel, and a legend; None without a family."""
    if not curves:
        return None
    figure, axes = _canvas(len(curves), legend)
    for panel, (family, methods) in zip(axes, curves.items(), strict=True):
        dress(panel, family)
        panel.set(title=family)
        for method, points in methods.items():
            x, y = zip(*sorted(points), strict=True)
            panel.plot(x, y, label=method, markevery=max(len(x) // 8, 1), **more, **styles[method])
    if legend:
        seen: dict[str, Any] = {}
        for panel in axes:
            for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
                seen.setdefault(label, handle)
        columns = _legend_columns(figure.get_figwidth(), seen)
        figure.legend(list(seen.values()), list(seen), loc="lower center", ncols=columns)
    return figure


def _scale(set_scale: Callable[..., object], least: float, linear: float) -> str:
    """Give an axis a logarithmic scale; where a value is 0, one that is linear at first."""
    if least > 0:
        set_scale("log")
        return "log"
    set_scale("symlog", linthresh=linear)
    return "symlog"
