"""Many questions in one text: an answer for each, errors included, and what they come to."""

from __future__ import annotations

import io
import json
from itertools import permutations, product
from pathlib import Path
from types import SimpleNamespace

import pytest

from ponder.cli import run
from ponder.model.formats import questions

Capture = pytest.CaptureFixture[str]


def piped(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, text: bytes, *words: str
) -> tuple[int, list[str]]:
    """Run a command with a text on standard input: its exit code and its lines."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    code = run(list(words))
    return code, capsys.readouterr().out.splitlines()


def graph6(size: int, edges: set[tuple[int, int]]) -> str:
    bits = [(u, v) in edges for v in range(size) for u in range(v)]
    bits += [False] * (-len(bits) % 6)
    words = (bits[k : k + 6] for k in range(0, len(bits), 6))
    return chr(63 + size) + "".join(
        chr(63 + sum(bit << 5 - k for k, bit in enumerate(word))) for word in words
    )


def test_a_list_of_graphs_agrees_with_brute_force(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """All graphs on four vertices, by all 24 orders of each: even out-degrees, or not."""
    pairs = [(u, v) for v in range(4) for u in range(v)]
    graphs = [
        {pair for pair, here in zip(pairs, chosen, strict=True) if here}
        for chosen in product((False, True), repeat=6)
    ]
    text = "".join(f"{graph6(4, edges)}\n" for edges in graphs).encode()
    code, lines = piped(monkeypatch, capsys, text, "orient", "-", "--json", "--quiet")
    *told, counts = map(json.loads, lines)
    assert (code, len(told), counts["questions"]) == (0, 64, 64)
    for edges, answer in zip(graphs, told, strict=True):
        possible = any(
            all(
                sum((min(u, v), max(u, v)) in edges for v in order[k + 1 :]) % 2 == 0
                for k, u in enumerate(order)
            )
            for order in permutations(range(4))
        )
        assert answer["verdict"] == ("oriented" if possible else "impossible"), edges
    code, again = piped(monkeypatch, capsys, text, "orient", "-", "-q", "--json", "--jobs", "2")
    assert [json.loads(line)["verdict"] for line in again[:-1]] == [x["verdict"] for x in told]


def test_an_error_is_the_answer_to_its_question(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    text = b"Bw\n\nxx\nDQc\n"
    code, lines = piped(monkeypatch, capsys, text, "orient", "-", "--odd", "0", "-q")
    assert code == 2
    assert [line.split(": ")[:2] for line in lines[:-1]] == [
        ["1", "oriented"], ["3", "error"], ["4", "no such orientation"],
    ]  # fmt: skip
    assert lines[-1] == "3 questions: 1 error, 1 impossible, 1 oriented"
    for command in ("order", "solve"):
        code, lines = piped(monkeypatch, capsys, text, command, "-", "-q", "--json")
        told = [json.loads(line) for line in lines]
        assert (code, [x.get("line") for x in told]) == (2, [1, 3, 4, None])
        assert "error" in told[1]
        assert told[-1]["verdicts"] == {"solved": 2, "error": 1}


@pytest.mark.parametrize(
    ("text", "many"),
    [
        (b"Bw\n", False), (b"Bw\nBw\n", True), (b"@\n@\n", False), (b"@\nA_\n", True),
        (b"01\n10\n", False), (b"[#.] (0)\n[.] (0)\n", True), (b"a b\nb c\n", False),
        (b'{"nodes": 2}\n{"nodes": 3}\n', True), (b'{"nodes":\n2}\n', False), (b"", False),
        (b"\xef\xbb\xbf\n:An\n:An\n", True), (b"pattern: plus\n01\n", False),
    ],
)  # fmt: skip
def test_which_texts_have_many_questions(
    text: bytes, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    found = list(questions("-"))
    assert (len(found) > 1) == many
    if not many:
        assert [each.data for each in found] == [text]


def test_no_line_waits_for_those_after_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read is two lines ahead of the first answer, and none ahead of the others."""

    class Pipe(io.BytesIO):
        asked = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            self.asked += 1
            return super().readline(size)

    pipe = Pipe(b"Bw\n" * 5)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=pipe))
    seen = [pipe.asked for _ in questions("-")]
    assert seen == [2, 2, 3, 4, 5]


def test_the_answers_to_a_list_are_verified_line_by_line(tmp_path: Path, capsys: Capture) -> None:
    """All of them hold; and one that is spoilt, exchanged, left out or miscounted is found."""
    graphs, answers = tmp_path / "list.g6", tmp_path / "answers.jsonl"
    graphs.write_text("Bw\nDQc\n\nC~\n")

    def verified(lines: list[str], *more: str) -> tuple[int, str]:
        answers.write_text("\n".join(lines))
        return run(["verify", str(graphs), str(answers), *more]), capsys.readouterr().err

    for command, options in (("orient", ["--odd", "none"]), ("order", []), ("solve", [])):
        assert run([command, str(graphs), *options, "--json", "-q"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert verified(lines, *options) == (0, "")
        first, second, third, counts = map(json.loads, lines)
        assert [first["line"], second["line"], third["line"]] == [1, 2, 4]
        swapped = [json.dumps({**first, "line": 4}), lines[1], json.dumps({**third, "line": 1})]
        assert verified(swapped)[0] == 1
        assert verified(lines[:2])[0] == 3
        assert verified([*lines[:3], lines[2]])[0] == 1
        wrong = {"questions": 4, "sum": 99, "complete": False, "verdicts": {}}
        of_another_type = {"questions": 3.0, "complete": 1}  # equal in Python
        for key, value in (*wrong.items(), *of_another_type.items()):
            code, err = verified([*lines[:3], json.dumps({**counts, key: value})])
            assert (code, "the counts are not those" in err) == (1, True)
    assert verified(lines, "--odd", "none")[0] == 2


def test_a_name_makes_no_lines_of_its_own(tmp_path: Path, capsys: Capture) -> None:
    """A stranger's names hold what would be the answer to the next question."""
    graph = {"nodes": ["a\n2: oriented: x", "b"], "edges": [["a\n2: oriented: x", "b"]]}
    (tmp_path / "one.json").write_text(json.dumps(graph))
    (tmp_path / "list.json").write_text(f"{json.dumps(graph)}\n{json.dumps(graph)}\n")
    for odd, code in (("b", 0), ("x", 2), ("none", 0)):
        assert run(["orient", str(tmp_path / "list.json"), "--odd", odd, "-q"]) == code
        assert len(capsys.readouterr().out.splitlines()) == 3
    for words in (["--odd", "b"], ["--odd", "none"], ["--odd", "b", "--all"]):
        assert run(["orient", str(tmp_path / "one.json"), *words]) == 0
        assert "\n2: oriented" not in capsys.readouterr().out
    assert run(["show", str(tmp_path / "one.json"), "--odd", "all"]) == 0
    assert "\n2: oriented" not in capsys.readouterr().out


def test_counts_of_a_list_are_those_of_each(tmp_path: Path, capsys: Capture) -> None:
    words, graphs = ("Bw", "DQc", "C~", "DUW"), tmp_path / "list.g6"
    graphs.write_text("\n".join(words))
    for asked in (["orient", "--count"], ["order", "--count"]):
        assert run([asked[0], str(graphs), *asked[1:], "--json", "-q"]) == 0
        *told, counts = map(json.loads, capsys.readouterr().out.splitlines())
        one = tmp_path / "one.g6"
        for word, answer in zip(words, told, strict=True):
            one.write_text(word)
            assert run([asked[0], str(one), *asked[1:], "--json"]) == 0
            assert json.loads(capsys.readouterr().out) == {
                key: value for key, value in answer.items() if key != "line"
            }
        assert counts["sum"] == sum(answer["count"] for answer in told)
        assert counts["verdicts"] == {"counted": 4}
    assert run(["orient", str(graphs), "--all"]) == 2
