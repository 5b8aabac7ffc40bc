"""`ponder export`: the formula that says "this order is legal", for any solver."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import click

from ponder.cli import params
from ponder.cli.boards import Header, asked_of, question_in
from ponder.cli.output import MANIFEST, listed_in, remark, say
from ponder.encodings.registry import encoders
from ponder.find.formula_question import (
    KNOW_ARCS,
    FormulaQuestion,
    formula_encoder,
    formula_question,
)
from ponder.formulas import dimacs, opb
from ponder.formulas.encoder import Encoder
from ponder.model.files import packed_file, whole_file
from ponder.model.press_lists import read_presses
from ponder.model.render import Coordinates
from ponder.system.errors import BadArgument, PonderError
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.printable import pluralise
from ponder.system.types import Json

SCHEMA: Json = {"schema": "ponder.formulas/1"}
ENDING = re.compile(r"(\.[A-Za-z]\w*)?(\.gz|\.bz2|\.xz)?$")  # of a file, which a formula drops


def question_of(
    file: str,
    header: Header,
    about: dict[str, str | None],
    coords: Coordinates,
    clock: Limits = NEVER,
) -> FormulaQuestion:
    """Return what a formula is about: the presses on a board, or with --odd an orientation."""
    press_set, odd, fixed = (about[key] for key in ("press_set", "odd", "fixed"))
    if odd is not None or fixed is not None:
        for name, value in {**header._asdict(), "press_set": press_set}.items():
            if value is not None and name not in ("line", "format"):
                raise BadArgument("this does not apply to an orientation", name)
        return FormulaQuestion.of_graph(
            asked_of(question_in(file, header.format, header.line), odd, fixed)
        )
    board = header.read(file, clock)
    chosen = None if press_set is None else read_presses(press_set, board, coords)
    return formula_question(board, chosen, clock)


@params.command(
    """
Examples:
  ponder export board.txt --encoding precedence -o board.cnf
  ponder export board.txt --encoding half_factor | cadical
  ponder export board.txt --encoding layered --option layers=30 -o board.cnf.xz
  ponder export board.txt --encoding half_factor --option card=native -o board.opb
  ponder export boards/*.txt -o formulas               a folder, with manifest.json
  ponder export graph.g6 --odd none -o graph.cnf       an acyclic orientation
  ponder export --list                                 encodings and their options
  ponder export --list board.txt                       their sizes for this board
  ponder export --list board.txt --encoding layered --option layers=30

OUT's ending says what is written: DIMACS CNF, or OPB for pseudo-Boolean solvers
(.opb); packed by .gz, .bz2 or .xz. The answer comes back with `ponder decode`.
Exit codes: 0 written, 2 bad input or a formula that is too large (of several FILEs the others are
written), 3 not in time (no part of a file is left), 130 interrupted.
"""
)
@click.argument("files", metavar="FILE…", nargs=-1)
@params.header_option
@params.encoding_option
@params.settings_option
@params.about_option
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    default="-",
    help="The file; of several FILEs, the folder; - for standard output.",
)
@click.option("--names", is_flag=True, help="Add the name of every variable (c varname N NAME).")
@click.option("--list", "listing", is_flag=True, help="List the encodings; with FILE, their sizes.")
@params.coords_option
@params.clock_option
@params.quiet_option
def command(
    files: tuple[str, ...],
    header: Header,
    encoding: str | None,
    settings: tuple[str, ...],
    about: dict[str, str | None],
    output: str,
    names: bool,
    listing: bool,
    coords: Coordinates,
    clock: Limits,
    quiet: bool,
) -> int:
    """Write a formula that has a model iff the presses on the board in FILE have a legal order.

    Its header names the board, the encoding, and the meaning of every variable.
    """
    if not files and not listing:
        raise click.UsageError("name a board FILE, or --list")
    several = len(files) > 1
    if listing and (several or names or output != "-"):
        raise click.UsageError("--list goes with one FILE at most, without -o and --names")
    if several and (output == "-" or {".cnf", ".opb"} & {*Path(output).suffixes[-2:]}):
        raise click.UsageError("several FILEs need -o FOLDER")
    targets: dict[str, str] = {}
    for file in files:
        name = ENDING.sub("", Path(file).name, 1)
        target = str(Path(output, f"{name}.cnf")) if several else output
        if target in targets:
            raise click.UsageError(f"{targets[target]} and {file}: both would be {target}")
        targets[target] = file
    params.refuse_inputs(targets, files)
    if listing:
        asked = [question_of(x, header, about, coords, clock) for x in files]
        picked = formula_encoder(encoding or "precedence") if encoding or settings else None
        _list(asked[0] if asked else None, picked, settings, clock)
        return 0
    encoder = formula_encoder(encoding or "precedence")
    options = encoder.options(settings)
    if about["fixed"] is not None and encoder.name not in KNOW_ARCS:
        raise PonderError(f"--fixed: only the encodings {', '.join(KNOW_ARCS)} know given arcs")
    entries = listed_in(output, SCHEMA, "formulas") if several else {}
    code = 0

    def write(file: str, target: str) -> None:
        question = question_of(file, header, about, coords, clock)
        formula = encoder.encode(question.problem, options, clock)
        if several:
            Path(output).mkdir(parents=True, exist_ok=True)
        as_text = opb.write if ".opb" in Path(target).suffixes[-2:] else dimacs.write
        with packed_file(target) as out:
            as_text(formula, out, question.described(encoder, options), names=names)
        remark(question.remark, quiet)
        if several:
            digest = hashlib.sha256(Path(target).read_bytes()).hexdigest()
            entry: Json = {"file": Path(target).name, "board": file}
            entry |= {"board_sha256": question.board.sha256, "encoding": encoder.name}
            entry |= {"variables": formula.size.variables, "clauses": formula.size.clauses}
            entries[entry["file"]] = {**entry, "sha256": digest}
        if not encoder.refutes(question.problem, options):
            remark("the horizon is short, so `unsatisfiable` would prove nothing", quiet)

    try:
        for target, file in targets.items():
            try:
                write(file, target)
            except PonderError as error:
                if not several or isinstance(error, BadArgument):  # which is about all of them
                    raise
                code = 2
                remark(str(error) if file in str(error) else f"{file}: {error}")
    finally:  # what was written is listed, whatever becomes of the others
        if entries:
            with whole_file(Path(output, MANIFEST)) as manifest:
                manifest.write(json.dumps({**SCHEMA, "formulas": [*entries.values()]}, indent=1))
    if encoder.lazy(options):
        remark("this formula does not forbid cycles, so a model need not be an order", quiet)
    return code


def _list(
    asked: FormulaQuestion | None, picked: Encoder | None, settings: tuple[str, ...], clock: Limits
) -> None:
    """Print names and options of the encodings (or the one picked), or their sizes for a board."""
    listed = encoders() if picked is None else [picked]
    if asked is None:
        for encoder in listed:
            say([encoder.name, f"  {encoder.summary}"])
            for option in encoder.spec:
                words = "|".join(map(str, dict.fromkeys([option.default, *option.choices])))
                say([f"    {option.name}={words}  {option.help}"])
        return
    problem = asked.problem
    say([f"{pluralise(problem.size, 'press')}, {problem.edge_count:,} pairs of neighbours", ""])
    say([f"{'encoding':<18} {'variables':>12} {'clauses':>12} {'literals':>14}"])
    for encoder in listed:
        options = encoder.options(settings)
        try:
            size = encoder.size(problem, options, clock)
        except (PonderError, TimeUp) as error:
            say([f"{encoder.name:<18} {error}"])
            continue
        counts = f"{size.variables:>12,} {size.clauses:>12,} {size.literals:>14,}"
        say([f"{encoder.name:<18} {counts}"])
