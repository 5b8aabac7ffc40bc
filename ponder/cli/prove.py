"""`ponder prove`: the files with which checkers from outside see that a result is true.

`order` and `solve` write such files as well. They are packed by their endings, all of them or none
written. A solver's proof is the result's; else the refutation needs a short proof of its kind.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from ponder.check.limits import Budget, TooLarge
from ponder.cli import options
from ponder.cli.options import ProofFiles, VeriPbFiles, argument, gathered, option
from ponder.cli.terminal import remark, say
from ponder.model.files import packed_file, read_bytes, whole_file
from ponder.model.json_text import RESULT, parse_result
from ponder.system.errors import BoardError, NoShortProof, quoted
from ponder.system.limits import NEVER, Limits

if TYPE_CHECKING:
    from ponder.check.evidence.sat_proof import SatProof
    from ponder.check.proofs import FormulaProof
    from ponder.check.result import Result
    from ponder.model.board import Board
    from ponder.model.ordering_problem import OrderingProblem
    from ponder.proofs.refused import Refused
    from ponder.proofs.write_lrat import LratProof
    from ponder.proofs.write_veripb import VeriPbProof
    from ponder.system.types import Json

README = """\
{name}: a proof for checkers that know nothing of ponder

The {what} has the SHA-256 {sha256}.
{about}
{files}

Any of these commands checks it (unpack what ends in .gz first):

{commands}
    ponder verify {BOARD} result.json    checks all with ponder, the formulas from the {what} on
"""

FORMULAS = """\
Every formula says that {presses} presses, each bulb at most once, have a legal order. Its header
names the board and what the variables mean. The proof shows that there is no model.
"""

OF_GRAPH = """\
Every formula says that the graph, of {vertices} vertices, has the orientation that was asked for:
acyclic, each out-degree odd or even as it must be. In its header a press is a vertex, the board is
the graph, and every edge leads from the end that is pressed first. The proof shows that there is no
model.
"""

COQ = """\
certificate.v holds the board and theorems about it, from the rules of the game on. Its command is
for ponder's folder; Coq 8.16 and mathcomp 1.15 are needed.
"""

TOOLS: dict[str, tuple[str, ...]] = {
    "lrat": ("lrat-check", "cake_lpr"),
    "veripb": ("veripb",),
    "coq": ("make -C verified && coqc -R verified Ponder",),
}
"""Checkers from outside, by the format that they read."""


class _Written(NamedTuple):
    """A proof in the folder: its format, the files, and what it says of its size."""

    form: str
    files: tuple[str, ...]
    size: str


@options.command(
    """
Examples:
  ponder order board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof
  ponder prove board.txt answer.json -o proof --format lrat --pack
  cake_lpr proof/formula.cnf proof/proof.lrat
  ponder solve board.txt --json > answer.json
  ponder prove board.txt answer.json -o proof --format coq
  ponder orient graph.g6 --odd none --json > answer.json
  ponder prove graph.g6 answer.json -o proof    a graph that has no such orientation

Exit codes: 0 written; 1 the result is false; 2 bad input, or a result that has no short proof;
3 not in time (no file is left).
"""
)
def command(
    file: str = options.board_argument,
    result: str = argument("RESULT"),
    header: options.Header = gathered(options.Header),
    output: str = option("-o, --output DIR", "The folder, made if missing.", required=True),
    forms: tuple[str, ...] = option(
        "--format",
        "LRAT, cutting planes (VeriPB 3), or a certificate for Coq (of sequences and bounds "
        "too); may be repeated.  [default: LRAT or cutting planes]",
        choices=list(TOOLS),
        multiple=True,
    ),
    pack: bool = option("--pack", "Pack formulas and proofs (gzip)."),
    part: int | None = option(
        "--part N",
        "Where RESULT refutes many press sets by parts: the part to prove.",
        type=options.Whole(1),
    ),
    limit: int = options.limit_option,
    clock: Limits = options.clock_option,
    quiet: bool = option("-q, --quiet", "Do not list the files."),
) -> int:
    """Write the refutation in the JSON RESULT of `order` as formulas and short proofs into DIR.

    With --format coq, RESULT may be any result of `order` or `solve`. The proofs come from the
    evidence in it, not from a solver. (Only a bound by prices needs a linear program.) What a SAT
    solver proved is written with its formula: RESULT holds it, or it lies beside RESULT.
    """
    from ponder.check.orientation import SCHEMA as ORIENTATION
    from ponder.model.board import board_name
    from ponder.proofs.write_lrat import LratProof
    from ponder.proofs.write_veripb import VeriPbProof

    options.check_folder(output)
    data, source = read_bytes(result)
    content = parse_result(data, source, (RESULT, ORIENTATION))
    if content is None:
        raise BoardError("is not a result of `ponder order --json`", source)
    _take_in(content, source, limit)
    refused: Refused | None
    question, orientation = None, content["schema"] == ORIENTATION
    if orientation and content.get("verdict") != "impossible":
        reason = "only that a graph has no such orientation has a proof"
        raise BoardError(f"{reason}; the verdict is {quoted(content.get('verdict'))}", source)
    if orientation and "coq" in forms:
        question = options.question_asked(file, content, source, limit)
        board, refused = replace(question.board, name=board_name(file)), None
    if orientation and {*forms} != {"coq"}:
        board, refused = _unoriented(file, content, source, limit)
    elif not orientation:
        board = header.read(file, clock, wirings=True)
        content, refused = _verified(board, content, source, part, set(forms) == {"coq"}, limit)
    wanted = forms or _forms(refused.kind if refused is not None else "")
    ending, written = ".gz" if pack else "", list[_Written]()

    def path(name: str) -> str:
        return os.path.join(output, name + ending)

    entries: list[FormulaProof] = []
    if refused is not None and "lrat" in wanted:
        proof = LratProof.of(refused, clock)
        os.makedirs(output, exist_ok=True)
        lrat_files = ProofFiles(path("formula.cnf"), path("proof.lrat"))
        entries = [_write_clauses(proof, lrat_files, clock)]
        size = proof.formula.size
        said = f"{size.variables} variables, {size.clauses} clauses, {entries[0].lemmas} lemmas"
        written.append(_Written("lrat", (f"formula.cnf{ending}", f"proof.lrat{ending}"), said))
    if refused is not None and "veripb" in wanted:
        planes = VeriPbProof.of(refused, clock)
        os.makedirs(output, exist_ok=True)
        _write_veripb(planes, VeriPbFiles(path("formula.opb"), path("proof.pbp")))
        said = f"{planes.inequalities} inequalities, one sum of them"
        written.append(_Written("veripb", (f"formula.opb{ending}", f"proof.pbp{ending}"), said))
    if "coq" in wanted:
        from ponder.find.row_column.half_factor import half_factor_of
        from ponder.proofs.coq import Certificate

        again = partial(proved_again, clock=clock, quiet=quiet)
        try:
            if question is not None:
                certificate = Certificate.of_orientation(
                    question, content, board.name, again, clock
                )
            else:
                certificate = Certificate.of(board, content, half_factor_of, again, clock)
        except TooLarge as reason:
            raise NoShortProof(f"no Coq certificate: {reason}") from None
        os.makedirs(output, exist_ok=True)
        with whole_file(os.path.join(output, "certificate.v")) as out:
            out.write(certificate.text)
        if certificate.left_out is not None:
            remark(certificate.left_out, quiet)
        names = ", ".join(theorem.name for theorem in certificate.theorems)
        written.append(_Written("coq", ("certificate.v",), names))
    content["proofs"] = [entry.to_json(board) for entry in entries]
    with whole_file(os.path.join(output, "result.json")) as out:
        out.write(json.dumps(content) + "\n")
    with whole_file(os.path.join(output, "README")) as out:
        out.write(_readme(board, refused, written, "graph" if orientation else "board"))
    if not quiet:
        listed = [*dict.fromkeys(name for item in written for name in item.files)]
        say(os.path.join(output, name) for name in [*listed, "result.json", "README"])
    return 0


def _forms(kind: str) -> list[str]:
    from ponder.proofs.write_lrat import IN_LRAT
    from ponder.proofs.write_veripb import IN_VERIPB

    if kind in IN_LRAT:
        return ["lrat"]
    if kind not in IN_VERIPB:
        raise NoShortProof.of_kind(kind, "short proof", [*IN_LRAT, *IN_VERIPB])
    return ["veripb"]


def _take_in(content: Json, source: str, limit: int) -> None:
    """Put a solver's proof that lies beside the result into it; forget other proofs."""
    from ponder.check.evidence.sat_proof import held
    from ponder.check.proofs import NOT_HELD
    from ponder.cli.verify import attach_proof

    content["proofs"] = []
    attach_proof(content, source, None, Budget(limit))
    refutation = content.get("refutation")
    if not isinstance(refutation, dict) or refutation.get("kind") != "sat-proof":
        return
    proof = refutation.get("proof")
    if proof is None and refutation.get("packed") is None:
        made = "ponder order BOARD --method sat --cnf FILE --lrat FILE --json"
        raise NoShortProof(f"{NOT_HELD}: `{made}` makes it again, and its formula")
    if isinstance(proof, bytes):
        refutation |= held(proof.decode("ascii", "replace"))


def proved_again(problem: OrderingProblem, clock: Limits, quiet: bool) -> SatProof | None:
    """Return a proof in the encoding that Coq knows. Raises NoShortProof."""
    from ponder.check.evidence.sat_proof import SatProof
    from ponder.find.search.context import SearchContext
    from ponder.find.solvers.by_encoding import SolverSettings, order_encoded

    remark("proving it again with precedence, which Coq knows", quiet)
    settings = SolverSettings("precedence", ("lines=off",))
    found = order_encoded(problem, "sat", settings, SearchContext(limits=clock))
    if not isinstance(found, SatProof):
        clock.check()
        raise NoShortProof(f"precedence does not refute it: {getattr(found, 'reason', found)}")
    return found


def _unoriented(file: str, content: Json, source: str, limit: int) -> tuple[Board, Refused]:
    """Return the board on which a result of `orient`, verified, refuses all orders of its graph."""
    import numpy as np

    from ponder.check.fields import mapping
    from ponder.check.orientation import question_of
    from ponder.model.graph import EdgeGraph
    from ponder.proofs.refused import Refused

    board, order = options.oriented(file, content, source, limit)
    refutation = mapping(order["refutation"], "refutation")
    try:
        _forms(str(refutation["kind"]))
    except NoShortProof as error:
        reason = f"{error}; `ponder export --odd` writes the formula for a solver of your own"
        raise NoShortProof(reason) from None
    arcs = question_of(board.graph, content).fixed if isinstance(board.graph, EdgeGraph) else None
    fixed = arcs if arcs is not None and arcs.size and refutation["kind"] == "sat-proof" else None
    return board, Refused(board, np.ones(board.graph.size, dtype=np.bool_), refutation, fixed)


def _verified(
    board: Board, content: Json, source: str, part: int | None, coq_alone: bool, limit: int
) -> tuple[Json, Refused | None]:
    """Return a result, checked in full, and what it refutes. Raises BoardError if nothing.

    Of a refutation by parts one is taken (claim C1). `coq_alone`: any result is, and whole.
    """
    from ponder.check.fields import press_counts
    from ponder.check.verification import verify
    from ponder.proofs.refused import Refused

    opened = [one for one in verify(board, content, limit=limit).statements if one.unchecked]
    if opened:  # nothing is written of what was not checked
        raise BoardError(f"`ponder verify` leaves open: {opened[0].said}", source)
    refutation = content.get("refutation")
    if coq_alone and part is None:
        return content, None
    if content["verdict"] != "impossible" or not isinstance(refutation, dict):
        reason = f"the verdict is {content['verdict']}: there is nothing to prove"
        raise BoardError(f"{reason}, except with --format coq", source)
    if refutation["kind"] == "coset":
        refutation = _part(refutation, part, source)
        content |= {"claim": "C1", "refutation": refutation}
        if content.get("lower_bound") is not None:
            content |= {"lower_bound": None, "bound": None}
    elif part is not None:
        raise BoardError(f"--part: {refutation['kind']} has no parts", source)
    if coq_alone:
        return content, None
    _forms(str(refutation["kind"]))
    counts = press_counts(board, refutation["press_counts"])
    return content, Refused(board, counts > 0, refutation)


def _part(refutation: Json, part: int | None, source: str) -> Json:
    from ponder.check.fields import mapping, sequence

    parts = sequence(refutation["parts"], "parts")
    if not parts:
        raise BoardError("the press sets differ by line counts, and there are no parts", source)
    if (part is None and len(parts) > 1) or (part or 1) > len(parts):
        raise BoardError(f"the refutation has {len(parts)} parts: --part 1 to {len(parts)}", source)
    return mapping(parts[(part or 1) - 1], "a part")


def _readme(board: Board, refused: Refused | None, written: list[_Written], what: str) -> str:
    about = "" if refused is None else OF_GRAPH if what == "graph" else FORMULAS
    if refused is not None:
        presses = int(refused.presses.sum())
        about = about.format(presses=presses, vertices=presses)
    if any(item.form == "coq" for item in written):
        about += COQ
    files = "\n".join(f"    {', '.join(item.files)}: {item.size}" for item in written)
    commands = "\n".join(
        f"    {tool} {' '.join(item.files)}".replace(".gz", "")
        for item in written
        for tool in TOOLS[item.form]
    )
    return README.format(
        name=board.name,
        what=what,
        BOARD=what.upper(),
        sha256=board.sha256,
        about=about,
        files=files,
        commands=commands,
    )


def write(result: Result, files: ProofFiles | VeriPbFiles) -> Result:
    """Write what is wanted of a refusal; return a result that names it. Raises NoShortProof."""
    from ponder.check.evidence.sat_proof import SatProof
    from ponder.proofs.refused import Refused
    from ponder.proofs.write_lrat import LratProof
    from ponder.proofs.write_veripb import VeriPbProof

    refutation = result.refutation
    if not any(files) or result.verdict != "impossible" or refutation is None:
        return result
    if isinstance(files, ProofFiles) and isinstance(refutation, SatProof):
        return _write_solvers(result, refutation, files)
    refused = Refused.of_result(result)
    if refused is None:
        raise NoShortProof(f"there is no short proof of {refutation.kind}")
    if isinstance(files, ProofFiles):
        entry = _write_clauses(LratProof.of(refused), files)
        return replace(result, proofs=(*result.proofs, *([entry] if files.lrat else [])))
    _write_veripb(VeriPbProof.of(refused), files)
    return result


def _write_all(*parts: tuple[str | None, Callable[[IO[bytes]], Any]]) -> list[Any]:
    """Write files, and return what their writers do: none has its name until all are written."""
    with ExitStack() as stack:
        opened = ((stack.enter_context(packed_file(name)), write) for name, write in parts if name)
        return [write(file) for file, write in opened]


def _write_clauses(proof: LratProof, files: ProofFiles, limits: Limits = NEVER) -> FormulaProof:
    """Write the formula and the proof of a refutation; return what they are. Raises TimeUp."""
    from ponder.check.proofs import FormulaProof
    from ponder.formulas import dimacs

    write = partial(proof.write_proof, limits=limits)
    counts = _write_all((files.cnf, proof.write_formula), (files.lrat, write))
    size = proof.formula.size
    return FormulaProof(
        format="lrat",
        encoding=proof.encoder.name,
        options=tuple(str(proof.options).split()),
        cnf_sha256=dimacs.body_sha256(proof.formula),
        variables=size.variables,
        clauses=size.clauses,
        cuts=proof.cuts or None,
        lemmas=counts[-1] or 0,
        proof_file=files.lrat,
        cnf_file=files.cnf,
    )


def _write_veripb(proof: VeriPbProof, files: VeriPbFiles) -> None:
    _write_all((files.opb, proof.write_formula), (files.veripb, proof.write_proof))


def _write_solvers(result: Result, refutation: SatProof, files: ProofFiles) -> Result:
    """Write the proofs of a solver as they are, with the formula that it was given."""
    from ponder.find.formula_question import formula_encoder
    from ponder.formulas import dimacs
    from ponder.model.ordering_problem import OrderingProblem

    if result.counts is None:
        return result
    encoder = formula_encoder(refutation.encoding)
    settings = encoder.options(refutation.options)
    problem = OrderingProblem.of_board(result.board, result.counts)
    formula = encoder.encode(problem, settings).extended("cuts", refutation.cuts or ())
    comments = encoder.describe(problem, settings, result.board)
    _write_all(
        (files.cnf, lambda out: dimacs.write(formula, out, comments)),
        (files.lrat, lambda out: out.write(refutation.text.encode("ascii"))),
    )
    return replace(
        result, refutation=replace(refutation, proof_file=files.lrat, cnf_file=files.cnf)
    )


def write_pairs(result: Result, folder: str) -> list[str]:
    """Write, as formulas with proofs, that so few pairs are not enough; return the files' names."""
    from ponder.check.evidence.decomposition import Decomposition
    from ponder.find.fewest.clusters import neighbour_lists

    if not isinstance(result.evidence, Decomposition):
        return []
    board, files = result.board, []
    proofs = result.evidence.stated(board, neighbour_lists(board), Budget(1000))
    for k, one in enumerate(proofs, 1):
        head = [
            f"c ponder: at most {one.pairs} pairs of presses, press set of {one.press_set.sum()}",
            f"c board sha256 {board.sha256}",
            f"p cnf {one.formula.variables} {len(one.formula.clauses)}",
        ]
        lines = (" ".join(map(str, clause)) + " 0" for clause in one.formula.clauses)
        for ending, text in (("cnf", "\n".join([*head, *lines, ""]).encode()), ("lrat", one.lrat)):
            files.append(os.path.join(folder, f"pairs-{k}.{ending}"))
            with packed_file(files[-1]) as file:
                file.write(text)
    return files
