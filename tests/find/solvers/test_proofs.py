"""`sat-proof` refutations as strangers' claims: every wrong word and every broken proof is seen."""

from __future__ import annotations

import copy
import gzip
import json
import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ponder import order, read, verify
from ponder.check import limits, proofs
from ponder.check.drat import check_drat
from ponder.check.evidence.sat_proof import INLINE, SatProof
from ponder.check.limits import Budget, TooLarge
from ponder.check.neighbourhoods import ordering_problem
from ponder.check.written import Reading
from ponder.cli import run
from ponder.encodings.half_factor import HalfFactor
from ponder.encodings.precedence import Precedence
from ponder.find.solvers.by_encoding import SolverSettings
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import CheckFailed, PonderError
from ponder.system.types import Json
from tests.boards import all_pressed

INSTANCES = Path(__file__).resolve().parents[3] / "instances"
BOARD = INSTANCES / "cross-6x6-no-order-count.txt"
LAZY = ("acyclic=lazy",)
DRAT = "cadical153"  # its proofs have no hints


@cache
def refuted(encoding: str = "half_factor", settings: tuple[str, ...] = ()) -> tuple[Board, Json]:
    board = read(BOARD)
    if settings == LAZY:
        board = all_pressed(4, [(0, 1), (1, 2), (2, 3), (0, 3)], [0, 1, 2, 3])
    result = order(board, method="sat", solver_settings=SolverSettings(encoding, settings, DRAT))
    content: Json = json.loads(json.dumps(result.to_json()))
    assert content["verdict"] == "impossible"
    return board, content


def spoiled(**fields: object) -> tuple[Board, Json]:
    board, content = copy.deepcopy(refuted())
    content["refutation"] |= fields  # type: ignore[operator]
    return board, content


def proof_lines() -> list[str]:
    refutation = refuted()[1]["refutation"]
    assert isinstance(refutation, dict)
    return str(refutation["proof"]).splitlines()


def accepted(lines: list[str]) -> bool:
    """Whether the checker takes the lines for a proof of the board's formula."""
    board = refuted()[0]
    made = HalfFactor()
    problem = OrderingProblem.of_board(board, board.graph.apply(board.change))
    formula = made.encode(problem, made.options())
    try:
        check_drat(formula.variables, formula.clauses(), "\n".join(lines), explicit=True)
    except CheckFailed:
        return False
    return True


@cache
def with_hints() -> tuple[Board, Json, str]:
    """A result with a DRAT proof, and the same proof as LRAT."""
    board = read(BOARD)
    result = order(
        board, method="sat", solver_settings=SolverSettings("half_factor", solver=DRAT, lrat=True)
    )
    refutation = result.refutation
    assert isinstance(refutation, SatProof)
    assert refutation.lrat is not None
    return board, json.loads(json.dumps(result.to_json())), refutation.lrat


def verified_with(lrat: str | bytes, limit: int = 1) -> list[str]:
    """What is said of the result when that LRAT proof is given for its own."""
    board, content, _ = copy.deepcopy(with_hints())
    content["refutation"] |= {"proof": proofs.GivenProof(lrat, "lrat")}  # type: ignore[operator]
    return [statement.status for statement in verify(board, content, limit=limit).statements]


def test_lrat_is_checked_as_it_stands() -> None:
    lrat = with_hints()[2]
    assert verified_with(lrat) == verified_with(lrat.encode()) == ["checked", "checked"]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda text: text[: len(text) // 2].rsplit("\n", 1)[0], "it may have been cut short"),
        (lambda text: text[: len(text) // 2], "cut short"),
        (lambda text: text.replace(" 0\n", " 99999999 0\n", 1), "there is no clause 99999999"),
        (lambda text: "".join(text.splitlines(keepends=True)[2:]), "there is no clause"),
        (lambda text: "1 0 2 0\n", "the id 1 was used before"),
        (lambda text: "\u0661 0 2 0\n".encode(), "a word that is not a number"),
        (lambda text: "", "it may have been cut short"),
    ],
)
def test_lrat_that_is_wrong(spoil: Callable[[str], str | bytes], reason: str) -> None:
    with pytest.raises(CheckFailed, match=reason):
        verified_with(spoil(with_hints()[2]))


def test_lrat_of_another_formula() -> None:
    """A proof about the same board's other encoding says nothing about this one."""
    result = order(
        read(BOARD),
        method="sat",
        solver_settings=SolverSettings("half_factor", ("card=totalizer",), lrat=True),
    )
    assert isinstance(result.refutation, SatProof)
    with pytest.raises(CheckFailed, match="LRAT line"):
        verified_with(str(result.refutation.lrat))


def test_lrat_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    lrat = with_hints()[2]
    monkeypatch.setitem(proofs.MOST_PROOF, "lrat", len(lrat) // 2)
    assert verified_with(lrat) == ["checked", "open"]
    assert verified_with(lrat, limit=3) == ["checked", "checked"]
    monkeypatch.setattr(limits, "_NS_STEP", 10**10)
    assert verified_with(lrat, limit=3) == ["checked", "open"]


def test_lrat_from_a_file(tmp_path: Path) -> None:
    _, content, lrat = with_hints()
    result, packed = tmp_path / "a.json", tmp_path / "a.lrat.gz"
    result.write_text(json.dumps(content))
    packed.write_bytes(gzip.compress(lrat.encode()))
    assert run(["verify", str(BOARD), str(result), "--proof", str(packed)]) == 0
    packed.write_bytes(gzip.compress(lrat[: len(lrat) // 2].encode()))
    assert run(["verify", str(BOARD), str(result), "--proof", str(packed)]) == 1


def test_true_ones_hold() -> None:
    for encoding, settings in (
        ("half_factor", ()),
        ("half_factor", ("card=totalizer",)),
        ("layered", ()),
        ("time_indexed", ()),
        ("precedence", ()),
        ("precedence", LAZY),
    ):
        board, content = refuted(encoding, settings)
        assert not verify(board, content).unchecked_verdict, (encoding, settings)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"encoding": "layered", "options": []}, "stated, the board's formula has"),
        ({"encoding": "cpsat_half_factor"}, "makes no formula"),
        ({"encoding": "none"}, "unknown encoding"),
        ({"encoding": 7}, "not a text"),
        ({"encoding": "x" * 10**6}, "is neither an encoding"),
        ({"options": ["x" * 10**6 + "=1"]}, "nor an option of one"),
        ({"encoding": "layered", "options": ["layers=3"]}, "too short: it refutes nothing"),
        ({"options": ["card=totalizer"]}, "stated, the board's formula has"),
        ({"options": ["card=native"]}, "43 variables stated"),
        ({"options": ["card"]}, "write key=value"),
        ({"options": [3]}, "not a text"),
        ({"options": None}, "not a list"),
        ({"cnf_sha256": "0" * 64}, "cnf_sha256"),
        ({"cnf_sha256": None}, "cnf_sha256"),
        ({"variables": 42}, "42 variables stated"),
        ({"clauses": 104}, "104 clauses stated"),
        ({"clauses": 10**30}, "not a whole number"),
        ({"lemmas": 0}, "0 lemmas stated"),
        ({"lemmas": None}, "not a whole number"),
        ({"proof": ""}, "cut short"),
        ({"proof": "0\n"}, "does not follow by unit propagation"),
        ({"proof": "9999999 0\n0\n"}, "far beyond"),
        ({"proof": ["0"]}, "not a text"),
        ({"proof": 5}, "not a text"),
        ({"cuts": [[1]]}, "not a clause that every order obeys"),
        ({"cuts": [["1"]]}, "not a whole number"),
        ({"cuts": 3}, "not a list"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_wrong_words(fields: Json, reason: str) -> None:
    board, content = spoiled(**fields)
    with pytest.raises(CheckFailed, match=reason) as caught:
        verify(board, content)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_other_boards_and_press_counts() -> None:
    _, content = copy.deepcopy(refuted())
    other = read(INSTANCES / "cross-6x6-no-order-cut.txt")
    with pytest.raises(CheckFailed, match="another board"):
        verify(other, content)
    theirs = order(other, method="sat").to_json()
    theirs["refutation"]["press_counts"] = content["refutation"]["press_counts"]  # type: ignore[index]
    with pytest.raises(CheckFailed, match="do not lead to the goal"):
        verify(other, json.loads(json.dumps(theirs)))


def test_cuts_must_be_cycles() -> None:
    board, content = copy.deepcopy(refuted("precedence", LAZY))
    refutation = content["refutation"]
    assert isinstance(refutation, dict)
    assert refutation["cuts"], "this cycle of four has to be cut off"
    made, problem = Precedence(), OrderingProblem.of_board(board, board.change == board.change)
    options = made.options(LAZY)
    for cut in refutation["cuts"]:
        assert made.is_cut(problem, options, cut)
        assert not made.is_cut(problem, made.options(), cut)
        for wrong in (cut[:-1], [-cut[0], *cut[1:]], [*cut[1:], 99], [*cut[1:], 0], []):
            assert not made.is_cut(problem, options, wrong)
        # a weaker clause is true too
        assert made.is_cut(problem, options, cut[::-1])
    refutation["cuts"][0][0] *= -1
    with pytest.raises(CheckFailed, match="not a clause that every order obeys"):
        verify(board, content)


def test_mutated_proofs_are_rejected_through_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lemma dropped, a literal flipped, the last line cut: wherever the proof breaks by it.

    Dropping or changing one lemma may leave a proof: then the checker has to say so by itself.
    """
    lines = proof_lines()
    assert accepted(lines)
    lemmas = [k for k, line in enumerate(lines) if not line.startswith("d") and line != "0"]
    mutants = [lines[:k] + lines[k + 1 :] for k in lemmas]
    for k in lemmas:
        words = lines[k].split()
        for i in range(len(words) - 1):
            flipped = [*words[:i], str(-int(words[i])), *words[i + 1 :]]
            mutants.append([*lines[:k], " ".join(flipped), *lines[k + 1 :]])
    broken = [mutant for mutant in mutants if not accepted(mutant)]
    assert len(broken) >= 3
    broken = [*broken[:: max(1, len(broken) // 6)], lines[:-1], lines[: len(lines) // 2], []]
    result, proof = tmp_path / "result.json", tmp_path / "mutant.drat"
    result.write_text(json.dumps(refuted()[1]))
    for mutant in broken:
        proof.write_text("".join(f"{line}\n" for line in mutant))
        code = run(["verify", str(BOARD), str(result), "--proof", str(proof)])
        captured = capsys.readouterr()
        assert code == 1
        assert "rejected: sat-proof" in captured.err
        assert captured.err.count("\n") == 1
    proof.write_text("\n".join(lines))
    assert run(["verify", str(BOARD), str(result), "--proof", str(proof)]) == 0


def test_proofs_in_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long proofs are not part of the result: they are found beside it, or given.

    A stranger's result names a regular file beside itself and nothing else.
    """
    content = copy.deepcopy(refuted()[1])
    refutation = content["refutation"]
    assert isinstance(refutation, dict)
    proof = str(refutation["proof"])
    refutation |= {"proof": None, "proof_file": "p.drat"}
    here = tmp_path / "here"
    here.mkdir()
    result = here / "result.json"
    result.write_text(json.dumps(content))
    assert run(["verify", str(BOARD), str(result)]) == 3
    assert "give its file" in capsys.readouterr().out
    (here / "p.drat").write_text(proof)
    assert run(["verify", str(BOARD), str(result)]) == 0
    (here / "link.drat").symlink_to("p.drat")
    refutation["proof_file"] = "link.drat"
    result.write_text(json.dumps(content))
    assert run(["verify", str(BOARD), str(result)]) == 0
    monkeypatch.chdir(here)
    assert run(["verify", str(BOARD), "result.json"]) == 0

    (here / "sub").mkdir()
    for place in (here / "sub", tmp_path):
        (place / "p.drat").write_text(proof)
    (here / "out.drat").symlink_to(tmp_path / "p.drat")
    (here / "zero.drat").symlink_to("/dev/zero")
    os.mkfifo(here / "pipe.drat")
    elsewhere = ["sub/p.drat", "../p.drat", "./p.drat", "out.drat", str(here / "p.drat")]
    for name in (*elsewhere, "/dev/zero", "zero.drat", "pipe.drat", "sub", "no\0ne", "none", ""):
        refutation["proof_file"] = name
        result.write_text(json.dumps(content))
        assert run(["verify", str(BOARD), str(result)]) == 3, name
    given = ["--proof", str(here / "p.drat")]
    assert run(["verify", str(BOARD), str(result), *given]) == 0
    result.write_text(json.dumps(content | {"refutation": refutation | {"proof_file": 7}}))
    assert run(["verify", str(BOARD), str(result)]) == 1
    result.write_text(json.dumps(content))
    assert run(["verify", str(BOARD), str(result), "--proof", "none.drat"]) == 2
    capsys.readouterr()
    plain = tmp_path / "plain.json"
    assert run(["order", str(BOARD), "--json"]) == 0
    plain.write_text(capsys.readouterr().out)
    assert run(["verify", str(BOARD), str(plain), *given]) == 2
    assert "rests on no proof" in capsys.readouterr().err


def test_too_large_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a result asks for is held against the limits; a higher limit lets it through."""
    board, content = refuted()
    for module, name, most, reason in (
        (proofs, "MOST_PRESSES", 10, "presses are more than 10"),
        (proofs, "MOST_LITERALS", 200, "by estimate, are more than 200"),
        (
            proofs,
            "MOST_PROOF",
            {"drat": 100, "lrat": 0},
            "characters of the proof are more than 100",
        ),
        (limits, "_NS_STEP", 10**10, "s): checking the proofs"),
        (proofs, "_NS_FORMULA", 10**12, "s): making the formulas"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, most)
            report = verify(board, content)
            last = report.statements[-1]
            assert reason in str(last.unchecked)
            assert last.raisable
            assert report.unchecked_verdict
            assert verify(board, content, limit=1000).complete


@pytest.mark.parametrize(
    ("encoding", "options"),
    [
        ("layered", ["layers=999999999"]),
        ("time_indexed", ["xor_cut=12", "parity=chain"]),
        ("layered", ["layers=99999", "card=totalizer"]),
        ("precedence", ["xor_cut=12", "lines=off"]),
        ("time_indexed", ["one=mtotalizer"]),
    ],
)
def test_a_formula_out_of_any_sense_is_not_made(
    encoding: str, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On IBM's board of 30×30 bulbs such formulas take gigabytes: no encoder is even asked."""
    from ponder.encodings.registry import encoder
    from ponder.formulas.encoder import Encoder

    def encode(*_: object) -> None:
        raise AssertionError("the formula is made")

    made = encoder(encoding)
    assert isinstance(made, Encoder)
    monkeypatch.setattr(type(made), "encode", encode)
    board = read(INSTANCES / "ibm-2023-04-30x30.txt")
    counts = board.graph.apply(board.change)
    refutation = copy.deepcopy(refuted()[1]["refutation"])
    assert isinstance(refutation, dict)
    refutation |= {"encoding": encoding, "options": options}
    problem = ordering_problem(board, counts.astype(np.int64), Budget())
    with pytest.raises(TooLarge, match="more than"):
        SatProof.read(Reading(board), refutation, "sat-proof").check_problem(problem, Budget())


@pytest.mark.parametrize("encoding", ["half_factor", "time_indexed", "layered", "precedence"])
def test_the_estimate_is_an_upper_bound(encoding: str) -> None:
    """All options one by one, and at random together, on row/column boards and graphs."""
    from ponder.encodings.registry import encoder
    from ponder.formulas.encoder import Encoder

    rng = random.Random(encoding)
    made = encoder(encoding)
    assert isinstance(made, Encoder)
    settings = [[f"{o.name}={choice}"] for o in made.spec for choice in o.choices]
    settings += [["xor_cut=3"], ["xor_cut=8"], ["layers=60"], []]
    settings += [[one for some in rng.sample(settings, 3) for one in some] for _ in range(20)]
    compared = 0
    for k, some in enumerate(settings):
        shape = (rng.randint(1, 6), rng.randint(1, 6))
        board = Board.from_grid(np.zeros(shape, dtype=bool), ["cross", "king"][k % 2])
        for density in (0.2, 0.6, 1.0):
            chosen = np.array([rng.random() < density for _ in range(board.graph.size)])
            problem = OrderingProblem.of_board(board, chosen)
            try:
                options = made.options(some)
                true = 0
                for block in made.encode(problem, options).groups:
                    true += sum(part.size for part in block.blocks())
            except PonderError:
                continue
            degrees = proofs.degrees_of(problem)
            *_, estimate = made.literals_within(problem, options, degrees)
            assert true <= estimate, (some, shape, chosen.tolist())
            plain = not some or some[0].startswith(("colours", "normal", "parity"))
            assert not plain or problem.size < 10 or estimate <= 5 * true + 100, (some, shape)
            compared += 1
    assert compared > 20


def test_an_elimination_that_takes_hours_is_not_begun() -> None:
    """The order of least fill looks at every press and its neighbours in every step."""
    board = Board.from_grid(np.zeros((60, 160), dtype=bool), "plus")
    every = OrderingProblem.of_board(board, np.ones(9600, dtype=bool))
    options = Precedence().options(["order=fill"])
    with pytest.raises(TooLarge, match=r"s\): eliminating the presses one by one"):
        proofs.demand_size(Precedence(), options, every, Budget())


def test_binary_proofs_with_endless_literals() -> None:
    with pytest.raises(CheckFailed, match="far beyond those in use"):
        check_drat(1, [[1], [-1]], b"a" + b"\xff" * 1_000_000 + b"\x01\x00")


def test_large_proofs_are_packed_and_checked_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    board = refuted()[0]
    for length, inside in ((INLINE, True), (INLINE + 1, False)):
        about = {"encoding": "precedence", "options": (), "solver": "x", "cnf_sha256": ""}
        sizes = {"variables": 0, "clauses": 0, "lemmas": 0}
        found = SatProof(**about, **sizes, proof="0" * length).to_json(board)  # type: ignore[arg-type]
        assert (found["proof"] is not None) == inside
        assert (found["packed"] is not None) != inside
    monkeypatch.setattr("ponder.check.evidence.sat_proof.INLINE", 0)
    board = all_pressed(3, [(0, 1), (1, 2), (0, 2)], [])
    result = order(board, method="sat", press_set=np.arange(3))
    found = json.loads(json.dumps(result.to_json()))
    assert found["refutation"]["proof"] is None
    assert verify(board, found).complete
    found["refutation"]["packed"] = found["refutation"]["packed"][:-4]
    with pytest.raises(CheckFailed, match="packed proof is"):
        verify(board, found)
