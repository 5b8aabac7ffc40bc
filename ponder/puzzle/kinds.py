"""All kinds of evidence: their classes, and what in `ponder.check` accepts them.

One kind, one class, one checker. The class has the text form, the sentence and, if it is a
refutation, the picture; a checker is named by its file and function, which share no code with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar

from ponder.errors import BoardError
from ponder.puzzle import bound_evidence as bounds
from ponder.puzzle.board import Board
from ponder.puzzle.bound_evidence import Decomposition
from ponder.puzzle.evidence import Bound, Evidence
from ponder.puzzle.line_refutations import LineCount, LineCut, LineParities, WeightedCuts
from ponder.puzzle.local_refutations import Exhausted, NoFirstPress, NoLastPress, OddComponent
from ponder.puzzle.press_set_refutations import CosetRefuted, DeadEnd, OddWitness
from ponder.puzzle.refutation import Refutation
from ponder.puzzle.solver_refutations import Randomised, SatProof
from ponder.types import Json

Kind = TypeVar("Kind", bound=Evidence)

Checker: TypeAlias = str | None
"""File and function in `ponder/check/`; None of what is offered as no proof."""

REFUTATIONS: Mapping[type[Refutation], Checker] = {
    OddWitness: "refutations.check_odd_witness",
    DeadEnd: "refutations.check_dead_end",
    CosetRefuted: "coset.Coset.covered",
    LineCount: "line_refutations.check_line_count",
    LineCut: "line_refutations.check_line_cut",
    LineParities: "line_refutations.check_line_parities",
    WeightedCuts: "switches.check_weighted_cuts",
    OddComponent: "local_refutations.check_local",
    NoFirstPress: "local_refutations.check_local",
    NoLastPress: "local_refutations.check_local",
    Exhausted: "local_refutations.check_local",
    SatProof: "proofs.check",
    Randomised: None,
}

BOUNDS: Mapping[type[Bound], Checker] = {
    bounds.UniquePressSet: "linear.unique_press_set",
    bounds.CosetMinimum: "coset.least_weight",
    bounds.LighterRefuted: "coset.Coset.extra",
    bounds.Switches: "switches.least_cost",
    bounds.Spectral: "spectral.spectral_bound",
    bounds.SwitchingBlocks: "switching_blocks.least_of_blocks",
    bounds.FoldedTorus: "press_set_bounds.least_of_classes",
    bounds.NeighbourhoodPacking: "press_set_bounds.least_of_packing",
    bounds.LinearRelaxation: "press_set_bounds.least_of_relaxation",
    bounds.LineFlow: "line_refutations.line_flow",
    bounds.OddComponents: "odd_components.least_presses",
    Decomposition: "decomposition.pairs_needed",
}

MOST_MOVES: Mapping[str, Checker] = {
    "parity": "most_moves._Groups.of",
    "sign-tree": "most_moves._Tree.refuted",
    "syndromes": "most_moves._searched",
}
"""The words for upper bounds of `ponder most-moves`, which have neither sentence nor picture."""


def evidence_of(kinds: Iterable[type[Kind]], board: Board, content: Json) -> Kind:
    """Return evidence of one of the kinds from its text form; BoardError if it cannot be read.

    >>> evidence_of(BOUNDS, Board.from_rows(["01"]), {"kind": "folded-torus", "times": 2}).times
    2
    """
    for one in kinds:
        if one.kind == content.get("kind"):
            return one.from_json(board, content)
    raise BoardError("the evidence is of no kind that is known")
