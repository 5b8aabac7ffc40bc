"""Lower bounds: that no sequence of the kind asked for has fewer presses (claim C3).

`order` asks for sequences that press each bulb at most once, `solve` allows repeats. Kinds of
evidence (S a press set, |S| its presses):

* `unique-press-set`  there is only one, and every sequence presses each of its bulbs.
* `coset-minimum`     the lightest press set has as many presses.
* `coset`             every lighter press set is refuted by a part. With repeats a refuted press
                      set may still be played with two presses more (or four, …).
* `switches`          full row/column rectangles with an odd side and every t(v) = 0: the lightest
                      press set with equally many odd rows and columns (`order`), or the least
                      |S| + |odd rows − odd columns| (`solve`: by the proof of theorem 3 a
                      difference in the half sums H_R − H_C costs a pair of presses each, and
                      2·|H_R − H_C| is the difference of the odd lines).
* `line-flow`         row/column boards with a single press set and every t(v) = 0: theorem 3,
                      |S| + 2·(H_R + H_C − 2f), for f the capacity of a cut, which no flow exceeds.

`integer-model` rests on a solver and is not checked. Cost of `switches`: 2^(side−1)·cells for an
odd×odd rectangle, O(cells) otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ponder.board import Board
from ponder.check.coset import Coset
from ponder.check.fields import fail, lines, mapping, number, quote, sequence, word
from ponder.check.line_refutations import cross_of, line_sums
from ponder.check.linear import TooLarge, press_sets
from ponder.check.refutations import check_press_set
from ponder.graph import Bits, CrossGraph, Ints
from ponder.refutation import Json

KINDS = ("unique-press-set", "coset-minimum", "coset", "switches", "line-flow", "integer-model")
MOST_SWITCH_WORK = 1 << 27
"""Switch settings × columns above this are not gone through."""


def check_bound(board: Board, command: str, lower_bound: int, value: object) -> str | None:
    """Check the evidence for a lower bound; return why it was not checked, None when it was."""
    if value is None:
        return "no evidence is given"
    bound = mapping(value, "bound")
    kind = word(bound.get("kind"), KINDS, "bound: kind")
    try:
        match kind:
            case "unique-press-set":
                proved = int(np.count_nonzero(unique_press_set(board)))
            case "coset-minimum":
                proved = int(Coset.of(board, press_sets(board)).weights().min())
            case "coset":
                return _by_parts(board, command, lower_bound, bound)
            case "switches":
                proved = _switches(board, command)
                if lower_bound < proved:  # a weaker claim than the evidence allows is true
                    return None
            case "line-flow":
                proved = _line_flow(board, bound)
            case _:
                return "it rests on CP-SAT"
    except TooLarge as reason:
        return str(reason)
    if lower_bound != proved:
        fail(f"bound: {kind} proves {proved}, not {quote(lower_bound)}")
    return None


def unique_press_set(board: Board) -> Bits:
    """Return the board's only press set; CheckFailed when it is not the only one."""
    found = press_sets(board)
    if found.base is None:
        fail("the goal cannot be reached by any presses")
    if found.nullity:
        fail(f"there are 2^{found.nullity} press sets, not one")
    return found.base


def _by_parts(board: Board, command: str, lower_bound: int, bound: Json) -> str | None:
    coset = Coset.of(board, press_sets(board))
    parts = [check_press_set(board, part) for part in sequence(bound.get("parts"), "parts")]
    refuted, weights = coset.covered(parts), coset.weights()
    least = weights + np.where(refuted, 2, 0) if command == "solve" else weights
    open_ = (least < lower_bound) & (~refuted if command == "order" else True)
    if open_.any():
        weight = int(least[open_].min())
        fail(
            f"bound: {np.count_nonzero(open_)} press sets may need fewer than "
            f"{quote(lower_bound)} presses, one of them {weight}"
        )
    return next((part.unchecked for part in parts if part.unchecked), None)


# -------------------------------------------------------------------------- row/column boards


def _line_flow(board: Board, bound: Json) -> int:
    graph = _plain_cross(board, "line-flow")
    presses = unique_press_set(board)
    side = word(bound.get("side", "rows"), ("rows", "columns"), "line-flow: side")
    rows = lines(bound.get("rows"), graph.shape[0], "line-flow: rows")
    columns = lines(bound.get("columns"), graph.shape[1], "line-flow: columns")
    of_rows, of_columns = (sums // 2 for sums in line_sums(graph, presses))
    in_rows, in_columns = rows[graph.rows], columns[graph.columns]
    if side == "rows":  # source → rows → columns → sink; the lines named lie with the source
        crossing = np.count_nonzero(presses & in_rows & ~in_columns)
        capacity = int(of_rows[~rows].sum() + of_columns[columns].sum()) + crossing
    else:
        crossing = np.count_nonzero(presses & in_columns & ~in_rows)
        capacity = int(of_columns[~columns].sum() + of_rows[rows].sum()) + crossing
    if number(bound.get("flow"), "line-flow: flow") != capacity:
        fail(f"line-flow: the cut has the capacity {capacity}, not {quote(bound['flow'])}")
    half_sums = int(of_rows.sum()) + int(of_columns.sum())
    return int(np.count_nonzero(presses)) + 2 * (half_sums - 2 * int(capacity))


def _switches(board: Board, command: str) -> int:
    """Return the least cost over all press sets; it may be infinite (then a number too large)."""
    graph = _plain_cross(board, "switches")
    if graph.mask is not None or (graph.shape[0] % 2 == 0 and graph.shape[1] % 2 == 0):
        fail("bound: switches are those of a full rectangle with an odd side")
    base = press_sets(board).base
    if base is None:
        fail("the goal cannot be reached by any presses")
    grid = graph.to_grid(base)
    height, width = grid.shape
    if height % 2 == 0 or (width % 2 == 1 and width < height):
        grid = grid.T  # now the number of rows is odd, and the smaller one if both are
    least = _IMPOSSIBLE
    for weights, odd_rows in _row_settings(grid):
        least = min(least, _best_columns(grid.shape[0], weights, odd_rows, command))
    return least


_IMPOSSIBLE = 1 << 40


def _row_settings(grid: Bits) -> Iterator[tuple[Ints, Ints]]:
    """Yield, for settings of the row switches, all column weights and the number of odd rows.

    Rows may be switched, an even number of them, only when both sides are odd. Column switches
    (an even number) do not change the parity of a row. Shapes (settings, C) and (settings,).
    """
    height, width = grid.shape
    odd_rows = grid.sum(axis=1) & 1
    if width % 2 == 0:
        yield grid.sum(axis=0)[None, :], odd_rows.sum()[None]
        return
    if height > 31 or (width << (height - 1)) > MOST_SWITCH_WORK:
        raise TooLarge(f"2^{height - 1} settings of the switches are too many to go through")
    chunk = max(1, (1 << 20) // width)
    for start in range(0, 1 << (height - 1), chunk):
        setting = np.arange(start, min(start + chunk, 1 << (height - 1)))
        u = setting[:, None] >> np.arange(height - 1) & 1
        u = np.concatenate([u, u.sum(axis=1, keepdims=True) & 1], axis=1)
        # switching row i changes column j by +1 or −1
        change = u.astype(np.float32) @ np.where(grid, -1, 1).astype(np.float32)
        weights = grid.sum(axis=0) + change.astype(np.int64)
        yield weights, (odd_rows ^ u).sum(axis=1)  # a row of odd length changes parity


def _best_columns(height: int, weights: Ints, odd_rows: Ints, command: str) -> int:
    """Return the least cost over the column switches, for every setting of the rows at once.

    A column of weight w may be switched to height − w, and exactly one of the two is odd (height
    is odd). Let e be the even one; making the column odd costs height − 2e more. The number k of
    odd columns ≡ the number a of odd rows mod 2, which is the same as an even number of switched
    columns. So the least weight with k odd columns is Σe + the k smallest of height − 2e.
    """
    width = weights.shape[1]
    even = np.where(weights & 1, height - weights, weights)
    more = np.sort(height - 2 * even, axis=1)
    zero = np.zeros((len(weights), 1), dtype=np.int64)
    cost = np.concatenate([zero, np.cumsum(more, axis=1)], axis=1) + even.sum(axis=1)[:, None]
    apart = np.abs(np.arange(width + 1) - odd_rows[:, None])
    if command == "order":
        return int(np.where(apart == 0, cost, _IMPOSSIBLE).min())
    return int(np.where(apart % 2 == 0, cost + apart, _IMPOSSIBLE).min())


def _plain_cross(board: Board, kind: str) -> CrossGraph:
    """Return the graph of a row/column board with every t(v) = 0."""
    graph = cross_of(board, f"bound: {kind}")
    if board.odd_later is None or board.odd_later.any():
        fail(f"bound: {kind} holds where every press needs an even number of later neighbours")
    return graph
