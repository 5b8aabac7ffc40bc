"""Families of boards, from a seed: of a pattern, of a shape, with a known answer, random graphs.

A board is made backwards: first a press set S with the property, then the one board with the goal
all lit (rule `unlit`) that S takes there, lit = goal + A·S. So every board made here has a press
set. Everything is drawn from the seed, so a family, its options, a size and a seed name a board.

    balanced     row/column boards with an order. Presses are drawn and balanced; a maximum flow
                 tells whether they have a half factor, that is an order. Sparse ones rarely do:
                 after DRAWS draws they are played (`played_backwards`)
    unbalanced   row/column boards with `by` more odd rows than odd columns: no order
    cut          row/column boards where those agree, and a line cut lacks by/2 presses (`_cut`)
    graph        random presses on G(n, p), or on a random d-regular graph
    plus, hex …  random presses on a pattern or a shape

On a row/column board with an even number of rows and of columns the press set is unique, so its
property is the board's; the two families without an order exist on such boards only.

Cost: O(cells), and one maximum flow for `balanced`; O(nodes + edges).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ponder.find.order import order
from ponder.find.row_column.maximum_flow import half_factor
from ponder.lights_out.nullities import full_graph
from ponder.model.board import MOST_BULBS, Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import parse_board
from ponder.model.graph import CrossGraph, Graph
from ponder.model.shapes import SHAPES_BY_NAME, SizedShape, sized_shape
from ponder.system.errors import PonderError
from ponder.system.printable import pluralise, printable, shortened
from ponder.system.types import Bits, Ints

Shape: TypeAlias = tuple[int, int]

DENSITY = 0.5
DRAWS = 4  # how often `balanced` draws before it plays instead
ASKED = 5_000  # bulbs of boards, but for row/column boards, that are asked for their answer
MOST_EDGES = 2_000_000  # random graphs with more edges than this are refused
KINDS = ("balanced", "unbalanced", "cut", "graph")  # families beside patterns and shapes
WITHOUT_ORDER = ("unbalanced", "cut")
OPTIONS = {"unbalanced": ("by",), "cut": ("by",), "graph": ("degree", "edges")}


class CannotGenerate(PonderError, ValueError):
    """There is no such board: the family does not exist at this size, or with these options."""


def board_solved_by(presses: Bits, graph: Graph, name: str = "board") -> Board:
    """Return the board with the goal all lit (rule `unlit`) that pressing `presses` takes there."""
    goal = np.ones(graph.size, dtype=np.bool_)
    return Board(graph, goal ^ graph.apply(presses), goal, name=name)


@dataclass(frozen=True)
class KnownAnswer:
    """What `ponder.order` says to a board, with the kind of refutation or the number of presses."""

    verdict: str = "unknown"
    claim: str | None = None
    kind: str | None = None
    count: int | None = None
    optimal: bool = False

    @property
    def text(self) -> str:
        """The answer for people, on one line."""
        if self.verdict == "solved":
            proved = "proved" if self.optimal else "not proved"
            words = f"order of {pluralise(self.count or 0, 'press')} ({proved} fewest)"
            return "an order exists (by construction)" if self.count is None else words
        if self.verdict == "impossible":
            missing = "no sequence at all" if self.claim == "C4" else "no order"
            return f"{missing} ({self.kind})" if self.kind else f"{missing} (by construction)"
        return "unknown"


def known_answer(board: Board, timeout: float | None = 10.0) -> KnownAnswer:
    """Ask `ponder.order`; unknown when it does not know in time, or would be slow to begin with."""
    if board.graph.size > ASKED and not isinstance(board.graph, CrossGraph):
        return KnownAnswer()
    result = order(board, timeout=timeout)
    if result.verdict == "unknown":
        return KnownAnswer()
    kind = None if result.refutation is None else result.refutation.kind
    return KnownAnswer(result.verdict, result.claim, kind, result.count, result.optimal)


@dataclass(frozen=True)
class Family:
    """A family of boards of any size: a pattern, a shape, or one of KINDS, with its options.

    `density` is the share of the bulbs in the press sets, `by` belongs to unbalanced and cut boards
    (2), `degree` (d-regular) and `edges` (their probability; an average degree of 8) to graphs.

    >>> Family("balanced", density=0.3).label
    'balanced density=0.3'
    >>> Family("balanced").draw((3, 4), 7).name
    'balanced-3x4-7'
    """

    kind: str
    density: float = DENSITY
    by: int | None = None
    degree: int | None = None
    edges: float | None = None

    @property
    def label(self) -> str:
        """The family in words: its kind, and what differs from the default."""
        density = () if self.density == DENSITY else (f"density={self.density:g}",)
        return " ".join([self.kind, *density, *(f"{k}={x:g}" for k, x in self.options.items())])

    @property
    def options(self) -> dict[str, float]:
        """What else than the density was said."""
        options = {"by": self.by, "degree": self.degree, "edges": self.edges}
        return {key: value for key, value in options.items() if value is not None}

    @property
    def planted(self) -> KnownAnswer:
        """What is known of its boards by construction."""
        if self.kind == "balanced":
            return KnownAnswer("solved")
        return KnownAnswer("impossible", "C2") if self.kind in WITHOUT_ORDER else KnownAnswer()

    def size(self, shape: Shape) -> str:
        """Return the size as a table shows it."""
        return pluralise(shape[0], "bulb") if self.kind == "graph" else f"{shape[0]}×{shape[1]}"

    def check(self, shape: Shape) -> None:
        """Raise PonderError if there are no boards of a size."""
        kind = self.kind
        foreign = [key for key in self.options if key not in OPTIONS.get(kind, ())]
        named = printable(shortened(kind, 60))
        refusals = [
            (bool(foreign), f"{', '.join(foreign)} is not an option of the family {named}"),
            (min(shape) < 1, "a board needs at least one row and one column"),
            (not 0 <= self.density <= 1, "the density of the presses is a number from 0 to 1"),
        ]
        cells = shape[0] * shape[1]
        if kind == "graph":
            refusals += self._refusals_of_graphs(shape)
        elif kind not in SHAPES_BY_NAME:
            too_large = f"a board of {cells:,} cells is too large (at most {MOST_BULBS:,})"
            refusals.append((cells > MOST_BULBS, too_large))
        if kind in WITHOUT_ORDER:
            refusals += self._refusals_of_lines(*shape)
        for refused, reason in refusals:
            if refused:
                raise CannotGenerate(reason)
        if kind in SHAPES_BY_NAME:
            _shape_of(kind, shape)
        elif kind not in KINDS:
            full_graph(kind, (1, 1))

    def _refusals_of_lines(self, rows: int, columns: int) -> list[tuple[bool, str]]:
        by, cut = self._by, self.kind == "cut"
        size = f"a {rows}x{columns} board"
        uneven = (
            f"{size} has several press sets: this family needs even numbers of rows and columns"
        )
        odd = (
            f"by {by}: odd rows and odd columns never differ by an odd number: take an even number"
        )
        return [
            (rows % 2 + columns % 2 > 0, uneven),
            (by % 2 == 1, odd),
            (by == 0, "by 0: odd rows and odd columns must differ in number: take 2 or -2, say"),
            (cut and by < 0, f"by {by}: that of a cut is positive"),
            (cut and by + 2 > min(rows, columns), f"a cut by {by} needs at least {by + 2} rows"),
            (not -columns <= by <= rows, f"{size} has too few lines for by={by}"),
        ]

    def _refusals_of_graphs(self, shape: Shape) -> list[tuple[bool, str]]:
        count, degree, share = shape[0], self.degree or 0, self._share(shape[0])
        regular = self.degree is not None
        edges = (degree if regular else share * (count - 1)) * count / 2
        none = regular and (not 0 <= degree < count or count * degree % 2 == 1)
        return [
            (shape[0] != shape[1], f"a graph has a number of nodes, not {shape[0]}x{shape[1]}"),
            (len(self.options) > 1, "graphs have either a degree or a probability of edges"),
            (none, f"there is no {degree}-regular graph of {count} nodes"),
            (not 0 <= share <= 1, "the probability of an edge is a number from 0 to 1"),
            (edges > MOST_EDGES, f"{edges:,.0f} edges are too many (at most {MOST_EDGES:,})"),
        ]

    @property
    def _by(self) -> int:
        return 2 if self.by is None else self.by

    def _share(self, count: int) -> float:
        """Return the probability of an edge."""
        return 8 / max(count - 1, 8) if self.edges is None else self.edges

    def draw(self, shape: Shape, seed: int) -> Board:
        """Return the board of this size and seed. Raises PonderError without one of this size."""
        self.check(shape)
        rng, kind = np.random.default_rng(seed), self.kind
        name = f"{kind.split()[0]}-{shape[0]}x{shape[1]}-{seed}"
        graph: Graph
        if kind in ("balanced", *WITHOUT_ORDER):
            graph, presses = CrossGraph(shape), self._on_lines(shape, rng)
        elif kind == "graph":
            count, name = shape[0], f"graph-{shape[0]}-{seed}"
            if self.degree is None:
                graph = EdgeGraph(count, random_edges(count, self._share(count), rng))
            else:
                graph = EdgeGraph(count, regular_edges(count, self.degree, rng))
            presses = random_presses((count,), self.density, rng)
        elif kind in SHAPES_BY_NAME:
            sized = _shape_of(kind, shape)
            graph = parse_board(sized.text, sized.word).graph
            name = f"{sized.word.replace(':', '-')}-{seed}"
            presses = random_presses((graph.size,), self.density, rng)
        else:
            graph, presses = full_graph(kind, shape), random_presses(shape, self.density, rng)
        return board_solved_by(presses.reshape(-1), graph, name)

    def _on_lines(self, shape: Shape, rng: np.random.Generator) -> Bits:
        if self.kind == "unbalanced":
            return balance(random_presses(shape, self.density, rng), rng, self._by)
        if self.kind == "cut":
            return _cut(shape, self.density, self._by, rng)
        for _ in range(DRAWS):
            presses = balance(random_presses(shape, self.density, rng), rng)
            rows, columns = np.nonzero(presses)
            if half_factor(rows, columns, shape).exists:
                return presses
        return played_backwards(shape, round(self.density * shape[0] * shape[1]), rng)


def _shape_of(name: str, size: Shape) -> SizedShape:
    """Return a shape of one of the sizes of a study: N is N×N, and 1 that of a single size."""
    sides = dict.fromkeys(size) if size != (1, 1) or SHAPES_BY_NAME[name].sides else ()
    return sized_shape(name, *(sides if len(sides) < 2 else size))


def random_presses(shape: tuple[int, ...], density: float, rng: np.random.Generator) -> Bits:
    """Return random presses, each with the probability `density`."""
    return np.asarray(rng.random(shape, dtype=np.float32) < density)


# ----------------------------------------------------------------------------- row/column boards


def _cut(shape: Shape, density: float, by: int, rng: np.random.Generator) -> Bits:
    """Return presses that pass the line count but not a line cut, which lacks by/2 presses.

    Split the rows into X, X' and the columns into Y, Y'. Let e be the number of presses in the
    *off* blocks X×Y' and X'×Y, and odd(·) the number of odd lines. Since 2·Σ⌊d/2⌋ = Σd − odd,

        Σ_X ⌊d/2⌋ − Σ_Y ⌊d/2⌋ − |presses in X×Y'|  =  (odd(Y) − odd(X) − e) / 2,

    and a line cut is a positive left side (theory §4.4). So: a few presses in the off blocks, then
    X×Y is given e + `by` more odd columns than odd rows, and X'×Y' as many more odd rows, so that
    the counts agree on the whole.
    """
    rows, columns = shape
    in_x, in_y = np.zeros(rows, dtype=np.bool_), np.zeros(columns, dtype=np.bool_)
    outside = max(rows // 2, by), max(columns // 2, by)  # |X'|, |Y|
    in_x[rng.permutation(rows)[outside[0] :]] = True
    in_y[rng.permutation(columns)[: outside[1]]] = True
    off = in_x[:, None] ^ in_y
    count = (min(outside) - by) // 2
    presses = random_presses(shape, density, rng) & ~off
    presses.reshape(-1)[rng.choice(np.flatnonzero(off), count, replace=False)] = True
    surplus = count + by
    presses = balance(presses, rng, -surplus, np.flatnonzero(in_x), np.flatnonzero(in_y))
    return balance(presses, rng, surplus, np.flatnonzero(~in_x), np.flatnonzero(~in_y))


def balance(
    presses: Bits,
    rng: np.random.Generator,
    by: int = 0,
    rows: Ints | None = None,
    columns: Ints | None = None,
) -> Bits:
    """Return an (R, C) grid with a few presses changed: `by` more odd rows than odd columns.

    With `rows` and `columns` only those lines count, and only presses where they cross change; a
    line is odd by all its presses. Where odd rows are too many, an odd row is made even or an even
    column odd. These lines are taken in pairs. Two rows change both crossings with a random column,
    which keeps the column's parity, and two columns likewise. A row and a column change their
    crossing. Raises ValueError if `by` has the wrong parity (by default: is odd) or exceeds the
    lines.
    """
    lines = np.arange(presses.shape[0]) if rows is None else rows
    crossing = np.arange(presses.shape[1]) if columns is None else columns
    odd_lines = np.bitwise_xor.reduce(presses[lines], axis=1)
    odd_crossing = np.bitwise_xor.reduce(presses[:, crossing], axis=0)
    surplus = int(odd_lines.sum()) - int(odd_crossing.sum()) - by
    if surplus < 0:
        return balance(presses.T, rng, -by, crossing, lines).T
    wrong_lines = rng.permutation(lines[odd_lines])
    wrong_crossing = rng.permutation(crossing[~odd_crossing])
    if surplus % 2 or surplus > wrong_lines.size + wrong_crossing.size:
        raise ValueError(f"these lines cannot be unbalanced by {by}")

    changed = presses.copy()
    wrong_lines = wrong_lines[:surplus]
    wrong_crossing = wrong_crossing[: surplus - wrong_lines.size]
    if wrong_lines.size % 2:
        changed[wrong_lines[-1], wrong_crossing[-1]] ^= True
        wrong_lines, wrong_crossing = wrong_lines[:-1], wrong_crossing[:-1]
    at = rng.choice(crossing, wrong_lines.size // 2).repeat(2)
    changed[wrong_lines, at] ^= True
    at = rng.choice(lines, wrong_crossing.size // 2).repeat(2)
    changed[at, wrong_crossing] ^= True
    return changed


def played_backwards(shape: tuple[int, int], count: int, rng: np.random.Generator) -> Bits:
    """Return the presses of a random legal game of about `count` presses, as an (R, C) grid.

    Read backwards from the goal a bulb may be pressed when its row and its column have had equally
    many presses, mod 2. Passes over the bulbs in random order repeat until there are enough presses
    or none is legal. A Python loop: O(count) for sparse boards.
    """
    height, width = shape
    row_bits, column_bits = [False] * height, [False] * width
    left = rng.permutation(height * width).tolist()
    pressed: list[int] = []
    while len(pressed) < count:
        passed: list[int] = []
        for k, cell in enumerate(left):
            row, column = divmod(cell, width)
            if row_bits[row] != column_bits[column]:
                passed.append(cell)
                continue
            row_bits[row] = not row_bits[row]
            column_bits[column] = not column_bits[column]
            pressed.append(cell)
            if len(pressed) == count:
                passed += left[k + 1 :]
                break
        if len(passed) == len(left):
            break
        left = passed
    presses = np.zeros(height * width, dtype=np.bool_)
    presses[pressed] = True
    return presses.reshape(shape)


# --------------------------------------------------------------------------------- random graphs


def random_edges(count: int, share: float, rng: np.random.Generator) -> Ints:
    """Return the edges of G(n, p), (m, 2): how many, then which. O(edges)."""
    pairs = count * (count - 1) // 2
    return _pairs(np.sort(rng.choice(pairs, int(rng.binomial(pairs, share)), replace=False)))


def regular_edges(count: int, degree: int, rng: np.random.Generator) -> Ints:
    """Return the edges of a d-regular graph, (m, 2): a circulant graph, shuffled by edge switches.

    Two random edges exchange an end each where that leaves the graph simple. The switches connect
    all d-regular graphs (Taylor 1981) and mix fast (Cooper, Dyer, Greenhill 2007); twenty are tried
    per edge.
    """
    edges = _circulant(count, degree)
    present = set(edges)
    tries = rng.integers(max(len(edges), 1), size=(20 * len(edges), 2)).tolist()
    turned = (rng.random(len(tries)) < 0.5).tolist()
    for (i, j), turn in zip(tries, turned, strict=True):
        (a, b), (c, d) = edges[i], edges[j][::-1] if turn else edges[j]
        first, second = (min(a, d), max(a, d)), (min(b, c), max(b, c))
        if a == d or b == c or first in present or second in present:
            continue
        present -= {edges[i], edges[j]}
        present |= {first, second}
        edges[i], edges[j] = first, second
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _circulant(size: int, degree: int) -> list[tuple[int, int]]:
    """Return a d-regular graph: every node is joined to the next ⌊d/2⌋, and to its opposite."""
    steps = list(range(1, degree // 2 + 1))
    edges = [(v, (v + step) % size) for step in steps for v in range(size)]
    if degree % 2:
        edges += [(v, v + size // 2) for v in range(size // 2)]
    return [(min(edge), max(edge)) for edge in edges]


def _pairs(numbers: Ints) -> Ints:
    """Return the pairs i < j with the given numbers j(j−1)/2 + i, as an (m, 2) array."""
    j = ((1 + np.sqrt(1.0 + 8.0 * numbers)) / 2).astype(np.int64)
    j -= j * (j - 1) // 2 > numbers  # the root was rounded up
    j += j * (j + 1) // 2 <= numbers  # or down
    return np.stack([numbers - j * (j - 1) // 2, j], axis=1)
