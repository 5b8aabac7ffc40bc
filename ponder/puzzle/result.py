"""What a command found out, as the one object that is printed, saved and checked.

`Result.to_json` is the form `ponder.result/1` that others read. Fields that do not apply are
null. A result never says more than its evidence: `optimal` is set only where a proved bound meets
a replayed sequence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ponder.printable import printable
from ponder.puzzle.board import Board
from ponder.puzzle.proof_file import ProofFile
from ponder.puzzle.refutation import Claim, Refutation
from ponder.shown import shown
from ponder.types import Bits, Ints, Json
from ponder.version import __version__

SCHEMA = "ponder.result/1"
Verdict: TypeAlias = Literal["solved", "impossible", "unknown"]


@dataclass(frozen=True)
class Step:
    """One stage of the pipeline: the method, what came out, and its seconds."""

    method: str
    outcome: str
    seconds: float


@dataclass(frozen=True, eq=False)
class Result:
    """The answer of `order` or `solve` to one board.

    `presses`      bulbs in play order, or None
    `lower_bound`  no sequence of the kind asked for (`order`: each bulb at most once) is shorter
    `bound`        the evidence for `lower_bound`, as JSON; None when it rests on the method
    `refutation`   the evidence for "impossible" (or, with verdict unknown, what speaks for it)
    `counts`       the press set or press counts that the refutation is about
    `at_most`      the number of presses that was asked for, if one was
    `reason`       why the verdict is unknown, or why the search ended before the optimum
    `steps`        what was tried, in order
    `proofs`       proofs of the refutation for outside checkers, in files of their own
    """

    command: str
    board: Board
    verdict: Verdict
    method: str
    claim: Claim | None = None
    presses: Ints | None = None
    lower_bound: int | None = None
    bound: Json | None = None
    refutation: Refutation | None = None
    counts: Ints | Bits | None = None
    at_most: int | None = None
    reason: str | None = None
    seed: int = 0
    seconds: float = 0.0
    statistics: dict[str, object] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    proofs: tuple[ProofFile, ...] = ()

    @property
    def count(self) -> int | None:
        """The number of presses."""
        return None if self.presses is None else int(self.presses.size)

    @property
    def optimal(self) -> bool:
        """Whether the proved bound meets the sequence."""
        return self.presses is not None and self.count == self.lower_bound

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: the presses played, or the refusal drawn, and the words."""
        return shown("result", self)

    def to_json(self) -> Json:
        """Return the object of schema `ponder.result/1`."""
        from ponder.puzzle.refutation import press_counts_json

        graph = self.board.graph
        refutation = None
        if self.refutation is not None:
            refutation = self.refutation.to_json(self.board)
            if self.counts is not None:
                refutation["press_counts"] = press_counts_json(self.board, self.counts)
        return {
            "schema": SCHEMA,
            "command": self.command,
            "board": {
                "name": printable(self.board.name),
                "sha256": self.board.sha256,
                "bulbs": graph.size,
                "pattern": graph.pattern,
                "rule": self.board.rule,
                "goal": self.board.goal_name,
            },
            "verdict": self.verdict,
            "claim": self.claim,
            "presses": None if self.presses is None else graph.labels(self.presses),
            "count": self.count,
            "lower_bound": self.lower_bound,
            "optimal": self.optimal,
            "at_most": self.at_most,
            "bound": self.bound,
            "refutation": refutation,
            "reason": self.reason,
            "method": self.method,
            "seed": self.seed,
            "seconds": round(self.seconds, 6),
            "statistics": self.statistics,
            "steps": [
                {"method": s.method, "outcome": s.outcome, "seconds": round(s.seconds, 6)}
                for s in self.steps
            ],
            "proofs": [proof.to_json() for proof in self.proofs],
            "version": __version__,
        }
