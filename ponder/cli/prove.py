"""`ponder prove`: the files with which checkers from outside see that there is no order."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ponder.cli.encoding import settings_option
from ponder.cli.options import board_argument, header_options, timeout_option

if TYPE_CHECKING:
    from ponder.cli.options import Header
    from ponder.proofs.refused import Refused
    from ponder.puzzle.board import Board
    from ponder.puzzle.proof_file import ProofFile
    from ponder.types import Json

README = """\
{name}: a proof for checkers that know nothing of ponder

The board has the SHA-256 {sha256}.
The formula says that {presses} presses, each bulb at most once, have a legal order. Its header
names the board, the encoding and the meaning of the variables. The proof shows that there is no
model.

    {cnf}    variables {variables}, clauses {clauses}
{files}
    result.json    the certificate that a person can check, and the names of these files

Any of these commands checks it (unpack what ends in .gz first):

{commands}
    ponder verify BOARD result.json    makes the formula again from the board, and checks all
"""

TOOLS = {"lrat": ("lrat-check", "cake_lpr"), "drat": ("drat-trim",)}
"""Checkers from outside, by the format that they read."""


@click.command(
    "prove",
    short_help="Write a refutation as formula and proof for checkers from outside.",
    epilog="""\b
Examples:
  ponder order board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof
  ponder prove board.txt answer.json -o proof --format both --pack
  ponder prove board.txt answer.json -o proof --encoding precedence
  cake_lpr proof/formula.cnf proof/proof.lrat

\b
Exit codes: 0 written; 1 the result is false; 2 bad input, or a refutation that has no short proof;
3 not in time (no file is left).
""",
)
@board_argument
@click.argument("result", metavar="RESULT", type=str)
@header_options
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder; made if need be.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["lrat", "drat", "both"]),
    default="lrat",
    show_default=True,
    help="LRAT, with hints, or DRAT.",
)
@click.option("--pack", is_flag=True, help="Pack formula and proof (gzip).")
@click.option(
    "--encoding", metavar="NAME", help="The encoding; by default the smallest that has a proof."
)
@settings_option
@timeout_option
@click.option("--quiet", "-q", is_flag=True, help="Do not list the files.")
def command(
    file: str,
    result: str,
    header: Header,
    output: str,
    form: str,
    pack: bool,
    encoding: str | None,
    settings: tuple[str, ...],
    timeout: float | None,
    quiet: bool,
) -> int:
    """Write the refutation in the JSON RESULT of `order` as a formula and a short proof into DIR.

    No solver is asked: the proof is made from the certificate.
    """
    import os

    from ponder.limits import Limits

    clock = Limits(timeout)
    from ponder.cli.places import check_folder
    from ponder.cli.proof_files import ProofFiles
    from ponder.cli.terminal import say
    from ponder.proofs.clausal import ClausalProof
    from ponder.puzzle.files import whole_file

    check_folder(output)
    board = header.read(file, clock)
    content, refused = _refused(board, result)
    proof = ClausalProof.of(refused, encoding, settings, clock)
    end = ".gz" if pack else ""
    os.makedirs(output, exist_ok=True)
    place = os.path.join(output, "")
    cnf, lrat, drat = (
        f"{place}{name}{end}" for name in ("formula.cnf", "proof.lrat", "proof.drat")
    )
    files = ProofFiles(None if form == "lrat" else drat, None if form == "drat" else lrat, cnf)
    made = [
        replace(
            entry,
            proof_file=os.path.basename(entry.proof_file),
            cnf_file=os.path.basename(cnf),
        )
        for entry in files.short(proof, clock)
    ]
    content["proofs"] = [entry.to_json() for entry in made]
    with whole_file(f"{place}result.json") as out:
        out.write(json.dumps(content) + "\n")
    with whole_file(f"{place}README") as out:
        out.write(_readme(refused, made))
    if not quiet:
        named = [cnf, *(f"{place}{entry.proof_file}" for entry in made)]
        say([*named, f"{place}result.json", f"{place}README"])
    return 0


def _refused(board: Board, result: str) -> tuple[Json, Refused]:
    """Return a result, and what it refutes; it must hold. PonderError where it refutes nothing."""
    import numpy as np

    from ponder.check.claims import OF_ONE_PRESS_SET
    from ponder.check.fields import press_counts
    from ponder.check.verification import verify
    from ponder.errors import BoardError
    from ponder.proofs.refused import Refused
    from ponder.puzzle.files import read_bytes
    from ponder.puzzle.result_json import parse_result

    data, source = read_bytes(result)
    content = parse_result(data, source)
    if content is None:
        raise BoardError("is no result of `ponder order --json`", source)
    content["proofs"] = []  # others are of no interest here
    verify(board, content)
    refutation = content.get("refutation")
    if content["verdict"] != "impossible" or not isinstance(refutation, dict):
        raise BoardError(f"the verdict is {content['verdict']}: there is nothing to prove", source)
    if refutation["kind"] not in OF_ONE_PRESS_SET:
        raise BoardError(f"{refutation['kind']} does not refute one press set", source)
    counts = press_counts(board, refutation["press_counts"])
    return content, Refused(board, np.asarray(counts > 0), refutation)


def _readme(refused: Refused, made: list[ProofFile]) -> str:
    """Return what lies in the folder, and how it is checked."""
    first = made[0]
    width = max(len(entry.proof_file) for entry in made)
    commands = [
        f"    {tool} {first.cnf_file} {entry.proof_file}".replace(".gz", "")
        for entry in made
        for tool in TOOLS[entry.form]
    ]
    return README.format(
        name=refused.board.name,
        sha256=refused.board.sha256,
        presses=int(refused.presses.sum()),
        cnf=first.cnf_file,
        variables=first.variables,
        clauses=first.clauses,
        files="\n".join(f"    {e.proof_file:<{width}}    lemmas {e.lemmas}" for e in made),
        commands="\n".join(commands),
    )
