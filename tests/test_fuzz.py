"""The fuzzer: a batch of every kind with a fixed seed, and planted faults that it finds."""

from __future__ import annotations

import os
import time
from typing import NoReturn

import numpy as np
import pytest

from ponder.check.result import Result
from ponder.model.board import Board
from tests.fuzz import __main__ as runner
from tests.fuzz.terminal import Ended, complaint

SEED = 10


@pytest.mark.parametrize("kind", runner.KINDS)
def test_a_batch_finds_nothing(kind: str) -> None:
    assert runner.do(SEED, kind, 1, 30) is None


def test_a_crash_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def fragile(board: Board) -> NoReturn:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("tests.fuzz.boards.press_sets", fragile)
    answer = runner.do(SEED, "boards", 1)
    assert answer is not None
    assert "ZeroDivisionError: planted" in answer
    assert len(answer.split("last input: ")[1]) < 200


def test_false_answers_and_proofs_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(board: Board, **options: object) -> Result:
        return Result("order", board, "solved", "planted", presses=np.array([0]))

    monkeypatch.setattr("tests.fuzz.boards.ponder.order", wrong)
    monkeypatch.setattr("tests.fuzz.proofs.check_lrat", lambda clauses, proof: 1)
    monkeypatch.setattr("tests.fuzz.proofs.lrat_of", lambda *proof: "1 0 0")
    assert runner.do(SEED, "boards", 1) is not None
    answer = runner.do(SEED, "proofs", 1)
    assert answer is not None
    assert "with a model is accepted" in answer


@pytest.mark.parametrize(
    ("code", "err", "complains"),
    [
        (4, "", True),
        (-6, "", True),
        (2, "", True),
        (2, "ponder: one\nponder: two\n", True),
        (2, "ponder: \n", True),
        (2, "ponder: " + "a" * 2000 + "\n", True),
        (2, "ponder: \x1b[31m is not a board\n", True),
        (1, "Traceback (most recent call last):\n", True),
        (0, "ponder: internal error\n", True),
        (0, "a.py:3: RuntimeWarning: overflow\n", True),
        (2, "1.00 s  working\nponder: a.txt: is not a board\n", False),
        (0, "", False),
    ],
)
def test_the_judgement_of_commands(code: int, err: str, complains: bool) -> None:
    assert (complaint(Ended(code, "", err)) is not None) == complains


def test_the_runner_survives_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four batches one dies, one is silent, one fails; Ctrl-C ends the run."""

    def do(seed: int, kind: str, number: int) -> str | None:
        if number == 2:
            os._exit(3)
        if number == 3:
            time.sleep(600)
        return "planted" if number == 4 else None

    def apart(seed: int, kind: str, number: int) -> str | None:
        if number == 5:
            raise KeyboardInterrupt
        return by_process(seed, kind, number)

    by_process = runner.apart
    monkeypatch.setattr(runner, "do", do)
    monkeypatch.setattr(runner, "apart", apart)
    monkeypatch.setattr(runner, "SILENCE", 3.0)
    counts, failures = runner.run(["boards"], 3600.0, SEED)
    assert counts["boards"] == 5
    assert [text.splitlines()[0] for text in failures] == [
        "the process died (exit code 3)",
        "silent, and killed",
        "planted",
    ]


def test_an_endless_input_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(board: Board) -> NoReturn:
        while True:
            pass

    monkeypatch.setattr(runner, "SECONDS", 0.1)
    monkeypatch.setattr("tests.fuzz.boards.press_sets", endless)
    answer = runner.do(SEED, "boards", 1)
    assert answer is not None
    assert "Hung" in answer
