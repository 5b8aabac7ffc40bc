"""What a formula is asked about: the presses of a board, or a graph to be oriented; `export`."""

from __future__ import annotations

import io
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ponder.check.certificate import Claim
from ponder.check.witness import Witness
from ponder.encodings.registry import encoder
from ponder.find.linear.press_sets import press_sets
from ponder.find.order import ENUMERATED, given_set
from ponder.find.orient import Asked
from ponder.formulas import dimacs
from ponder.formulas.encoder import Encoder, Options
from ponder.model.arguments import need_board
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import BadArgument, PonderError, quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits

ORIENTED = "here vertices are bulbs; each edge leads from the end that is pressed first"
KNOW_ARCS = ("precedence", "time_indexed", "layered")  # encodings with clauses for given arcs


@dataclass(frozen=True)
class FormulaQuestion:
    """Presses to be ordered, what it proves if they cannot be, which of several sets they are."""

    board: Board
    chosen: Bits
    problem: OrderingProblem
    claim: Claim
    remark: str | None
    asked: Asked | None = None  # of a graph to be oriented

    @classmethod
    def of_graph(cls, asked: Asked) -> FormulaQuestion:
        """Return the question whether a graph has an orientation."""
        question = asked.question
        all_once = np.ones(question.graph.size, dtype=np.bool_)
        return cls(question.board, all_once, question.problem, "C1", None, asked)

    def described(self, encoder: Encoder, options: Options) -> list[str]:
        """Return the header of the formula; of a graph also what its words stand for."""
        lines = encoder.describe(self.problem, options, self.board)
        if self.asked is not None:
            lines += [f"orientation {self.asked.named}", ORIENTED]
        return lines


def formula_question(board: Board, press_set: Any = None, clock: Limits = NEVER) -> FormulaQuestion:
    """Return the ordering problem of a board: of a press set, or of the lightest.

    Raises PonderError if there is none, or TimeUp.
    """
    if board.rule == "any":
        raise PonderError(f"{board.name}: the rule 'any' makes every order legal: no formula")
    claim: Claim = "C1"
    remark = None
    if press_set is not None:
        chosen = given_set(board, press_set)
    else:
        sets = press_sets(board, clock)
        if isinstance(sets, Witness):
            raise PonderError(
                f"{board.name}: no press set reaches the goal (claim C4), so no formula; "
                "`ponder order` has the proof"
            )
        listed = 0 < sets.nullity <= ENUMERATED
        chosen = sets.lightest_first()[0] if listed else sets.particular
        claim = "C1" if sets.nullity or board.pressed else "C2"
        if sets.nullity:
            remark = (
                f"one of 2^{sets.nullity} press sets, {'the lightest' if listed else 'any'}: "
                f"{pluralise(int(chosen.sum()), 'press')} (another by --press-set)"
            )
    return FormulaQuestion(board, chosen, OrderingProblem.of_board(board, chosen), claim, remark)


def formula_encoder(name: str) -> Encoder:
    """Return the encoder of that name. Raises PonderError when it makes no formula."""
    chosen = encoder(name)
    if not isinstance(chosen, Encoder):
        raise PonderError(f"{chosen.name} is a CP-SAT model, not a formula: use `ponder order`")
    return chosen


def export(
    question: Any,
    encoding: str = "precedence",
    *,
    press_set: Any = None,
    odd: Iterable[Hashable] | None = None,
    fixed: Iterable[tuple[Hashable, Hashable]] = (),
    options: Iterable[str] = (),
) -> str:
    """Return the formula, in DIMACS, that has a model iff there is a legal order.

    `question` is a board, whose presses are the lightest press set or `press_set`; or with `odd`
    (and `fixed`) a graph as `ponder.orient` takes it. `options` are words `key=value` of the
    encoding. Raises PonderError for what has no formula.

    >>> export((3, [(0, 1), (1, 2)]), odd=[0, 1]).splitlines()[-1].endswith(" 0")
    True
    """
    encoder = formula_encoder(encoding)
    if isinstance(options, str) or not isinstance(options, Iterable):
        raise BadArgument(f"{quoted(options)} is not a list of words key=value", "options")
    words = tuple(options)
    if wrong := [word for word in words if not isinstance(word, str)]:
        raise BadArgument(f"{quoted(wrong[0])} is not a word key=value", "options")
    settings = encoder.options(words)
    if odd is None:
        need_board(question)
        asked = formula_question(question, press_set)
    else:
        asked = FormulaQuestion.of_graph(Asked.read(question, odd, fixed))
    out = io.BytesIO()
    formula = encoder.encode(asked.problem, settings)
    dimacs.write(formula, out, asked.described(encoder, settings))
    return out.getvalue().decode()
