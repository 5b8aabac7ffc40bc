"""The pictures of a study: PNG and SVG, from the figures of `ponder.studies.report`.

    success     solved runs as a share of those whose board is known to be solvable, against the
                size, a panel for each family; and the share of the boards that are
    cactus      how many runs were decided within a time each
    trials      greedy: the share of those boards that it solved within so many trials
    extra       how many presses more than the lightest press set the fewest presses are

Every method has a colour, a line style and a marker of its own, so that the pictures can be read
in black and white; the colours are those of Okabe and Ito (2008), which the colour-blind can tell
apart. A picture without data is not drawn. The same study gives the same SVG, byte for byte.

Needs the extra `ponder[plots]`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ponder.errors import PonderError, require
from ponder.studies.report import NONE, Figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
MARKERS = "osD^vPX*<>h"
ORDERABLE = "boards known to have an order"
MOST_POINTS = 500
"""Points of a curve: a curve of a million runs is thinned out to so many."""

_STYLE: dict[str, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.5,
    "svg.hashsalt": "ponder",
    "svg.fonttype": "path",
}


def draw(figures: Figures, folder: str | os.PathLike[str]) -> list[Path]:
    """Draw every picture that there is data for into a folder; return the files.

    PonderError when matplotlib is missing or the folder cannot be written.

    >>> from ponder.studies.study import Study
    >>> with Study(":memory:", create=True) as study:
    ...     draw(Figures.of(study), "plots")
    []
    """
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


def _styles(figures: Figures) -> dict[str, dict[str, Any]]:
    """Give every method its colour, dashes and marker."""
    return {
        method: {
            "color": OKABE_ITO[k % len(OKABE_ITO)],
            "linestyle": DASHES[k % len(DASHES)],
            "marker": MARKERS[k % len(MARKERS)],
        }
        for k, method in enumerate(dict.fromkeys(figures.methods.values()))
    }


def _canvas(panels: int, legend: Collection[str]) -> tuple[Figure, list[Any]]:
    """Return a figure without a window, and its panels, at most three side by side.

    Below them is room for a legend of these entries. The margins are set by hand, in inches:
    matplotlib's layout engines take longer than the drawing.
    """
    from matplotlib.figure import Figure

    columns = min(panels, 3)
    rows = math.ceil(panels / columns)
    width = 4.2 * columns + 0.8
    foot = 0.25 + 0.2 * math.ceil(len(legend) / _legend_columns(width, legend))
    height = 3.0 * rows + foot
    figure = Figure(figsize=(width, height))
    axes = figure.subplots(
        rows,
        columns,
        squeeze=False,
        gridspec_kw={
            "left": 0.7 / width,
            "right": 1 - 0.2 / width,
            "bottom": (foot + 0.5) / height,
            "top": 1 - 0.3 / height,
            "wspace": 0.2,
            "hspace": 0.4,
        },
    ).reshape(-1)
    for unused in axes[panels:]:
        unused.set_axis_off()
    return figure, list(axes[:panels])


def _legend_columns(width: float, names: Collection[str]) -> int:
    """Return how many names fit side by side in a width, in inches."""
    longest = max(map(len, names), default=0)
    return max(1, min(len(names), int((width - 0.4) / (0.6 + 0.07 * longest))))


def _legend(figure: Figure, axes: list[Any]) -> None:
    """Put one legend for all panels below them."""
    seen: dict[str, Any] = {}
    for panel in axes:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            seen.setdefault(label, handle)
    columns = _legend_columns(figure.get_figwidth(), seen)
    figure.legend(list(seen.values()), list(seen), loc="lower center", ncols=columns)


def _success(figures: Figures, styles: dict[str, dict[str, Any]]) -> Figure | None:
    bulbs = {(s.family, s.size): s.bulbs for s in figures.sizes.values()}
    curves: dict[str, dict[str, list[tuple[float, float]]]] = {}
    solvable: dict[str, dict[float, float]] = {}
    for line in figures.lines():
        side = math.sqrt(bulbs[line.family, line.size])
        shares = solvable.setdefault(line.family, {})
        # `solve`, with repeats, finds more boards solvable than `order`: here the latter counts
        shares[side] = min(shares.get(side, 100.0), 100 * line.possible / line.runs)
        if line.possible:
            methods = curves.setdefault(line.family, {})
            points = methods.setdefault(line.method, [])
            points.append((side, 100 * line.solved / line.possible))
    if not curves:
        return None
    figure, axes = _canvas(len(curves), [*styles, ORDERABLE])
    for panel, (family, methods) in zip(axes, curves.items(), strict=True):
        x, y = zip(*sorted(solvable[family].items()), strict=True)
        panel.bar(x, y, width=0.7, color="0.87", label=ORDERABLE)
        for method, points in methods.items():
            x, y = zip(*sorted(points), strict=True)
            panel.plot(x, y, label=method, markevery=max(len(x) // 8, 1), **styles[method])
        panel.set(title=family, xlabel="side (√ bulbs)", ylabel="solved, % of those with an order")
        panel.set_ylim(0, 104)
        panel.xaxis.get_major_locator().set_params(integer=True)
    _legend(figure, axes)
    return figure


def _cactus(figures: Figures, styles: dict[str, dict[str, Any]]) -> Figure | None:
    families: dict[str, list[tuple[str, Any]]] = {}
    for family, _, method, places in figures.groups("family"):
        seconds = np.sort(figures.runs["seconds"][places[figures.decided[places]]])
        if seconds.size:
            families.setdefault(family, []).append((method, seconds))
    if not families:
        return None
    figure, axes = _canvas(len(families), styles)
    for panel, (family, curves) in zip(axes, families.items(), strict=True):
        for method, seconds in curves:
            at = _thinned(seconds.size)
            panel.plot(
                at + 1, seconds[at], label=method, markevery=max(at.size // 8, 1), **styles[method]
            )
        _scale(panel.set_yscale, (seconds for _, seconds in curves), 1e-6)
        panel.set(title=family, xlabel="runs decided", ylabel="within seconds each")
    _legend(figure, axes)
    return figure


def _trials(figures: Figures, styles: dict[str, dict[str, Any]]) -> Figure | None:
    from matplotlib.ticker import LogLocator, NullLocator

    families: dict[str, list[tuple[str, Any]]] = {}
    for family, _, method, places in figures.groups("family"):
        solved = places[figures.solved[places]]
        trials = figures.runs["trials"][solved]
        values, counts = np.unique(trials[trials != NONE], return_counts=True)
        if values.size:
            share = 100 * np.cumsum(counts) / np.count_nonzero(figures.possible[places])
            families.setdefault(family, []).append((method, (values, share)))
    if not families:
        return None
    figure, axes = _canvas(len(families), styles)
    for panel, (family, curves) in zip(axes, families.items(), strict=True):
        for method, (values, share) in curves:
            steps = {"drawstyle": "steps-post", "markevery": max(values.size // 8, 1)}
            panel.plot(values, share, label=method, **steps, **styles[method])
        if _scale(panel.set_xscale, (values for _, (values, _) in curves), 1) == "log":
            panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter("{x:,.0f}")
        panel.xaxis.set_minor_locator(NullLocator())
        panel.set_ylim(0, 104)
        panel.set(title=family, xlabel="trials", ylabel="solved, % of those with an order")
    _legend(figure, axes)
    return figure


def _extra(figures: Figures, styles: dict[str, dict[str, Any]]) -> Figure | None:
    families = list(_extra_by_family(figures))
    if not families:
        return None
    figure, axes = _canvas(len(families), ())
    for panel, (family, extra) in zip(axes, families, strict=True):
        values, counts = np.unique(extra, return_counts=True)
        panel.bar(values, counts, width=0.8, color=OKABE_ITO[5], edgecolor="black", hatch="//")
        panel.set(title=family, xlabel="presses beyond the lightest press set", ylabel="boards")
    return figure


def _extra_by_family(figures: Figures) -> Iterator[tuple[str, Any]]:
    boards: dict[str, list[Any]] = {}
    for family, _, _, places in figures.groups("family"):
        boards.setdefault(family, []).append(figures.runs["board"][places])
    for family, pieces in boards.items():
        extra = figures.extra[np.unique(np.concatenate(pieces))]
        extra = extra[extra != NONE]
        if extra.size:
            yield family, extra


def _scale(set_scale: Callable[..., object], curves: Iterable[Any], least: float) -> str:
    """Give an axis a logarithmic scale; where a value is 0, one that is linear up to `least`."""
    if all(values.min() > 0 for values in curves):
        set_scale("log")
        return "log"
    set_scale("symlog", linthresh=least)
    return "symlog"


def _thinned(size: int) -> Any:
    """Return at most MOST_POINTS places of a sorted array, the first and the last among them."""
    return np.unique(np.linspace(0, size - 1, min(size, MOST_POINTS)).astype(np.int64))
