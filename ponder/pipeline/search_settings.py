"""The settings of one call of `ponder.order` or `ponder.solve`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ponder.ordering.greedy import Trials
from ponder.puzzle.effort import Effort

if TYPE_CHECKING:
    from ponder.solvers.by_encoding import Recipe

Method: TypeAlias = Literal["auto", "greedy", "lines", "spanning", "sat", "cpsat"]
METHODS: tuple[Method, ...] = get_args(Method)

TRIALS = 20
"""How often greedy tries by default."""


@dataclass
class SearchSettings(Effort):
    """How one call goes about it, beside what every search is told (`Effort`).

    `method`     the method that was asked for; `auto` takes whatever answers
    `trials`     how greedy tries
    `recipe`     the encoding and the solver of the methods `sat` and `cpsat`
    `every`      name all lightest press sets under the rule `any`, if they are few

    One object goes from stage to stage; a stage with a shorter time gets a copy, with the same log.
    """

    method: Method = "auto"
    trials: Trials = field(default_factory=lambda: Trials(count=TRIALS))
    recipe: Recipe | None = None
    every: bool = False
