"""The table of parts: whatever a tool brings is checked, and what cannot be had is one line."""

from __future__ import annotations

import io
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ponder.page.parts import RuntimePart, fetch, parts, taken
from ponder.system.errors import PonderError

CONTENT = b"what the part is made of"


def a_part(*sources: dict[str, Any]) -> RuntimePart:
    return RuntimePart("thing", "1.0", "", "MIT", "thing.tgz", sha256(CONTENT).hexdigest(), sources)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that is searched for programs first, and has no others but a shell's."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr("ponder.page.parts.find_spec", lambda name: None)  # no pip of its own
    return folder


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_every_part_of_the_table_is_pinned_and_has_a_source() -> None:
    for part in parts():
        assert len(bytes.fromhex(part.sha256)) == 32
        assert part.licence
        for source in part.sources:
            assert sum(tool in source for tool in ("npm", "pip", "pyodide")) == 1
            assert part.version in source.get("npm", part.version)


def test_a_part_is_fetched_once_by_its_tool(tools: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program(tools, "npm", f'echo "$@" >> {log}; printf %s "{CONTENT.decode()}" > "$4/thing.tgz"')
    part, said = a_part({"npm": "thing@1.0"}), list[str]()
    for _ in range(2):
        fetch(tmp_path / "parts", [part], said.append)
    assert taken(tmp_path / "parts", part) == CONTENT
    assert said == ["thing 1.0: npm thing@1.0"]
    assert len(log.read_text().splitlines()) == 1


def test_another_content_is_refused_and_the_next_source_asked(tools: Path, tmp_path: Path) -> None:
    program(tools, "npm", 'printf %s other > "$4/thing.tgz"')
    carrier = io.BytesIO()
    with zipfile.ZipFile(carrier, "w") as wheel:
        wheel.writestr("deep/thing", CONTENT)
    (tmp_path / "carrier").write_bytes(carrier.getvalue())
    program(
        tools,
        "pip",
        f"""while [ "$1" != --dest ]; do shift; done; cp {tmp_path}/carrier "$2/a.whl" """,
    )
    first, second = {"npm": "thing@1.0"}, {"pip": "a", "options": [], "inside": "deep/thing"}
    with pytest.raises(PonderError, match=r"cannot fetch thing 1.0: .*SHA-256 is not the one"):
        fetch(tmp_path / "parts", [a_part(first)], print)
    assert not list((tmp_path / "parts").iterdir())
    fetch(tmp_path / "parts", [a_part(first, second)], print)
    assert taken(tmp_path / "parts", a_part()) == CONTENT


def test_what_cannot_be_had_is_one_line(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tools, "npm", "echo one >&2; echo no such package >&2; exit 1")
    with pytest.raises(PonderError, match=r"^cannot fetch thing 1.0: npm: no such package$"):
        fetch(tmp_path / "parts", [a_part({"npm": "thing@1.0"})], print)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(PonderError, match="there is no npm here"):
        fetch(tmp_path / "parts", [a_part({"npm": "thing@1.0"})], print)
    with pytest.raises(PonderError, match=r"thing 1.0: .*thing.tgz: No such file"):
        taken(tmp_path / "parts", a_part())
