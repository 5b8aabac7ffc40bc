"""The fewest legal presses of one press set on a row/column board, repeats allowed.

Theorem 3 (theory §4.5 to §4.7). Let every t(v) be 0 and D = H_R + H_C − 2f. No legal sequence whose
odd presses are S has fewer than |S| + 2·D presses. On a full rectangle with even sides some
sequence meets it: S splits into cycles, *mixed paths* between an odd row and an odd column, and D
*like paths* between two odd rows or two odd columns. Cycles are built first, then like paths with
two extra presses each, then mixed paths (`ordering`, `like_paths`). With odd sides or holes the
extra presses may be missing: there all walks are put in an order that suits the like paths, and
then other splits of S are tried. A sequence that is not found is not claimed.

Letters: S, Z, d, H_R, H_C, f as in `half_factor`; D as above. Cost: that of `order_lines` and
O(R + C) per like path: 0.6 ms for 30 × 30, 0.1 s for 1000 × 1000.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from ponder.check.certificate import Bound
from ponder.check.coset import Lightest
from ponder.check.cut import Cut
from ponder.check.members import Members
from ponder.check.result import NOT_MET
from ponder.find.context import SearchOutcome
from ponder.find.row_column.like_paths import LineState, Walk, schedule
from ponder.find.row_column.maximum_flow import HalfFactor, half_factor
from ponder.find.row_column.ordering import (
    Trails,
    cycle_cells,
    path_cells,
    peeled_factor,
    played,
    split,
    split_undirected,
)
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints, bincount, indices

ATTEMPTS = 64  # splits of S that are tried where the first does not do; fewer on large boards
MOST_WORK = 1 << 24  # what these may take together: presses, and lines looked at for like paths


def fewest_lines(
    board: Board, press_set: Bits, *, seed: int = 0, limits: Limits = NEVER
) -> SearchOutcome:
    """Return a shortest legal sequence that presses the bulbs of `press_set`, and them only, oddly.

    The bound |S| + 2·D is for all sequences of that press set, one bit per bulb; its evidence is a
    cut of capacity f. A sequence that is returned meets it. On a full board with even sides there
    is one; else `seed` and the time that is left concern the search for other splits. The board is
    a row/column board with every t(v) = 0. Raises TimeUp before the bound is known.

    >>> board = Board.from_rows(["1111", "0000"])
    >>> press_set = board.graph.apply(board.change)
    >>> found = fewest_lines(board, press_set)
    >>> int(press_set.sum()), found.presses.size, found.lower_bound, found.evidence.kind
    (4, 8, 8, 'members')
    """
    graph = board.graph
    assert isinstance(graph, CrossGraph)
    grid = graph.to_grid(press_set)
    squares, rows, columns, factor = peeled_factor(grid, limits)
    lower_bound = int(np.count_nonzero(grid)) + 2 * factor.deficit
    evidence = _evidence(press_set, factor)
    statistics: dict[str, object] = {}
    try:
        first = Walks.from_half_factor(rows, columns, factor, graph.shape, squares, limits)
        statistics |= first.statistics()
        built, searched = _built(first, grid, graph.mask, Random(seed), limits)
        statistics |= searched
    except TimeUp:
        built = None
    if built is None:
        return SearchOutcome("lines", None, lower_bound, evidence, NOT_MET, statistics)
    return SearchOutcome(
        "lines", played(graph, built), lower_bound, evidence, statistics=statistics
    )


def _evidence(press_set: Bits, factor: HalfFactor) -> Bound:
    """Return the certificate that bounds the flow of S: a cut, where line counts do not do."""
    if not factor.deficit:
        return Lightest()
    if factor.value == min(factor.rows_half, factor.columns_half):  # one kind is served in full
        return Members()
    rows, columns = map(np.flatnonzero, (factor.cut_rows, factor.cut_columns))
    return Members(((press_set, Cut("rows", rows, columns)),))


@dataclass(frozen=True, eq=False)
class Walks:
    """S split into squares (cells, four each), cycles, mixed paths and like paths."""

    shape: tuple[int, int]
    squares: Ints
    cycles: list[Trails]
    mixed: Trails
    like: list[Walk]
    exchanges: int = 0

    @classmethod
    def from_half_factor(
        cls,
        rows: Ints,
        columns: Ints,
        factor: HalfFactor,
        shape: tuple[int, int],
        squares: Ints,
        limits: Limits = NEVER,
    ) -> Walks:
        """Split the presses at (rows[i], columns[i]) by their largest Z; `squares` are apart."""
        lines = sum(shape)
        ends = columns + shape[0]
        tails, heads = np.where(factor.chosen, ends, rows), np.where(factor.chosen, rows, ends)
        surplus = bincount(tails, minlength=lines) - bincount(heads, minlength=lines)
        # A line that falls short gets 2δ *stubs*, vertices from which (or at which) a path begins.
        at = np.repeat(np.arange(lines), indices(np.abs(surplus) & ~1))
        stubs, is_row = lines + np.arange(at.size), at < shape[0]
        tails = np.concatenate([tails, np.where(is_row, stubs, at)])
        heads = np.concatenate([heads, np.where(is_row, at, stubs)])
        cycles, paths = split(tails, heads, lines + at.size, limits)
        if not at.size:
            return cls(shape, squares, [cycles], paths, [])
        mixed, u, v = _without_stubs(paths, lines)
        mixed, u, v, exchanges = _exchange(mixed, u, v, lines, limits)
        more_cycles, like = split_undirected(u, v, limits)
        return cls(shape, squares, [cycles, more_cycles], mixed, like.walks(), exchanges)

    def statistics(self) -> dict[str, object]:
        """Return how many walks of each kind there are."""
        return {
            "squares": self.squares.size // 4,
            "cycles": sum(int(cycles.lengths.size) for cycles in self.cycles),
            "mixed_paths": int(self.mixed.lengths.size),
            "like_paths": len(self.like),
            "exchanges": self.exchanges,
        }

    def build(self, mask: Bits | None, limits: Limits) -> Ints | None:
        """Return the cells of squares, cycles, like paths, mixed paths in build order, or None.

        None: the like paths get stuck.
        """
        shape = self.shape
        before = [self.squares, *(cycle_cells(cycles, shape) for cycles in self.cycles)]
        if not self.like:
            return np.concatenate([*before, path_cells(self.mixed, shape)])
        site = LineState.empty(shape, mask)
        for cells in before:
            site.pressed.reshape(-1)[cells] = True
        served = schedule(site, self.like, limits=limits)
        if served is None:
            return None
        for walk in self.like:
            site.bits[[walk[0], walk[-1]]] = True
        after = path_cells(self.mixed, shape, site.bits)
        return np.concatenate([*before, *served, after])

    def build_in_any_order(self, mask: Bits | None, rng: Random, limits: Limits) -> Ints | None:
        """Return the cells of the walks in an order that suits the like paths, or None."""
        rows, columns = np.divmod(self.squares.reshape(-1, 4)[:, :2], self.shape[1])
        columns = columns + self.shape[0]
        squares = np.stack([rows[:, 0], columns[:, 0], rows[:, 1], columns[:, 1], rows[:, 0]], 1)
        cycles = [[*walk, walk[0]] for trails in self.cycles for walk in trails.walks()]
        site = LineState.empty(self.shape, mask)
        walks = [*squares.tolist(), *cycles, *self.mixed.walks(), *self.like]
        cells = schedule(site, walks, rng, limits)
        return None if cells is None else np.concatenate(cells)


def _without_stubs(paths: Trails, lines: int) -> tuple[Trails, Ints, Ints]:
    """Return the paths that have no stub, and the presses {u[i], v[i]} of the others."""
    vertices, starts, lengths, walk = paths.vertices, paths.starts, paths.lengths, paths.walk
    ends = starts + lengths - 1
    stubbed = (vertices[starts] >= lines) | (vertices[ends] >= lines)
    mixed = Trails(vertices[~stubbed[walk]], lengths[~stubbed])
    is_edge = stubbed[walk]
    is_edge[ends] = False
    edge = np.flatnonzero(is_edge)
    u, v = vertices[edge], vertices[edge + 1]
    real = (u < lines) & (v < lines)
    return mixed, u[real], v[real]


def _exchange(
    mixed: Trails, u: Ints, v: Ints, lines: int, limits: Limits = NEVER
) -> tuple[Trails, Ints, Ints, int]:
    """Shorten mixed paths until no press of theirs joins two lines that end like paths.

    {u[i], v[i]} are the presses of the like paths. Return both anew, and the number of exchanges.
    Rare; each takes time linear in the mixed paths.
    """
    exchanges = 0
    ends_like = (bincount(np.concatenate([u, v]), minlength=lines) & 1).astype(np.bool_)
    while True:
        limits.check()
        vertices, starts, lengths = mixed.vertices, mixed.starts, mixed.lengths
        joins = ends_like[vertices[:-1]] & ends_like[vertices[1:]]
        joins[starts[1:] - 1] = False
        joining = np.flatnonzero(joins)
        if not joining.size:
            return mixed, u, v, exchanges
        exchanges += 1
        r, k = int(joining[0]), int(mixed.walk[joining[0]])
        first, last = int(starts[k]), int(starts[k] + lengths[k] - 1)
        around = np.delete(np.arange(first, last), r - first)
        u, v = np.append(u, vertices[around]), np.append(v, vertices[around + 1])
        ends_like[vertices[[first, r, r + 1, last]]] ^= True
        kept = np.ones(vertices.size, dtype=np.bool_)
        kept[first : last + 1] = False
        kept[[r, r + 1]] = True
        lengths = lengths.copy()
        lengths[k] = 2
        mixed = Trails(vertices[kept], lengths)


def _built(
    first: Walks, grid: Bits, mask: Bits | None, rng: Random, limits: Limits
) -> tuple[Ints | None, dict[str, object]]:
    """Build the walks, in another order, or of another split; None where no way works."""
    if first.like and 1 in grid.shape:  # after one press on a single line, none is legal
        return None, {}
    built = first.build(mask, limits)
    if built is not None:
        return built, {}
    rows, columns = np.nonzero(grid)
    built = first.build_in_any_order(mask, rng, limits)
    attempts = 1
    most = min(ATTEMPTS, MOST_WORK // (rows.size + len(first.like) * sum(grid.shape)))
    while built is None and attempts < most and not limits.expired:
        attempts += 1
        row_at, column_at = (np.array(rng.sample(range(size), size)) for size in grid.shape)
        there = np.argsort(row_at)[rows], np.argsort(column_at)[columns]
        factor = half_factor(*there, first.shape, limits)
        walks = Walks.from_half_factor(*there, factor, first.shape, first.squares[:0], limits)
        shuffled = None if mask is None else mask[np.ix_(row_at, column_at)]
        cells = walks.build_in_any_order(shuffled, rng, limits)
        if cells is not None:
            row, column = np.divmod(cells, grid.shape[1])
            built = row_at[row] * grid.shape[1] + column_at[column]
    return built, {"attempts": attempts}
