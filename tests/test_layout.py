"""The house stands as designed: `encodings/` is a folder and a link, never a package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import ponder

ROOT = Path(__file__).resolve().parent.parent


def run_python(*code: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    if path is not None:
        environment["PYTHONPATH"] = path
    return subprocess.run(
        [sys.executable, *code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_encodings_has_no_init_file() -> None:
    """With one, `PYTHONPATH=. python` finds it instead of the standard library's and dies."""
    assert (ROOT / "encodings").is_dir()
    assert not (ROOT / "encodings" / "__init__.py").exists()


def test_the_link_is_relative_and_right() -> None:
    link = ROOT / "ponder" / "encodings"
    assert link.is_symlink()
    assert os.readlink(link) == "../encodings"
    assert link.resolve() == ROOT / "encodings"


def test_python_starts_with_the_project_on_its_path() -> None:
    done = run_python("-c", "import ponder, encodings.utf_8; print('up')", path=".")
    assert (done.returncode, done.stdout) == (0, "up\n"), done.stderr


def test_importing_ponder_loads_nothing_heavy() -> None:
    code = (
        "import sys, ponder, ponder.cli\n"
        "print([m for m in ('numpy', 'ortools', 'pysat', 'rich') if m in sys.modules])"
    )
    assert run_python("-c", code).stdout == "[]\n"


def test_the_public_names_exist() -> None:
    for name in ponder.__all__:
        assert getattr(ponder, name) is not None
    assert set(dir(ponder)) >= set(ponder.__all__)
