"""Row/column boards with an odd side: press set and half factor, chosen together and proved.

On a full R×C board with R or C odd the press sets differ by switching whole rows and columns, an
even number of each (theory §4.9). Turn the board so that R is odd and, if C is odd too, R ≤ C; rows
may be switched only if C is odd. The switched rows u name a *setting*, in which every column is
free to be even or odd. Its *count bound* (§4.10) is the least |x| + |k_c − k_r|, where k_r and k_c
are the odd rows and columns (`order` needs k_c = k_r; under the rule `any` nothing is added), found
by sorting the columns. A maximum flow says whether the press set meets it (§4.5).

Idea. A local search over settings (majorities, then descent by one row or two) provides a cost to
beat. The checker's own scan lists all settings of a small count bound, by meeting in the middle
(`SwitchSettings.cheap`): they are tried in order. Where a flow does not meet the count bound, the
setting stays open, and so does the bound. Where halves of the rows are too many, no bound is
proved.

Letters: D_j what the odd state of column j costs more than the even one; N settings at a time.
Cost. One sort and one flow if a side is even; else some 2^(0.7·R) pairs of halves: 31×31 0.1 s.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.check.certificate import Refutation
from ponder.check.reader import TooLarge
from ponder.check.settings import IMPOSSIBLE, Rectangle, Settings, SwitchSettings
from ponder.find.context import Chosen, SearchContext, SearchOutcome
from ponder.find.row_column.maximum_flow import half_factor_of
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.types import Bits, Ints

Question: TypeAlias = Literal["order", "solve", "any"]

STARTS, MAJORITIES, DESCENTS = 64, 12, 4  # of a round of the local search
ROUNDS = 40  # … where no proof is in reach
TIES = 8  # press sets of one setting that are tried where the columns have ties
SLACKS = (24, 12, 6, 2)  # how far below the best cost settings are listed, the fewest first;
QUICK = 31  # all at once up to so many rows
LISTED_WHOLE = 20  # R + C up to which the press sets are so few that another search lists them
MOST_BULBS = 1 << 18  # up to so many, one press set is tried however short the time


def has_odd_side(board: Board) -> bool:
    """Whether a board is a full row/column rectangle with an odd side."""
    graph = board.graph
    if not isinstance(graph, CrossGraph) or graph.mask is not None:
        return False
    return any(side % 2 for side in graph.shape)


class OddSides:
    """The choice of a press set on a full row/column rectangle with an odd side.

    `particular` is any press set of the board. `outcome` says at any moment what is known: `Chosen`
    once some press set has a half factor, or does without one; a refutation where none can have.

    >>> board = Board.from_rows(["011", "101", "110"])
    >>> choice = OddSides(board, np.eye(3, dtype=bool).reshape(-1), "order", SearchContext())
    >>> choice.run()
    >>> choice.outcome().cost, choice.outcome().lower_bound
    (3, 3)
    """

    def __init__(
        self, board: Board, particular: Bits, question: Question, context: SearchContext
    ) -> None:
        graph = board.graph
        assert isinstance(graph, CrossGraph)
        rows, columns = graph.shape
        turned = rows % 2 == 0 or (columns % 2 == 1 and columns < rows)
        grid = graph.to_grid(particular)
        self.rectangle: Rectangle = (
            Rectangle(np.ascontiguousarray(grid.T), "columns")
            if turned
            else Rectangle(grid, "rows")
        )
        self.question: Question = question
        self.context: SearchContext = context
        self.turned: bool = turned
        self.odd_rows: Bits = self.rectangle.odd_rows
        self.even: Bits = self.rectangle.even
        self.signs: NDArray[np.int16] = np.where(self.even, -1, 1).astype(np.int16)
        self.best: Bits | None = None
        self.cost: int = IMPOSSIBLE
        self.proved: int = 0  # no press set costs less
        self.open: int = IMPOSSIBLE  # the least count bound that a flow did not meet
        self.flows: int = 0
        self.rng: np.random.Generator = np.random.default_rng(context.seed)

    def outcome(self, reason: str | None = None) -> SearchOutcome | Refutation:
        """Return what is known."""
        settings = Settings(self.rectangle.side)
        if self.proved == IMPOSSIBLE:
            return settings
        bound = min(self.proved, self.cost)
        reason = (reason or "the count bound was not met") if bound < self.cost else reason
        statistics: dict[str, object] = {"flows": self.flows}
        if self.best is None:
            bounded = None if bound in (0, IMPOSSIBLE) else bound
            why = settings if bounded else None
            return SearchOutcome("switches", None, bounded, why, reason, statistics)
        best = np.ascontiguousarray(self.best.T if self.turned else self.best).reshape(-1)
        reason = None if bound == self.cost else reason
        why = settings if bound else None
        return Chosen(
            "switches", None, bound, why, reason, statistics, press_set=best, cost=self.cost
        )

    def run(self) -> None:
        """Prove the best press set best, or that there is none. Raises TimeUp."""
        height, width = self.even.shape
        unswitched = np.zeros((1, height), dtype=np.bool_)
        if not self.rectangle.switched_rows:  # a single setting
            bound = int(self.count_bounds(unswitched)[0])
            if bound < IMPOSSIBLE:
                self.try_setting(unswitched[0], bound)
                bound = min(self.cost, self.open)
            self.proved = bound
            return
        small = 2 * width << height // 2 <= 1 << 29
        lowest = self.local_search(max(1, (height - 25) // 2) if small else ROUNDS)
        if not small:
            raise TooLarge("the board is too large for a proof")
        settings = SwitchSettings(self.rectangle, self.question)
        target = self.cost if self.cost < IMPOSSIBLE else lowest + 2
        while True:
            for slack in SLACKS if height > QUICK else SLACKS[-1:]:
                self.scan(settings, target - slack)
            listed_whole = self.open < IMPOSSIBLE and height + width <= LISTED_WHOLE
            if self.cost <= target or target > height * width + 2 or listed_whole:
                return
            target = min(self.cost, target + 8)

    def scan(self, settings: SwitchSettings, most: int) -> None:
        """Try all settings whose count bound is at most `most`, by their count bounds."""
        most = min(most, self.cost - 2)
        if most < self.proved:
            return
        limits = self.context.limits
        height = len(self.even)
        listed: list[tuple[int, int]] = []
        for numbers, costs in settings.cheap(most, limits):
            cheap = costs <= most
            listed += zip(costs[cheap].tolist(), numbers[cheap].tolist(), strict=True)
        for bound, number in sorted(listed):
            limits.check()
            if bound >= self.cost:
                break
            u = (number >> np.arange(height) & 1).astype(np.bool_)
            u[-1] = np.count_nonzero(u[:-1]) % 2
            self.try_setting(u, bound)
            self.proved = max(self.proved, min(self.cost, self.open, bound))
        self.proved = max(self.proved, min(self.cost, self.open, most + 2))

    def try_setting(self, u: Bits, bound: int) -> None:
        """Try the cheapest press sets of one setting, as long as these do not meet its bound."""
        for attempt in range(TIES):
            if self.cost <= bound:
                return
            self.offer(self.cheapest(u, attempt > 0))
        if self.cost > bound:
            self.open = min(self.open, bound)

    def offer(self, grid: Bits) -> None:
        """Solve the flow of a press set and keep the set if it is the best so far."""
        if self.flows or grid.size > MOST_BULBS:
            self.context.limits.check()
        cost = int(np.count_nonzero(grid))
        if self.question != "any":
            factor = half_factor_of(grid)
            self.flows += 1
            if self.question == "order" and factor.deficit:
                return
            cost += 2 * factor.deficit
        if cost < self.cost:
            self.cost, self.best = cost, grid

    # --------------------------------------------------------------------------- the count bound

    def _more(self, u: Bits) -> tuple[Ints, Ints]:
        """Return the D_j of many settings and their odd rows. (N, R) to (N, C), (N,)."""
        more = np.where(u, -1, 1).astype(np.int16) @ self.signs
        return more.astype(np.int64), np.count_nonzero(self.odd_rows ^ u, axis=1)

    def _totals(self, more: Ints, k_r: Ints) -> Ints:
        """Return the cost with the 0, 1, … cheapest columns in their odd states. (N, C + 1)."""
        height, width = self.even.shape
        totals = np.empty((len(more), width + 1), dtype=np.int64)
        totals[:, 0] = (height * width - more.sum(axis=1)) // 2
        np.cumsum(np.sort(more, axis=1), axis=1, out=totals[:, 1:])
        totals[:, 1:] += totals[:, :1]
        apart = np.abs(np.arange(width + 1) - k_r[:, None])
        wrong = apart != 0 if self.question == "order" else apart % 2 != 0
        totals += 0 if self.question == "any" else apart
        return np.where(wrong, np.int64(IMPOSSIBLE), totals)

    def count_bounds(self, u: Bits) -> Ints:
        """Return the count bounds of many settings, IMPOSSIBLE where k_c = k_r cannot be."""
        return np.asarray(self._totals(*self._more(u)).min(axis=1))

    def cheapest(self, u: Bits, shuffled: bool) -> Bits:
        """Return the press set of least count bound in one setting, ties at random. (R, C)."""
        more, k_r = self._more(u[None])
        count = int(self._totals(more, k_r)[0].argmin())
        draws = self.rng.random(more.shape[1]) if shuffled else np.zeros(more.shape[1])
        odd = np.zeros(more.shape[1], dtype=np.bool_)
        odd[np.lexsort(np.stack([draws, more[0]]))[:count]] = True
        return np.asarray(self.even ^ u[:, None] ^ odd)

    # ------------------------------------------------------------------------------ local search

    def local_search(self, rounds: int) -> int:
        """Offer the press sets that a local search finds; return the least count bound met."""
        height, lowest, best = len(self.even), IMPOSSIBLE, None
        moves = self._moves(height)
        for at in range(rounds):
            starts = self.rng.random((STARTS, height)) < 0.5
            if best is not None and at % 4:
                near = self.rng.random((STARTS, height)) < self.rng.uniform(2, 6) / height
                starts = best ^ near
            pool = np.unique(_made_even(self._majorities(starts)), axis=0)
            bounds = self.count_bounds(pool)
            for start in np.argsort(bounds, kind="stable")[:DESCENTS].tolist():
                here, bound = pool[start], int(bounds[start])
                while True:
                    self.context.limits.check()
                    near = _made_even(here ^ moves)
                    near_bounds = self.count_bounds(near)
                    step = int(near_bounds.argmin())
                    if near_bounds[step] >= bound:
                        break
                    here, bound = near[step], int(near_bounds[step])
                if bound < self.cost:
                    self.offer(self.cheapest(here, False))
                if bound < lowest:
                    lowest, best = bound, here
        if best is not None and lowest < self.cost:
            self.try_setting(best, lowest)
        return lowest

    def _majorities(self, u: Bits) -> Bits:
        """Give columns and rows in turn the state in which they press fewer bulbs."""
        signs = self.signs.astype(np.int32)
        for _ in range(MAJORITIES):
            self.context.limits.check()
            columns = np.where(np.where(u, -1, 1) @ signs < 0, -1, 1)
            u = columns @ signs.T < 0
        return u

    def _moves(self, height: int) -> Bits:
        """Return the switches of one row, and of two, or a random part of them on large boards."""
        single = np.eye(height, dtype=np.bool_)
        first, second = np.triu_indices(height if height <= 64 else 0, 1)
        moves = np.concatenate([single, single[first] ^ single[second]])
        most = max(64, 2**20 // self.even.shape[1])
        return moves if len(moves) <= most else self.rng.permutation(moves)[:most]


def _made_even(u: Bits) -> Bits:
    """Turn row switches (N, R) of odd sum into their complements: the press sets stay."""
    return np.asarray(u ^ np.bitwise_xor.reduce(u, axis=1)[:, None])
