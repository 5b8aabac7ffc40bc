"""Processes that map a function: order, errors, an early end, death, and no process left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import pytest

from ponder.system.errors import PonderError
from ponder.system.pool import Child, in_parallel
from tests.processes import left_with


def slowly_squared(number: int) -> int:
    time.sleep(0.02 * (number % 3))
    return number * number


def refused(number: int) -> int:
    if number == 5:
        raise PonderError("not five")
    return number


def deadly(number: int) -> int:
    if number == 3 and os.getpid() != int(os.environ["PONDER_TEST_PARENT"]):
        os._exit(9)
    return -number


def temporary(prefix: str) -> str:
    return tempfile.mkstemp(prefix=prefix)[1]


def asleep(seconds: int) -> int:
    time.sleep(seconds)
    return seconds


def test_results_come_in_order_and_items_are_taken_as_they_are_needed(left_over: str) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:  # what is not needed yet is not made
        for number in range(40):
            taken.append(number)
            yield number

    squares = in_parallel(slowly_squared, items(), processes=2)
    assert next(squares) == 0
    assert len(taken) <= 6
    assert list(squares) == [n * n for n in range(1, 40)]
    assert left_with(left_over) == []


def test_an_error_arrives_and_no_process_stays(left_over: str) -> None:
    results = in_parallel(refused, range(20), processes=2)
    with pytest.raises(PonderError, match="not five"):
        list(results)
    assert left_with(left_over) == []


def test_a_map_that_is_closed_ends_processes_that_would_never_end(left_over: str) -> None:
    answers = in_parallel(asleep, [0, 600, 600, 600], processes=2)
    assert next(answers) == 0
    answers.close()  # type: ignore[attr-defined]
    assert left_with(left_over) == []


def test_when_a_process_dies_the_work_is_done_here(
    monkeypatch: pytest.MonkeyPatch, left_over: str
) -> None:
    monkeypatch.setenv("PONDER_TEST_PARENT", str(os.getpid()))
    assert list(in_parallel(deadly, range(8), processes=2)) == [-n for n in range(8)]
    assert left_with(left_over) == []


def test_a_script_without_a_main_guard_gets_its_answer(tmp_path: object) -> None:
    script = f"{tmp_path}/script.py"
    with open(script, "w", encoding="utf-8") as out:
        out.write(
            "from ponder.system.pool import in_parallel\n"
            "print(list(in_parallel(abs, [-1, 2, -3], processes=2)))\n"
        )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("[1, 2, 3]\n", "")


def test_where_no_process_can_be_started_the_work_is_done_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(*_: object, **__: object) -> None:
        raise OSError("no process more")

    monkeypatch.setattr(subprocess, "Popen", none)
    assert list(in_parallel(abs, range(-9, 0), processes=2)) == list(range(9, 0, -1))


def test_temporary_files_of_a_process_go_with_it() -> None:
    with Child() as child:
        child.serve("ponder.system.pool:serve")
        child.send((temporary, "half"))
        good, left = child.receive()
        assert good
        assert os.path.exists(left)
    assert not os.path.exists(left)
