"""Odd-sized row/column boards: the press set and its half factor, chosen together and proved.

On a full R×C board with R or C odd the press sets are many: x = x₀ + u_i + v_j (mod 2), where u
and v switch whole rows and columns, an even number of each, and only R×odd boards have row
switches, only odd×C boards column switches. Among them we want the least

    cost(x) = |x| + 2·(H_R + H_C − 2f)                                   (theorem 3 of the theory)

the number of presses of the shortest legal sequence whose odd presses are x; or, when no bulb may
be pressed twice, the least |x| among the x with a half factor (H_R = H_C = f, theorem 2). Here
every press needs an even number of later neighbours: goal all lit under `unlit`, all unlit under
`lit`. Boards are turned so that R is odd and, if both sides are, R ≤ C.

Letters
    d        a line's number of presses; p a row's parity, q a column's
    H_R, H_C Σ⌊d/2⌋ over rows, over columns
    f        the maximum flow source → row (⌊d/2⌋) → press (1) → column (⌊d/2⌋) → sink
    k_r, k_c the numbers of odd rows, odd columns
    e_j      column j's number of presses where it is even; R − e_j where it is odd
    X        a set of rows, for a cut of the flow

Idea, in three steps.

1. *Fix the row switches u: the columns are then independent.* Row parities depend on u alone. As R
   is odd, switching a column changes its parity: column j is either even, with e_j presses, or
   odd, with R − e_j. (Switch the odd columns of x₀ once and for all; as u is even, all columns of
   x₀ + u are then even, and the further switches *are* the odd columns.) Cutting the flow at X,
   and letting each column choose its side of the cut,

       2(H_R + H_C − 2f) = max over X of  penalty_X(x),
       penalty_X = |p − X| − |p ∩ X| + Σ_j (2a_j − q_j − 4·min(⌊d_j/2⌋, a_j)),  a_j = |x_j ∩ X|,

   a sum over columns. X = ∅ and X = all rows give |k_r − k_c|. So the *count bound*

       |x| + |k_r − k_c|        (once: |x|, subject to k_c = k_r)

   is minimised exactly by sorting the columns by R − 2e_j, what it costs to make them odd: the
   k_c cheapest become odd. The evenness of the switches amounts to k_c ≡ k_r mod 2.
2. *Scan all u.* With D_j = R − 2e_j, linear in the signs of u, and any price μ for an odd column
   (|μ| ≤ 1; once: any), the count bound is at least

       Σ_j (R + μ − |D_j + μ|)/2 − μ·k_r.

   Two tables of half the rows each are added, 0.1 ns per u and column, and few u pass this
   sieve. Those are bounded by sorting, and settled in increasing order of their bounds. A local
   search beforehand provides the cost to beat, and the price.
3. *Settle u.* The flow of the best x usually meets the bound. Where it does not, its minimum cut
   X is a constraint, linear in the switches, that it violates: Benders' decomposition, with a
   master problem (CP-SAT) of C Booleans and one constraint for each cut found. It ends when the
   flow meets the master's bound, or that bound is no better than the best cost known.

So the minimum is proved without any search in the switches' product space. If only R is odd there
is a single u, and step 1 alone decides nearly always.

Evidence. The count bound can be checked by repeating the scan. Where cuts have raised it, *weighted
cuts* replace the master problem: for weights λ_X ≥ 0, the sum

    |x| + Σ_X λ_X·penalty_X + (1 − Σλ)·|k_r − k_c|     (Σλ ≤ 1; once: any λ, and k_c = k_r)

is a lower bound too, still a sum over columns, and minimised by the same sorting. The best
weights are the dual values of the master problem's linear relaxation; rounded, they are checked
in integers.

Reference: Gale–Berlekamp switching (Roth, Viswanathan, "On the hardness of decoding the
Gale–Berlekamp code", 2008: NP-hard); J. F. Benders, "Partitioning procedures for solving
mixed-variables programming problems", 1962. The separable cuts are the project's.
Cost: 2^(R−1)·C table additions if both sides are odd (21×21: 0.02 s, 31×31: 4 s), else one sort
and one flow. Where that is too much: local search, a spectral bound, and the integer model of
`ponder.cross.switching_model`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder import cpsat
from ponder.limits import Limits, TimeUp
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph
from ponder.puzzle.line_refutations import LineCut, LineParities, WeightedCuts
from ponder.puzzle.ordering_problem import Unknown
from ponder.puzzle.press_set_refutations import CosetRefuted
from ponder.puzzle.refutation import Refutation, press_counts_json
from ponder.puzzle.solver_refutations import IntegerModel
from ponder.types import Bits, Ints, Json

Progress: TypeAlias = Callable[[str], None]

SCAN_LIMIT = 2**40
"""The largest number of table additions (2^(R−1)·C) that a scan takes on: 35×35, minutes."""
MODEL_LIMIT = 2**14
"""The largest number of bulbs for which the integer model is built."""
SPECTRAL_LIMIT = 2048
"""The largest smaller side for which a spectral bound is computed."""
SPECTRAL_SECONDS = 1.5e-10
"""What it takes, for R²·(R + C) = 1: some two seconds for 2000 × 2000."""
SPECTRAL_SHARE = 0.75
"""What it may take of the time that is left."""
GRACE = 0.5
"""The seconds after the time limit in which evidence that was found may be written down."""
PROMPT = 2**18
"""On boards of up to so many bulbs one press set is tried however short the time."""
LOG2_LISTED = 16
"""The largest nullity of a coset that is listed as evidence, press set by press set."""
DIVISOR = 2**10
"""The denominator of the weights of cuts."""
NEVER = 2**62
"""The cost of what is impossible."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The cheapest press set found, and a proved bound on all of them.

    `press_set`    (n,) bits
    `cost`         the presses of the shortest legal sequence whose odd presses are `press_set`
    `lower_bound`  no press set of the coset costs less
    `method`       `switches` or `integer-model`, which rests on CP-SAT alone
    `bound`        the evidence for `lower_bound` as JSON, see `choose`
    """

    press_set: Bits
    cost: int
    lower_bound: int
    method: str
    bound: Json
    statistics: dict[str, object] = field(default_factory=dict)

    @property
    def optimal(self) -> bool:
        """Whether the cost is proved least."""
        return self.cost == self.lower_bound


def choose(
    board: Board,
    particular: Bits,
    *,
    once: bool,
    timeout: float | Limits | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Choice | Refutation | Unknown:
    """Return the cheapest press set of an odd-sized row/column board with the proof that it is.

    `particular` is any press set of the board, (n,) bits. With `once` every bulb may be pressed at
    most once, so only press sets with a half factor count; if there is none the answer is a
    refutation that claims C2. After `timeout` seconds, or on Ctrl-C, the answer is the best
    choice so far with the bound proved so far, or Unknown where there is none.

    The evidence for `Choice.lower_bound` is one of

    * `{"kind": "switches", "side": …, "raised": […]}`: the count bound of step 1 reaches the bound
      for every even choice of the `side` ("rows" or "columns") to be switched (none, if the other
      side is even), save for those in `raised`: `{"odd_lines": lines, "divisor": D, "cuts":
      [{"lines": X, "weight": D·λ_X}, …]}`, where the weighted cuts are more than the bound − 2.
      `odd_lines` are the odd lines of `side`: they tell one choice from another.
      Costs have the parity of |x₀|. Whoever checks repeats the scan.
    * `{"kind": "coset", "parts": […]}`: as `CosetRefuted`, of all press sets for which
      |x| + |k_r − k_c| (`once`: |x|, and k_r = k_c) is below the bound.
    * `{"kind": "spectral"}`: |x| ≥ (RC − √(RC)·σ)/2, σ the largest singular value of the ±1 matrix
      of `particular`.
    * `{"kind": "integer-model"}`: rests on CP-SAT.

    ValueError if the board is no full row/column rectangle with an odd side, if some press needs
    an odd number of later neighbours, or if `particular` is no press set.

    >>> board = Board.from_rows(["011", "101", "110"])
    >>> found = choose(board, np.eye(3, dtype=bool).reshape(-1), once=True)
    >>> found.cost, found.lower_bound, found.bound
    (3, 3, {'kind': 'switches', 'side': 'rows', 'raised': []})
    """
    graph, odd_later = board.graph, board.odd_later
    if not isinstance(graph, CrossGraph) or graph.mask is not None:
        raise ValueError("switches need a full row/column board")
    if odd_later is None or odd_later.any():
        raise ValueError("switches need every press to have an even number of later neighbours")
    if graph.shape[0] % 2 == 0 and graph.shape[1] % 2 == 0:
        raise ValueError("on an even×even board the press set is unique: nothing to choose")
    if not np.array_equal(graph.apply(particular), board.change):
        raise ValueError("`particular` is no press set of the board")
    rectangle = _Rectangle.of(graph.to_grid(particular))
    search = _Search(rectangle, once, Limits.of(timeout), seed, progress)
    try:
        search.run()
    except (TimeUp, _Stop) as stop:
        search.stopped = str(stop)
    except KeyboardInterrupt:
        search.stopped = "interrupted"
    if search.best is not None:
        presses = search.rectangle.to_board(search.best)
        bound = _evidence(board, search)
        return Choice(
            presses, search.cost, search.lower_bound, search.method, bound, search.statistics
        )
    if search.stopped is None:
        return _refutation(search)
    statistics = {**search.statistics, "lower_bound": search.lower_bound}
    return Unknown(f"{search.stopped} before a press set with an order was found", statistics)


def _evidence(board: Board, search: _Search) -> Json:
    """Return the strongest evidence for the search's lower bound that can be checked."""
    rectangle, below = search.rectangle, search.lower_bound
    if search.evidence != "switches":
        return {"kind": search.evidence}
    raised = []
    grace = search.grace()
    for item in search.lifted.values():
        if item.bound < below:
            if grace.expired:
                return {"kind": "integer-model"}
            weighted = _weigh(rectangle, item.u, item.cuts, search.once)
            if weighted is None or weighted.value <= (below - 2) * weighted.divisor:
                break
            odd_lines = np.flatnonzero(rectangle.parities_under(item.u)).tolist()
            raised.append({"odd_lines": odd_lines, **weighted.to_json()})
    else:
        return {"kind": "switches", "side": rectangle.side, "raised": raised}
    if rectangle.log2_size > LOG2_LISTED:
        return {"kind": "integer-model"}
    try:
        parts = [
            {**cut.to_json(board), "press_counts": press_counts_json(board, s)}
            for s, cut in _listed(rectangle, search.once, below, grace)
        ]
    except TimeUp:
        return {"kind": "integer-model"}
    return {"kind": "coset", "parts": parts}


def _refutation(search: _Search) -> Refutation:
    """Return the shortest evidence that no press set has a half factor."""
    rectangle = search.rectangle
    if not rectangle.row_switches:
        odd_rows = np.flatnonzero(rectangle.parities)
        if odd_rows.size > rectangle.shape[1]:
            return LineParities(rectangle.side, odd_rows, rectangle.shape[1])
        item = next(iter(search.lifted.values()))
        weighted = _weigh(rectangle, item.u, item.cuts, once=True, feasible=False)
        if weighted is not None and weighted.value > 0:
            return WeightedCuts(rectangle.side, weighted.lines, weighted.weights)
    if rectangle.log2_size <= LOG2_LISTED:
        with suppress(TimeUp):
            parts = tuple(_listed(rectangle, True, NEVER, search.grace()))
            return CosetRefuted(2**rectangle.log2_size, parts)
    return IntegerModel(rectangle.log2_size)


# --- the coset ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Rectangle:
    """A coset of press sets, turned so that R is odd and, if C is odd too, R ≤ C.

    `presses` is x₀ as an (R, C) array.
    """

    presses: Bits
    turned: bool

    @classmethod
    def of(cls, grid: Bits) -> _Rectangle:
        rows, columns = grid.shape
        turned = rows % 2 == 0 or (columns % 2 == 1 and columns < rows)
        return cls(np.ascontiguousarray(grid.T if turned else grid), turned)

    def to_board(self, grid: Bits) -> Bits:
        """Return a press set of the board."""
        return np.ascontiguousarray(grid.T if self.turned else grid).reshape(-1)

    @property
    def shape(self) -> tuple[int, int]:
        return self.presses.shape[0], self.presses.shape[1]

    @property
    def row_switches(self) -> bool:
        return self.shape[1] % 2 == 1

    @property
    def side(self) -> Literal["rows", "columns"]:
        """What the rows are called on the board."""
        return "columns" if self.turned else "rows"

    @property
    def log2_size(self) -> int:
        """The nullity of the board."""
        return self.shape[1] - 1 + (self.shape[0] - 1 if self.row_switches else 0)

    @cached_property
    def even(self) -> Bits:
        """x₀ with its odd columns switched."""
        return np.asarray(self.presses ^ np.bitwise_xor.reduce(self.presses, axis=0))

    @cached_property
    def signs(self) -> NDArray[np.int8]:
        """`even` as +1 (no press) and −1: its column sums are the D_j."""
        return (1 - 2 * self.even).astype(np.int8)

    @cached_property
    def parities(self) -> Bits:
        """The row parities of x₀."""
        return np.asarray(np.bitwise_xor.reduce(self.presses, axis=1))

    def parities_under(self, u: Bits) -> Bits:
        """Return the row parities p under even row switches, (…, R) -> (…, R)."""
        return self.parities ^ u if self.row_switches else np.broadcast_to(self.parities, u.shape)

    def extra(self, u: Bits) -> Ints:
        """Return the D_j, what odd columns cost more, for many even u: (N, R) -> (N, C)."""
        return np.asarray(
            ((1 - 2 * u.astype(np.float32)) @ self.signs.astype(np.float32)).astype(np.int32)
        )

    def counted(self, u: Bits, once: bool) -> Ints:
        """Return the count bounds of many even u, (N, R) -> (N,); NEVER where k_r > C if once."""
        rows, columns = self.shape
        extra = self.extra(u)
        k_r = np.count_nonzero(self.parities_under(u), axis=1)
        least = np.empty((len(u), columns + 1), dtype=np.int64)
        least[:, 0] = (rows * columns - extra.sum(axis=1)) // 2
        np.cumsum(np.sort(extra, axis=1), axis=1, out=least[:, 1:])
        least[:, 1:] += least[:, :1]
        if once:
            possible = k_r <= columns
            at = np.take_along_axis(least, np.where(possible, k_r, 0)[:, None], axis=1)[:, 0]
            return np.asarray(np.where(possible, at, NEVER))
        apart = np.abs(np.arange(columns + 1) - k_r[:, None])
        return np.asarray(np.where(apart % 2, NEVER, least + apart).min(axis=1))

    def cheapest(self, u: Bits, once: bool) -> Bits:
        """Return the x of least count bound for one even u, with k_r ≤ C if once."""
        columns = self.shape[1]
        extra = self.extra(u[None])[0]
        k_r = int(np.count_nonzero(self.parities_under(u)))
        by_extra = np.argsort(extra, kind="stable")
        k_c = k_r
        if not once:
            apart = np.abs(np.arange(columns + 1) - k_r)
            bounds = np.concatenate([[0], np.cumsum(extra[by_extra])]) + apart
            k_c = int(np.where(apart % 2, NEVER, bounds).argmin())
        odd = np.zeros(columns, dtype=np.bool_)
        odd[by_extra[:k_c]] = True
        return np.asarray(self.even ^ u[:, None] ^ odd)

    def best_price(self, u: Bits, highest: int, cost: int) -> int:
        """Return the μ, |μ| ≤ highest, whose sieve lets the fewest u pass, by a sample u (N, R).

        The bounds of all u are about normally distributed; `cost` should lie as many standard
        deviations below their mean as possible.
        """
        rows, columns = self.shape
        extra = self.extra(u)
        k_r = np.count_nonzero(self.parities_under(u), axis=1)

        def tail(price: int) -> float:
            bounds = (columns * (rows + price) - np.abs(extra + price).sum(axis=1)) / 2
            bounds -= price * k_r
            return float((bounds.mean() - cost) / (bounds.std() + 1e-9))

        return max(sorted(range(-highest, highest + 1), key=abs), key=tail)


def _evened(u: Bits) -> Bits:
    """Turn row switches (N, R) of odd sum into their complements, which give the same press sets.

    (The column switches are complemented too, and R is odd.)
    """
    return np.asarray(u ^ np.bitwise_xor.reduce(u, axis=1)[:, None])


# --- the half factor of one press set -------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Flow:
    """A maximum flow of a press set: its value, the rows X of a minimum cut, the presses used."""

    value: int
    rows: Bits
    colour: Bits
    deficit: int
    """H_R + H_C − 2f; 0 iff there is a half factor."""


def _flow(grid: Bits) -> _Flow:
    """Solve the half factor's flow for an (R, C) press set. O(|S|·√|S|) at worst."""
    from ortools.graph.python import max_flow

    rows, columns = grid.shape
    in_row, in_column = np.count_nonzero(grid, axis=1) // 2, np.count_nonzero(grid, axis=0) // 2
    h_r, h_c = int(in_row.sum()), int(in_column.sum())
    i, j = np.nonzero(grid)
    source, sink = rows + columns, rows + columns + 1
    network = max_flow.SimpleMaxFlow()
    network.add_arcs_with_capacity(
        np.concatenate([np.full(rows, source), i, rows + np.arange(columns)]).astype(np.int32),
        np.concatenate([np.arange(rows), rows + j, np.full(columns, sink)]).astype(np.int32),
        np.concatenate([in_row, np.ones(len(i), dtype=np.int64), in_column]),
    )
    if network.solve(source, sink) != network.OPTIMAL:
        raise RuntimeError("the maximum flow was not solved")
    value = int(network.optimal_flow())
    reached = np.asarray(network.get_source_side_min_cut(), dtype=np.int64)
    cut = np.zeros(rows, dtype=np.bool_)
    cut[reached[reached < rows]] = True
    used = np.asarray(network.flows(np.arange(rows, rows + len(i), dtype=np.int32))) > 0
    colour = np.zeros_like(grid)
    colour[i[used], j[used]] = True
    return _Flow(value, cut, colour, h_r + h_c - 2 * value)


def _line_cut(rectangle: _Rectangle, grid: Bits, cut: Bits) -> LineCut:
    """Return the cut at the rows X, the columns on the better side, in the board's terms."""
    half = np.count_nonzero(grid, axis=0) // 2
    inside = np.count_nonzero(grid[cut], axis=0)
    need = int((np.count_nonzero(grid[cut], axis=1) // 2).sum())
    room = int(np.minimum(half, inside).sum())
    lines, others = np.flatnonzero(cut), np.flatnonzero(half < inside)
    if rectangle.turned:
        return LineCut("columns", others, lines, need, room)
    return LineCut("rows", lines, others, need, room)


# --- the search -----------------------------------------------------------------------------------


class _Stop(Exception):
    """The search ends without an end; the message says why, for `Unknown.reason`."""


@dataclass(frozen=True, eq=False)
class _Lifted:
    """Row switches whose count bound is not met, and the cuts that raise it."""

    u: Bits
    bound: int
    cuts: list[Bits]


class _Search:
    """One run: the best press set so far, and what is known about all others."""

    def __init__(
        self,
        rectangle: _Rectangle,
        once: bool,
        limits: Limits,
        seed: int,
        progress: Progress | None,
    ) -> None:
        self.rectangle, self.once, self.seed, self.progress = rectangle, once, seed, progress
        self.limits = limits
        self.told = time.monotonic()
        self.best: Bits | None = None
        self.cost = NEVER
        self.lower_bound = 0
        self.evidence = self.method = "switches"
        self.lifted: dict[bytes, _Lifted] = {}
        self.stopped: str | None = None
        self.flows = self.cuts = self.settled = self.passed = 0

    def run(self) -> None:
        """Search until the best press set is proved best or proved missing.

        Raises TimeUp or _Stop when it ends before; then `lower_bound` and `evidence` are what
        holds so far.
        """
        rows, columns = self.rectangle.shape
        if not self.rectangle.row_switches:
            unswitched = np.zeros(rows, dtype=np.bool_)
            self.lower_bound = int(self.rectangle.counted(unswitched[None], self.once)[0])
            if self.lower_bound < NEVER:
                self.settle(unswitched, self.lower_bound)
            self.lower_bound = self.cost
            return
        self.offer(self.rectangle.presses)  # so that there is an answer at any time
        small = (columns << rows - 1) <= SCAN_LIMIT
        try:
            if not small:  # now, while there is time
                _ = self.floor
            self.local_search(rounds=1 if small else 40)
            if small:
                self.scan()
                self.lower_bound = self.cost
            else:
                self.integer_model()
        finally:
            if self.lower_bound < self.cost and self.floor >= self.lower_bound:
                self.lower_bound, self.evidence = self.floor, "spectral"

    @cached_property
    def floor(self) -> int:
        """The spectral bound; where there is no time for that, what the parity says alone."""
        rows, columns = self.rectangle.shape
        left = self.limits.left(SPECTRAL_SHARE)
        seconds = SPECTRAL_SECONDS * rows**2 * (rows + columns)
        affordable = left is None or seconds < max(left, 0.05)
        return _spectral_bound(self.rectangle.presses, computed=affordable)

    def grace(self) -> Limits:
        """Return the time for what is written down after the search: more than is left."""
        left = self.limits.left()
        return Limits(None if left is None else left + GRACE)

    @property
    def statistics(self) -> dict[str, object]:
        """What was done."""
        found: dict[str, object] = {
            "flows": self.flows,
            "cuts": self.cuts,
            "row_switches_bounded": self.passed,
            "row_switches_settled": self.settled,
        }
        if self.stopped is not None:
            found["stopped"] = self.stopped
        return found

    @property
    def left(self) -> float | None:
        """The seconds left; TimeUp when there are none."""
        self.limits.check()
        return self.limits.left()

    def tell(self, text: str) -> None:
        """Report progress, at most twice a second."""
        now = time.monotonic()
        if self.progress is not None and now - self.told > 0.5:
            self.told = now
            best = "none yet" if self.best is None else str(self.cost)
            self.progress(f"{text}, best {best}")

    def offer(self, grid: Bits) -> _Flow:
        """Solve the flow of a press set and keep the set if it is the best so far."""
        if self.flows or grid.size > PROMPT:
            self.limits.check()
        flow = _flow(grid)
        self.flows += 1
        cost = int(np.count_nonzero(grid)) + 2 * flow.deficit
        if cost < self.cost and not (self.once and flow.deficit):
            self.cost, self.best = cost, grid
        return flow

    # Costs and count bounds all have the parity of |x₀|: to be better is to be better by two.

    def settle(self, u: Bits, bound: int) -> None:
        """Find the best press set with the row switches u, whose count bound is `bound`.

        Afterwards `cost` is the least of the old cost and all costs under u. Benders'
        decomposition; one flow where it meets the count bound.
        """
        if bound >= self.cost or u.tobytes() in self.lifted:
            return
        self.settled += 1
        flow = self.offer(self.rectangle.cheapest(u, self.once))
        if self.cost <= bound:
            return
        master = _Master(self.rectangle, u, self.once, self.seed)
        self.lifted[u.tobytes()] = _Lifted(u, bound, master.cuts)
        while True:
            master.cut(flow.rows)
            self.cuts += 1
            self.tell(f"{self.cuts} cuts")
            found = master.solve(self.cost - 2, self.left)
            if found is None:
                return
            grid, bound = found
            if not self.rectangle.row_switches:
                self.lower_bound = bound
            flow = self.offer(grid)
            if self.cost <= bound:
                return

    def settle_all(self, u: Bits) -> None:
        """Settle many even u (N, R), the most promising first."""
        self.passed += len(u)
        bounds = self.rectangle.counted(u, self.once)
        promising = np.flatnonzero(bounds < self.cost)
        for at in promising[np.argsort(bounds[promising], kind="stable")].tolist():
            self.settle(u[at], int(bounds[at]))
            _ = self.left

    def scan(self) -> None:
        """Settle every u that may be better than the best: step 2."""
        rows = self.rectangle.shape[0]
        # |D_j| ≤ R: higher prices change nothing; and |D_j + μ| must fit into a signed byte
        highest = min(rows, 127 - rows) if self.once else 1
        sample = np.random.default_rng(self.seed).random((256, rows)) < 0.5
        price = self.rectangle.best_price(_evened(sample), highest, self.cost)
        for done, u in _sieve(self.rectangle, price, lambda: self.cost):
            if len(u):
                self.settle_all(u)
            _ = self.left
            self.tell(f"row switches {done / 2 ** (rows - 1):.0%}")

    def local_search(self, rounds: int) -> None:
        """Find good row switches fast: alternate majorities, then descend by one or two rows.

        The start of a round is random, or the best u with some rows switched. The press sets with
        the best count bounds are offered, and the best u is settled.
        """
        rows = self.rectangle.shape[0]
        random = np.random.default_rng(self.seed)
        signs = self.rectangle.signs.astype(np.float32)
        moves = _moves(self.rectangle.shape, random)
        best: Bits | None = None
        lowest = NEVER
        for at in range(rounds):
            starts = random.random((64, rows)) < 0.5
            if best is not None and at % 4:
                starts = best ^ (random.random((64, rows)) < random.uniform(2, 6) / rows)
            u = 1 - 2 * starts.astype(np.float32)
            for _ in range(12):
                self.limits.check()
                v = np.where(u @ signs < 0, np.float32(-1), np.float32(1))
                u = np.where(v @ signs.T < 0, np.float32(-1), np.float32(1))
            pool = _evened(np.unique(u < 0, axis=0))
            bounds = self.rectangle.counted(pool, self.once)
            for start in np.argsort(bounds, kind="stable")[:4].tolist():
                here, bound = pool[start], int(bounds[start])
                while True:
                    _ = self.left
                    self.tell(f"local search {at + 1}")
                    near = _evened(here ^ moves)
                    near_bounds = self.rectangle.counted(near, self.once)
                    step = int(near_bounds.argmin())
                    if near_bounds[step] >= bound:
                        break
                    here, bound = near[step], int(near_bounds[step])
                if bound < self.cost:
                    self.offer(self.rectangle.cheapest(here, self.once))
                if bound < lowest:
                    lowest, best = bound, here
        if best is not None:
            self.settle(best, lowest)

    def integer_model(self) -> None:
        """Leave the rest to CP-SAT, which starts from the best press set known."""
        from ponder.cross.switching_model import minimise

        floor = self.floor
        if self.cost == floor:
            self.lower_bound, self.evidence = floor, "spectral"
            return
        if self.rectangle.presses.size > MODEL_LIMIT:
            raise _Stop("the board is too large for a proof")
        known = self.best
        solution = minimise(
            self.rectangle.presses,
            once=self.once,
            timeout=self.left,
            seed=self.seed,
            hint=None if known is None else (known, _flow(known).colour),
            at_least=floor,
            progress=self.progress,
        )
        self.evidence = self.method = "integer-model"
        if solution.infeasible:
            self.lower_bound = self.cost
            return
        if solution.grid is not None:
            self.offer(solution.grid)
        parity = (solution.lower_bound + int(np.count_nonzero(self.rectangle.presses))) % 2
        self.lower_bound = min(solution.lower_bound + parity, self.cost)
        if self.lower_bound < self.cost:
            raise _Stop("the time limit was reached")


def _moves(shape: tuple[int, int], random: np.random.Generator) -> Bits:
    """Return the switches of one row, and of two, or a random part of them on large boards."""
    rows, columns = shape
    single = np.eye(rows, dtype=np.bool_)
    first, second = np.triu_indices(rows if rows <= 64 else 0, 1)
    moves = np.concatenate([single, single[first] ^ single[second]])
    most = max(64, 2**20 // columns)
    return moves if len(moves) <= most else random.permutation(moves)[:most]


def _spectral_bound(grid: Bits, *, computed: bool = True) -> int:
    """Return a bound on |x| over the coset: |x| ≥ (RC − √(RC)·σ)/2. O(R²C), R ≤ C.

    Proof. With the ±1 matrix M of x₀ and sign vectors u, v: |x| = (RC − uᵀMv)/2, and
    uᵀMv ≤ |u|·σ·|v| = √(RC)·σ. ∎ |x| has the parity of |x₀|; where σ is too dear, on the largest
    boards or if it is not `computed`, that is all.
    """
    rows, columns = grid.shape
    bound = 0
    if computed and rows <= SPECTRAL_LIMIT:
        signs = 1.0 - 2.0 * grid
        square = float(np.linalg.eigvalsh(signs @ signs.T)[-1]) * (1 + 1e-9)
        least = (rows * columns - (rows * columns * square) ** 0.5) / 2
        bound = max(0, int(np.ceil(least - 1e-6)))
    return bound + (bound + int(np.count_nonzero(grid))) % 2


def _sieve(
    rectangle: _Rectangle, price: int, cost: Callable[[], int]
) -> Iterator[tuple[int, Bits]]:
    """Yield, chunk by chunk, how many even u are done, and those whose priced bound is < cost().

    The first `low` rows run through a table of sums (C, 2^low), the others one combination at a
    time; the last row makes u even. Bounds have the parity of the cost: better is better by two.
    """
    rows, columns = rectangle.shape
    signs = rectangle.signs
    # the table should stay in the cache, but be long enough to pay for numpy's calls
    low = min(rows - 1, max(8, 20 - columns.bit_length()))
    evener = _signed_sums(np.full((low, 1), -1, dtype=np.int8), multiply=True)
    table = _signed_sums(signs[:low])
    tables = [table + evener * signs[-1][:, None], table - evener * signs[-1][:, None]]
    others = _signed_sums(signs[low:-1]) + np.int8(price)
    # Σ ±1 over the rows, + for p = 0, is R − 2k_r
    balance = (1 - 2 * rectangle.parities).astype(np.int8)[:, None]
    low_balance = _signed_sums(balance[:low]).astype(np.int64)[0]
    balances = [low_balance + evener[0] * int(balance[-1, 0]) * sign for sign in (1, -1)]
    other_balance = _signed_sums(balance[low:-1]).astype(np.int64)[0]
    wide = np.int32 if (rows + abs(price)) * columns > 16000 else np.int16
    # twice the priced bound is fixed − (Σ|D_j + μ| − μ·balance)
    fixed = columns * (rows + price) - price * rows
    starts = [(-price * balance).astype(wide) for balance in balances]
    sums = np.empty_like(table)
    total = np.empty(table.shape[1], dtype=wide)
    part = np.empty(table.shape[1], dtype=np.uint8)
    together = 255 // (rows + abs(price))  # columns whose absolute sums fit into a byte together
    bits = np.arange(rows - 1)
    for high in range(others.shape[1]):
        odd = high.bit_count() % 2
        np.add(tables[odd], others[:, high, None], out=sums)
        np.abs(sums, out=sums)
        total[:] = starts[odd]
        for start in range(0, columns, together):
            block = sums[start : start + together].view(np.uint8)
            np.add.reduce(block, axis=0, dtype=np.uint8, out=part)
            np.add(total, part, out=total)
        least = fixed + price * int(other_balance[high]) - 2 * (cost() - 2)
        found = np.flatnonzero(np.greater_equal(total, max(least, -32768)))
        codes = found + (high << low)
        u = np.zeros((len(found), rows), dtype=np.bool_)
        u[:, :-1] = codes[:, None] >> bits & 1
        u[:, -1] = np.bitwise_xor.reduce(u, axis=1)
        yield (high + 1) << low, u


def _signed_sums(signs: NDArray[np.int8], *, multiply: bool = False) -> NDArray[np.int8]:
    """Return ± the rows of `signs`, summed in all combinations: (m, C) -> (C, 2^m).

    Bit i of the combination's number says that row i is subtracted. With `multiply`, the products
    of the chosen rows instead.
    """
    sums = np.full((signs.shape[1], 1), int(multiply), dtype=np.int8)
    for row in signs[:, :, None]:
        pair = [sums, sums * row] if multiply else [sums + row, sums - row]
        sums = np.concatenate(pair, axis=1)
    return np.ascontiguousarray(sums)


class _Columns:
    """The columns under fixed row switches: what each costs and adds to the penalties.

    Every value is a pair of (C,) arrays: for the even column, and how much more for the odd one.
    """

    def __init__(self, rectangle: _Rectangle, u: Bits) -> None:
        self.grid = rectangle.even ^ u[:, None]
        self.parities = rectangle.parities_under(u)
        self.k_r = int(np.count_nonzero(self.parities))
        self.even = np.count_nonzero(self.grid, axis=0)
        self.odd = len(u) - self.even
        self.weight = self.even, self.odd - self.even

    def penalty(self, cut: Bits) -> tuple[tuple[Ints, Ints], int]:
        """Return penalty_X for X = `cut`: its columns' terms and its constant."""
        inside = np.count_nonzero(self.grid[cut], axis=0)
        even = 2 * inside - 4 * np.minimum(self.even // 2, inside)
        inside = int(cut.sum()) - inside
        odd = 2 * inside - 1 - 4 * np.minimum(self.odd // 2, inside)
        constant = int(self.parities[~cut].sum()) - int(self.parities[cut].sum())
        return (even, odd - even), constant


class _Master:
    """Benders' master problem for fixed row switches: odd columns, and the cuts found so far."""

    def __init__(self, rectangle: _Rectangle, u: Bits, once: bool, seed: int) -> None:
        from ortools.sat.python import cp_model

        rows, columns = rectangle.shape
        self.columns, self.seed = _Columns(rectangle, u), seed
        self.cuts: list[Bits] = []
        self.model = cp_model.CpModel()
        self.odd = [self.model.new_bool_var(f"odd{j}") for j in range(columns)]
        # k_c ≡ k_r is the evenness of the switches; ±(k_r − k_c) are the cuts ∅ and "all rows"
        apart: Any = 0 if once else 2 * self.model.new_int_var(-rows, columns, "half apart")
        self.penalty: Any = 0 if once else self.model.new_int_var(0, rows * columns, "penalty")
        self.model.add(sum(self.odd) == self.columns.k_r + apart)
        if not once:
            self.model.add(self.penalty >= apart)
            self.model.add(self.penalty >= -apart)
        self.cost = self._sum(self.columns.weight) + self.penalty
        self.model.minimize(self.cost)

    def _sum(self, values: tuple[Ints, Ints]) -> Any:
        """Return Σ_j of a column's value."""
        from ortools.sat.python import cp_model

        even, more = values
        return cp_model.LinearExpr.weighted_sum(self.odd, more.tolist()) + int(even.sum())

    def cut(self, rows: Bits) -> None:
        """Demand penalty ≥ penalty_X for X = `rows`."""
        self.cuts.append(rows)
        terms, constant = self.columns.penalty(rows)
        self.model.add(self._sum(terms) + constant <= self.penalty)

    def solve(self, most: int, timeout: float | None) -> tuple[Bits, int] | None:
        """Return x of least bound, and the bound; None if no bound is at most `most`."""
        from ortools.sat.python import cp_model

        self.model.add(self.cost <= most)
        solver, status = cpsat.solve(self.model, self.seed, timeout)
        if status == cp_model.INFEASIBLE:
            return None
        if status != cp_model.OPTIMAL:
            raise _Stop("the time limit was reached")
        odd = np.array([solver.boolean_value(x) for x in self.odd], dtype=np.bool_)
        return self.columns.grid ^ odd, round(solver.objective_value)


@dataclass(frozen=True, eq=False)
class _Weighted:
    """Cuts with integer weights, and the least value of divisor·|x| + Σ weight·penalty."""

    lines: tuple[Ints, ...]
    weights: tuple[int, ...]
    divisor: int
    value: int

    def to_json(self) -> Json:
        cuts = [
            {"lines": lines.tolist(), "weight": weight}
            for lines, weight in zip(self.lines, self.weights, strict=True)
        ]
        return {"divisor": self.divisor, "cuts": cuts}


def _weigh(
    rectangle: _Rectangle, u: Bits, cuts: list[Bits], once: bool, *, feasible: bool = True
) -> _Weighted | None:
    """Weigh the cuts so that their sum bounds the cost under u as well as it can, if it can.

    With `feasible` false |x| does not count: a positive value then refutes a half factor.
    """
    from ortools.linear_solver import pywraplp

    columns = _Columns(rectangle, u)
    weight = columns.weight
    penalties = [columns.penalty(cut) for cut in cuts]
    terms = [term for term, _ in penalties]
    constants = [constant for _, constant in penalties]

    solver = pywraplp.Solver.CreateSolver("GLOP")
    odd = [solver.NumVar(0, 1, "") for _ in range(rectangle.shape[1])]
    top = solver.NumVar(0, solver.infinity(), "")
    rows = []
    for (even, more), constant in zip(terms, constants, strict=True):
        row = solver.Constraint(float(even.sum() + constant), solver.infinity())
        row.SetCoefficient(top, 1)
        for j in np.flatnonzero(more).tolist():
            row.SetCoefficient(odd[j], -float(more[j]))
        rows.append(row)
    k_c = solver.Sum(odd)
    if once:
        solver.Add(k_c == columns.k_r)
    else:
        solver.Add(top >= k_c - columns.k_r)
        solver.Add(top >= columns.k_r - k_c)
    # once: no penalty is allowed, so the price may be as high as helps
    price = rectangle.presses.size if once and feasible else 1
    cost = price * top
    if feasible:
        cost += solver.Sum([float(m) * x for m, x in zip(weight[1], odd, strict=True)])
    solver.Minimize(cost)
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return None
    duals = np.array([row.dual_value() for row in rows])
    weights = np.floor(np.maximum(duals, 0) * DIVISOR + 1e-6).astype(np.int64)
    divisor = DIVISOR if feasible else 0
    shared = int(np.gcd.reduce(np.append(weights, divisor))) or 1
    weights, divisor = weights // shared, divisor // shared
    used = np.flatnonzero(weights)
    even = divisor * weight[0] + sum(int(weights[i]) * terms[i][0] for i in used)
    more = divisor * weight[1] + sum(int(weights[i]) * terms[i][1] for i in used)
    least = np.concatenate([[0], np.cumsum(np.sort(more))]) + int(even.sum())
    least += sum(int(weights[i]) * constants[i] for i in used)
    if once:
        value = int(least[columns.k_r])
    else:
        apart = np.arange(len(least)) - columns.k_r
        least += (divisor - int(weights.sum())) * np.abs(apart)
        value = int(least[apart % 2 == 0].min())
        if weights.sum() > divisor:
            return None
    lines = tuple(np.flatnonzero(cuts[i]) for i in used)
    return _Weighted(lines, tuple(weights[used].tolist()), divisor, value)


def _listed(
    rectangle: _Rectangle, once: bool, below: int, limits: Limits
) -> Iterator[tuple[Bits, LineCut]]:
    """List the press sets whose count bound is under `below`, each with a cut that lifts it.

    Goes through the whole coset. With `once` only press sets with k_r = k_c are listed.
    """
    rows = rectangle.shape[0]
    if rectangle.row_switches:
        switches = _vectors(rows, 0)
    else:
        switches = np.zeros((1, rows), dtype=np.bool_)
    for u in switches:
        columns = _Columns(rectangle, u)
        even, more = columns.weight
        chosen = _vectors(len(even), columns.k_r % 2)
        size = int(even.sum()) + chosen @ more
        apart = np.abs(np.count_nonzero(chosen, axis=1) - columns.k_r)
        listed = (apart == 0) & (size < below) if once else size + apart < below
        for odd in chosen[listed]:
            limits.check()
            grid = columns.grid ^ odd
            yield rectangle.to_board(grid), _line_cut(rectangle, grid, _flow(grid).rows)


def _vectors(length: int, parity: int) -> Bits:
    """Return all 0/1 vectors whose sum has the parity, (2^(length−1), length)."""
    free = (np.arange(2 ** (length - 1))[:, None] >> np.arange(length - 1) & 1).astype(np.bool_)
    last = np.bitwise_xor.reduce(free, axis=1)[:, None] ^ bool(parity)
    return np.concatenate([free, last], axis=1)
