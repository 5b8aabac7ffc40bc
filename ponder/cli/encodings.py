"""`ponder encodings`: the encodings and their options, with their sizes for a board."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ponder.cli.encoding import press_set_option, question
from ponder.cli.options import coords_option, header_options, json_option, timeout_option
from ponder.printable import counted

if TYPE_CHECKING:
    from ponder.cli.options import Header
    from ponder.formulas.cnf import Size
    from ponder.formulas.encoder import Coder
    from ponder.limits import Limits
    from ponder.puzzle.ordering_problem import OrderingProblem
    from ponder.puzzle.render import Coordinates
    from ponder.types import Json


@click.command(
    "encodings",
    short_help="List the encodings and their options, with sizes for a board.",
    epilog="""\b
Examples:
  ponder encodings                    names, options, and what each is good for
  ponder encodings board.txt          with variables and clauses for this board
""",
)
@click.argument("file", metavar="[FILE]", required=False)
@header_options
@press_set_option
@coords_option
@timeout_option
@json_option
def command(
    file: str | None,
    header: Header,
    press_set: str | None,
    coords: Coordinates,
    timeout: float | None,
    as_json: bool,
) -> int:
    """List the encodings; with FILE, their sizes for its board, by default options.

    An encoding whose size is not known in time, or that would be too large, says so in its remark.
    Where an encoding is tried with one horizon after the other, the size is that of the first.
    """
    from ponder.limits import Limits

    clock = Limits(timeout)
    from ponder.cli.terminal import remark, say
    from ponder.encodings.registry import encoders

    problem = None
    if file is not None:
        asked = question(header.read(file, clock), press_set, coords, clock)
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
    say([f"{counted(problem.size, 'press')}, {problem.edge_count:,} pairs of neighbours", ""])
    say([f"{'encoding':<18} {'variables':>12} {'clauses':>12} {'bytes':>14}  remark"])
    for encoder in encoders():
        size, note = _size(encoder, problem, clock)
        cells = ["-", "-", "-"]
        if size is not None:
            cells = [f"{size.variables:,}", f"{size.clauses:,}"]
            cells.append(f"{size.bytes:,}" if size.bytes else "-")
        text = f"{encoder.name:<18} {cells[0]:>12} {cells[1]:>12} {cells[2]:>14}"
        say([f"{text}  {note}".rstrip()])
    return 0


def _described(encoder: Coder, problem: OrderingProblem | None, clock: Limits) -> Json:
    """Return what is to be said about one encoding, as a JSON object."""
    from ponder.formulas.encoder import CpSatEncoder

    content: Json = {
        "name": encoder.name,
        "summary": encoder.summary,
        "solver": "cpsat" if isinstance(encoder, CpSatEncoder) else "sat",
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "choices": list(option.choices),
                "help": option.help,
            }
            for option in encoder.spec
        ],
    }
    if problem is not None:
        size, remark = _size(encoder, problem, clock)
        if size is not None:
            content |= {"variables": size.variables, "clauses": size.clauses, "bytes": size.bytes}
        content["remark"] = remark
    return content


def _size(encoder: Coder, problem: OrderingProblem, clock: Limits) -> tuple[Size | None, str]:
    """Return the size of a formula by default options, and a remark: why there is none, say."""
    from ponder.errors import PonderError
    from ponder.limits import TimeUp

    try:
        options = next(iter(encoder.schedule(problem, encoder.options(), clock)))
        size = encoder.size(problem, options, clock)
    except (PonderError, TimeUp) as error:
        return None, str(error)
    layers = options.values.get("layers")
    return size, f"with {layers} layers" if layers else ""
