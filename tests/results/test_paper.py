"""The paper: its figures are those of the results, its theorems those of Coq, and it builds."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.results.paper import NUMBERS, PAPER, numbers
from tests.verified.table import marks

TEXT = PAPER.read_text(encoding="utf-8")


def test_the_figures_are_those_of_the_results() -> None:
    assert NUMBERS.read_text(encoding="utf-8") == numbers()


def test_what_is_measured_is_told_by_macros_alone() -> None:
    """Digits stand in formulas and in measurements, and those come from the results."""
    told = TEXT.split("% measured\n")[1].split("% end measured\n")[0]
    told = re.sub(r"\$.*?\$", "", told, flags=re.DOTALL)
    told = re.sub(r"2-connected|\{4pt\}", "", told)
    assert re.findall(r"\d+", told) == []
    made = set(re.findall(r"newcommand\{\\(\w+)\}", NUMBERS.read_text(encoding="utf-8")))
    assert made == {name for name in re.findall(r"\\([A-Z]\w+)", TEXT) if name in made}


def test_its_theorems_stand_in_coq() -> None:
    named = set(re.findall(r"\\coq\{(\w+)\}", TEXT))
    assert len(named) > 10
    assert named <= {name for _, name in marks()}


def test_it_builds_without_a_warning(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None or shutil.which("make") is None:
        pytest.skip("pdflatex is not here (Debian: texlive-latex-recommended)")
    if subprocess.run(["kpsewhich", "lmodern.sty"], stdout=subprocess.DEVNULL).returncode:
        pytest.skip("the fonts of the paper are not here (Debian: lmodern)")
    folder = tmp_path / "paper"
    shutil.copytree(PAPER.parent, folder, ignore=shutil.ignore_patterns("paper.[!t]*"))
    subprocess.run(["make", "-s", "-C", folder], check=True, timeout=120)
    log = (folder / "paper.log").read_text(encoding="latin-1")
    assert not re.findall(r"(?:LaTeX|Package \w+) Warning|Overfull|undefined", log)
    assert (folder / "paper.pdf").read_bytes().startswith(b"%PDF-")
