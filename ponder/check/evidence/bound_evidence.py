"""Evidence for lower bounds: why no press set, or no sequence, has fewer presses.

The proof of each kind stands at its class, or where the theory has it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ponder.check.evidence.decomposition import BlockCut, PairProof
from ponder.check.evidence.line_refutations import WeightedCut
from ponder.check.evidence.press_set_refutations import PARTS
from ponder.check.evidence.refutation import Parts, parts_json, press_counts_from
from ponder.check.evidence.written import (
    BULBS,
    NUMBERS,
    Bound,
    Written,
    every,
    form,
    labels,
    records,
)
from ponder.model.board import Board
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json

# ------------------------------------------------------------------ one press set, or all of them


@dataclass(frozen=True, eq=False)
class UniquePressSet(Bound):
    """There is only one press set, and every sequence presses each of its bulbs."""

    kind = "unique-press-set"

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many bulbs it has."""
        return None if presses is None else _only(presses)


def _only(presses: Ints) -> str:
    bulbs = _odd(presses)
    if not bulbs:  # nor is there another one where this is said
        return "the goal is already reached"
    return f"the only press set has {pluralise(bulbs, 'bulb')}"


def _odd(presses: Ints) -> int:
    times = np.zeros(presses.max(initial=-1) + 1, dtype=np.uint8)
    np.add.at(times, presses, np.uint8(1))  # modulo 256
    return int(np.count_nonzero(times % 2))


@dataclass(frozen=True, eq=False)
class CosetMinimum(Bound):
    """The lightest press set has as many presses; so have `press_sets`, maybe all `listed`."""

    kind = "coset-minimum"
    press_sets: int | None = None
    listed: tuple[Ints, ...] | None = field(default=None, metadata=every(labels()))

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many press sets have as few bulbs."""
        if self.press_sets == 1 and presses is not None:
            return "no other press set has as few bulbs"
        if self.press_sets is None or self.press_sets == 1:
            return "no press set has fewer bulbs"
        return f"no press set has fewer bulbs, and {self.press_sets:,} have as few"


@dataclass(frozen=True, eq=False)
class AllStates(Bound):
    """A wiring of few lights: a search through all states, breadth first, finds no shorter way."""

    kind = "states"
    says: ClassVar[str | None] = "a search through all states of the lights finds no shorter way"


@dataclass(frozen=True, eq=False)
class WithinSteps(Bound):
    """A wiring: an LRAT proof that `steps` presses are too few (theory §7.15)."""

    kind = "within-steps"
    steps: int
    lrat: str

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many presses are too few."""
        return f"{self._too_few()}; the proof of a SAT solver was checked"

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return which formula the proof is about."""
        return f"{self._too_few()}: the formula of that has no model, by an LRAT proof, checked"

    def _too_few(self) -> str:
        few = f"{pluralise(self.steps, 'press')} {inflect(self.steps, 'does', 'do')}"
        return f"{few} not reach the goal"


@dataclass(frozen=True, eq=False)
class LighterRefuted(Bound):
    """Every lighter press set is refuted by a part, as in `CosetRefuted`; with repeats it needs two
    presses more, or on row/column boards what its lines call for (theory §4.5).
    """

    kind = "coset"
    parts: Parts = field(metadata=PARTS)

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what the lighter press sets lack."""
        return OddComponents.without_repeats

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return how many refutations there are."""
        return f"all lighter press sets are refuted ({pluralise(len(self.parts), 'refutation')})"


@dataclass(frozen=True, eq=False)
class OddComponents(Bound):
    """An odd component of a press set needs a pair of presses more, and pairs are saved at few
    places (theory §7.3, §7.4). `parts` refute press sets of which that says too little;
    `components` are the odd ones of the only press set, for the reader.
    """

    kind = "odd-components"
    parts: Parts = field(metadata=PARTS)
    components: tuple[Ints, ...] | None = field(default=None, metadata=every(labels()))
    without_repeats: ClassVar[str] = "no press set of fewer bulbs has an order"

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what groups of bulbs without an order cost."""
        if presses is None or self.components is None:
            return f"{self.without_repeats}, so each needs more presses than it has bulbs"
        more, odd = pluralise(least - _odd(presses), "extra press"), len(self.components)
        groups = f"{pluralise(odd, 'group')} of neighbours in it {inflect(odd, 'has', 'have')}"
        which = f"; {groups} no order, which" if odd else " and no order, which"
        return f"{_only(presses)}{which} costs {more}"

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return what the odd components of the only press set cost, or that those of all do."""
        if presses is None or self.components is None:
            return (
                "every press set of fewer bulbs needs more presses than it has bulbs, for its odd "
                "components or because it has no order"
            )
        odd, only = len(self.components), _only(presses)
        more = pluralise(least - _odd(presses), "extra press")
        if not odd:
            return f"{only}, no odd component and no order, which costs {more}"
        which = f"{pluralise(odd, 'odd component')} {inflect(odd, 'costs', 'cost')}"
        return f"{only}; its {which} {more}"


def _proofs(board: Board, content: Json) -> tuple[PairProof, ...]:
    texts: Any = content["cuts"]
    proofs: Any = content["proofs"]
    cuts = [BlockCut.from_json(board, text) for text in texts]
    return tuple(
        PairProof(
            tuple(press_counts_from(board, text["press_counts"]).tolist()),
            text["pairs"],
            text["cap"],
            tuple(cuts[number] for number in text["cuts"]),
            text["lrat"],
        )
        for text in proofs
    )


@dataclass(frozen=True, eq=False)
class Decomposition(Bound):
    """The costs of the odd components of every press set. Where that is too little, refutations, or
    proofs by cuts, show that some pairs are too few (theory §7.6, §7.13).
    """

    kind = "decomposition"
    parts: Parts = field(metadata=PARTS)
    proofs: tuple[PairProof, ...] = field(metadata=form(read=_proofs))

    @property
    def cuts(self) -> tuple[BlockCut, ...]:
        """The cuts of all proofs, each once."""
        return tuple(dict.fromkeys(cut for proof in self.proofs for cut in proof.cuts))

    def to_json(self, board: Board) -> Json:
        """Return parts and proofs, and the cuts that these name by number."""
        numbers = {cut: i for i, cut in enumerate(self.cuts)}
        return {
            "kind": self.kind,
            "parts": parts_json(board, self.parts),
            "cuts": [cut.to_json(board) for cut in numbers],
            "proofs": [proof.to_json(board, numbers) for proof in self.proofs],
        }

    @classmethod
    def from_json(cls, board: Board, content: Json) -> Self:
        """Return a text form's object. Raises BoardError if a field cannot be read."""
        return super().from_json(board, {**content, "proofs": content})  # which name the cuts

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what has no order, and that it was checked."""
        groups = pluralise(len(self.cuts), "group")
        return f"with fewer presses some bulbs always lack an order ({groups}, a checked proof)"

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return how many cuts and proofs there are."""
        cuts, proofs = pluralise(len(self.cuts), "block"), pluralise(len(self.proofs), "proof")
        one, were = (
            inflect(len(self.cuts), "", "one of "),
            inflect(len(self.proofs), "was", "were"),
        )
        return (
            f"fewer presses leave {one}{cuts} without an order; {proofs} of this by a SAT solver "
            f"{were} checked"
        )


# ------------------------------------------------------------------------- row/column boards


@dataclass(frozen=True, eq=False)
class LineFlow(Bound):
    """Row/column boards with a single press set S and every t(v) = 0: theorem 3 (theory §4.5),
    |S| + 2·(H_R + H_C − 2f), for f = `flow` the capacity of a cut, whose source has these lines.
    """

    kind = "line-flow"
    flow: int
    side: Literal["rows", "columns"]
    rows: Ints = field(metadata=NUMBERS)
    columns: Ints = field(metadata=NUMBERS)

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what lines that cannot be balanced cost."""
        return self._said(presses, least, "{} on its lines cannot be balanced")

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return what the best half factor misses."""
        return self._said(presses, least, "its best half factor misses {} on the lines")

    def _said(self, presses: Ints | None, least: int, what: str) -> str | None:
        if presses is None or presses.size != least:
            return None
        only, lacks = _only(presses), (presses.size - _odd(presses)) // 2
        cost = inflect(lacks, "this costs", "each costs")
        what = f"{what.format(pluralise(lacks, 'place'))}, and {cost} two extra presses"
        return f"{only}; {what}" if lacks else only


@dataclass(frozen=True, eq=False)
class RaisedParities(Written):
    """Odd lines of one kind, and cuts with weights (multiples of 1/`divisor`) for that choice."""

    odd_lines: Ints = field(metadata=NUMBERS)
    divisor: int
    cuts: tuple[WeightedCut, ...] = field(metadata=records(WeightedCut))


@dataclass(frozen=True, eq=False)
class Switches(Bound):
    """Full row/column rectangles with an odd side and every t(v) = 0 (theory §4.9 to §4.11).

    The count bound reaches the bound for every even choice of the lines on the `side` to be
    switched, save for those in `raised`, where the weighted cuts are more than the bound − 2.
    """

    kind = "switches"
    argues: ClassVar[str | None] = (
        "the count bound, or weighted cuts, for every even choice of the lines to switch"
    )
    side: Literal["rows", "columns"]
    raised: tuple[RaisedParities, ...] = field(metadata=records(RaisedParities))

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what was tried."""
        return f"every combination of switched {self.side} was tried, and none needs fewer"


@dataclass(frozen=True, eq=False)
class Spectral(Bound):
    """Full R×C row/column rectangles: |x| ≥ (RC − √(RC)·σ)/2, σ the largest singular value of the
    ±1 matrix of any press set (theory §4.12).
    """

    kind = "spectral"
    says: ClassVar[str | None] = "a bound from linear algebra holds for every choice of presses"
    argues: ClassVar[str | None] = (
        "(RC − √(RC)·σ)/2, σ the largest singular value of the ±1 matrix of any press set"
    )


# --------------------------------------------------------------------- many press sets, any graph


@dataclass(frozen=True, eq=False)
class GameBlock(Written):
    """Rows and columns in whose cells press sets differ by such patterns, and the least weight."""

    rows: Ints = field(metadata=NUMBERS)
    columns: Ints = field(metadata=NUMBERS)
    least: int


@dataclass(frozen=True, eq=False)
class SwitchingBlocks(Bound):
    """Blocks in which press sets differ by patterns of whole lines (theory §4.14)."""

    kind = "switching-blocks"
    says: ClassVar[str | None] = (
        "the board holds separate blocks, and the fewest presses of each add up"
    )
    argues: ClassVar[str | None] = (
        "press sets differ by patterns of lines in disjoint blocks, whose least weights add up"
    )
    blocks: tuple[GameBlock, ...] = field(metadata=records(GameBlock))


@dataclass(frozen=True, eq=False)
class FoldedTorus(Bound):
    """Tori with even sides, taken apart into smaller ones, `times` over."""

    kind = "folded-torus"
    says: ClassVar[str | None] = (
        "the board folds into smaller ones, and the fewest presses of each add up"
    )
    argues: ClassVar[str | None] = (
        "folding makes a press set one of several smaller tori, whose least weights add up"
    )
    times: int


@dataclass(frozen=True, eq=False)
class NeighbourhoodPacking(Bound):
    """Bulbs that must change and whose closed neighbourhoods do not meet: each holds a press."""

    kind = "neighbourhood-packing"
    members: Ints = field(metadata=BULBS)

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many bulbs must change that no press shares."""
        which = ", and no press reaches two of them" if self.members.size > 1 else ""
        return f"{pluralise(self.members.size, 'bulb')} must change{which}"

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return the same of closed neighbourhoods."""
        apart = " in closed neighbourhoods that do not meet" if self.members.size > 1 else ""
        return f"{pluralise(self.members.size, 'bulb')} must change{apart}"


@dataclass(frozen=True, eq=False)
class OddCut(Written):
    """The v, F ⊆ N[v] (`without`) and weight of Σ_{N[v] − F} s + Σ_F (1 − s) ≥ 1."""

    bulb: int = field(
        metadata=form(lambda board, v: board.graph.label(v), lambda board, x: board.graph.bulb(x))
    )
    without: Ints = field(metadata=labels())
    weight: int


@dataclass(frozen=True, eq=False)
class LinearRelaxation(Bound):
    """A linear program over parities of closed neighbourhoods, with odd cuts: by weak duality the
    multipliers prove a bound, whatever they are (theory §1.6).
    """

    kind = "linear-relaxation"
    says: ClassVar[str | None] = "a bound from a linear program holds for every choice of presses"
    argues: ClassVar[str | None] = (
        "the multipliers of a linear program with odd cuts, added up in whole numbers"
    )
    divisor: int
    cuts: tuple[OddCut, ...] = field(metadata=records(OddCut))


@dataclass(frozen=True, eq=False)
class BoundByWord(Bound):
    """A bound that is CP-SAT's word: no evidence, and no result holds it (`find/driver`)."""

    kind = "integer-model"
