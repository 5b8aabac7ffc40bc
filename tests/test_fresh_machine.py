"""The suite itself, on a machine with Python and git only, and when a test hangs (`conftest`)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import HANG

ROOT = Path(__file__).parents[1]
HANGING = """
import re, time, pytest
@pytest.mark.timeout(0.3)
def test_asleep(): time.sleep(100)
@pytest.mark.timeout(0.3)
def test_in_c_code(): re.match(r"(a+)+$", "a" * 40 + "b")
def test_well(): pass
"""


def run_pytest(*arguments: str, **more: str) -> tuple[int, str]:
    """Run pytest on its own; `more` is added to the environment."""
    env = {name: value for name, value in os.environ.items() if name != "CI"}
    env = {name: value for name, value in env.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT, env=env | more, capture_output=True, text=True, check=False, timeout=HANG,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.mark.parametrize("ci", ["", "true"])
def test_without_the_programs(tmp_path: Path, ci: str) -> None:
    arguments = [
        "-n",
        "0",
        "-m",
        "external",
        "-k",
        "programs",
        "tests/find/solvers/test_sat.py",
    ]
    code, said = run_pytest(*arguments, PATH=str(tmp_path), CI=ci)
    assert "not on the path: minisat, cadical (`.ci/tools` installs them)" in said
    assert code == (1 if ci else 0)
    assert ("2 errors" if ci else "2 skipped") in said


@pytest.mark.deep
def test_a_hang_is_a_failed_test(tmp_path: Path) -> None:
    """Both where the interpreter can still run a thread and where it cannot."""
    (tmp_path / "test_hanging.py").write_text(HANGING, encoding="utf-8")
    rules = (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8")
    short = rules.replace("GRACE: Final = 30.0", "GRACE: Final = 0.3")
    assert short != rules
    (tmp_path / "conftest.py").write_text(short, encoding="utf-8")
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), "-n", "1"]
    code, said = run_pytest(*settings, str(tmp_path / "test_hanging.py"))
    assert code == 1
    assert "2 failed, 1 passed" in said
