"""The package as it is installed: `encodings/` is a folder and a link, names stay what they are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from pkgutil import iter_modules

import ponder
import ponder.cli
from tests.processes import HANG

ROOT = Path(__file__).resolve().parent.parent


def run_python(*code: str, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"PYTHONPATH": path} if path else {})}
    return subprocess.run(
        [sys.executable, *code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )


def test_encodings_is_a_folder_and_a_link() -> None:
    """With an init file, `PYTHONPATH=. python` finds it instead of the standard library's."""
    assert (ROOT / "encodings").is_dir()
    assert not (ROOT / "encodings" / "__init__.py").exists()
    assert os.readlink(ROOT / "ponder" / "encodings") == "../encodings"
    done = run_python("-c", "import ponder, encodings.utf_8; print('up')", path=".")
    assert (done.returncode, done.stdout) == (0, "up\n"), done.stderr


def test_encodings_import_what_lies_below_them() -> None:
    """The contract of `lint-imports` knows packages alone, and `encodings` is none."""
    below = {"ponder.encodings", "ponder.formulas", "ponder.model", "ponder.system"}
    for file in (ROOT / "encodings").glob("*.py"):
        names = re.findall(r"^ *(?:from|import) (ponder\.\w+)", file.read_text("utf-8"), re.M)
        assert names, file.name
        assert {*names} <= below, file.name


def test_no_two_modules_have_one_name() -> None:
    """But for the files of commands."""
    commands = {f"{name.replace('-', '_')}.py" for name in ponder.cli.COMMANDS}
    modules = [
        file.name for folder in ("ponder", "encodings") for file in (ROOT / folder).rglob("*.py")
    ]
    names = Counter(name for name in modules if name not in commands and name[:2] != "__")
    assert [name for name, times in names.items() if times > 1] == []


def test_commands_load_what_they_need() -> None:
    """The package loads nothing heavy; a small `order` loads no proofs, solvers or pictures."""
    file = str(ROOT / "instances" / "cross-6x6-no-order-cut.txt")
    code = (
        "import sys, ponder, ponder.cli\n"
        "loaded = lambda *names: [m for m in names if m in sys.modules]\n"
        "assert not loaded('numpy', 'ortools', 'pysat')\n"
        f"ponder.cli.run(['order', {file!r}, '--quiet'])\n"
        "assert not loaded('ponder.proofs', 'ponder.find.solvers', 'PIL', 'ortools', 'pysat')\n"
    )
    done = run_python("-c", code)
    assert done.returncode == 0, done.stderr


def test_public_names_exist_and_no_submodule_hides_one() -> None:
    """Importing `ponder.x` sets `ponder.x`: it would hide a function of that name, for good."""
    for name in ponder.__all__:
        assert getattr(ponder, name) is not None
    assert {module.name for module in iter_modules(ponder.__path__)}.isdisjoint(ponder.__all__)


def test_every_package_and_file_is_in_the_wheel() -> None:
    """A clone finds a package that is not listed, and an installed ponder does not."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    folders = {path.parent.relative_to(ROOT) for path in ROOT.glob("ponder/**/*.py")}
    packages = {".".join(folder.parts) for folder in folders} | {"ponder.encodings"}
    assert set(settings["setuptools"]["packages"]) == packages
    taken = {
        path
        for package, patterns in settings["setuptools"]["package-data"].items()
        for pattern in patterns
        for path in (ROOT / package.replace(".", "/")).glob(pattern)
    }
    beside = {
        path
        for path in (ROOT / "ponder").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc") and not path.is_symlink()
    }
    assert beside <= taken
