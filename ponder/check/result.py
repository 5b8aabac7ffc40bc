"""The answer of a command, `Result`: the one object that is printed, saved and checked.

It has the form `ponder.result/2`: fields that do not apply are null, and `optimal` is set only
where a proved bound meets a replayed sequence.

What may stand in one, a table says (`TABLE`): verdicts, claims (theory §2.4), and the certificates
that go with them. All else is rejected. That keeps a bound on orders, which press each bulb at most
once, from being sold as one on all sequences, and a search that gave up from being sold as a proof.
`lower_bound` is about orders for `order` and about all legal sequences for `solve` (C3). A
refutation of one press set (C1) proves C2 where it is the only one, or where every press set is
refuted with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, cast, get_args

from ponder.check import reader
from ponder.check.certificate import CLAIMS, Bound, Claim, Refutation, read_as
from ponder.check.reader import fail, press_counts, press_counts_json
from ponder.model.arguments import need_board, presses_of
from ponder.model.board import Board
from ponder.model.json_text import RESULT, json_lines
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.limits import LimitReached
from ponder.system.printable import printable, shown
from ponder.system.types import Bits, Ints, Json, Place, read_only
from ponder.system.version import __version__

SOLVER_SAYS = "solver_says"  # in `statistics`: an answer of a solver without a proof
SAID = ("command", "verdict", "claim", "presses", "lower_bound", "at_most", "bound", "refutation")
NOT_MET = "the limits were reached before sequence and bound met"  # where no reason says more

Verdict: TypeAlias = Literal["solved", "impossible", "unknown"]


class Sought:
    """An answer that may have presses, and a bound on their number."""

    presses: Ints | None
    lower_bound: int | None

    @property
    def count(self) -> int | None:
        """The number of presses."""
        return None if self.presses is None else int(self.presses.size)

    @property
    def optimal(self) -> bool:
        """Whether the bound meets the presses."""
        return self.presses is not None and self.count == self.lower_bound


@dataclass(frozen=True)
class Step:
    """One stage of the pipeline: the method, what came out, and its seconds."""

    method: str
    outcome: str
    seconds: float


@dataclass(frozen=True, eq=False, repr=False)
class Result(Sought, Generic[Place]):
    """The answer of `order` or `solve` to one board: of the class `Solved` or `Unsolved`.

    Results are equal if board, question and answer are; the times of the search do not matter.
    Raises BadArgument or CheckFailed for what no result can say (`TABLE`).

    `presses`      bulbs in play order, or None; labels (`places`) do as well
    `lower_bound`  no sequence of the kind asked for (`order`: each bulb at most once) is shorter
    `evidence`     for `lower_bound`; None when it rests on the method
    `refutation`   the certificate for "impossible" (or, with verdict unknown, a remark)
    `counts`       the press set or press counts that the refutation is about
    `at_most`      the number of presses that was asked for, if one was
    `reason`       why the verdict is unknown, or why the search ended before the optimum
    `steps`        what was tried, in order
    """

    command: str
    board: Board[Place]
    verdict: Verdict
    method: str
    claim: Claim | None = None
    presses: Ints | None = None
    lower_bound: int | None = None
    evidence: Bound | None = None
    refutation: Refutation | None = None
    counts: Ints | Bits | None = None
    at_most: int | None = None
    reason: str | None = None
    seed: int = 0
    seconds: float = 0.0
    statistics: dict[str, object] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        need_board(self.board)
        row_of(self.command, self.verdict, self.claim, vars(self))
        if self.presses is not None:
            presses = presses_of(self.board.graph, self.presses)
            object.__setattr__(self, "presses", read_only(presses, fresh=True))
        object.__setattr__(self, "__class__", Solved if self.verdict == "solved" else Unsolved)

    def __eq__(self, other: object) -> bool:
        """Whether both say the same: board, question, verdict, presses, bound and certificates."""
        if not isinstance(other, Result):
            return NotImplemented
        return self.board == other.board and self._said() == other._said()

    def __hash__(self) -> int:
        """Return a number that equal results share."""
        return hash((self.board, self.command, self.verdict, self.count))

    def _said(self) -> str:
        content = self.to_json()
        return json.dumps([content[key] for key in SAID])

    @property
    def solved(self) -> bool:
        """Whether the verdict is `solved`; then there are `presses` and `places`."""
        return self.verdict == "solved"

    @property
    def sentence(self) -> str:
        """The first line of what the command prints: the verdict, and what is proved."""
        return shown("sentence", self) or self.verdict

    @property
    def places(self) -> list[Place] | None:
        """The presses in play order by row and column, or by name; None where there are none."""
        presses = self.presses
        labels = None if presses is None else self.board.graph.labels(presses)
        return cast("list[Place] | None", labels)

    def __str__(self) -> str:
        """Return what the command prints first: the answer, its presses, its reason."""
        return shown("words", self) or self.sentence

    def __repr__(self) -> str:
        """Return one line about the answer."""
        return f"<Result of {self.command}: {self.sentence}>"

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: the presses played, or the refusal drawn, and the words."""
        return shown("result", self)

    @classmethod
    def from_json(cls, board: Board[Place], content: Json) -> Solved[Place] | Unsolved[Place]:
        """Return what a result that was checked says, apart from how it was found, for display.

        Raises BoardError for what cannot be read; whether it is true is not checked.

        >>> content = {"command": "order", "verdict": "solved", "presses": [[0, 0]]}
        >>> Result.from_json(Board.from_rows(["01"], "plus"), content).presses.tolist()
        [0]
        """
        from ponder.check.verification import REFUTATIONS, read_bound  # which loads every kind

        need_board(board)
        try:
            fields: dict[str, Any] = dict(reader.mapping(content, "the result"))
            command, verdict, claim, _ = stated(fields)
            presses, why, bound = (fields.get(key) for key in ("presses", "refutation", "bound"))
            counts = None if why is None else reader.mapping(why, "refutation").get("press_counts")
            least, most = (fields.get(key) for key in ("lower_bound", "at_most"))
            result = cls(
                command,
                board,
                verdict,
                str(fields.get("method", "")),
                claim=claim,
                presses=None if presses is None else reader.bulbs(board.graph, presses, "presses"),
                lower_bound=None if least is None else reader.count(least, "lower_bound"),
                evidence=None if bound is None else read_bound(board, bound),
                refutation=None if why is None else read_as(REFUTATIONS, board, why, "refutation"),
                counts=None if counts is None else press_counts(board, counts),
                at_most=None if most is None else reader.integer(most, "at_most"),
                reason=fields.get("reason"),
            )
            return cast("Solved[Place] | Unsolved[Place]", result)
        except (CheckFailed, LimitReached) as failure:
            raise BoardError(str(failure), board.name) from None

    def json_text(self) -> Iterator[str]:
        """Yield the text of `to_json`, a line for every key."""
        return json_lines(self.to_json())

    def to_json(self) -> Json:
        """Return the object of schema `ponder.result/2`."""
        board, refutation = self.board, None
        if self.refutation is not None:
            refutation = self.refutation.to_json(board)
            if self.counts is not None:
                refutation["press_counts"] = press_counts_json(board, self.counts)
        return {
            "schema": RESULT,
            "command": self.command,
            "board": {
                "name": printable(board.name),
                "sha256": board.sha256,
                "bulbs": board.graph.size,
                "pattern": board.graph.pattern,
                "rule": board.rule,
                "goal": board.goal_name,
            },
            "verdict": self.verdict,
            "claim": self.claim,
            "presses": self.places,
            "count": self.count,
            "lower_bound": self.lower_bound,
            "optimal": self.optimal,
            "at_most": self.at_most,
            "bound": None if self.evidence is None else self.evidence.to_json(board),
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
            "version": __version__,
        }


class Solved(Result[Place]):
    """A result with the verdict `solved`, which has presses and places."""

    if TYPE_CHECKING:
        verdict: Literal["solved"]
        solved: Literal[True]
        presses: Ints
        places: list[Place]
        count: int


class Unsolved(Result[Place]):
    """A result with another verdict; that of `solve` may have presses, more than `at_most`."""

    if TYPE_CHECKING:
        verdict: Literal["impossible", "unknown"]
        solved: Literal[False]


Need: TypeAlias = Literal["yes", "no", "maybe"]

COMMANDS = ("order", "solve")


@dataclass(frozen=True)
class Row:
    """What comes with a verdict and its claim. `proving`: what a refutation proves, if any."""

    presses: Need
    lower_bound: Need
    at_most: Need
    refutation: Need = "no"
    proving: tuple[Claim | None, ...] = ()


TABLE: Mapping[tuple[str, str, str | None], Row] = {
    ("order", "solved", None): Row("yes", "maybe", "no"),
    ("order", "impossible", "C1"): Row("no", "no", "no", "yes", ("C1",)),
    ("order", "impossible", "C2"): Row("no", "no", "no", "yes", ("C1", "C2")),
    ("order", "impossible", "C4"): Row("no", "no", "no", "yes", ("C4",)),
    ("order", "unknown", None): Row("no", "maybe", "no", "maybe", (None,)),
    ("solve", "solved", None): Row("yes", "maybe", "maybe"),
    ("solve", "solved", "C3"): Row("yes", "yes", "maybe"),
    ("solve", "impossible", "C3"): Row("no", "yes", "yes"),
    ("solve", "impossible", "C4"): Row("no", "no", "maybe", "yes", ("C4",)),
    ("solve", "unknown", None): Row("maybe", "maybe", "maybe"),
}
"""By command, verdict and claim."""


def stated(fields: Json) -> tuple[str, Verdict, Claim | None, Row]:
    """Return a result's command, verdict, claim and row. Raises CheckFailed."""
    command = reader.enum_value(fields.get("command"), COMMANDS, "command")
    verdict = reader.enum_value(fields.get("verdict"), get_args(Verdict), "verdict")
    named = fields.get("claim")
    claim = None if named is None else reader.enum_value(named, list(CLAIMS), "claim")
    return command, verdict, claim, row_of(command, verdict, claim, fields)


def row_of(command: str, verdict: str, claim: str | None, fields: Json) -> Row:
    """Return a result's row. Raises CheckFailed if it has none, or a field is out of place."""
    row = TABLE.get((command, verdict, claim))
    if row is None:
        fail(f"`{command}`: the verdict {verdict} does not go with the claim {claim or 'null'}")
    for key, need in (
        ("presses", row.presses),
        ("lower_bound", row.lower_bound),
        ("at_most", row.at_most),
        ("refutation", row.refutation),
    ):
        given = fields.get(key) is not None
        if given != (need == "yes") and need != "maybe":
            with_claim = f", the claim {claim}" if claim else ""
            goes = "does not go with it" if given else "is missing"
            fail(f"`{command}`: the verdict is {verdict}{with_claim}, and {key} {goes}")
    return row
