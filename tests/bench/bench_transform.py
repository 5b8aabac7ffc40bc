"""Whole cosets by one transform, the searches that rest on it, and their proofs checked again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np

from ponder.check.verification import verify
from ponder.find.cosets.random_subspaces import CosetWalk
from ponder.find.cosets.walsh_hadamard import CosetTransform
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.solve import solve
from ponder.model.board import Board
from tests.bench import Case
from tests.bench.bench_solve import solvable, warm


def weighed(nullity: int) -> Callable[[], Callable[[], object]]:
    """The least weight of 2^nullity members of a random coset of length 900."""

    def prepare() -> Callable[[], object]:
        rng = np.random.default_rng(1)
        types = rng.integers(0, 1 << nullity, 900)
        coset = CosetTransform.of(types, rng.random(900) < 0.5, nullity)
        return lambda: f"least weight {coset.lightest().weight}"

    return prepare


def all_off(size: int) -> Board:
    return Board.from_rows(["0" * size] * size, "plus", rule="any")


def any_order(size: int) -> Callable[[], Callable[[], object]]:
    """The all-off plus board under the rule `any`."""

    def prepare() -> Callable[[], object]:
        warm()
        board = all_off(size)

        def job() -> str:
            result = solve(board)
            bound = result.bound or {}
            return f"{result.count} presses, optimal: {result.optimal}, {bound.get('press_sets')}"

        return job

    return prepare


def searched(size: int) -> Callable[[], Callable[[], object]]:
    """A light press set of an all-off plus board by search."""

    def prepare() -> Callable[[], object]:
        sets = press_sets(all_off(size))
        assert isinstance(sets, PressSets)
        return lambda: f"{np.count_nonzero(CosetWalk(all_off(size), sets).light())} presses"

    return prepare


def ten(pattern: str, size: int, limit: float) -> Callable[[], Callable[[], object]]:
    """Solve ten random boards: how many are proved, the median time and the widest gap."""

    def prepare() -> Callable[[], object]:
        warm()
        boards = [solvable(pattern, (size, size), 2000 + seed) for seed in range(10)]

        def job() -> str:
            seconds, gaps = [], []
            for board in boards:
                start = time.perf_counter()
                result = solve(board, timeout=limit)
                seconds.append(time.perf_counter() - start)
                gaps.append(1 - (result.lower_bound or 0) / max(1, result.count or 0))
            return (
                f"{gaps.count(0.0)} of 10 proved; median {np.median(seconds):.1f} s, "
                f"gap at most {max(gaps):.1%}"
            )

        return job

    return prepare


def checked(pattern: str, size: int) -> Callable[[], Callable[[], object]]:
    """Verify the proof for one random board."""

    def prepare() -> Callable[[], object]:
        board = solvable(pattern, (size, size), 2000)
        content = json.loads(json.dumps(solve(board, timeout=60.0).to_json()))
        return lambda: f"complete: {verify(board, content).complete}"

    return prepare


CASES = [
    Case("transform, the least weight of 2^28", 1.5, weighed(28), memory=1),
    Case("transform, a light press set of all-off plus 47x47", 5.0, searched(47), memory=1),
    Case("solve, rule any, all-off plus 47x47", 300.0, any_order(47), runs=1, memory=4),
    Case("solve, rule any, all-off plus 39x39", 300.0, any_order(39), runs=1, memory=4),
    Case("solve, ten plus 30x30", 10 * 5.0, ten("plus", 30, 5.0), runs=1, memory=4),
    Case("solve, ten plus 40x40", 10 * 20.0, ten("plus", 40, 20.0), runs=1, memory=4),
    Case("solve, ten plus 50x50", 10 * 20.0, ten("plus", 50, 20.0), runs=1, memory=4),
    Case("solve, ten plus 100x100", 10 * 20.0, ten("plus", 100, 20.0), runs=1, memory=4),
    Case("solve, ten torus-plus 30x30", 10 * 20.0, ten("torus-plus", 30, 20.0), runs=1, memory=4),
    Case("verify, the proof of a plus 30x30", 10.0, checked("plus", 30), runs=3, memory=4),
]
