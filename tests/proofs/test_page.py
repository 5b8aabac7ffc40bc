"""The page that explains short proofs on a 4×4 board shows the proof that is written."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np

from ponder.proofs.clausal import ClausalProof
from ponder.proofs.refused import Refused
from tests.boards import cross_pressed

PAGE = (Path(__file__).resolve().parents[2] / "docs/short_proofs.md").read_text(encoding="utf-8")


def test_the_page_shows_lines_of_the_proof() -> None:
    rows = re.findall(r"^\| r[₀-₃] \|(.*?)\|(.*?)\|(.*?)\|(.*?)\|", PAGE, re.M)
    presses = np.array([["x" in cell for cell in row] for row in rows])
    assert presses.shape == (4, 4)
    proof = ClausalProof.of(
        Refused(cross_pressed(presses), presses.reshape(-1), {"kind": "line-count"})
    )
    file = io.BytesIO()
    lemmas = proof.write_proof(file)
    lines = file.getvalue().decode().splitlines()
    shown = [line for block in re.findall(r"```lrat\n(.*?)```", PAGE, re.S)
             for line in block.splitlines()]  # fmt: skip
    assert len(shown) == 19
    assert set(shown) <= set(lines)
    assert f"{lemmas} lemmas, {len(file.getvalue()) / 1000:.0f} kB" in PAGE
    size = proof.formula.size
    assert f"{size.variables} variables, {size.clauses} clauses" in PAGE
