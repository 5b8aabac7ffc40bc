"""Odd-sized row/column boards: press set and half factor, chosen together and proved.

On a full R×C board with R or C odd the press sets differ by switching whole rows and columns. Among
them we want the least cost(x) = |x| + 2·(H_R + H_C − 2f) (theory §4.5, §4.9) or, when no bulb may
be pressed twice, the least |x| among the x with a half factor (H_R = H_C = f).

Idea (theory §4.9 to §4.12). A local search provides the cost to beat. A meet in the middle finds
the row parity classes (`rectangle`) whose count bound is less (`count_bound`). They are minimised
in increasing order of their bounds, by `weighted_cuts` where the flow of the best x does not meet
the bound. Where that would be too many pairs for the time, fewer prove a lower bound. Where even
the halves are too large: local search, and the better of two bounds (`spectral_bound`,
`switching_blocks`).

Letters: as in `ponder.find.row_column.half_factor`. Cost: some 2^(0.7·R) pairs of halves if both
sides are odd (35×35 0.4 s, 41×41 3 to 20 s), else one sort and one flow.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ponder.check.evidence.spectral import Spectral
from ponder.check.kinds import Bound, Refutation
from ponder.check.switches import IMPOSSIBLE
from ponder.find.row_column.half_factor import HalfFactor, half_factor_of
from ponder.find.search.context import Progress, SearchContext
from ponder.find.search.outcome import Chosen, SearchOutcome
from ponder.find.switching.count_bound import (
    Halves,
    best_multiplier,
    cheapest,
    count_bounds,
    descend,
)
from ponder.find.switching.rectangle import Rectangle, made_even
from ponder.find.switching.spectral_bound import affordable, spectral_bound
from ponder.find.switching.switching_blocks import (
    blocks_bound,
    pairs_in_time,
)
from ponder.find.switching.weighted_cuts import Master, RaisedClass, bound_evidence, refutation
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.errors import NeedsLibrary
from ponder.system.limits import LimitReached, Limits, TimeUp
from ponder.system.types import Bits

PAIR_LIMIT = 2**36  # the largest number of pairs of halves that are looked at: half an hour
LARGE_SHARE, LARGE_SECONDS = 0.8, 60.0  # for a bound where halves are too large: of a limit
SHARE = 0.7  # what the pairs may take of the time that is left
PASSES = (2**-4, 1)  # of the pairs prove a bound first, where there may be no time for all
GRACE = 0.5  # the seconds after the time limit in which evidence that was found may be written down
PROMPT = 2**18  # up to this many bulbs, one press set is tried however short the time


def choose(
    board: Board,
    particular: Bits,
    *,
    once: bool,
    context: SearchContext | None = None,
) -> SearchOutcome | Refutation:
    """Return the cheapest press set of an odd-sized row/column board with the proof that it is.

    `particular` is any press set of the board, (n,) bits. With `once` only press sets with a half
    factor count; if there is none the answer is a refutation that claims C2. When time is
    up, or on Ctrl-C, the answer is the best press set so far with the bound proved so far, or
    the bound alone. Where there is a half factor, some legal sequence has `Chosen.cost` presses.
    The evidence for the bound is `Switches`, `LighterRefuted` (of all press sets whose count bound
    is below it), `Spectral`, `SwitchingBlocks`, or `BoundByWord`, which rests on CP-SAT.

    Raises ValueError if the board is no full row/column rectangle with an odd side, if some press
    needs an odd number of later neighbours, or if `particular` is no press set.

    >>> board = Board.from_rows(["011", "101", "110"])
    >>> found = choose(board, np.eye(3, dtype=bool).reshape(-1), once=True)
    >>> found.cost, found.lower_bound, found.evidence.to_json(board)
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
        raise ValueError("`particular` is not a press set of the board")
    rectangle = Rectangle.of(graph.to_grid(particular))
    context = context or SearchContext()
    search = _PressSetChoice(board, rectangle, once, context.limits, context.seed, context.progress)
    try:
        search.run()
    except LimitReached as stop:
        search.stopped = str(stop)
    except KeyboardInterrupt:
        search.stopped = "interrupted"
    else:
        search.stopped = search.lacking if search.open < search.cost else None
    if search.best is not None:  # some press set has a half factor
        return Chosen(
            "switches",
            None,
            lower_bound=search.lower_bound,
            evidence=search.bound(),
            reason=search.stopped,
            statistics=search.statistics,
            press_set=rectangle.to_board(search.best),
            cost=search.cost,
        )
    if search.stopped is None:  # all were refuted, and nothing cut the search short
        return refutation(rectangle, search.raised, search.grace())
    comma = "," if search.lacking else ""
    return SearchOutcome(
        "switches",
        None,
        search.lower_bound or None,
        search.bound() if search.lower_bound else None,
        f"{search.stopped}{comma} before a press set with an order was found",
        search.statistics,
    )


@dataclass(eq=False)
class _PressSetChoice:
    """One run: the best press set so far, and what is known about all others."""

    board: Board
    rectangle: Rectangle
    once: bool
    limits: Limits
    seed: int
    progress: Progress
    best: Bits | None = None
    cost: int = IMPOSSIBLE
    lower_bound: int = 0
    open: int = IMPOSSIBLE  # the least count bound of a parity class that cuts would have to settle
    lacking: str = ""  # why they could not
    evidence: Bound | None = None  # that of `switches`, where there is no other
    raised: dict[bytes, RaisedClass] = field(default_factory=dict)
    stopped: str | None = None
    told: float = field(default_factory=time.monotonic)
    flows = cuts = minimised = bounded = 0

    def run(self) -> None:
        """Prove the best press set best, or that there is none. Raises TimeUp and LimitReached."""
        if not self.rectangle.row_switches:
            self.only_class()
            return
        self.offer(self.rectangle.presses)  # so that there is an answer at any time
        small = Halves.fit(self.rectangle.shape)
        try:
            if not small:  # now, while there is time
                _ = self.quick
            rows = self.rectangle.shape[0]
            self.local_search(rounds=max(1, (rows - 25) // 2) if small else 40)
            if small:
                self.all_classes()
            elif self.cost > self.quick[0]:
                raise LimitReached("the board is too large for a proof")
        finally:
            if self.lower_bound < self.cost and self.quick[0] >= self.lower_bound:
                self.lower_bound, self.evidence = self.quick

    @cached_property
    def quick(self) -> tuple[int, Bound]:
        """The spectral bound, or what blocks prove where halves are too large, if that is more."""
        shape, presses = self.rectangle.shape, self.rectangle.presses
        bound = spectral_bound(presses, computed=affordable(shape, self.limits))
        evidence: Bound = Spectral()
        if not Halves.fit(shape):
            limits = self.limits.share(LARGE_SHARE, LARGE_SECONDS)
            with suppress(TimeUp):
                press_set = self.rectangle.to_board(presses)
                found = blocks_bound(self.board, press_set, seed=self.seed, limits=limits)
                if found is not None and (found.lower_bound or 0) > bound:
                    bound, evidence = found.lower_bound or 0, found.evidence or evidence
        return bound, evidence

    def grace(self) -> Limits:
        """Return the time for writing the evidence after the search: more than is left."""
        left = self.limits.left()
        return Limits(None if left is None else left + GRACE)

    def bound(self) -> Bound:
        """Return the strongest evidence for the lower bound that can be checked."""
        if self.evidence is not None:
            return self.evidence
        return bound_evidence(
            self.rectangle, self.once, self.lower_bound, self.raised, self.grace()
        )

    @property
    def statistics(self) -> dict[str, object]:
        found: dict[str, object] = {
            "flows": self.flows,
            "cuts": self.cuts,
            "row_switches_bounded": self.bounded,
            "row_switches_settled": self.minimised,
        }
        if self.stopped is not None:
            found["stopped"] = self.stopped
        return found

    def tell(self, text: str) -> None:
        """Report progress, at most twice a second."""
        now = time.monotonic()
        if now - self.told > 0.5:
            self.told = now
            best = "none yet" if self.best is None else str(self.cost)
            self.progress(f"{text}, best {best}")

    def offer(self, grid: Bits) -> HalfFactor:
        """Solve the flow of a press set and keep the set if it is the best so far."""
        if self.flows or grid.size > PROMPT:
            self.limits.check()
        factor = half_factor_of(grid)
        self.flows += 1
        cost = int(np.count_nonzero(grid)) + 2 * factor.deficit
        if cost < self.cost and not (self.once and factor.deficit):
            self.cost, self.best = cost, grid
        return factor

    def only_class(self) -> None:
        """Find the best press set where rows may not be switched."""
        unswitched = np.zeros(self.rectangle.shape[0], dtype=np.bool_)
        self.lower_bound = int(count_bounds(self.rectangle, unswitched[None], self.once)[0])
        if self.lower_bound < IMPOSSIBLE:
            self.minimise_class(unswitched, self.lower_bound)
        self.lower_bound = min(self.cost, self.open)

    def minimise_class(self, u: Bits, bound: int) -> None:
        """Find the best press set in the parity class u, whose count bound is `bound`.

        Afterwards `cost` is the least of the old cost and all in the parity class. One flow if it
        meets the count bound, else Benders' decomposition; `open` without OR-tools.
        """
        if bound >= self.cost or u.tobytes() in self.raised:
            return
        self.minimised += 1
        factor = self.offer(cheapest(self.rectangle, u, self.once))
        if self.cost <= bound:
            return
        try:
            master = Master(self.rectangle, u, self.once, self.seed)
        except NeedsLibrary as lacking:
            self.open, self.lacking = min(self.open, bound), str(lacking)
            return
        self.raised[u.tobytes()] = RaisedClass(u, bound, master.cuts)
        while True:
            master.cut(factor.cut_rows)
            self.cuts += 1
            self.tell(f"{self.cuts} cuts")
            self.limits.check()
            found = master.solve(self.cost - 2, self.limits.left())
            if found is None:
                return
            grid, bound = found
            if not self.rectangle.row_switches:
                self.lower_bound = bound
            factor = self.offer(grid)
            if self.cost <= bound:
                return

    def minimise_classes(self, u: Bits) -> None:
        """Minimise many parity classes (N, R), the most promising first."""
        self.bounded += len(u)
        bounds = count_bounds(self.rectangle, u, self.once)
        promising = np.flatnonzero(bounds < self.cost)
        for at in promising[np.argsort(bounds[promising], kind="stable")].tolist():
            self.minimise_class(u[at], int(bounds[at]))
            self.limits.check()

    def all_classes(self) -> None:
        """Minimise every parity class that may be better than the best: step 2."""
        rows = self.rectangle.shape[0]
        # |D_j| ≤ R: higher multipliers change nothing; and |D_j + μ| must fit into a signed byte
        highest = min(rows, 127 - rows) if self.once else 1
        sample = np.random.default_rng(self.seed).random((256, rows)) < 0.5
        multiplier = best_multiplier(self.rectangle, made_even(sample), highest, self.cost)
        halves = Halves(self.rectangle, multiplier, self.limits)
        pairs, most = halves.count(self.cost), self.most_pairs()
        if pairs > most or self.limits.left() is not None:
            for part in PASSES:
                if part * most < pairs:
                    self.classes_below(halves, halves.below_with(int(part * most), self.cost))
        if pairs > most:
            raise LimitReached(
                f"2^{pairs.bit_length() - 1} pairs of settings are too many for a proof"
            )
        self.classes_below(halves, IMPOSSIBLE)

    def most_pairs(self) -> int:
        """Return how many pairs of halves there is time for."""
        return pairs_in_time(PAIR_LIMIT, self.limits.left(SHARE))

    def classes_below(self, halves: Halves, below: int) -> None:
        """Minimise every parity class that may be better than the best and than `below`."""
        done, pairs = 0, max(1, halves.count(min(self.cost, below)))
        for looked_at, u in halves.scan(lambda: min(self.cost, below)):
            if len(u):
                self.minimise_classes(u)
            self.limits.check()
            done += looked_at
            self.tell(f"pairs of settings {min(done / pairs, 1):.0%}")
        self.lower_bound = max(self.lower_bound, min(self.cost, self.open, below))

    def local_search(self, rounds: int) -> None:
        """Offer the press sets that a local search finds, and minimise the best parity class."""
        best: Bits | None = None
        lowest = IMPOSSIBLE
        for u, bound in descend(
            self.rectangle, self.once, rounds, self.seed, self.limits, self.tell
        ):
            if bound < self.cost:
                self.offer(cheapest(self.rectangle, u, self.once))
            if bound < lowest:
                lowest, best = bound, u
        if best is not None:
            self.minimise_class(best, lowest)
