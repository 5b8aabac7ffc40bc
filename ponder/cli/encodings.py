"""`ponder encodings`: the encodings and their options, with their sizes for a board."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ponder.cli.encoding import press_set_option, question
from ponder.cli.options import coords_option, header_options, json_option, timeout_option

if TYPE_CHECKING:
    from ponder.cli.options import Header
    from ponder.formulas.encoder import Coder
    from ponder.limits import Limits
    from ponder.puzzle.ordering_problem import OrderingProblem
    from ponder.puzzle.render import Coordinates


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
    listed = [_described(made, problem, clock) for made in encoders()]
    if as_json:
        click.echo(json.dumps(listed))
        return 0
    if problem is None:
        for found in listed:
            say([f"{found['name']}", f"  {found['summary']}"])
            for option in found["options"]:  # type: ignore[attr-defined]
                say([f"    {option['name']}={option['default']}  {option['help']}"])
        return 0
    say([f"{problem.size} presses, {problem.edge_count:,} pairs of neighbours", ""])
    say([f"{'encoding':<18} {'variables':>12} {'clauses':>12} {'bytes':>14}  remark"])
    for found in listed:
        if "variables" not in found:
            say([f"{found['name']:<18} {'-':>12} {'-':>12} {'-':>14}  {found['remark']}"])
            continue
        size = f"{found['bytes']:,}" if found["bytes"] else "-"
        text = f"{found['name']:<18} {found['variables']:>12,} {found['clauses']:>12,} {size:>14}"
        say([f"{text}  {found['remark']}".rstrip()])
    return 0


def _described(made: Coder, problem: OrderingProblem | None, clock: Limits) -> dict[str, object]:
    """Return what is to be said about one encoding."""
    from ponder.errors import PonderError
    from ponder.formulas.encoder import CpSatEncoder
    from ponder.limits import TimeUp

    found: dict[str, object] = {"name": made.name, "summary": made.summary}
    found["solver"] = "cpsat" if isinstance(made, CpSatEncoder) else "sat"
    found["options"] = [
        {
            "name": option.name,
            "default": option.default,
            "choices": list(option.choices),
            "help": option.help,
        }
        for option in made.spec
    ]
    if problem is None:
        return found
    try:
        options = next(iter(made.schedule(problem, made.options(), clock)))
        size = made.size(problem, options, clock)
    except (PonderError, TimeUp) as error:
        found["remark"] = str(error)
        return found
    found |= {"variables": size.variables, "clauses": size.clauses, "bytes": size.bytes}
    layers = options.values.get("layers")
    found["remark"] = f"with {layers} layers" if layers else ""
    return found
