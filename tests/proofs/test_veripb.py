"""Cuts by lines as one sum of constraints: judged by an evaluator of `pol`, and by VeriPB."""

from __future__ import annotations

import io
import random
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from ponder import order
from ponder.model.board import Board
from ponder.proofs.write_lrat import Refused
from ponder.proofs.write_veripb import IN_VERIPB, VeriPbProof
from ponder.system.errors import NoShortProof, PonderError
from tests.boards import instance
from tests.proofs.pol import refutes


def texts(refused: Refused) -> tuple[str, str]:
    """The formula as OPB, and the proof."""
    proof, opb, pbp = VeriPbProof.from_refused(refused), io.BytesIO(), io.BytesIO()
    proof.write_formula(opb)
    proof.write_proof(pbp)
    return opb.getvalue().decode(), pbp.getvalue().decode()


def refusals(count: int) -> list[Refused]:
    """Random press sets of row/column boards that a cut by lines refuses, and two known boards."""
    rng = np.random.default_rng(5)
    results = [order(instance(f"cross-6x6-no-order-{name}")) for name in ("count", "cut")]
    for _ in range(count):
        presses = rng.random((rng.integers(2, 9), rng.integers(2, 9))) < rng.uniform(0.2, 0.8)
        graph = Board.from_grid(presses, "cross").graph
        flat = presses.reshape(-1)
        lit = ~graph.apply(flat)
        board = Board(graph, lit, np.ones(graph.size, dtype=np.bool_), "unlit")
        results.append(order(board, press_set=np.flatnonzero(flat)))
    all_refused = [Refused.of_result(result) for result in results]
    return [refused for refused in all_refused if refused is not None and refused.kind in IN_VERIPB]


def test_random_cuts(tmp_path: Path) -> None:
    refused_boards = refusals(40)
    assert {refused.kind for refused in refused_boards} == set(IN_VERIPB)
    for refused in refused_boards:
        assert refutes(*texts(refused))
    if shutil.which("veripb"):
        for name, text in zip(("f.opb", "f.pbp"), texts(refused_boards[0]), strict=True):
            (tmp_path / name).write_text(text)
        subprocess.run(["veripb", "f.opb", "f.pbp"], cwd=tmp_path, check=True)


def test_mutations() -> None:
    """A term left out or another one, a constraint of the formula changed: no longer a proof."""
    rng = random.Random(1)
    for refused in refusals(0):
        opb, pbp = texts(refused)
        words = pbp.split(" ")
        terms = [k for k, word in enumerate(words) if word == "+" or word.startswith("+;")]
        for k in rng.sample(terms, min(10, len(terms))):
            assert not refutes(opb, " ".join([*words[: k - 1], *words[k + 1 :]]))
            assert not refutes(opb, " ".join([*words[: k - 1], "-14", *words[k:]]))
        assert not refutes(opb.replace(" = ", " >= "), pbp)


def test_what_has_no_sum() -> None:
    board = Board.from_rows(["01", "00"])
    with pytest.raises(NoShortProof):
        VeriPbProof.from_refused(Refused(board, np.ones(4) > 0, {"kind": "odd-witness"}))
    with pytest.raises(PonderError):
        VeriPbProof.from_refused(Refused(board, np.ones(4) > 0, {"kind": "line-count"}))
