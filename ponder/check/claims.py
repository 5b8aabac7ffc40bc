"""What a result may say: the table of verdicts, claims, and the evidence that goes with them.

Whatever is not in the table is rejected. That is what keeps a bound on orders, which press each
bulb at most once, from being sold as one on all sequences, and a search that gave up from being
sold as a proof. The claims are those of theory §2.4.

`lower_bound` is about orders for `order` and about all legal sequences for `solve` (claim C3), and
either has its own kinds of evidence. Without a proved bound it is null, and `bound` is absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ponder.check.fields import fail
from ponder.system.types import Json

Need: TypeAlias = Literal["yes", "no", "maybe"]

LOCAL = ("odd-component", "no-first-press", "no-last-press", "exhausted")
"""Refutations that live on some of the pressed bulbs."""

OF_ONE_PRESS_SET = ("line-count", "line-cut", *LOCAL, "sat-proof")  # claim C1; all parts are these

OF_ALL_PRESS_SETS = (*OF_ONE_PRESS_SET, "line-parities", "weighted-cuts", "coset")
"""Claim C2. Those of one press set refute all of them where it is the only one."""

OF_EVERYTHING = ("odd-witness", "dead-end", "states")  # claim C4

EVIDENCE = ("randomised",)
"""What speaks for "impossible" and does not prove it: the verdict stays `unknown`."""

REFUTATIONS = (*OF_ALL_PRESS_SETS, *OF_EVERYTHING, *EVIDENCE)

WITHOUT_RULE = (
    "unique-press-set",
    "coset-minimum",
    "spectral",
    "switching-blocks",
    "folded-torus",
    "neighbourhood-packing",
    "linear-relaxation",
)
"""Bounds that hold whatever the rule: every sequence presses each bulb of some press set."""

_OF_ORDERS = (*WITHOUT_RULE, "coset", "switches", "odd-components")
BOUNDS: Mapping[str, tuple[str, ...]] = {
    "order": _OF_ORDERS,
    "solve": (*_OF_ORDERS, "line-flow", "states", "within-steps", "decomposition"),
}
"""The kinds of evidence for a lower bound, by what was asked."""


@dataclass(frozen=True)
class Row:
    """What comes with a verdict and its claim. `refutations`: one of these kinds, if any."""

    presses: Need
    lower_bound: Need
    at_most: Need
    refutations: tuple[str, ...] = ()
    refutation: Need = "no"


TABLE: Mapping[tuple[str, str, str | None], Row] = {
    ("order", "solved", None): Row("yes", "maybe", "no"),
    ("order", "impossible", "C1"): Row("no", "no", "no", OF_ONE_PRESS_SET, "yes"),
    ("order", "impossible", "C2"): Row("no", "no", "no", OF_ALL_PRESS_SETS, "yes"),
    ("order", "impossible", "C4"): Row("no", "no", "no", OF_EVERYTHING, "yes"),
    ("order", "unknown", None): Row("no", "maybe", "no", EVIDENCE, "maybe"),
    ("solve", "solved", None): Row("yes", "maybe", "maybe"),
    ("solve", "solved", "C3"): Row("yes", "yes", "maybe"),
    ("solve", "impossible", "C3"): Row("no", "yes", "yes"),
    ("solve", "impossible", "C4"): Row("no", "no", "maybe", OF_EVERYTHING, "yes"),
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
