"""The checker stands alone: it judges every kind of certificate without what finds answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from ponder.model.formats import board_text
from tests.check.alone import ALLOWED
from tests.commands import ROOT
from tests.forgeries import Genuine, genuine

LIBRARIES = ("ortools", "pysat", "networkx", "scipy")
PACKAGES = {path.parent.name for path in ROOT.glob("ponder/*/__init__.py")} | {"encodings"}
FINDERS = (*(f"ponder.{name}" for name in sorted(PACKAGES - set(ALLOWED))), *LIBRARIES)


def alone(cases: Sequence[Genuine], refused: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Judge results in a process that cannot import the refused."""
    command = [sys.executable, "-m", "tests.check.alone", json.dumps(refused)]
    given = json.dumps([(board_text(each.board), each.content) for each in cases])
    return subprocess.run(
        command, input=given, capture_output=True, check=False, cwd=ROOT, encoding="utf-8"
    )


def test_every_kind_of_check_holds_without_the_finders() -> None:
    done = alone(genuine(), FINDERS)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    expected = ["open" if each.name == "randomised" else "holds" for each in genuine()]
    assert told["said"] == expected
    loaded = {name.split(".")[1] for name in told["loaded"] if name.startswith("ponder.")}
    assert loaded & PACKAGES == set(ALLOWED)
    assert not set(LIBRARIES) & set(told["loaded"])


def test_what_is_refused_cannot_be_imported() -> None:
    """The test above bites: without the encoders the proof of a formula cannot be checked."""
    proof = next(each for each in genuine() if each.name == "formula")
    done = alone([proof], ["ponder.encodings"])
    assert done.returncode == 1
    assert "ImportError: ponder.encodings is refused" in done.stderr
