"""The lightest press set that no cut forbids, in cosets too large to be listed: an integer model.

Idea (theory §7.8, §8.1). One 0/1 variable for each coordinate of the member x ∈ GF(2)^d, one for
each type τ: whether ⟨x, τ⟩ = 1, that is whether the bulbs of this type differ from s₀. The weight
is linear in them. A refused component K becomes a clause: some bulb of N[K] differs from the press
set it was found in. With a *surcharge* the clause may be broken at that price instead: a press set
without order may still be played with two presses more (theory §7.9).

Letters: s₀, d, x, τ as in `minimum_weight`; K, N[K] as in `ponder.fewest.cuts`.
Cost. CP-SAT, one worker; sums of many
coordinates are cut into XORs of at most six literals. The bound it reports is proved by CP-SAT, and
often below the optimum when time is short.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ponder.cpsat import solve
from ponder.limits import NEVER, Limits
from ponder.linear.coset import bulb_types
from ponder.linear.press_sets import PressSets
from ponder.types import Bits


class CosetModel:
    """The press sets of a board, the lightest of them first.

    `bound` is a lower bound on what any press set costs (its weight, and the surcharge where it
    breaks a clause); `infeasible` says that every press set breaks one and there is no surcharge.

    >>> from ponder import Board
    >>> from ponder.linear.press_sets import press_sets
    >>> sets = press_sets(Board.from_rows(["00000"] * 5, "plus"))
    >>> model = CosetModel(sets, seed=1)
    >>> int(np.count_nonzero(model.propose(None))), model.bound
    (15, 15)
    """

    def __init__(
        self,
        sets: PressSets,
        seed: int,
        surcharge: int | None = None,
        limits: Limits = NEVER,
    ) -> None:
        from ortools.sat.python import cp_model

        self.sets, self.seed = sets, seed
        self.bound, self.infeasible = 0, False
        columns, self._type = bulb_types(sets.kernel_basis, limits)
        self._model = model = cp_model.CpModel()
        coordinates = [model.new_bool_var(f"x{i}") for i in range(sets.nullity)]
        one = model.new_constant(1)
        self._differs = []
        for column in columns:
            limits.check()
            members = [coordinates[i] for i in np.flatnonzero(column).tolist()]
            while len(members) > 5:
                partial = model.new_bool_var("")
                model.add_bool_xor([*members[:4], partial, one])
                members = [*members[4:], partial]
            literal = model.new_bool_var("")
            model.add_bool_xor([*members, literal, one])
            self._differs.append(literal)
        # a bulb outside s₀ costs a press where it differs, one in s₀ where it does not
        gain = np.where(sets.particular, -1, 1)
        gains = np.bincount(self._type, weights=gain, minlength=len(columns)).astype(int).tolist()
        cost = sum(g * literal for g, literal in zip(gains, self._differs, strict=True))
        self._surcharge = None if surcharge is None else model.new_bool_var("")
        if self._surcharge is not None and surcharge is not None:
            cost += surcharge * self._surcharge
        model.minimize(int(np.count_nonzero(sets.particular)) + cost)

    def refuse(self, press_set: Bits, scope: Iterable[int]) -> None:
        """Forbid all press sets that agree with one on the bulbs of `scope`.

        >>> from ponder import Board
        >>> from ponder.linear.press_sets import press_sets
        >>> sets = press_sets(Board.from_rows(["00000"] * 5, "plus"))
        >>> model = CosetModel(sets, seed=1)
        >>> model.refuse(sets.particular, range(25))
        >>> found = model.propose(None)
        >>> bool((found == sets.particular).all())
        False
        """
        flipped = press_set ^ self.sets.particular
        clause = {
            int(self._type[v]): ~self._differs[self._type[v]]
            if flipped[v]
            else self._differs[self._type[v]]
            for v in scope
        }
        paid = [] if self._surcharge is None else [self._surcharge]
        self._model.add_bool_or([*clause.values(), *paid])

    def hint(self, press_set: Bits) -> None:
        """Start the next search from a press set.

        >>> from ponder import Board
        >>> from ponder.linear.press_sets import press_sets
        >>> sets = press_sets(Board.from_rows(["00000"] * 5, "plus"))
        >>> model = CosetModel(sets, seed=1)
        >>> model.hint(sets.particular)
        >>> int(np.count_nonzero(model.propose(None)))
        15
        """
        flips = np.zeros(len(self._differs), dtype=np.bool_)
        flips[self._type] = press_set ^ self.sets.particular
        self._model.clear_hints()  # type: ignore[no-untyped-call]
        for literal, value in zip(self._differs, flips.tolist(), strict=True):
            self._model.add_hint(literal, value)

    def propose(self, seconds: float | None) -> Bits | None:
        """Return the best press set found within some seconds, and raise `bound`.

        KeyboardInterrupt when the search was interrupted.

        >>> from ponder import Board
        >>> from ponder.linear.press_sets import press_sets
        >>> sets = press_sets(Board.from_rows(["00000"] * 5, "plus"))
        >>> model = CosetModel(sets, seed=1)
        >>> model.propose(None).shape, model.bound
        ((25,), 15)
        """
        from ortools.sat.python import cp_model

        solver, status = solve(self._model, self.seed, seconds)
        if status == cp_model.INFEASIBLE:
            self.infeasible = True
            return None
        self.bound = max(self.bound, int(np.ceil(solver.best_objective_bound - 1e-6)))
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        chosen = np.array([bool(solver.value(literal)) for literal in self._differs])
        press_set: Bits = self.sets.particular ^ chosen[self._type]
        self.hint(press_set)
        return press_set
