"""Every door takes every question, or says in one line why not and which command does."""

from __future__ import annotations

from pathlib import Path

import pytest

from ponder.cli import COMMANDS
from tests.cli.doors import KINDS, OTHERS, WORDS, cell, told

BOARDS_ALONE = {*WORDS} - {
    "orient",
    "show",
    "export",
    "decode",
    "compare",
    "draw",
    "verify",
    "prove",
}
NEIGHBOURS = {"covers", "most-moves", "eliminate", "atlas", "draw", "sheet", "orient", "play"}
HOLES = {
    "graphs": {*WORDS} - {"order", "solve", "orient"},
    "wiring": NEIGHBOURS,
    "machine": {*NEIGHBOURS, "export", "decode", "encodings", "prove"},  # any order is legal
    "oriented": BOARDS_ALONE,
    **{kind: {"orient"} for kind in ("size", "grid", "pasted")},
}


SOON = ("shape", "grid", "oriented")
DEEP = pytest.mark.deep


@pytest.mark.parametrize(
    "kind", [kind if kind in SOON else pytest.param(kind, marks=DEEP) for kind in KINDS]
)
def test_every_door_takes_every_question_or_says_who_does(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reasons = {command: cell(command, kind) for command in WORDS}
    refused = {command for command, reason in reasons.items() if reason is not None}
    open_to_all = {"play"}  # whether the page plays graphs is the page's to say
    assert refused - open_to_all == HOLES.get(kind, set()) - open_to_all
    for command in refused:
        reason = str(reasons[command])
        assert "`" in reason or "no formula" in reason or "nothing to prove" in reason, reason


BAD = {
    "nothing": b"",
    "bytes": bytes(range(256)),
    "half": b'{"nodes": 3, "edges": [[0, 1], [1',
    "deep": b"[" * 5000,
    "loop": b'{"nodes": 2, "edges": [[1, 1]]}',
    "ragged": b"0101\n01\n",
    "nan": b'{"nodes": NaN, "edges": []}',
    "huge": b'{"nodes": 99999999999, "edges": []}',
    "digits": b'{"nodes": ' + b"9" * 5000 + b"}",
    "word": b"nonsense, and more of it\n",
    "wiring": b'{"lights": 2, "buttons": [{"toggles": [7]}]}',
    "machine": b"[.##.] (9)\n",
    "graph6": b"D\n~~~\n",
    "xml": b"<graphml><graph>",
}


@pytest.mark.parametrize(
    "command", [pytest.param(x, marks=DEEP) if x == "compare" else x for x in WORDS]
)
def test_bad_input_of_every_kind_is_a_line_at_every_door(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--no-browser"] if command == "play" else WORDS[command]  # it reads, then listens
    monkeypatch.chdir(tmp_path)
    good = {"ANSWER": b'{"presses": []}', "MODEL": b"s UNSATISFIABLE\n"}
    for name, content in good.items():
        Path(name).write_bytes(content)
    contents: dict[str, bytes | None] = {**BAD, **dict.fromkeys(("folder", "missing", "\x1b[31m"))}
    for name, holds in contents.items():
        bad = Path(f"bad-{name}.txt")
        if holds is not None:
            bad.write_bytes(holds)
        elif name == "folder":
            bad.mkdir()
        code, out, err = told(command, str(bad), *words)
        if command == "compare" and name == "folder":
            continue
        assert code == 2, (command, name, code, out, err)
        assert not out or command in ("order", "solve", "orient", "compare"), (name, out)
        assert len(err.splitlines()) == 1 or command == "compare", (name, err)
        assert "Traceback" not in err


def test_no_command_is_missing_in_the_table() -> None:
    assert set(COMMANDS) == {*WORDS, *OTHERS}
