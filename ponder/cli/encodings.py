"""`ponder encodings`: their options and sizes; and what the commands about formulas share."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import remark, say
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.printable import pluralise

if TYPE_CHECKING:
    from ponder.find.formula_question import FormulaQuestion
    from ponder.formulas.cnf import Size
    from ponder.formulas.encoder import Coder
    from ponder.model.board import Board
    from ponder.model.ordering_problem import OrderingProblem
    from ponder.model.render import Coordinates
    from ponder.system.types import Json


def of_board(
    board: Board, press_set: str | None, coords: Coordinates, clock: Limits
) -> FormulaQuestion:
    """Return the question of a formula about a board, and a press set in a file."""
    from ponder.find.formula_question import formula_question
    from ponder.model.press_lists import read_presses

    chosen = None if press_set is None else read_presses(press_set, board, coords)
    return formula_question(board, chosen, clock)


@dataclass(frozen=True)
class FormulaOptions:
    """Which formula about a board: the encoding, its options, the presses to be ordered."""

    encoding: str = option(
        "--encoding NAME", "The encoding; `ponder encodings` lists them.", default="precedence"
    )
    settings: tuple[str, ...] = options.settings_option
    press_set: str | None = options.press_set_option
    odd: str | None = options.odd_option
    fixed: str | None = options.fixed_option

    @property
    def orients(self) -> bool:
        """Whether the question is that of `orient`."""
        return self.odd is not None or self.fixed is not None

    def question(
        self, file: str, header: options.Header, coords: Coordinates, clock: Limits = NEVER
    ) -> FormulaQuestion:
        """Return what the formula is about. Raises PonderError if there is none, or TimeUp."""
        if not self.orients:
            board = header.read(file, clock, wirings=True)
            return of_board(board, self.press_set, coords, clock)
        from ponder.find.formula_question import KNOW_ARCS, FormulaQuestion

        if self.press_set is not None:
            raise click.UsageError("--odd and --fixed are about graphs, --press-set about boards")
        asked = options.asked_of(options.question_in(file), self.odd or "", self.fixed or "")
        if asked.question.fixed.size and self.encoding not in KNOW_ARCS:
            raise PonderError(f"--fixed: only the encodings {', '.join(KNOW_ARCS)} know given arcs")
        return FormulaQuestion.of_graph(asked)


@options.command(
    """
Examples:
  ponder encodings                    names, options, and what each is good for
  ponder encodings board.txt          with variables and clauses for this board
"""
)
def command(
    file: str | None = argument("[FILE]"),
    header: options.Header = gathered(options.Header),
    press_set: str | None = options.press_set_option,
    coords: Coordinates = options.coords_option,
    clock: Limits = options.clock_option,
    as_json: bool = options.json_option,
) -> int:
    """List the encodings; with FILE, their sizes for its board, by default options.

    An encoding whose size is not known in time, or that would be too large, says so in its remark.
    Where an encoding is tried with one horizon after the other, the size is that of the first.
    """
    from ponder.encodings.registry import encoders

    problem = None
    if file is not None:
        asked = of_board(header.read(file, clock, wirings=True), press_set, coords, clock)
        remark(asked.remark, as_json)
        problem = asked.problem
    if as_json:
        listed = [_described(encoder, problem, clock) for encoder in encoders()]
        click.echo(json.dumps(listed))
        return 0
    if problem is None:
        for encoder in encoders():
            say([encoder.name, f"  {encoder.summary}"])
            for option in encoder.spec:
                say([f"    {option.name}={option.default}  {option.help}"])
        return 0
    say([f"{pluralise(problem.size, 'press')}, {problem.edge_count:,} pairs of neighbours", ""])
    say([f"{'encoding':<18} {'variables':>12} {'clauses':>12} {'bytes':>14}  remark"])
    for encoder in encoders():
        size, note = _size(encoder, problem, clock)
        known = (None,) * 3 if size is None else (size.variables, size.clauses, size.bytes or None)
        cells = ["-" if number is None else f"{number:,}" for number in known]
        text = f"{encoder.name:<18} {cells[0]:>12} {cells[1]:>12} {cells[2]:>14}"
        say([f"{text}  {note}".rstrip()])
    return 0


def _described(encoder: Coder, problem: OrderingProblem | None, clock: Limits) -> Json:
    from ponder.formulas.encoder import CpSatEncoder

    told = ("name", "default", "choices", "help")
    content: Json = {
        "name": encoder.name,
        "summary": encoder.summary,
        "solver": "cpsat" if isinstance(encoder, CpSatEncoder) else "sat",
        "options": [{key: getattr(option, key) for key in told} for option in encoder.spec],
    }
    if problem is not None:
        size, remark = _size(encoder, problem, clock)
        if size is not None:
            content |= {"variables": size.variables, "clauses": size.clauses, "bytes": size.bytes}
        content["remark"] = remark
    return content


def _size(encoder: Coder, problem: OrderingProblem, clock: Limits) -> tuple[Size | None, str]:
    """Return the size of a formula by default options, and a remark: why there is none, say."""
    try:
        usual = encoder.options()
        first = next(iter(encoder.schedule(problem, usual, clock)))
        settings = first if first.conflicts is None else usual  # a short attempt is not a size
        size = encoder.size(problem, settings, clock)
    except (PonderError, TimeUp) as error:
        return None, str(error)
    layers = settings.values.get("layers")
    return size, f"with {layers} layers" if layers else ""
