"""Legal orders on row/column boards: exact and near linear, by a half factor.

Theorem 2 (theory §4.2). Let every t(v) be 0. A press set S has a legal order iff it has a *half
factor*: a set Z ⊆ S with exactly ⌊d(v)/2⌋ presses on every line (row or column) v.

From Z to an order. Colour Z 1 and the rest 0; orient colour 0 row → column and colour 1 column →
row. The presses then split into simple directed cycles, which are built first (`cycle_cells`), and
simple paths from each odd row to an odd column (`path_cells`).

Loop erasure. Walk along unused edges (Hierholzer 1873); whenever the walk returns to a vertex that
it holds, the loop just closed is a simple cycle: cut it out and go on. Where every vertex has
out − in ∈ {−1, 0, 1}, a walk from a vertex with one more edge out than in gets stuck exactly at one
with one more in than out, and its rest is a simple path. Once all paths are taken the graph is
balanced, and a walk from any vertex ends where it began.

Letters: S, Z, d as above; lines are numbered rows first, so that line R + c is column c; a *cell*
is row·C + column; a line's *bit* is its number of presses so far in build order, mod 2.
Cost: O(R·C + |S|) and a maximum flow; 0.4 ms for 30 × 30. Squares are peeled off large boards
first, so that flow and walk see only a small part of S: 1 s for 4000 × 4000. A walk is a plain loop
over Python lists, about 0.3 µs per edge; everything before and after it is array work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np

from ponder.check.cut import Cut
from ponder.find.row_column.maximum_flow import HalfFactor, half_factor, line_cut
from ponder.model.graph import CrossGraph, line_parities
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, bincount, indices

PEELED = 1 << 16  # cells of a board from which on squares are peeled off first
ROUNDS = 16


def order_lines(problem: OrderingProblem, limits: Limits = NEVER) -> Order | Cut:
    """Return a legal order of a problem with `even_lines`, or the proof that there is none.

    Raises TimeUp if the deadline passes.

    >>> graph = CrossGraph((2, 3))
    >>> def problem(*bulbs):
    ...     return OrderingProblem(graph, np.array(bulbs), np.zeros(len(bulbs), dtype=bool))
    >>> order_lines(problem(0, 1, 3, 4)).vertices.tolist()
    [0, 3, 2, 1]
    >>> order_lines(problem(0, 1)).all_lines
    True
    """
    graph = problem.graph
    assert isinstance(graph, CrossGraph)
    answer = order_grid(graph, graph.set_of(problem.bulbs), limits)
    return answer.order(problem) if isinstance(answer, Pressed) else answer


def order_grid(graph: CrossGraph, press_set: Bits, limits: Limits = NEVER) -> Pressed | Cut:
    """Order a press set of a row/column board where every t(v) = 0, as `order_lines` does.

    `press_set` has one bit per bulb. For millions of presses: no list of them is made before their
    order. Raises TimeUp if the deadline passes.
    """
    grid = graph.to_grid(press_set)
    odd_rows, odd_columns = map(np.flatnonzero, line_parities(grid))
    if odd_rows.size != odd_columns.size:
        return Cut.of_all(graph, press_set)
    squares, rows, columns, factor = peeled_factor(grid, limits)
    if not factor.exists:
        return line_cut(rows, columns, factor, limits)
    cycles, paths = _oriented(rows, columns, factor.chosen, graph.shape, limits)
    limits.check()
    return _laid(graph, squares, cycles, paths)


@dataclass(frozen=True, eq=False)
class Pressed:
    """A legal order: the bulbs in play order."""

    bulbs: Ints
    statistics: dict[str, object]

    def order(self, problem: OrderingProblem) -> Order:
        """Return the order of the vertices that press them."""
        vertex: Ints = np.empty(problem.graph.size, dtype=np.dtype("i4"))
        vertex[problem.bulbs] = np.arange(problem.size)
        return Order(vertex[self.bulbs].astype(np.int64), self.statistics)


def peeled_factor(grid: Bits, limits: Limits) -> tuple[Ints, Ints, Ints, HalfFactor]:
    """Return squares (their cells), and the largest Z of the rest, by its rows and columns.

    No squares are taken if the rest's Z leaves lines of both kinds short: S may have a larger Z.
    """
    shape = (grid.shape[0], grid.shape[1])
    squares, rest = _squares(grid, limits)
    rows, columns = np.nonzero(rest)
    factor = half_factor(rows, columns, shape, limits)
    if squares.size and factor.value < min(factor.rows_half, factor.columns_half):
        squares = squares[:0]
        rows, columns = np.nonzero(grid)
        factor = half_factor(rows, columns, shape, limits)
    return squares, rows, columns, factor


def _squares(grid: Bits, limits: Limits) -> tuple[Ints, Bits]:
    """Peel squares off a large grid; return their cells in build order, and the rest.

    A square is four presses at the crossings of rows r₁, r₂ with columns c₁, c₂. Built in the order
    (r₁,c₁) (r₂,c₂) (r₁,c₂) (r₂,c₁) it leaves all four lines as they were (theory §4.3). Round k
    pairs row i with row i ⊕ k, and takes all columns that the two have in common, two at a time.
    """
    height, width = grid.shape
    kind = np.int32
    cells: list[Any] = [np.empty(0, dtype=kind)]
    if grid.size < PEELED:
        return cells[0], grid
    rest = grid.copy()
    rows = np.arange(height, dtype=np.int32)
    for k in range(1, ROUNDS):
        limits.check()
        upper = np.flatnonzero((rows < rows ^ k) & (rows ^ k < height))
        common = rest[upper] & rest[upper ^ k]
        odd = np.flatnonzero(np.bitwise_xor.reduce(common, axis=1))
        common[odd, common[odd].argmax(axis=1)] = False  # an odd column out stays
        pair, column = np.nonzero(common)
        above, below = (r[pair] * width + column for r in (upper, upper ^ k))
        rest.reshape(-1)[above] = rest.reshape(-1)[below] = False
        square = (above[::2], below[1::2], above[1::2], below[::2])
        cells.append(
            np.stack(square, axis=1, dtype=np.dtype("i4"), casting="same_kind").reshape(-1)
        )
    return np.concatenate(cells), rest


def order_from_colours(problem: OrderingProblem, colour: Bits) -> Order:
    """Return the legal order that a half factor stands for: `colour` is 1 on it, a bit a press.

    Theorem 2, its construction. Raises ValueError when `colour` is no half factor; nothing else of
    the problem is checked.
    """
    graph = problem.graph
    assert isinstance(graph, CrossGraph)
    shape = graph.shape
    rows, columns = graph.places(problem.bulbs)
    for line, size in zip((rows, columns), shape, strict=True):
        half = bincount(line, minlength=size) >> 1
        if not np.array_equal(half, bincount(line[colour], minlength=size)):
            raise ValueError("the colours are no half factor")
    cycles, paths = _oriented(rows, columns, colour, shape, NEVER)
    return _laid(graph, rows[:0], cycles, paths).order(problem)


def _oriented(
    rows: Ints, columns: Ints, colour: Bits, shape: tuple[int, int], limits: Limits
) -> tuple[Trails, Trails]:
    """Orient colour 0 row → column, colour 1 column → row, and split into (cycles, paths)."""
    ends = columns + shape[0]
    return split(np.where(colour, ends, rows), np.where(colour, rows, ends), sum(shape), limits)


def _laid(graph: CrossGraph, squares: Ints, cycles: Trails, paths: Trails) -> Pressed:
    """Lay squares, cycles and paths one after the other in build order, and turn them round."""
    kind = np.int32 if graph.shape[0] * graph.shape[1] < 1 << 31 else np.int64
    pieces = [squares, cycle_cells(cycles, graph.shape), path_cells(paths, graph.shape)]
    cells: Ints = np.concatenate(pieces, dtype=kind, casting="same_kind")
    statistics: dict[str, object] = {
        "squares": squares.size // 4,
        "cycles": int(cycles.lengths.size),
        "paths": int(paths.lengths.size),
    }
    return Pressed(played(graph, cells), statistics)


def played(graph: CrossGraph, cells: Ints) -> Ints:
    """Return the bulbs in play order, given their cells in build order."""
    play = cells[::-1]
    return play if graph.mask is None else graph.numbers.reshape(-1)[play]


def cycle_cells(cycles: Trails, shape: tuple[int, int]) -> Ints:
    """Return the cells of simple alternating cycles of lines in build order, cycle by cycle.

    An edge's colour is the kind of the line it leaves (row 0, column 1). Of every cycle the
    presses of colour 0 come first, then those of colour 1.
    """
    vertices, starts, walk = cycles.vertices, cycles.starts, cycles.walk
    following = np.roll(vertices, -1)
    following[starts + cycles.lengths - 1] = vertices[starts]
    colour = vertices >= shape[0]
    start = starts[walk]
    step = (np.arange(vertices.size) - start) >> 1
    build = np.empty(vertices.size, dtype=np.int64)
    build[start + step + colour * (cycles.lengths >> 1)[walk]] = _cells(vertices, following, shape)
    return build


def path_cells(paths: Trails, shape: tuple[int, int], bits: Bits | None = None) -> Ints:
    """Return the cells of simple alternating paths of lines in build order, path by path.

    Every path leads from a row to a column, and each line ends at most one path. `bits` are the
    bits of all lines before the first path, 0 where a path ends; None for all 0. At an inner line
    the press that enters it comes before the one that leaves it ("forward") iff the entering one
    has the line's bit as its colour. Where it does not, the two are exchanged: each maximal run of
    presses without a forward line between them is built backwards.
    """
    vertices, starts, walk = paths.vertices, paths.starts, paths.walk
    ends = starts + paths.lengths - 1
    ended_by = np.full(sum(shape), paths.lengths.size)  # the path that a line ends, if any
    ended_by[vertices[starts]] = ended_by[vertices[ends]] = np.arange(paths.lengths.size)
    bit = ended_by[vertices] < walk
    if bits is not None:
        bit |= bits[vertices]
    entered_by_0 = vertices >= shape[0]

    # Press i joins vertices i and i + 1; it begins a run unless vertex i is inner and backward.
    begins = entered_by_0 ^ bit
    begins[starts] = True
    press = np.delete(np.arange(vertices.size), ends)
    cells = _cells(vertices[press], vertices[press + 1], shape)
    first = np.flatnonzero(begins[press])
    run_lengths = np.diff(first, append=cells.size)
    mirrored: Ints = np.repeat(2 * first + run_lengths - 1, indices(run_lengths)) - np.arange(
        cells.size
    )
    return cells[mirrored]


def _cells(tails: Ints, heads: Ints, shape: tuple[int, int]) -> Ints:
    """Return the cells where pairs of lines, one row and one column each, cross."""
    height, width = shape
    return np.minimum(tails, heads) * width + np.maximum(tails, heads) - height


# ------------------------------------------------------------------------------ cycles and paths


@dataclass(frozen=True, eq=False)
class Trails:
    """Walks laid end to end: `vertices`, and how many of them belong to each walk, `lengths`.

    A cycle's first vertex is not repeated: a cycle of k vertices has k edges, a path k − 1.
    """

    vertices: Ints
    lengths: Ints

    @property
    def starts(self) -> Ints:
        """Where in `vertices` each walk begins."""
        return np.cumsum(self.lengths) - self.lengths

    def walks(self) -> list[list[int]]:
        """Return the vertices of every walk, as Python lists."""
        flat, ends = self.vertices.tolist(), np.cumsum(self.lengths).tolist()
        return [flat[first:last] for first, last in pairwise([0, *ends])]

    @property
    def walk(self) -> Ints:
        """The number of the walk that each of `vertices` belongs to."""
        return np.repeat(np.arange(self.lengths.size), indices(self.lengths))


def split(tails: Ints, heads: Ints, size: int, limits: Limits = NEVER) -> tuple[Trails, Trails]:
    """Split the edges tails[i] → heads[i] on vertices 0 … size−1 into (simple cycles, paths).

    Each path goes from a vertex with one more edge out than in to one with one more edge in than
    out. Raises ValueError unless the edges are distinct and out − in ∈ {−1, 0, 1} everywhere, and
    TimeUp if the deadline passes.

    >>> cycles, paths = split(np.array([0, 1, 2, 1]), np.array([1, 2, 1, 3]), 4)
    >>> cycles.vertices.tolist(), paths.vertices.tolist()
    ([1, 2], [0, 1, 3])
    """
    out = bincount(tails, minlength=size)
    surplus = out - bincount(heads, minlength=size)
    if np.abs(surplus).max(initial=0) > 1:
        raise ValueError("in-degree and out-degree differ by more than one")
    # A stable sort of 16-bit keys is a radix sort.
    key = tails.astype(np.uint16) if size <= 1 << 16 else tails
    sorted_heads = heads[np.argsort(key, kind="stable")]
    # One int object per vertex, shared by all its edges: less memory, and it stays in the cache.
    flat = np.arange(size).astype(object)[sorted_heads].tolist()
    ends = np.cumsum(out).tolist()
    stacks = [flat[first:last] for first, last in pairwise([0, *ends])]
    begins = np.flatnonzero(surplus > 0).tolist()
    return _walk(stacks, [stack.pop for stack in stacks], begins, limits)


def split_undirected(u: Ints, v: Ints, limits: Limits = NEVER) -> tuple[Trails, Trails]:
    """Split a simple undirected graph with the edges {u[i], v[i]} into (simple cycles, paths).

    Every vertex of odd degree ends one simple path, no other ends any. A plain loop, 1 µs an edge.
    """
    near: list[set[int]] = [
        set() for _ in range(int(max(u.max(initial=-1), v.max(initial=-1))) + 1)
    ]
    for a, b in zip(u.tolist(), v.tolist(), strict=True):
        near[a].add(b)
        near[b].add(a)

    def follow(a: int) -> int:
        b = near[a].pop()
        near[b].remove(a)
        return b

    # walks from vertices that are odd by then become paths, all others return
    still_odd = (a for a, neighbours in enumerate(near) if len(neighbours) & 1)
    return _walk(near, [partial(follow, a) for a in range(len(near))], still_odd, limits)


def _walk(
    edges: Sequence[Sized],
    follow: list[Callable[[], int]],
    starts: Iterable[int],
    limits: Limits,
) -> tuple[Trails, Trails]:
    """Use up all edges; return cycles and paths. `follow[v]()` takes one of the `edges[v]` left."""
    place = [-1] * len(edges)  # where on the walk a vertex is, −1 when it is not
    cycles: list[int] = []
    cycle_lengths: list[int] = []
    paths: list[int] = []
    path_lengths: list[int] = []
    for start in chain(starts, range(len(edges))):
        if not edges[start]:
            continue
        walk, at, last = [start], start, 0
        place[start] = 0
        push = walk.append
        try:
            while True:
                at = follow[at]()
                first = place[at]
                if first < 0:
                    last += 1
                    place[at] = last
                    push(at)
                else:
                    limits.check()
                    loop = walk[first:]
                    del walk[first + 1 :]
                    for vertex in loop:
                        place[vertex] = -1
                    place[at] = last = first
                    cycles += loop
                    cycle_lengths.append(len(loop))
        except LookupError:  # no edge leaves `at` any more
            for vertex in walk:
                place[vertex] = -1
            if last:  # else the graph was balanced, and the walk is back where it began
                paths += walk
                path_lengths.append(last + 1)
    cycle_trails, path_trails = (
        Trails(np.array(vertices, dtype=np.int64), np.array(lengths, dtype=np.int64))
        for vertices, lengths in ((cycles, cycle_lengths), (paths, path_lengths))
    )
    return cycle_trails, path_trails
