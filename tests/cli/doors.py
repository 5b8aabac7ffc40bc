"""Which command takes which kind of question: the table, asked of the commands themselves.

    python -m tests.cli.doors      prints it, with the reason of every hole

Every command that has a board, a graph or a result of one is run with a question of each kind. `+`
is an answer; a letter is a hole, whose reason, in the command's own words, stands below.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from ponder.cli import COMMANDS, cli, run
from ponder.system.errors import BoardError

_FIVE = [(0, 1), (0, 4), (1, 2), (2, 3), (3, 4)]
KINDS = {
    "size": "2x3",
    "shape": "cycle:5",
    "grid": "1011\n1101\n0110\n0001\n",
    "pasted": "🟨⬛🟨🟨\n🟨🟨⬛🟨\n⬛🟨🟨⬛\n⬛⬛⬛🟨\n",
    "graph": json.dumps({"nodes": 5, "edges": _FIVE}),
    "edges": "\n".join(f"{u} {v}" for u, v in _FIVE),
    "graph6": "Dhc\n",
    "sparse6": ":DaY_~\n",
    "dimacs": "p edge 5 5\n" + "".join(f"e {u + 1} {v + 1}\n" for u, v in _FIVE),
    "gml": "graph [ {} {} ]".format(
        " ".join(f'node [ id {v} label "{v}" ]' for v in range(5)),
        " ".join(f"edge [ source {u} target {v} ]" for u, v in _FIVE),
    ),
    "wiring": '{"lights": 3, "buttons": [{"toggles": [1]}, {"toggles": [2], "at": 0}, '
    '{"toggles": [0, 1], "at": 2}]}',
    "machine": "[.##.] (3) (1,3) (2) (2,3) (0,2) (0,1)\n",
    "graphs": "Dhc\nBw\n",
    "oriented": json.dumps({"nodes": 5, "edges": _FIVE}),
}
"""A question of each kind, mostly one that is refused; `oriented` is asked with --odd none."""
NAMED = ("size", "shape")

WORDS: dict[str, list[str]] = {
    "order": [], "solve": [], "show": [], "covers": [], "nullity": [], "most-moves": [],
    "atlas": [], "eliminate": [], "encodings": [], "export": ["-o", "OUT.cnf"], "draw": ["-o",
    "OUT.svg"], "sheet": ["-o", "OUT.pdf"], "orient": ["--odd", "none"],
    "compare": ["--workers", "1", "--method", "auto"], "verify": ["ANSWER"],
    "prove": ["ANSWER", "-o", "PROOF"], "decode": ["MODEL"], "play": [],
}  # fmt: skip
"""The commands that take a question, with the words that they need beside it."""
OTHERS = {"report", "site", "generate", "schema", "shapes"}
"""These take no question: they make what they show."""


def told(*words: str) -> tuple[int, str, str]:
    """Run a command in this process: exit code, standard output, standard error."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = run(list(words))
    return code, out.getvalue(), err.getvalue()


def said(*words: str) -> tuple[int, str, str]:
    """Run a command as well; of standard error, return the last line."""
    code, out, err = told(*words)
    return code, out, (err.splitlines() or [""])[-1]


def knows_odd(command: str) -> bool:
    """Whether a command takes --odd."""
    with cli.make_context("ponder", [command], resilient_parsing=True) as context:
        found = cli.get_command(context, command)
    return found is not None and any(option.name == "odd" for option in found.params)


def cell(command: str, kind: str) -> str | None:
    """Ask a command a question of a kind, in the current folder; return why not, or None."""
    question = KINDS[kind] if kind in NAMED else "question.txt"
    if kind not in NAMED:
        Path(question).write_text(KINDS[kind], encoding="utf-8")
    odd = ["--odd", "none"] if kind == "oriented" and command != "orient" else []
    if command == "play":
        from ponder.cli.options import Header
        from ponder.cli.play import _text_of

        try:
            _text_of(question, Header(*[None] * 6))
        except BoardError as error:
            return error.reason
        return None
    if odd and command in ("draw", "verify", "prove"):
        odd = []  # the answer says it
    elif odd and not knows_odd(command):
        return "this is about boards; `orient`, `show`, `export`, `compare` take --odd"
    words = WORDS[command]
    if "ANSWER" in words or (command == "draw" and kind == "oriented"):
        ask = ["orient", "--odd", "none"] if kind == "oriented" else ["order"]
        code, answer, reason = said(ask[0], question, *ask[1:], "--json")
        if code == 2 or "\n{" in answer.strip():
            return reason or "`orient`, `order`, `solve` answer many, and each has its result"
        Path("ANSWER").write_text(answer, encoding="utf-8")
        words = ["ANSWER", *words] if command == "draw" else words
    if command == "decode":
        Path("MODEL").write_text("s UNSATISFIABLE\n", encoding="utf-8")
    code, _, reason = said(command, question, *words, *odd)
    assert code in (0, 2, 3), (command, kind, code, reason)
    return reason.removeprefix("ponder: ") if code == 2 else None


def table(folder: Path) -> dict[str, dict[str, str | None]]:
    """Ask every command every kind of question; return why not, by command and kind."""
    with chdir(folder):
        return {command: {kind: cell(command, kind) for kind in KINDS} for command in WORDS}


def lines(found: dict[str, dict[str, str | None]]) -> Iterator[str]:
    """Yield the table as text, and the reasons of its holes."""
    letters: dict[str, str] = {}
    yield " " * 11 + " ".join(KINDS)
    for command, row in found.items():
        signs = []
        for kind, reason in row.items():
            sign = "+" if reason is None else letters.setdefault(reason, f"{len(letters) + 1}")
            signs.append(sign.center(len(kind)))
        yield f"{command:<11}" + " ".join(signs).rstrip()
    yield ""
    for reason, letter in letters.items():
        yield f"{letter:>3}  {reason}"
    yield ""
    yield f"no question: {', '.join(sorted(OTHERS))}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        made = table(Path(place))
    sys.stdout.write("\n".join(lines(made)) + "\n")
    assert set(COMMANDS) == {*WORDS, *OTHERS}, json.dumps(sorted(set(COMMANDS) ^ {*WORDS, *OTHERS}))
