"""Few presses in a coset too large to be listed: annealing with restarts, by light quiet patterns.

Idea (theory §7.10). The state is a press set S, a move adds a quiet pattern y: a basis vector, made
light by sums of two, or a light sum of two of these. What is sought is the least |S| + p·o(S),
where o counts odd components and p is the price of one: the double press that nearly all press sets
need for it. For an order (`once`) p starts high and falls as long as press sets without odd
components come up, which often have an order where boards are dense. They are ordered as they come
up (`judge`), and a block without one counts like an odd component from then on (`RefusedBlocks`).

What each move does to |S| is known at every step: δ(y) = Σ ±1 over y, and a step changes few of the
signs. So moves are drawn by their weights, y with chance ∝ exp(−δ(y)/2T), and only what they do to
o(S) is left to accept or refuse: by exp(−p·Δo/T). That takes a labelling, so some are drawn
together, and the first that is accepted is taken.

A restart cools T from 1.5 p to p/4; the longer the search has found nothing better, the more steps
it takes, as far as time allows. Every fourth one is a walk through random subspaces instead
(`random_subspaces`), which is better where no quiet pattern is light. For an order that meets
hardly any press set without odd components; there, once who asks says so (`screens`), millions are
looked at for small ones (`screened_subspaces`), around what restarts have found, and more often as
long as it finds something.

Letters: S, T and p as above; d the nullity; n bulbs; M moves.
References. S. Kirkpatrick and others, "Optimization by simulated annealing", 1983; G. Zanella,
"Informed proposals for local MCMC in discrete spaces", 2020.
Cost. M·|y| for the δ of a step, some 30 µs, and 30 to 700 µs for each labelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ponder.find.cosets.double_press_bounds import DoublePressBounds
from ponder.find.cosets.random_subspaces import CosetWalk
from ponder.find.cosets.screened_subspaces import ScreenedWalk
from ponder.find.linear.kernels import unit_vectors
from ponder.find.linear.press_sets import PressSets
from ponder.find.ordering.odd_component_batches import OddComponents
from ponder.model.board import Board
from ponder.model.graph import Graph
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints

WARM, COLD = 1.5, 0.25  # temperatures, in prices of an odd component
STEPS = 1000  # draws of the shortest restart; it is added once for each in vain, half taken back
RESTARTS = 12  # restarts in a row that find nothing better end a search
WALK = 4  # the first of four restarts is a walk; where orders are sought, a screened one
SCREENS, MOST_SCREENS = 200, 3200  # steps of that, at first and at most
SCREENED = 16  # nullity beyond which there are any
KEPT = 12  # press sets that a restart names
DOUBLE = 2  # presses for an odd component
DEAR, DEAREST = 8, 64  # for one where orders are sought, at first and at most
CHEAPER, DEARER, CHEAPEST = 0.6, 2.0, 2.5  # … times that, as any without one come up, or none
SHARE = 0.5  # of the time left for one restart, at most
SCREENING = 0.1  # … for one that screens

MOVES, MEMORY = 2048, 1 << 25  # moves at most, and bytes that they take
REDUCED = 1024  # basis vectors at most of which sums of two are looked at
PASSES = 30  # over the basis
AT_ONCE = 64  # moves drawn together, at most
MOST_BLOCKS, LARGEST_BLOCK = 256, 64  # refused blocks that are remembered, and bulbs of one

Priced = list[tuple[int, Bits]]  # press sets with their presses by estimate, least first


class CosetSearch:
    """A search among the press sets of a board: `restart` by `restart`.

    `once` asks for press sets without odd components alone. Of these `judge` is asked, as they come
    up, for a block without an order, which is passed over from then on; it returns None where there
    is none. `number` counts the restarts.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> search = CosetSearch(board, press_sets(board), seed=1)
    >>> [(presses, int(np.count_nonzero(chosen))) for presses, chosen in search.annealed(100)][0]
    (15, 15)
    """

    def __init__(self, board: Board, sets: PressSets, *, seed: int = 0, once: bool = False) -> None:
        self.board: Board = board
        self.sets: PressSets = sets
        self.seed: int = seed
        self.once: bool = once
        self.rng: np.random.Generator = np.random.default_rng(seed)
        self.price: float = DEAR if once else DOUBLE
        self.number: int = 0
        self.idle: int = 0
        self.screens: bool = False  # whether press sets are screened, which easy boards don't need
        self.judge: Callable[[Bits, Limits], Ints | None] = lambda press_set, limits: None
        self._refused = RefusedBlocks(board.graph)
        self._longer = 0  # by how often the shortest a restart is longer
        self._pace = 0.0  # seconds for a draw, as far as is known
        self._due = 0  # the number of the next restart that screens
        self._steps = SCREENS  # … and its steps

    def restarts(self, known: Callable[[], int | None], limits: Limits) -> Iterator[Priced]:
        """Yield what each restart finds, until RESTARTS in a row were in vain, or time is up.

        In vain is a restart after which no fewer presses are `known` than before.
        """
        self.idle = 0
        while self.idle < RESTARTS and not limits.expired:
            before, clock = known(), limits.sooner(limits.left(SHARE))
            self.number += 1
            if self.screens and self._suits and self.number >= self._due:
                yield self._screened(known(), limits.sooner(limits.left(SCREENING)))
            elif not self.once and self.number % WALK == 1:
                yield self._walked(clock)
            else:
                found = self.annealed(self._steps_within(clock), clock)
                if self.screens and self._suits:
                    self._walk.start_from(found)
                yield found
            vain = known() == before
            self.idle = self.idle + 1 if vain else 0
            self._longer = self._longer + 1 if vain else self._longer // 2

    def _steps_within(self, limits: Limits) -> int:
        """Return the draws of a restart that cools down before time is up."""
        steps, left = STEPS * (1 + self._longer), limits.left()
        return steps if left is None or not self._pace else min(steps, int(left / self._pace))

    def _wrong(self, press_sets: Bits, limits: Limits) -> Ints:
        """Return how many odd components, and refused blocks, each has. Raises TimeUp.

        Where orders are sought, press sets that have none are judged.
        """
        found = self.components.count(press_sets, limits) + self._refused.count(press_sets)
        for k in np.flatnonzero(found == 0).tolist() if self.once else ():
            block = self.judge(press_sets[k], limits) if found[k] == 0 else None
            if block is not None:
                self._refused.add(press_sets[k], block)
                found[found == 0] = self._refused.count(press_sets[found == 0])
        return found

    @property
    def reason(self) -> str:
        """Why the search ended, or was ended, without a proof."""
        if self.idle < RESTARTS:
            return "the search ended before a proof"
        return f"nothing better in {RESTARTS} restarts, and no proof that this is best"

    def _walked(self, limits: Limits) -> Priced:
        seed = [self.seed, self.number] if self.number > 1 else self.seed
        return CosetWalk(self.board, self.sets, seed=seed).few_by_estimate(limits)

    @property
    def _suits(self) -> bool:
        """Whether it is worth while to screen press sets for small components."""
        return (
            self.once and self.sets.nullity > SCREENED and DoublePressBounds.suits(self.board.graph)
        )

    def _screened(self, known: int | None, limits: Limits) -> Priced:
        found = self._walk.few(known, self._steps, limits)
        if found:  # longer, and the third time at once again
            self._due = self.number + (2 if self._steps == SCREENS else 1)
            self._steps = min(2 * self._steps, MOST_SCREENS)
        else:  # seldom, if it always was in vain
            self._due = self.number + (2 if self._steps > SCREENS else WALK)
        return found

    @cached_property
    def _walk(self) -> ScreenedWalk:
        return ScreenedWalk(self.board, self.sets, self.moves, self._wrong, self.seed)

    def annealed(self, steps: int, limits: Limits = NEVER) -> Priced:
        """Return the best press sets that one cooling meets; where orders are sought, maybe none.

        When time is up, the best so far.
        """
        met, clock = _Met(self.once), Limits(None)
        with suppress(TimeUp):
            self._cool(steps, met, limits)
        if steps >= STEPS // 10:
            self._pace = clock.elapsed / steps
        if self.once:
            price = CHEAPER * self.price if met.best else DEARER * self.price
            self.price = min(max(CHEAPEST, price), DEAREST)
        return met.best

    @cached_property
    def components(self) -> OddComponents:
        """What counts odd components. Raises ValueError under the rule `any`."""
        if self.board.odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        return OddComponents(self.board.graph, self.board.odd_later)

    @cached_property
    def moves(self) -> Bits:
        """The quiet patterns that lead from press set to press set, (M, n), lightest first."""
        most = max(1, min(MOVES, MEMORY // max(1, self.board.graph.size)))
        d = self.sets.nullity
        if d > most:  # a part of a basis
            places = np.sort(self.rng.choice(d, size=most, replace=False))
            return self.sets.kernel.combine(unit_vectors(places, d))
        basis = self.sets.kernel_basis
        return basis if d > REDUCED else _with_sums(_reduced(basis), most)

    def _cool(self, steps: int, met: _Met, limits: Limits) -> None:
        """Go through one restart. Raises TimeUp."""
        moves, rng, price = self.moves, self.rng, self.price
        state = _State(moves, self.sets.particular)
        odd = int(self._wrong(state.press_set[None], limits)[0])
        met.add(np.array([state.weight]), np.array([odd]), state.press_set[None].copy())
        done, size = 0, 1
        while done < steps and len(moves):
            limits.check()
            heat = price * WARM * (COLD / WARM) ** (done / steps)
            chance = np.cumsum(np.exp((state.change.min() - state.change) / (2 * heat)))
            drawn = np.searchsorted(chance, rng.random(size, dtype=np.float32) * chance[-1])
            drawn = np.minimum(drawn, len(moves) - 1)  # of a sum that is rounded
            near = state.press_set ^ moves[drawn]
            learnt = self._refused.added
            found = self._wrong(near, limits)
            if self._refused.added > learnt:
                odd = int(self._wrong(state.press_set[None], limits)[0])
            weights = state.weight + state.change[drawn].astype(np.int64)
            met.add(weights, found, near)
            taken = np.flatnonzero(price * (found - odd) <= heat * rng.exponential(size=size))
            if taken.size:
                first = int(taken[0])
                state.move(int(drawn[first]))
                odd = int(found[first])
                done += first + 1
                size = max(1, size // 2) if first < size // 2 else size
            else:
                done += size
                size = min(AT_ONCE, 2 * size)


class RefusedBlocks:
    """Blocks that have no order, as they are met again on one graph: a guide that proves nothing.

    Remembered are the presses of a block B and of all bulbs beside those of its bulbs on which
    nothing else hangs: what hangs at one bulb of B forces a parity there that follows from B alone,
    as all is even (theory §3.3); at several it mostly does. Some twenty bulbs for each block.

    >>> from ponder.model.graph import grid_graph
    >>> blocks = RefusedBlocks(grid_graph("plus", (1, 5)))
    >>> pressed = np.array([[1, 1, 0, 0, 0], [1, 1, 0, 0, 1], [1, 1, 1, 0, 0]], dtype=np.bool_)
    >>> blocks.add(pressed[0], np.array([0, 1]))
    >>> blocks.count(pressed).tolist()
    [1, 1, 0]
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[bytes, tuple[Ints, Bits]] = {}  # bulbs, and which of them are pressed
        self.added: int = 0

    def add(self, press_set: Bits, block: Ints) -> None:
        """Learn a block of a press set, by its bulbs; of many blocks the first is forgotten."""
        near, owner = self._graph.neighbourhoods(block)
        hung = owner[press_set[near] & ~np.isin(near, block)]
        around = np.unique(np.concatenate([block, near[~np.isin(owner, hung)]]))
        pattern = press_set[around]
        self._known[around.tobytes() + pattern.tobytes()] = around, pattern
        self.added += 1
        if len(self._known) > MOST_BLOCKS:
            del self._known[next(iter(self._known))]

    def count(self, press_sets: Bits) -> Ints:
        """Return how many of the blocks each press set has. (m, n) -> (m,)."""
        found = np.zeros(len(press_sets), dtype=np.int64)
        for around, pattern in self._known.values():
            found += (press_sets[:, around] == pattern).all(axis=1)
        return found


class _Met:
    """The best press sets that were met, `best`, and what they cost."""

    def __init__(self, once: bool) -> None:
        self.once = once
        self._best: dict[bytes, tuple[int, Bits]] = {}
        self._most = 1 << 40

    @property
    def best(self) -> Priced:
        return sorted(self._best.values(), key=lambda item: item[0])[:KEPT]

    def add(self, weights: Ints, odd: Ints, press_sets: Bits) -> None:
        """Keep what is good enough."""
        cost = weights + DOUBLE * odd
        good = cost < self._most
        if self.once:
            good &= odd == 0
        for k in np.flatnonzero(good).tolist():
            self._best[press_sets[k].tobytes()] = int(cost[k]), press_sets[k]
        if len(self._best) > 4 * KEPT:
            self._best = {chosen.tobytes(): (cost, chosen) for cost, chosen in self.best}
            self._most = max(cost for cost, _ in self._best.values())


class _State:
    """A press set, its weight, and how every move would change that."""

    def __init__(self, moves: Bits, press_set: Bits) -> None:
        self.press_set = press_set.copy()
        self.weight = int(np.count_nonzero(press_set))
        self._moves = moves
        self._by_bulb = np.ascontiguousarray(moves.T)
        self._signs: NDArray[np.float32] = np.where(press_set, -1, 1).astype(np.float32)
        self.change: NDArray[np.float32] = moves.astype(np.float32) @ self._signs

    def move(self, number: int) -> None:
        """Add a quiet pattern."""
        bulbs = np.flatnonzero(self._moves[number])
        signs = self._signs[bulbs]
        self.weight += int(signs.sum())
        self.change -= 2 * (signs @ self._by_bulb[bulbs].astype(np.float32))
        self._signs[bulbs] = -signs
        self.press_set[bulbs] ^= True


def _reduced(basis: Bits) -> Bits:
    """Return a lighter basis: vectors give way to lighter sums with others, (d, n)."""
    found = basis.copy()
    for _ in range(PASSES):
        weight, sums = _weights(found)
        np.fill_diagonal(sums, np.inf)
        partner = np.argmin(sums, axis=1)
        changed = False
        for i in np.argsort(-weight, kind="stable").tolist():
            lighter = found[i] ^ found[partner[i]]
            if np.count_nonzero(lighter) < np.count_nonzero(found[i]):
                found[i], changed = lighter, True
        if not changed:
            break
    return found


def _with_sums(basis: Bits, most: int) -> Bits:
    """Return the vectors and the lightest sums of two, `most` in all, lightest first."""
    first, second = np.triu_indices(len(basis), 1)
    weight = _weights(basis)[1][first, second]
    least = np.argsort(weight, kind="stable")[: most - len(basis)]
    every = np.concatenate([basis, basis[first[least]] ^ basis[second[least]]])
    return every[np.argsort(np.count_nonzero(every, axis=1), kind="stable")]


def _weights(basis: Bits) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the weights of some vectors, and those of all sums of two."""
    real = basis.astype(np.float32)
    weight = real.sum(axis=1)
    return weight, weight[:, None] + weight - 2 * (real @ real.T)
