"""`ponder export`: the formula that says "this order is legal", for any solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.encodings import FormulaOptions
from ponder.cli.options import gathered, option
from ponder.cli.terminal import remark
from ponder.model.files import packed_file
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.formulas.cnf import Cnf
    from ponder.model.render import Coordinates


@options.command(
    """
Examples:
  ponder export board.txt --encoding precedence -o board.cnf
  ponder export board.txt --encoding half-factor -o - | cadical
  ponder export board.txt --encoding layered --option layers=30 -o board.cnf.xz
  ponder export board.txt --encoding half_factor --option card=native --format opb -o board.opb
  ponder export board.txt --encoding time_indexed --dry-run       variables, clauses, bytes
  ponder export graph.g6 --odd none -o graph.cnf                  an acyclic orientation

The answer comes back with `ponder decode`. Exit codes: 0 written, 2 bad input or a formula that is
too large, 3 not in time (no file is left), 130 interrupted.
"""
)
def command(
    file: str = options.board_argument,
    header: options.Header = gathered(options.Header),
    wanted: FormulaOptions = gathered(FormulaOptions),
    output: str = option(
        "-o, --output OUT",
        "The file; packed if its name ends in .gz, .bz2 or .xz; - for standard output.",
        default="-",
    ),
    form: str = option(
        "--format",
        "DIMACS CNF (XORs as x lines), or OPB for pseudo-Boolean solvers.",
        choices=["dimacs", "opb"],
        default="dimacs",
    ),
    names: bool = option("--names", "Add the name of every variable (c varname N NAME)."),
    dry_run: bool = option("--dry-run", "Print variables, clauses and bytes; make nothing."),
    coords: Coordinates = options.coords_option,
    clock: Limits = options.clock_option,
    quiet: bool = option("-q, --quiet", "No remarks."),
) -> int:
    """Write a formula that has a model iff the presses on the board in FILE have a legal order.

    Its header names the board, the encoding, and the meaning of every variable.
    """
    from ponder.find.formula_question import formula_encoder
    from ponder.formulas import dimacs, opb

    if output != "-" and not dry_run:
        options.check_file(output)
    encoder = formula_encoder(wanted.encoding)
    settings = encoder.options(wanted.settings)
    asked = wanted.question(file, header, coords, clock)
    formula = encoder.encode(asked.problem, settings, clock)
    comments = asked.described(encoder, settings)
    if dry_run:
        _print_size(formula, comments, form, names)
    else:
        write = dimacs.write if form == "dimacs" else opb.write
        with packed_file(output) as out:
            write(formula, out, comments, names=names)
    remark(asked.remark, quiet)
    if encoder.lazy(settings):
        remark("this formula does not forbid cycles, so a model need not be an order", quiet)
    if not encoder.refutes(asked.problem, settings):
        remark("the horizon is short, so `unsatisfiable` would prove nothing", quiet)
    return 0


def _print_size(formula: Cnf, comments: list[str], form: str, names: bool) -> None:
    """Print the size; the bytes are those of the DIMACS file, unpacked."""
    from ponder.formulas import dimacs

    size = formula.size
    click.echo(f"variables {size.variables}")
    click.echo(f"{'clauses' if formula.kinds <= {'clause'} else 'constraints'} {size.clauses}")
    if form == "dimacs":
        head = sum(map(len, dimacs.header(formula, comments, names=names)))
        counts = len(b"p cnf %d %d\n" % (size.variables, size.clauses))
        click.echo(f"bytes {head + counts + size.bytes}")
