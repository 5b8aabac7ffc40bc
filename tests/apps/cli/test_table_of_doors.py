"""Which command takes which kind of question: the table is asked of the commands themselves.

Every command that has a FILE is run with a file of each kind. It answers, or says in one line why
not and which command does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ponder.apps.cli import COMMANDS, run

Capture = pytest.CaptureFixture[str]

KINDS = {
    "grid": "pattern: plus\n010\n111\n010\n",
    "pasted": "⬛🟨⬛\n🟨🟨🟨\n⬛🟨⬛\n",
    "graph": '{"nodes": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"]]}',
    "edges": "a b\nb c\nc d\n",
    "graph6": "DQc\n",
    "sparse6": ":An\n",
    "dimacs": "p edge 3 2\ne 1 2\ne 2 3\n",
    "gml": 'graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] edge [ source 0 target 1 ] ]',
    "wiring": '{"lights": 2, "buttons": [{"toggles": [0]}, {"toggles": [0, 1]}]}',
    "machine": "[.##.] (3) (1,3) (2) (2,3) (0,2) (0,1)\n",
    "graphs": "DQc\nBw\n",
}
WORDS: dict[str, list[str]] = {
    "order": [], "solve": [], "show": [], "covers": [], "nullity": [], "most-moves": [],
    "atlas": [], "eliminate": [], "encodings": [], "export": ["-o", "OUT.cnf"],
    "draw": ["-o", "OUT.svg"], "orient": ["--odd", "none"], "compare": ["--workers", "1"],
}  # fmt: skip
OTHERS = {
    "verify",
    "prove",
    "report",
    "play",
    "site",
    "decode",
    "generate",
    "formulas",
    "schema",
    "shapes",
}
"""These take no board alone: they want a result, or a browser, or make what they show."""

HOLES = {
    "graphs": {*WORDS} - {"order", "solve", "orient"},
    "wiring": {"covers", "most-moves", "eliminate", "atlas", "draw", "orient"},
    "machine": {"covers", "most-moves", "eliminate", "atlas", "draw", "orient", "export",
                "encodings"},  # any order is legal: no formula
    "grid": {"orient"},
    "pasted": {"orient"},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_door_takes_every_question_or_says_who_does(
    kind: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("question.txt")
    file.write_text(KINDS[kind], encoding="utf-8")
    refused = set()
    for command, words in WORDS.items():
        code = run([command, str(file), *words])
        captured = capsys.readouterr()
        if code == 2:
            refused.add(command)
            said = captured.err.splitlines()[-1]
            assert "Traceback" not in captured.err
            assert "`" in said or "no formula" in said, (command, said)
        else:
            assert code == 0, (command, captured.err)
    assert refused == HOLES.get(kind, set())


def test_no_command_is_missing_in_the_table() -> None:
    assert set(COMMANDS) - set(WORDS) - OTHERS - {"sheet"} == set()
