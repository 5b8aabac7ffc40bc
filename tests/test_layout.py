"""The house stands as designed: `encodings/` is a folder and a link, never a package."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tomllib
from pathlib import Path
from pkgutil import iter_modules

import pytest

import ponder
from tests import doors
from tests.processes import HANG

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
        timeout=HANG,
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
        "import sys, ponder, ponder.apps.cli\n"
        "print([m for m in ('numpy', 'ortools', 'pysat') if m in sys.modules])"
    )
    assert run_python("-c", code).stdout == "[]\n"


def test_the_help_of_a_command_loads_nothing_that_only_its_run_needs() -> None:
    code = (
        "import sys, ponder.apps.cli\n"
        "for name in ponder.apps.cli.COMMANDS: ponder.apps.cli.run([name, '--help'])\n"
        "print([m for m in ('numpy', 'asyncio') if m in sys.modules])"
    )
    done = run_python("-c", code)
    assert done.stdout.endswith("\n[]\n"), done.stderr


def test_order_loads_neither_proofs_nor_solvers_where_none_is_asked_for() -> None:
    file = str(ROOT / "instances" / "cross-6x6-no-order-cut.txt")
    code = (
        "import sys, ponder.apps.cli\n"
        f"ponder.apps.cli.run(['order', {file!r}, '--quiet', *sys.argv[1:]])\n"
        "print([m for m in ('ponder.proofs', 'ponder.find.solvers', 'PIL') if m in sys.modules])"
    )
    assert run_python("-c", code).stdout.endswith("\n[]\n")
    assert "proofs" in run_python("-c", code, "--lrat", os.devnull).stdout


def test_the_public_names_exist() -> None:
    for name in ponder.__all__:
        assert getattr(ponder, name) is not None
    assert set(dir(ponder)) >= set(ponder.__all__)


def test_no_submodule_carries_a_public_name() -> None:
    """Importing `ponder.x` sets `ponder.x`: it would hide a function of that name, for good."""
    assert {module.name for module in iter_modules(ponder.__path__)}.isdisjoint(ponder.__all__)


USES = {
    "read": "assert ponder.read(FILE).graph.size == 16",
    "parse_board": "assert ponder.parse_board('0011\\n1101').graph.size == 8",
    "Board": "assert ponder.Board.from_rows(['01', '10']).graph.size == 4",
    "order": "assert ponder.order(board()).verdict == 'solved'",
    "search": "assert [*ponder.search(board())][-1].verdict == 'solved'",
    "solve": "assert ponder.solve(board()).verdict == 'solved'",
    "orient": "assert ponder.orient((2, [(0, 1)]), [0]).arcs == [(0, 1)]",
    "Orientation": "assert isinstance(ponder.orient((1, []), []), ponder.Orientation)",
    "Refusal": "assert isinstance(ponder.orient((1, []), [0]), ponder.Refusal)",
    "Unknown": "assert isinstance(ponder.orient((1, []), [0], timeout=0), ponder.Unknown)",
    "verify": "assert ponder.verify(board(), ponder.order(board()).to_json()).statements",
    "press_sets": "assert isinstance(ponder.press_sets(board()), ponder.PressSets)",
    "kernel": "assert ponder.kernel(ponder.parse_board('000\\n000').graph).basis().shape[1] == 6",
    "nullity": "assert ponder.nullity(board().graph) == 0",
    "Result": "assert isinstance(ponder.order(board()), ponder.Result)",
    "PressSets": "assert ponder.PressSets.__name__ == 'PressSets'",
    "PonderError": "assert issubclass(ponder.BoardError, ponder.PonderError)",
    "BoardError": (
        "try: ponder.parse_board('x')\nexcept ponder.BoardError: pass\nelse: raise SystemExit('!')"
    ),
    "CheckFailed": (
        "try: ponder.verify(board(), {})\nexcept ponder.CheckFailed: pass\n"
        "else: raise SystemExit('!')"
    ),
    "all_orders": "assert len(list(ponder.all_orders(board()))) == 8",
    "count_orders": "assert ponder.count_orders(board()).orders.number == 8",
    "all_orientations": "assert len(list(ponder.all_orientations((2, [(0, 1)]), [0]))) == 1",
    "count_orientations": "assert ponder.count_orientations((2, [(0, 1)]), [0]).number == 1",
    "draw": "assert ponder.draw(board(), ponder.order(board())).startswith('<svg')",
    "shape": "assert ponder.shape('hex', 2).graph.size == 4",
    "generate": "assert ponder.generate('plus', 3).graph.size == 9",
    "export": "assert 'p cnf' in ponder.export(board())",
    "__version__": "assert ponder.__version__[0].isdigit()",
}


def test_every_public_name_has_a_use() -> None:
    assert set(USES) == set(ponder.__all__)


FORKS = """
import os, sys
import anywidget, numpy, ortools.sat.python.cp_model, pysat.solvers, starlette
for program in sys.argv[1:]:  # each where nothing of ponder is loaded yet
    if (child := os.fork()) == 0:
        exec(program, {"__name__": "program"})
        os._exit(0)
    print(os.waitpid(child, 0)[1])
"""


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.deep) for k in (1, 2))])
def test_public_names_stay_what_they_are(seed: int) -> None:
    """Whatever was used or imported before, in whatever order: each is used twice."""
    every = [
        "import importlib, pkgutil",
        "for found in pkgutil.walk_packages(ponder.__path__, 'ponder.'):",
        "    'encodings' in found.name or importlib.import_module(found.name)",
    ]
    file = str(ROOT / "instances" / "ibm-2023-04-example-4x4.txt")
    programs = []
    for submodules in ("before", "after", "never"):
        uses = list(USES.values())
        random.Random(seed).shuffle(uses)
        lines = [
            "import ponder",
            f"FILE = {file!r}",
            "def board(): return ponder.Board.from_rows(['0011', '1101', '0110', '0001'])",
            *(every if submodules == "before" else []),
            *uses,
            *(every if submodules == "after" else []),
            *reversed(uses),
        ]
        programs.append("\n".join(lines))
    done = run_python("-c", FORKS, *programs)
    assert (done.returncode, done.stdout) == (0, "0\n" * 3), done.stderr


def test_every_room_is_in_the_wheel() -> None:
    """A clone finds a room that is not listed, and an installed ponder does not."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rooms = {".".join(path.parent.relative_to(ROOT).parts) for path in doors.modules().values()}
    packages = {"ponder.encodings" if room == "encodings" else room for room in rooms}
    assert set(settings["tool"]["setuptools"]["packages"]) == packages


def test_every_file_beside_the_modules_is_in_the_wheel() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    taken = {
        path
        for room, patterns in settings["tool"]["setuptools"]["package-data"].items()
        for pattern in patterns
        for path in (ROOT / room.replace(".", "/")).glob(pattern)
    }
    beside = {
        path
        for path in (ROOT / "ponder").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc") and not path.is_symlink()
    }
    assert beside - taken == set()
