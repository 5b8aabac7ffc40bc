"""`ponder prove`: the files with which checkers from outside see that a result is true.

`ponder.find.prove` writes them.
"""

from __future__ import annotations

from functools import partial
from typing import cast

import click

from ponder.cli import params
from ponder.cli.boards import Header, graph_of, question_in
from ponder.cli.output import remark, say
from ponder.cli.verify import one_answer
from ponder.find.prove import FORMS, Form, proof_files, write_into
from ponder.model.board import board_name
from ponder.model.files import read_bytes
from ponder.model.formats import FORMATS
from ponder.model.json_text import ORIENTATION, RESULT, parse_result
from ponder.system.errors import BoardError
from ponder.system.limits import Limits


@params.command(
    """
Examples:
  ponder order board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof
  cake_lpr proof/formula.cnf proof/proof.lrat
  veripb proof/formula.opb proof/proof.pbp
  ponder solve board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof --format coq
  ponder orient graph.g6 --odd none --json > answer.json
  ponder prove graph.g6 answer.json -o proof    a graph that has no such orientation

A formula says that the presses have a legal order, each bulb at most once. Its header names the
board and the meaning of the variables; the proof shows that there is no model. certificate.v holds
the board and theorems about it: `make -C verified && coqc -R verified Ponder certificate.v`.

Exit codes: 0 written; 1 the result is false; 2 bad input, or a result that has no short proof;
3 not in time (no file is left).
"""
)
@params.file_argument
@click.argument("result", metavar="RESULT")
@params.header_of("format")  # which is below
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder, made if missing.")
@click.option(
    "--format",
    "forms",
    metavar="NAME",
    type=click.Choice([*FORMS, *FORMATS]),
    multiple=True,
    help="lrat (with hints), veripb (cutting planes), coq (a certificate, of sequences and bounds "
    "too), or drat (no hints); may be repeated.  [default: lrat or veripb, whichever there is]  "
    f"Or the format of FILE, if its text fits several: {', '.join(FORMATS)}.",
)
@params.clock_option
@params.quiet(help="No remarks, and no list of the files.")
def command(
    file: str,
    result: str,
    header: Header,
    output: str,
    forms: tuple[str, ...],
    clock: Limits,
    quiet: bool,
) -> int:
    """Write a refutation, in the JSON RESULT of a command, as formulas and short proofs into DIR.

    RESULT is that of `order`, `orient` or `decode`; with --format coq also any of `solve`. The
    proofs come from the certificates in it. What a SAT solver proved is written with its formula.
    """
    header = header._replace(format=next((name for name in forms if name in FORMATS), None))
    chosen = cast("tuple[Form, ...]", tuple(form for form in forms if form in FORMS))
    data, source = one_answer(*read_bytes(result), header.line)
    content = parse_result(data, source, (RESULT, ORIENTATION))
    if content is None:
        needed = "`ponder order --json` or `ponder decode --proof FILE --json`"
        raise BoardError(f"is not a result: prove needs one of {needed}", source)
    asked = (
        graph_of(question_in(file, header.format, header.line))
        if content["schema"] == ORIENTATION
        else header.read(file, clock)
    )
    tell = partial(remark, quiet=quiet)
    files = proof_files(asked, content, chosen, clock, tell, source, board_name(file))
    written = write_into(output, files)
    if not quiet:
        say(map(str, written))
    return 0
