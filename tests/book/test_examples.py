"""What the pages of `docs/` show is what comes out: commands, scripts and Python code are run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tools.examples import ROOT, Session, blocks, faults, pages

DOCS = [page for page in pages() if page.parent != ROOT and blocks(page.read_text("utf-8"))]


def test_there_are_examples() -> None:
    assert len(DOCS) >= 6


def by_page() -> list[object]:
    """The pages as cases; the tutorial is run by default, as the README is."""
    return [
        pytest.param(page, id=page.name, marks=[] if page.stem == "tutorial" else pytest.mark.deep)
        for page in DOCS
    ]


@pytest.mark.parametrize("page", by_page())
def test_examples(page: Path, tmp_path: Path) -> None:
    if "import networkx" in page.read_text(encoding="utf-8"):
        pytest.importorskip("networkx", reason="the page shows networkx, which is not installed")
    assert list(faults(page, Session(tmp_path))) == []


def test_what_is_not_run_says_why() -> None:
    for page in pages():
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.mark is not None and block.mark.startswith("not run"):
                assert len(block.mark) > len("not run: "), (page, block.line)


PAGE = """
```console
$ echo a
b
$ ponder nullity 4 --pattern plus
4×4  4
```

<!-- not run: it fails -->
```sh
false
```

```sh
ponder order nothing.txt
echo c; false
```

```python
kept = 1
```

```python
assert kept == 1
```
"""


def test_what_is_wrong_is_seen(tmp_path: Path) -> None:
    """An output that differs, and a script that fails; what is right is not named."""
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    folder = tmp_path / "session"
    folder.mkdir()
    messages = [fault.splitlines()[0] for fault in faults(page, Session(folder))]
    assert messages == ["page.md:2: echo a", "page.md:14: ponder order nothing.txt"]


def test_a_command_runs_the_same_here_and_in_bash(tmp_path: Path) -> None:
    session = Session(tmp_path)
    line = "ponder order instances/graph-house.json --json --quiet --seed 1"
    here, there = session.command(line), session.shell(line)
    assert here.code == there.code == 0
    printed_here, printed_there = json.loads(here.printed), json.loads(there.printed)
    assert printed_here["presses"] == printed_there["presses"]
    shutil.rmtree(tmp_path / "instances")
    assert session.command(line).code == session.shell(line).code == 2
