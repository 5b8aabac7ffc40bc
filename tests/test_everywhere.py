"""The core on other systems: parts of the standard library missing, other names, old encodings.

Each system is imitated in a process of its own (`tests.elsewhere`): what it lacks cannot be
imported or called there. That is no Windows and no browser, but all that ponder can notice of one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ROOT, here, without_progress

SYSTEMS = ("win32", "emscripten")
THIRTY = "instances/ibm-2023-04-30x30.txt"


def elsewhere(
    system: str, *arguments: str, options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    """Run a command of ponder on another system."""
    return subprocess.run(
        [sys.executable, *options, "-m", "tests.elsewhere", system, *arguments],
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={"PATH": "", "PYTHONIOENCODING": "cp1252"},
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_commands(system: str) -> None:
    """All in one process: what they print comes in their order."""
    commands = [
        (("order", THIRTY), "429 presses"),
        (("order", "instances/plus-10x10-no-order.txt"), "no order"),
        (("order", "instances/plus-5x5-order.txt", "--method", "sat"), "10 presses"),
        (("solve", "instances/king-6x6.txt"), "8 presses"),
        (("solve", "instances/plus-10x10-no-order.txt"), "56 presses"),
        (("nullity", "23", "--quiet"), "23×23  14"),
        (("draw", "instances/cross-4x7-order.txt"), "1 1 0 0 0 1 0"),
    ]
    done = elsewhere(system, *" then ".join(" ".join(words) for words, _ in commands).split())
    assert done.returncode == 0, done.stderr
    assert without_progress(done.stderr.decode("cp1252")) == ""
    lines = iter(done.stdout.decode("cp1252").splitlines())
    for words, begins in commands:
        assert any(line.startswith(begins) for line in lines), words


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_result_is_written_and_verified(system: str, tmp_path: Path) -> None:
    board, result = "instances/cross-3x4-no-order.txt", tmp_path / "result.json"
    done = elsewhere(
        system, *f"solve {board} --json > {result} then verify {board} {result}".split()
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(result.read_bytes())["lower_bound"] == 9


def test_no_file_is_read_by_the_encoding_of_the_system(tmp_path: Path) -> None:
    """A file that is opened without an encoding is another file on another system."""
    strict = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
    refused = "instances/cross-6x6-no-order-cut.txt"
    commands = (
        f"order {refused} --method sat --encoding half_factor --lrat {tmp_path}/f.lrat",
        "order instances/plus-5x5-order.txt --method sat",
        f"draw {refused} -o {tmp_path}/picture.svg",
        "export --list",
    )
    done = elsewhere("linux", *" then ".join(commands).split(), options=strict)
    assert done.returncode == 0, done.stderr
    assert without_progress(done.stderr.decode()) == ""


def test_a_solver_in_this_process_keeps_its_limits() -> None:
    """Where no process can be killed CaDiCaL works in slices; no other solver is offered."""
    hard = ("order", "instances/plus-5x5-order.txt", "--method", "sat", "--solver", "glucose4")
    done = elsewhere("emscripten", *hard)
    assert done.returncode == 2
    assert b"'glucose4' needs a process of its own: only cadical195 runs" in done.stderr


# ---------------------------------------------------------------------------- without OR-tools


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """OR-tools cannot be imported."""
    loaded = [name for name in sys.modules if name.split(".")[0] == "ortools"]
    for name in {"ortools", *loaded}:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize(
    "arguments",
    [
        ("order", THIRTY, "--method", "cpsat"),
        ("order", THIRTY, "--method", "cpsat", "--encoding", "cpsat_time"),
    ],
)
def test_cp_sat_says_what_it_needs(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    code, said, complaint = here(capsys, *arguments)
    assert (code, said) == (2, "")
    assert complaint == "ponder: CP-SAT needs OR-tools: pip install ortools\n"


@pytest.mark.usefixtures("light")
def test_the_main_job_loads_no_ortools() -> None:
    code = (
        "import sys, ponder\n"
        f"assert ponder.order(ponder.read({THIRTY!r})).count == 429\n"
        "print([name for name in ('ortools', 'pysat', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "[]\n"
