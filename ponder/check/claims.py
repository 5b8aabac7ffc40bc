"""What a result may say: the table of verdicts, claims, and the evidence that goes with them.

Whatever is not in the table is rejected. That is what keeps a bound on orders, which press each
bulb at most once, from being sold as one on all sequences, and a search that gave up from being
sold as a proof. The claims are those of theory §2.4.

`lower_bound` is about orders for `order` and about all legal sequences for `solve` (claim C3), and
either has its own kinds of evidence. Without a proved bound it is null, and `bound` is absent. A
refutation of one press set (C1) proves C2 where the press set is the only one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ponder.check.fields import fail
from ponder.check.kinds import Claim, Refutation
from ponder.system.types import Json

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

    @property
    def refutations(self) -> Mapping[str, type[Refutation]]:
        """The kinds of refutations that may come with it."""
        return Refutation.of_claims(*self.proving)


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


def row_of(command: str, verdict: str, claim: str | None, fields: Json) -> Row:
    """Return a result's row. Raises CheckFailed if it has none, or a field is out of place."""
    row = TABLE.get((command, verdict, claim))
    if row is None:
        fail(f"`{command}`: the verdict {verdict} does not go with the claim {claim or 'null'}")
    for key, words, need in (
        ("presses", "there are {}presses", row.presses),
        ("lower_bound", "there is {}lower bound", row.lower_bound),
        ("at_most", "there is {}number at_most", row.at_most),
        ("refutation", "there is {}refutation", row.refutation),
    ):
        given = fields.get(key) is not None
        if given != (need == "yes") and need != "maybe":
            article = "" if key == "presses" else "a "
            said = words.format(article if given else "no ")
            what = f"`{command}`: the verdict is {verdict}"
            fail(f"{what}{f', the claim {claim}' if claim else ''}, and {said}")
    return row
