"""`members`: every press set, or every lighter one, is refuted, or needs more presses than it has.

A *part* is a press set with a refutation of its own; one that depends on a scope alone refutes
every press set that agrees with it there (theory §3.6). Press sets with an odd component need no
part (§3.1), nor do those of row/column boards whose numbers of odd rows and odd columns differ
where every t(v) = 0. For the claim C2 all press sets are gone through. For a lower bound those of
fewer bulbs are listed; with repeats, each needs presses for its odd components (§7.3, §7.4), for
what a part asks (§4.5), or by a *proof*: the formula of a press set s and K pairs with its cuts
(`t_join_formula`) is made anew from the board, and by LRAT it has no model, so every legal sequence
with the odd presses s has more than K pairs (§7.13). A *cut* (§7.6) is a block B of bulbs, pressed
m times, with a parity π(c) for some c ∈ B pressed once: no order of these presses alone has the
parities t + π, by a rule of `block`.

Cost: that of the parts, of `coset` and of `odd_components`; the formula some 10 ms for a hundred
bulbs; the proofs as `lrat` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ponder.check.block import RULES, Block, check_rule
from ponder.check.certificate import (
    Bound,
    Claim,
    Part,
    Refutation,
    Refuted,
    check_part,
    part_json,
    read_as,
)
from ponder.check.coset import Coset
from ponder.check.cut import Cut
from ponder.check.formula import Formula
from ponder.check.linear import press_sets
from ponder.check.lrat import check_lrat
from ponder.check.neighbourhoods import all_neighbours, reaches_goal
from ponder.check.odd_components import Near, least_presses, members_left
from ponder.check.reader import (
    bulbs,
    count,
    demand,
    each_once,
    enum_value,
    fail,
    later_parities,
    mapping,
    number,
    packed,
    press_counts_json,
    press_set,
    sequence,
    some_bulbs,
    unpacked,
)
from ponder.check.t_join_formula import BlockCut, TJoinFormula
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json

MOST_TIMES = 1000  # how often a cut presses a bulb, and pairs of one that a formula tells apart
MOST_ENTRIES = 1 << 20  # parts, cuts and proofs
MOST_LETTERS = 400_000_000  # of all proofs together, unpacked


@dataclass(frozen=True, eq=False)
class TooFewPairs:
    """Of one press set: `pairs` pairs are not enough, by cuts and a proof about a formula.

    `cap`   pairs of one bulb that the formula tells apart
    `cuts`  by their numbers, in the order of the formula's clauses
    `lrat`  the text of the proof
    """

    press_set: Bits
    pairs: int
    cap: int
    cuts: tuple[int, ...]
    lrat: str

    def to_json(self, board: Board) -> Json:
        """Return the JSON object."""
        counts = press_counts_json(board, self.press_set)
        content: Json = {"press_counts": counts, "pairs": self.pairs, "cap": self.cap}
        return {**content, "cuts": list(self.cuts), "lrat": packed(self.lrat)}

    @classmethod
    def read(cls, board: Board, value: object, cuts: int, limits: Limits = NEVER) -> Self:
        """Read it, beside so many cuts."""
        content = mapping(value, "members: a proof")
        listed = sequence(content.get("cuts", ()), "members: a proof: cuts", MOST_ENTRIES)
        return cls(
            press_set(board, content.get("press_counts")),
            count(content.get("pairs"), "members: a proof: pairs"),
            number(content.get("cap"), "members: a proof: cap", MOST_TIMES, 1),
            tuple(number(k, "members: a proof: a cut", cuts - 1) for k in limits.over(listed)),
            unpacked(content.get("lrat"), "members: a proof: lrat"),
        )

    def formula(
        self, board: Board, near: Near, cuts: Sequence[BlockCut], limits: Limits = NEVER
    ) -> TJoinFormula:
        """Make the formula that the proof is about. Raises CheckFailed, LimitReached."""
        if not reaches_goal(board, self.press_set):
            fail("members: a proof is about press_counts that are not a press set")
        odd = [int(t) for t in later_parities(board, "members")]
        chosen = self.press_set.astype(int).tolist()
        formula = TJoinFormula(near, odd, chosen, self.pairs, self.cap, limits)
        for k in limits.over(self.cuts):
            formula.add_cut(cuts[k])
        return formula


@dataclass(frozen=True, eq=False)
class Members(Refutation, Bound):
    """Every press set, or every lighter one, has no order, or needs more presses than it has.

    `parts` refute press sets, `cuts` are about blocks without an order, `proofs` about some pairs.
    """

    kind = "members"
    claim: ClassVar[Claim | None] = "C2"
    of_press_set: ClassVar[bool] = False
    of_wirings: ClassVar[bool] = True
    parts: tuple[Part, ...] = ()
    cuts: tuple[BlockCut, ...] = ()
    proofs: tuple[TooFewPairs, ...] = ()

    def fields(self, board: Board) -> Json:
        """Return parts, cuts and proofs; the last two where there are some."""
        content: Json = {"parts": [part_json(board, part) for part in self.parts]}
        if self.cuts:
            content["cuts"] = [_cut_json(board, cut) for cut in self.cuts]
        if self.proofs:
            content["proofs"] = [proof.to_json(board) for proof in self.proofs]
        return content

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read parts, cuts and proofs."""
        parts, cuts, proofs = (
            sequence(content.get(key, ()), f"members: {key}", MOST_ENTRIES)
            for key in ("parts", "cuts", "proofs")
        )
        read_parts: list[Part] = []
        read_proofs: list[TooFewPairs] = []
        letters = 0  # of all proofs, unpacked
        for part in limits.over(parts, 1):
            why = read_as((Block, Cut, Formula), board, part, "members: a part")
            chosen = press_set(board, mapping(part, "members: a part").get("press_counts"))
            read_parts.append((chosen, why))
            letters += len(why.lrat or "") if isinstance(why, Formula) else 0
            demand(letters, MOST_LETTERS, "characters of all proofs")
        for proof in limits.over(proofs, 1):
            read_proofs.append(TooFewPairs.read(board, proof, len(cuts), limits))
            letters += len(read_proofs[-1].lrat)
            demand(letters, MOST_LETTERS, "characters of all proofs")
        read_cuts = (_read_cut(board, cut) for cut in limits.over(cuts, 1))
        return cls(tuple(read_parts), tuple(read_cuts), tuple(read_proofs))

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check that nothing is left of all press sets."""
        if self.cuts or self.proofs:
            fail("members: cuts and proofs are about a bound")
        parts = [check_part(board, part, limits) for part in self.parts]
        return Refuted(counts, unchecked=all_refuted(board, parts, limits))

    def check_bound(
        self, board: Board, command: str, bound: int, limits: Limits = NEVER
    ) -> str | None:
        """Check that every press set of fewer bulbs needs as many presses."""
        parts = [check_part(board, part, limits) for part in self.parts]
        if (self.cuts or self.proofs) and command != "solve":
            fail("members: cuts and proofs are about sequences with repeats")
        needed: dict[bytes, int] = {}
        for proof, formula in self.stated(board, limits):
            try:
                check_lrat(formula.clauses, proof.lrat, limits)
            except CheckFailed as failure:
                fail(f"members: that {proof.pairs} pairs are not enough: {failure}")
            chosen = proof.press_set.tobytes()
            needed[chosen] = max(needed.get(chosen, 0), proof.pairs + 1)
        proved = least_presses(board, command, bound, parts, needed, limits)
        if bound > proved:
            fail(f"bound: {self.kind} proves {proved}, not {bound}")
        return _unchecked(parts)

    def stated(
        self, board: Board, limits: Limits = NEVER
    ) -> Iterator[tuple[TooFewPairs, TJoinFormula]]:
        """Yield the proofs with their formulas; the cuts are checked, the proofs are not."""
        if not (self.cuts or self.proofs):
            return
        if isinstance(board.graph, Wired):
            fail("members: cuts and proofs say nothing of wirings")
        for cut in limits.over(self.cuts, 1):
            check_cut(board, cut, limits)
        near = all_neighbours(board.graph, limits)
        for proof in self.proofs:
            yield proof, proof.formula(board, near, self.cuts, limits)


def all_refuted(board: Board, parts: Sequence[Refuted], limits: Limits = NEVER) -> str | None:
    """Check that every press set is refuted; return why a part was not checked, if so."""
    coset = Coset.from_press_sets(board, press_sets(board, limits))
    left = members_left(coset, parts, limits)
    if left:
        least = min(np.count_nonzero(coset.member(k)) for k in left[:1000])
        fail(
            f"members: {len(left)} of the board's {coset.size} press sets are not refuted, one of "
            f"them with {least} presses"
        )
    return _unchecked(parts)


def check_cut(board: Board, cut: BlockCut, limits: Limits = NEVER) -> None:
    """Check that a cut's block has no order. Raises CheckFailed, LimitReached."""
    counts = np.zeros(board.graph.size, dtype=np.int64)
    counts[list(cut.bulbs)] = cut.counts
    odd = later_parities(board, "members").copy()
    odd[list(cut.forced)] ^= True
    check_rule(cut.rule, board.graph, counts, odd, limits)


def _unchecked(parts: Sequence[Refuted]) -> str | None:
    return next((part.unchecked for part in parts if part.unchecked), None)


def _cut_json(board: Board, cut: BlockCut) -> Json:
    labels = board.graph.labels
    content: Json = {"rule": cut.rule, "bulbs": labels(cut.bulbs), "counts": list(cut.counts)}
    return {**content, "forced": labels(sorted(cut.forced))}


def _read_cut(board: Board, value: object) -> BlockCut:
    content, name = mapping(value, "members: a cut"), "members: a cut"
    rule = enum_value(content.get("rule"), RULES, f"{name}: rule")
    block = some_bulbs(board.graph, content.get("bulbs"), f"{name}: bulbs").tolist()
    times = [
        number(k, f"{name}: counts", MOST_TIMES, 1)
        for k in sequence(content.get("counts"), f"{name}: counts")
    ]
    if len(times) != len(block):
        fail(f"{name}: {len(block)} bulbs and {len(times)} counts")
    forced = each_once(bulbs(board.graph, content.get("forced"), f"{name}: forced"), name).tolist()
    if not {v for v, k in zip(block, times, strict=True) if k == 1}.issuperset(forced):
        fail(f"{name} forces a bulb that it does not press once")
    return BlockCut(rule, tuple(block), tuple(times), frozenset(forced))
