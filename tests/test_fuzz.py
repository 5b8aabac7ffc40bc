"""Inputs made at random: board files, calls of commands, forged results, and what becomes of them.

    FUZZ=20000 python -m pytest -n 0 tests/test_fuzz.py --hypothesis-seed=random

tries many. The library raises `PonderError` or nothing; a command ends in one of its exit codes,
with one line of reason where that is 2; where brute force can tell what is true, nothing false is
said. JSON is spoiled as `tests.forgeries` forges results. Hypothesis makes a failing input small.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unicodedata import category
from unittest import mock

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ponder
import ponder.cli
from ponder.model.board import Board
from ponder.model.formats import board_text, parse_board
from ponder.model.wired_graph import WiringGraph
from ponder.studies.compare import run_task
from ponder.system.errors import PonderError
from tests import brute, corpus, forgeries
from tests.boards import edges_of, number_of

MANY = settings(
    max_examples=int(os.environ.get("FUZZ", "30")), suppress_health_check=[*HealthCheck]
)
RANDOM = st.randoms(use_true_random=False)

TEXTS = (
    b"pattern: cross\n110-1\n-01-0\n",
    b"pattern: torus-plus\nrule: lit\n101\n0-1\n11-\ngoal:\n011\n0-0\n01-\n",
    b"pattern: stencil 1,2 -1,-2 0,1 0,-1\nrule: any\ngoal: unlit\n0101\n11-0\n",
    b'{"nodes": ["a", "b 1", 7], "edges": [["a", 7], ["b 1", 7]], "lit": [0, 1, 0], "rule": "any"}',
    b'{"lights": 3, "buttons": [{"name": "x", "toggles": [0, 1]}, {"toggles": [2], "at": 2}]}',
)
PIECES = (
    b"\0|\xff|\xef\xbb\xbf|\r\n|\n\n| |,|#|-|0|1|2|goal:|rule: any\n|pattern: |torus-king|\x1b[2J"
    b"|\xed\xa0\x80|\xe2\x80\xa8|{|}|[|]|null|1e400|\\ud800|-1|99999999999999999999|\xc2\xb2"
).split(b"|")
WORDS = ["", " ", "-", "²", "nan", "-inf", "9" * 30, "\x1b[31m", "\u2028", "\udcff", "a" * 3000]
VALUES = {
    name: values.split("|")
    for names, values in (
        ("boards count repeat workers trials", "1|2|0|-1|x"),
        ("methods", "auto|greedy:rounds:forwards|sat:half_factor|cpsat:|os:getcwd|a:b:c"),
        ("sizes", "2|2x3|2..4..2|2,3|0x3|-1|4..2|99999x99999"),
        ("settings", "card=native|acyclic=lazy|layers=0|x=y|="),
        ("solver", "glucose4|no solver"),
        ("solver_cmd", "true {cnf}|echo s UNSATISFIABLE {cnf}|{cnf}|'|nosuchprogram {cnf}"),
        ("families", "cross:2|plus:2..3|balanced:4|graph:5:degree=2|x:3|cross:3:seed=1"),
        ("cluster", ""),
        ("study", "new.study|board.txt|folder|missing/x"),
    )
    for name in names.split()
}
PATHS = ["board.txt", "graph.json", "result.json", "junk", "missing", ".", "-", "out.gz", "out.svg"]
LIMITED = ("order", "solve", "compare", "generate", "most-moves")
REMARK = re.compile(
    r"[\d.,]+ (ms|s|min|h)  |(ponder: )?[\d,]+ (plots|rows) in "
    r"|ponder: (one of 2\^|[\d,]+ runs |skipped|this formula does|the horizon is|no proof to)"
)


def board_file(rng: random.Random) -> bytes:
    """A board file of a kind, half of the time of the corpus, spoiled once or a few times."""
    data = rng.choice(TEXTS)
    if rng.random() < 0.5:
        worlds = rng.choice((corpus.grid_worlds, corpus.graph_worlds, corpus.wiring_worlds))()
        world = rng.choice(worlds)
        data = board_text(world.question(rng.randrange(world.states)).board).encode()
    if data[:1] == b"{" and rng.random() < 0.8:
        content = json.loads(data)
        path, value = rng.choice(list(forgeries.places(content))[1:])
        other = rng.choice(list(forgeries.others(value, rng)))
        data = json.dumps(forgeries.put(content, path, other)).encode()
    for _ in range(rng.choice((0, 0, 1, 2, 6))):
        start, end = sorted(rng.randint(0, len(data)) for _ in range(2))
        middle = rng.choice((rng.choice(PIECES), b"", data[start:end] * 2))
        data = data[:start] + middle + data[rng.choice((start, end)) :]
    return data


def call(rng: random.Random) -> list[str]:
    """A command with options as it declares them, with values that fit, and wrong ones."""
    name = rng.choice([name for name in ponder.cli.COMMANDS if name not in ("play", "site")])
    command = ponder.cli.cli.get_command(click.Context(ponder.cli.cli), name)
    assert command is not None
    words = [name]
    for option in command.params:
        if isinstance(option, click.Argument):
            words.append(value_of(rng, option))
        elif rng.random() < (0.95 if option.required else 0.15):
            words.append(rng.choice(option.opts))
            if not getattr(option, "is_flag", False):
                words.append(value_of(rng, option))
    return [*words, *(("--timeout", "0.2") if name in LIMITED else ())]


def value_of(rng: random.Random, option: click.Parameter) -> str:
    """A value for an option."""
    if option.name in VALUES:
        return rng.choice(VALUES[option.name])
    if isinstance(option.type, click.Choice) and rng.random() < 0.9:
        return rng.choice([str(choice) for choice in option.type.choices])
    if isinstance(option.type, click.types.FloatParamType | click.types.IntParamType):
        return rng.choice(("0", "1", "2", "0.5", "-1", "nan", "9" * 30))
    return rng.choice(PATHS if rng.random() < 0.8 else WORDS)


def bad_reason(reason: str) -> bool:
    """Whether the text of an error holds what a terminal may obey, or is no sentence."""
    return not reason.isprintable() or not 4 <= len(reason) <= 1000


def complaint(code: int, out: str, err: str) -> str | None:
    """What is wrong with the way in which a call ended, or None."""
    if code not in (0, 1, 2, 3, 130):
        return f"exit code {code}"
    if re.search(r"Traceback|internal error|\.py:\d+: \w*Warning", err):
        return "a traceback or a warning"
    if any(category(c) in ("Cc", "Zl", "Zp") and c not in "\n\r" for c in out + err):
        return "a control character"
    lines = [line for line in err.splitlines() if line and not REMARK.match(line)]
    unreadable = [line for line in lines if line.startswith("ponder: unreadable: ")]
    reasons = [line for line in lines if line not in unreadable] or unreadable[:1]
    if code == 2 and (len(reasons) != 1 or bad_reason(reasons[0].removeprefix("ponder: "))):
        return "no reason in one line"
    return None


@MANY
@given(RANDOM)
def test_boards_are_read_or_refused_and_answered(rng: random.Random) -> None:
    try:
        board = parse_board(board_file(rng), "board")
        assert parse_board(board_text(board), "board") == board
    except PonderError as error:
        assert not bad_reason(str(error)), error  # noqa: PT017
        return
    if board.graph.size <= 9 and not isinstance(board.graph, WiringGraph):
        answered(board)


def answered(board: Board) -> None:
    """Compare the answers about a small board with brute force, and verify them as text."""
    size, edges, rule = board.graph.size, list(edges_of(board.graph)), board.rule
    lit, goal = number_of(board.lit.tolist()), number_of(board.goal.tolist())
    for result, fewest in (
        (ponder.order(board), brute.fewest_once(size, edges, lit, goal, rule)),
        (ponder.solve(board), brute.distances(size, edges, goal, rule).get(lit)),
    ):
        assert result.count == fewest
        assert result.verdict == ("impossible" if fewest is None else "solved")
        ponder.verify(board, json.loads(json.dumps(result.to_json())))
        if result.presses is not None:
            assert brute.replays(size, edges, lit, goal, result.presses.tolist(), rule)


@MANY
@given(RANDOM)
def test_forged_results_are_refused_or_true(rng: random.Random) -> None:
    rng = random.Random(rng.getrandbits(32))  # there is nothing to make smaller
    known, command = list(forgeries.genuine()), rng.choice(("order", "solve"))
    worlds = (corpus.grid_worlds, corpus.even_line_worlds, corpus.graph_worlds)
    chosen = rng.choice((*worlds, corpus.wiring_worlds))()
    for question in corpus.questions(chosen, 2, rng.randrange(1 << 30)):
        content = forgeries.as_json(getattr(ponder, command)(question.board))
        known.append(forgeries.Genuine(command, question, content))
    said, question, content = forgeries.changed(rng.choice([known[-1], rng.choice(known)]), rng)
    assert forgeries.falsehood(question, content) is None, f"{question}: {said}"


@MANY
@given(RANDOM)
def test_commands_end_in_one_of_their_ways(
    tmp_path_factory: pytest.TempPathFactory, rng: random.Random
) -> None:
    board = board_file(rng)
    arguments, out, err = call(rng), io.StringIO(), io.StringIO()
    with (
        chdir(tmp_path_factory.mktemp("fuzz")),
        mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(board), "utf-8")),
        mock.patch("ponder.cli.compare.by_processes", in_this_process),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        Path("folder").mkdir()
        contents = {"board.txt": board, "graph.json": TEXTS[3], "result.json": b"{}", "junk": b"\0"}
        for name, content in contents.items():
            Path(name).write_bytes(content)
        code = ponder.cli.run(arguments)
    wrong = complaint(code, out.getvalue(), err.getvalue())
    assert wrong is None, (wrong, arguments, board, err.getvalue())


def in_this_process(tasks: Any, count: int) -> Any:
    return ([run_task(task)] for task in tasks)


def test_faults_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A false answer, and calls that end as none may."""
    monkeypatch.setattr(ponder, "order", lambda board: ponder.solve(Board.from_rows(["11"])))
    with pytest.raises(AssertionError):
        answered(Board.from_rows(["01", "11"]))
    for code, err in ((4, ""), (2, ""), (2, "ponder: one\nponder: two"), (1, "Traceback")):
        assert complaint(code, "", err) is not None
    assert complaint(2, "", "1.00 s  working\nponder: a.txt: is not a board\n") is None
