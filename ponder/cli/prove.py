"""`ponder prove`: the files with which checkers from outside see that a result is true."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

import click

from ponder.check.fields import mapping, press_counts, sequence
from ponder.check.verification import verify
from ponder.cli.options import Header, board_argument, check_folder, clock_option, header_options
from ponder.cli.proof_files import write_clauses, write_veripb
from ponder.cli.solver_options import ProofFiles, VeriPbFiles, settings_option
from ponder.cli.terminal import remark, say
from ponder.errors import BoardError, NoShortProof
from ponder.limits import Limits
from ponder.proofs.clausal import TECHNIQUES, ClausalProof
from ponder.proofs.coq import Certificate
from ponder.proofs.cutting_planes import WRITERS, veripb_proof
from ponder.proofs.refused import Refused
from ponder.puzzle.board import Board
from ponder.puzzle.files import read_bytes, whole_file
from ponder.puzzle.json_text import parse_result
from ponder.types import Json

README = """\
{name}: a proof for checkers that know nothing of ponder

The board has the SHA-256 {sha256}.
{about}
{files}

Any of these commands checks it (unpack what ends in .gz first):

{commands}
    ponder verify BOARD result.json    checks all with ponder, the formulas from the board on
"""

FORMULAS = """\
Every formula says that {presses} presses, each bulb at most once, have a legal order. Its header
names the board and what the variables mean. The proof shows that there is no model.
"""

COQ = """\
certificate.v holds the board and theorems about it, from the rules of the game on. Its command is
for ponder's folder; Coq 8.16 and mathcomp 1.15 are needed.
"""

TOOLS = {
    "lrat": ("lrat-check", "cake_lpr"),
    "drat": ("drat-trim",),
    "veripb": ("veripb",),
    "coq": ("make -C verified && coqc -R verified Ponder",),
}
"""Checkers from outside, by the format that they read."""


@click.command(
    "prove",
    epilog="""\b
Examples:
  ponder order board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof
  ponder prove board.txt answer.json -o proof --format lrat --format drat --pack
  ponder prove board.txt answer.json -o proof --format lrat --encoding precedence
  cake_lpr proof/formula.cnf proof/proof.lrat
  ponder solve board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof --format coq

\b
Exit codes: 0 written; 1 the result is false; 2 bad input, or a result that has no short proof;
3 not in time (no file is left).
""",
)
@board_argument
@click.argument("result", metavar="RESULT", type=str)
@header_options
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder; made if need be.")
@click.option(
    "--format",
    "forms",
    type=click.Choice(list(TOOLS)),
    multiple=True,
    help="LRAT (with hints), DRAT, cutting planes, or a certificate for Coq (of sequences and "
    "bounds as well); may be repeated.  [default: LRAT and cutting planes, where the refutation "
    "has them]",
)
@click.option("--pack", is_flag=True, help="Pack formulas and proofs (gzip).")
@click.option(
    "--encoding",
    metavar="NAME",
    help="The encoding of LRAT and DRAT; by default the smallest that has a proof.",
)
@settings_option
@click.option(
    "--part",
    type=click.IntRange(1),
    metavar="N",
    help="Where RESULT refutes many press sets by parts: the part to prove.",
)
@clock_option
@click.option("--quiet", "-q", is_flag=True, help="Do not list the files.")
def command(
    file: str,
    result: str,
    header: Header,
    output: str,
    forms: tuple[str, ...],
    pack: bool,
    encoding: str | None,
    settings: tuple[str, ...],
    part: int | None,
    clock: Limits,
    quiet: bool,
) -> int:
    """Write the refutation in the JSON RESULT of `order` as formulas and short proofs into DIR.

    For Coq, whatever a RESULT of `order` or `solve` says is written. No solver is asked: the proofs
    are made from the result's own evidence. (Only a bound by prices takes a linear program.)
    """
    check_folder(output)
    board = header.read(file, clock)
    content, source = _verified(board, result)
    if part is not None or (set(forms) != {"coq"} and _has_parts(content)):
        _take_part(content, part, source)
    folder = _Folder(os.path.join(output, ""), ".gz" if pack else "")
    refused = None if set(forms) == {"coq"} else _refused(board, content, source)
    written: list[_Written] = []
    if refused is not None:
        wanted = forms or _forms(refused.kind)
        clausal = [form for form in wanted if form not in ("veripb", "coq")]
        if clausal:
            try:
                written += folder.clausal(refused, clausal, encoding, settings, clock, content)
            except NoShortProof as reason:
                if forms or "veripb" not in wanted:
                    raise
                remark(str(reason), quiet)
        if "veripb" in wanted:
            written += folder.veripb(refused)
    if "coq" in forms:
        written.append(folder.coq(board, content, clock, quiet))
    with whole_file(f"{folder.path}result.json") as out:
        out.write(json.dumps(content) + "\n")
    with whole_file(f"{folder.path}README") as out:
        out.write(_readme(board, refused, written))
    if not quiet:
        names = [*dict.fromkeys(name for item in written for name in item.files)]
        say(f"{folder.path}{name}" for name in [*names, "result.json", "README"])
    return 0


def _forms(kind: str) -> list[str]:
    """Return the formats of a kind of refutation; PonderError where there are none."""
    found = [form for form, kinds in (("lrat", TECHNIQUES), ("veripb", WRITERS)) if kind in kinds]
    if not found:
        raise NoShortProof.of_kind(kind, "short proof", [*TECHNIQUES, *WRITERS])
    return found


@dataclass(frozen=True)
class _Written:
    """A proof that was written: its format, the files, and what it says of its size."""

    form: str
    files: tuple[str, ...]
    size: str


@dataclass(frozen=True)
class _Folder:
    """Where the files go, and the ending that packs them."""

    path: str
    ending: str

    def clausal(
        self,
        refused: Refused,
        forms: list[str],
        encoding: str | None,
        settings: tuple[str, ...],
        clock: Limits,
        content: Json,
    ) -> list[_Written]:
        """Write the proofs in clauses, and name them in the result."""
        proof = ClausalProof.of(refused, encoding, settings, clock)
        os.makedirs(self.path, exist_ok=True)
        cnf, drat, lrat = (f"{name}{self.ending}" for name in _CLAUSAL)
        files = ProofFiles(
            self.path + drat if "drat" in forms else None,
            self.path + lrat if "lrat" in forms else None,
            self.path + cnf,
        )
        made = write_clauses(proof, files, clock)
        content["proofs"] = [entry.to_json() for entry in made]
        return [
            _Written(
                entry.form,
                (cnf, os.path.basename(entry.proof_file)),
                f"{entry.variables} variables, {entry.clauses} clauses, {entry.lemmas} lemmas",
            )
            for entry in made
        ]

    def veripb(self, refused: Refused) -> list[_Written]:
        """Write the proof in cutting planes."""
        opb, proof = f"formula.opb{self.ending}", f"proof.pbp{self.ending}"
        made = veripb_proof(refused)
        os.makedirs(self.path, exist_ok=True)
        write_veripb(made, VeriPbFiles(self.path + proof, self.path + opb))
        size = f"{made.inequalities} inequalities, {len(made.sums)} sums of them"
        return [_Written("veripb", (opb, proof), size)]

    def coq(self, board: Board, content: Json, clock: Limits, quiet: bool) -> _Written:
        """Write what the result says for Coq, and say what of it is left out."""
        made = Certificate.of(board, content, clock)
        os.makedirs(self.path, exist_ok=True)
        with whole_file(f"{self.path}certificate.v") as out:
            out.write(made.text)
        if made.left_out:
            remark(made.left_out, quiet)
        return _Written("coq", ("certificate.v",), ", ".join(item.name for item in made.theorems))


_CLAUSAL = ("formula.cnf", "proof.drat", "proof.lrat")


def _verified(board: Board, result: str) -> tuple[Json, str]:
    """Return a result, which must hold, and the name of its file."""
    data, source = read_bytes(result)
    content = parse_result(data, source)
    if content is None:
        raise BoardError("is no result of `ponder order --json`", source)
    content["proofs"] = []  # others are of no interest here
    verify(board, content)
    return content, source


def _has_parts(content: Json) -> bool:
    refutation = content.get("refutation")
    return isinstance(refutation, dict) and refutation["kind"] == "coset"


def _take_part(content: Json, part: int | None, source: str) -> None:
    """Make the result one about the press set of a part alone (claim C1)."""
    refutation = content.get("refutation")
    if not _has_parts(content) or not isinstance(refutation, dict):
        kind = refutation["kind"] if isinstance(refutation, dict) else content["verdict"]
        raise BoardError(f"{kind} has no parts: --part", source)
    content |= {"claim": "C1", "refutation": _part(refutation, part, source)}
    if content.get("lower_bound") is not None:
        content |= {"lower_bound": None, "bound": None}


def _refused(board: Board, content: Json, source: str) -> Refused:
    """Return what a result refutes; PonderError where it refutes nothing."""
    refutation = content.get("refutation")
    if content["verdict"] != "impossible" or not isinstance(refutation, dict):
        reason = (
            f"the verdict is {content['verdict']}: there is nothing to prove, but with --format coq"
        )
        raise BoardError(reason, source)
    _forms(str(refutation["kind"]))
    counts = press_counts(board, refutation["press_counts"])
    return Refused(board, counts > 0, refutation)


def _part(refutation: Json, part: int | None, source: str) -> Json:
    """Return a part of a refutation by parts; the only one where none is named."""
    parts = sequence(refutation["parts"], "parts")
    if not parts:
        raise BoardError("the press sets differ by line counts, and there are no parts", source)
    if (part is None and len(parts) > 1) or (part or 1) > len(parts):
        raise BoardError(f"the refutation has {len(parts)} parts: --part 1 to {len(parts)}", source)
    return mapping(parts[(part or 1) - 1], "a part")


def _readme(board: Board, refused: Refused | None, written: list[_Written]) -> str:
    """Return what lies in the folder, and how it is checked."""
    about = FORMULAS.format(presses=int(refused.presses.sum())) if refused is not None else ""
    if any(item.form == "coq" for item in written):
        about += COQ
    files = "\n".join(f"    {', '.join(item.files)}: {item.size}" for item in written)
    commands = "\n".join(
        f"    {tool} {' '.join(item.files)}".replace(".gz", "")
        for item in written
        for tool in TOOLS[item.form]
    )
    proofs = [item.files[1] for item in written if item.form == "veripb"]
    commands += "".join(f"\n    ponder verify BOARD result.json --proof {file}" for file in proofs)
    return README.format(
        name=board.name,
        sha256=board.sha256,
        about=about,
        files=files,
        commands=commands,
    )
