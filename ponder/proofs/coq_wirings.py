"""For Coq: what is said of a wiring, whose buttons and lights are two things (theory §2.9).

The programs are those of `verified/wired_cosets.v`, for press sets, and `verified/states.v`, which
goes through all states itself. A refutation names the buttons that are *heeded*: with those that
they hear of the presses they are the component K. Where all of K hear each other both ways, the
refutation is one of a board, with pieces that hang on single buttons (`coq_local`).

Cost: that of walking around K, and of the states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ponder.check.fields import press_counts, unpacked
from ponder.check.limits import Budget
from ponder.formulas.planning import within_steps
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import ToggleGraph, Wired
from ponder.proofs.coq_formula import definitions, steps
from ponder.proofs.coq_layers import by_layers, check_visits
from ponder.proofs.coq_local import MOST_EXHAUSTED, REASONS, Local, Prover
from ponder.proofs.coq_text import Theorem, lighter
from ponder.proofs.lrat_trimming import Trimmed
from ponder.proofs.pair_prices import terms
from ponder.system.errors import NoShortProof
from ponder.system.types import Bits

MOST_LEMMAS = 1_000_000  # of a proof about steps


@dataclass(frozen=True, eq=False)
class WiredWriter(Prover):
    """Writes theorems about a wiring."""

    graph: Wired

    @property
    def kind(self) -> str:
        """Which lemmas: those about grids or those about lists."""
        return "toggles" if isinstance(self.graph, ToggleGraph) else "wiring"

    def sequence(self, presses: Any, order: bool) -> Theorem:
        """Return that a sequence, or an order, is legal and reaches the goal."""
        grid = self.kind == "toggles"
        listed = terms(map(tuple, presses) if grid else self.graph.bulbs(presses))
        if order:
            claim = f"an_order_wired the_board {listed}"
            return Theorem("in_order", claim, f"{self.kind}_ordered_by")
        return Theorem("played", f"solution_wired the_board {listed}", f"{self.kind}_solved_by")

    def refusal(self, claim: str, refutation: Any) -> Theorem:
        """Return that there is no solution (C4), no order (C2), or none of these presses (C1)."""
        kind = refutation["kind"]
        if claim == "C4":
            if kind == "states":
                check_visits(self.board, self.limits)
                lemma = f"states_by (n := N.to_nat {refutation['reached']}%num)"
            else:
                lights = self.graph.of_lights.bulbs(refutation["bulbs"])
                lemma = f"unsolvable_by (y := {terms(lights)}%num)"
            return Theorem("no_solution", "unsolvable_wired the_board", f"{self.kind}_{lemma}")
        if claim == "C1":
            marked = "marked_places" if self.kind == "toggles" else "marked_buttons"
            said = f"no_order_of_wired the_board ({marked} the_board the_presses)"
            hint = f"(picture := the_presses) (why := {self._local(refutation)})"
            return Theorem("none_of_these_in_order", said, f"{self.kind}_no_order_of_by {hint}")
        parts = refutation["parts"] if kind == "coset" else [refutation]
        lemma = f"{self.kind}_no_order_by (rs := {self._refutations(parts, None)})"
        return Theorem("none_in_order", "no_order_wired the_board", lemma)

    def bound(self, k: int, evidence: Any, order: bool) -> Theorem:
        """Return that no fewer presses do. Raises NoShortProof where the press sets do not show it.

        For `solve` a press set without an order needs two presses more than it has.
        """
        name, claim = ("fewest_in_order", "order_at_least") if order else ("fewest", "at_least")
        if evidence["kind"] == "within-steps":
            k = evidence["steps"] + 1
            lemma = f"within_by (its := {self._within(evidence)})"
        elif evidence["kind"] == "states":
            lemma = f"{claim}_{by_layers(self.board, k, self.limits)}"
        else:
            try:
                parts = self._refutations(evidence.get("parts", []), k, order)
                lemma = f"{claim}_by (rs := {parts})"
            except NoShortProof as reason:
                lemma = f"{claim}_{self.layers(k, reason)}"
        return Theorem(name, f"{claim}_wired the_board {k}", f"{self.kind}_{lemma}")

    def _within(self, evidence: Any) -> str:
        """Define the clauses about steps that a proof needs, and the proof."""
        formula = within_steps(self.board, self.graph, evidence["steps"], self.limits)
        clauses = [tuple(map(int, clause)) for clause in formula.clauses()]
        lrat = unpacked(evidence["lrat"], Budget()).decode("ascii")
        trimmed = Trimmed.of(lrat, len(clauses), self.limits)
        if len(trimmed.steps) > MOST_LEMMAS:
            raise NoShortProof(
                f"the proof has {len(trimmed.steps):,} lemmas, and a Coq certificate at most "
                f"{MOST_LEMMAS:,}"
            )
        kept, proof = trimmed.alone(len(clauses), self.limits)
        lines = [[7, *(2 * abs(x) + (x < 0) for x in clauses[k])] for k in kept]
        lines += steps(proof, self.limits)
        self.items.append(definitions("the_steps", lines))
        return "the_steps"

    def _refutations(self, parts: Sequence[Any], k: int | None, order: bool = True) -> str:
        """Return parts that refute all press sets, those of fewer than k presses at least."""
        found = [self._local(part) for part in parts]
        for member, weight in lighter(self.board, k, self.limits):
            if not order and weight + 2 < (k or 0):
                raise NoShortProof(f"a press set of {weight} presses does not show it")
            if not any(part.applies(member) for part in found):
                if self.again is None or self.board.rule == "any":
                    raise NoShortProof(f"no part refutes {weight} presses by themselves")
                found.append(self._proved(member))
        return terms(found)

    @cached_property
    def _hears(self) -> list[list[int]]:
        return self.graph.hears(np.arange(self.graph.presses))

    def _local(self, part: Any) -> _WiredLocal:
        """Return a local refutation of a press set. Raises NoShortProof."""
        kind = part["kind"]
        if kind not in REASONS:
            raise NoShortProof.of_kind(kind, "Coq certificate", [*REASONS])
        pressed = press_counts(self.board, part["press_counts"])
        if pressed.max(initial=0) > 1:
            raise NoShortProof("a refutation of repeated presses has no Coq certificate")
        problem = OrderingProblem.of_board(self.board, pressed)
        if kind == "sat-proof" or (kind == "piece-count" and self.again is not None):
            return self._proved(pressed > 0, part if kind == "sat-proof" else None)
        bulbs = self.graph.bulbs(part["bulbs"])
        if problem.plain:
            at = np.searchsorted(problem.bulbs, np.sort(bulbs)).tolist()
            every = {"press_counts": [1] * problem.size, "bulbs": at, "kind": kind}
            found = Local.of_part(problem.board, part | every)
            called = problem.bulbs.tolist()
            hanging = tuple((called[c], [called[v] for v in some]) for c, some in found.hanging)
            members = problem.bulbs[found.component].tolist()
            return self._about(members, members, found.because, hanging)
        heard = {u for v in bulbs for u in self._hears[v] if pressed[u]}
        members = sorted({*bulbs} | heard)
        if kind == "exhausted" and len(members) > MOST_EXHAUSTED:
            raise NoShortProof(f"all orders of more than {MOST_EXHAUSTED} presses are too many")
        return self._about(sorted(bulbs), members, REASONS[kind])

    def _proved(self, pressed: Bits, part: Any = None) -> _WiredLocal:
        """Return that all of these presses have no order, by a SAT solver's proof."""
        heeded = np.flatnonzero(pressed).tolist()
        return self._about(heeded, heeded, self.formula(pressed, part))

    def _about(
        self,
        heeded: list[int],
        members: list[int],
        because: str,
        hanging: tuple[tuple[int, list[int]], ...] = (),
    ) -> _WiredLocal:
        component = np.isin(np.arange(self.graph.presses), members)
        scope = component.copy()
        for v in heeded:
            scope[self._hears[v]] = True
        return _WiredLocal(component, scope, because, hanging, tuple(heeded))


@dataclass(frozen=True, eq=False)
class _WiredLocal(Local):
    """A component of presses without an order, of which some are heeded."""

    heeded: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"WiredRefutation {terms(self.heeded)}%num ({super().__str__()})"
