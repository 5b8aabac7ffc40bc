"""Replay: play presses on the board, one after the other, and look.

`play` does that, and is what the tests hold the others against. A press toggles the neighbours that
are pressed after it, so what a replay counts are presses of a closed neighbourhood before a moment:

* `_pairing`, of distinct bulbs: one for each edge between two presses.
* `_counting`, on row/column boards: (earlier presses in its row) + (earlier ones in its column) −
  (its own earlier ones). One bit for each line and bulb has the presses so far mod 2; within a
  piece of presses the earlier ones of a line are the ranks of a stable sort.
* `_one_by_one`, of all others.

Cost: O(presses) for lines of up to 2^16, whose 16-bit keys numpy sorts by radix; some µs a press
where bulbs are pressed repeatedly.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ponder.check.reader import fail, place
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, Graph
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Bits, Ints, bincount, indices

PIECE = 1 << 17  # presses of a row/column board that are counted at a time


def replay(board: Board, presses: Ints, limits: Limits = NEVER) -> None:
    """Play the presses (bulb numbers) in their order.

    Raises CheckFailed, naming the press, if one is against the rule, or if the last press leaves
    another state than the goal. Raises TimeUp if the deadline passes before that is known.

    >>> board = Board.from_rows(["00", "00"], pattern="plus")
    >>> replay(board, np.array([0, 3]))
    Traceback (most recent call last):
    ponder.system.errors.CheckFailed: after the last press 2 bulbs differ from the goal, first (0,1)
    """
    presses = np.asarray(presses)
    if presses.dtype != np.int32 or not isinstance(board.graph, CrossGraph):
        presses = presses.astype(np.int64, copy=False)
    if presses.size and (presses.min() < 0 or presses.max() >= board.graph.presses):
        fail(f"a press is outside of the board's {board.graph.presses} bulbs")
    limits.check()
    if board.pressed:
        times = bincount(presses, board.graph.presses)
        if (wrong := np.flatnonzero(times != 1)).size:
            label, count = board.graph.label(int(wrong[0])), int(times[wrong[0]])
            fail(f"{place(label)} is pressed {pluralise(count, 'time')}, the goal asks for once")
    if isinstance(board.graph, CrossGraph):
        _counting(board, board.graph, presses, limits)
    elif not isinstance(board.graph, Wired) and distinct(presses, board.graph.size):
        _pairing(board, presses)
    else:
        _one_by_one(board, presses, limits)


def play(board: Board, presses: Ints) -> Iterator[Bits]:
    """Yield the state after each press, whether or not the rule allows it."""
    state = board.lit.copy()
    for bulb in np.asarray(presses, dtype=np.int64).tolist():
        state[_toggled(board.graph, bulb)] ^= True
        yield state.copy()


def _toggled(graph: Graph, press: int) -> Ints:
    """Return the bulbs, or lights, that a press toggles."""
    if isinstance(graph, Wired):
        return graph.toggled[slice(*graph.starts[press : press + 2])]
    return np.append(graph.neighbours(press), press)


def check_order(problem: OrderingProblem, vertices: Ints) -> None:
    """Check a play order by its definition (theory §2.1, theorem 1): every vertex once, with the
    parity of later neighbours that the problem asks for. Raises CheckFailed.
    """
    vertices = np.asarray(vertices, dtype=np.int64)
    if not np.array_equal(np.sort(vertices), np.arange(problem.size)):
        fail(f"the order is not a permutation of the {problem.size} presses")
    lines = problem.lines
    if lines is not None:  # later in play order is earlier in build order
        build = vertices[::-1]
        later = np.empty(problem.size, dtype=np.bool_)
        height, width = (int(line.max(initial=-1)) + 1 for line in lines)
        toggles = _Toggles(height, width, problem.graph.size, problem.repeats)
        for start in range(0, build.size, PIECE):
            piece = build[start : start + PIECE]
            places = lines[0][piece], lines[1][piece]
            later[piece] = toggles.before(*places, problem.bulbs[piece])
    else:
        # any graph: of every edge the earlier end counts
        position = np.empty(problem.size, dtype=np.int64)
        position[vertices] = np.arange(problem.size)
        u, v = problem.edges[:, 0], problem.edges[:, 1]
        forward = position[u] < position[v]
        first = np.where(forward, u, v)
        if problem.heard is not None:
            first = first[np.where(forward, *problem.heard.T)]
        later = (bincount(first, problem.size) & 1).astype(np.bool_)
        if problem.fixed is not None and (np.diff(position[problem.fixed]) < 0).any():
            fail("the order is against the given direction of an edge")
    wrong = np.flatnonzero(later != problem.odd)
    if wrong.size:
        vertex = int(wrong[0])
        have, need = ("an odd", "an even") if later[vertex] else ("an even", "an odd")
        fail(
            f"the press of {place(problem.graph.label(int(problem.bulbs[vertex])))} has {have} "
            f"number of neighbours after it and needs {need} number"
        )


def _one_by_one(board: Board, presses: Ints, limits: Limits) -> None:
    """Play every press in turn."""
    graph, state, wanted = board.graph, board.lit.copy(), board.rule == "lit"
    seats = graph.at.tolist() if isinstance(graph, Wired) else None
    for k, press in enumerate(limits.over(presses.tolist())):
        seat = press if seats is None else seats[press]
        if board.rule != "any" and seat >= 0 and state[seat] != wanted:
            _refuse(board, k, press)
        state[_toggled(graph, press)] ^= True
    _compare(board, state)


def _pairing(board: Board, presses: Ints) -> None:
    """Count for every press its edges to earlier presses; all are of different bulbs."""
    if board.rule != "any":
        earlier = bincount(board.graph.edges_within(presses)[:, 1], presses.size)
        _look(board, board.lit[presses] ^ (earlier & 1).astype(np.bool_), presses)
    _compare(board, board.lit ^ board.graph.apply(board.graph.set_of(presses)))


def distinct(presses: Ints, size: int) -> bool:
    """Return whether no bulb is pressed twice."""
    seen = np.zeros(size, dtype=np.bool_)
    for start in range(0, presses.size, PIECE):
        seen[presses[start : start + PIECE]] = True
    return int(np.count_nonzero(seen)) == presses.size


def _counting(board: Board, graph: CrossGraph, presses: Ints, limits: Limits = NEVER) -> None:
    """Count, piece by piece, how often each bulb was toggled before its press."""
    toggles = _Toggles(*graph.shape, graph.size, not distinct(presses, graph.size))
    for start in range(0, presses.size, PIECE):
        limits.check()
        piece = presses[start : start + PIECE]
        lit = board.lit[piece] ^ toggles.before(*graph.places(piece), piece)
        if board.rule != "any":
            _look(board, lit, piece, start)
    toggled = graph.to_grid(toggles.bulbs) ^ toggles.rows[:, None]
    toggled ^= toggles.columns
    _compare(board, board.lit ^ graph.from_grid(toggled))


class _Toggles:
    """Whether each row, column and bulb was pressed an odd number of times so far; where no bulb
    `repeats`, a bulb's own presses need not be counted.
    """

    def __init__(self, height: int, width: int, size: int, repeats: bool) -> None:
        self.rows = np.zeros(height, dtype=np.bool_)
        self.columns = np.zeros(width, dtype=np.bool_)
        self.bulbs = np.zeros(size, dtype=np.bool_)
        self.repeats = repeats

    def before(self, rows: Ints, columns: Ints, bulbs: Ints) -> Bits:
        """Press some bulbs in turn; return whether each was toggled oddly before its press."""
        odd = _rank_parity(rows) ^ _rank_parity(columns)
        odd ^= self.rows[rows] ^ self.columns[columns]
        for bits, line in ((self.rows, rows), (self.columns, columns)):
            bits ^= (bincount(line, bits.size) & 1).astype(np.bool_)
        if not self.repeats:
            self.bulbs[bulbs] = True
            return odd
        odd ^= _rank_parity(bulbs) ^ self.bulbs[bulbs]
        pressed, times = np.unique(bulbs, return_counts=True)
        self.bulbs[pressed] ^= (times & 1).astype(np.bool_)
        return odd


def _rank_parity(keys: Ints) -> Bits:
    """Return the parity of the number of earlier equal keys, for every place."""
    if not keys.size:
        return np.empty(0, dtype=np.bool_)
    small: type[np.unsignedinteger] = np.uint16 if keys.max() < 1 << 16 else np.uint32
    keys = keys.astype(small)
    by_key = np.argsort(keys, kind="stable")
    ordered = keys[by_key]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    sizes = np.diff(starts, append=keys.size)
    odd = np.empty(keys.size, dtype=np.bool_)
    # a rank is a place in the sorted sequence less the first place of its key
    odd[by_key] = (np.arange(keys.size) ^ np.repeat(starts, indices(sizes))) & 1
    return odd


def _look(board: Board, lit: Bits, presses: Ints, first: int = 0) -> None:
    """Refuse the first of some presses that is against the rule; `first` went before them."""
    legal = lit if board.rule == "lit" else ~lit
    if not legal.all():
        k = int(np.argmin(legal))
        _refuse(board, first + k, int(presses[k]))


def _refuse(board: Board, k: int, bulb: int) -> None:
    state, rule = ("lit", "unlit") if board.rule == "unlit" else ("unlit", "lit")
    fail(
        f"press {k + 1} at {place(board.graph.label(bulb))}: "
        f"the bulb is {state}, the rule says only {rule} ones"
    )


def _compare(board: Board, state: Bits) -> None:
    wrong = np.flatnonzero(state != board.goal)
    if wrong.size:
        verb = inflect(wrong.size, "bulb differs", "bulbs differ")
        first = place(board.graph.of_lights.label(int(wrong[0])))
        fail(f"after the last press {wrong.size} {verb} from the goal, first {first}")
