"""Small boards of every kind, by every method, against brute force; and `verify` on the answers."""

from __future__ import annotations

import json
import random
from typing import Any

import ponder
from ponder.check.result import Result
from ponder.system.errors import PonderError
from tests.fuzz import Failure
from tests.fuzz.limits import limited
from tests.fuzz.puzzles import Puzzle, puzzle

BATCH = 5
"""Boards; each is asked about by several methods."""

METHODS = ("auto", "greedy", "lines", "cpsat")


def attempt(rng: random.Random) -> int:
    """Try one batch."""
    done = 0
    for _ in range(BATCH):
        board = puzzle(rng, rng.choice((4, 6, 8, 9, 9, 12)))
        asked: list[tuple[str, dict[str, Any]]] = [("order", {"method": m}) for m in METHODS]
        if rng.random() < 0.05:  # a process each
            asked.append(("order", {"method": "sat"}))
        asked += [("solve", {}), ("solve", {"at_most": rng.randint(0, board.size)})]
        for name, options in asked:
            _ask(board, name, {**options, "seed": rng.choice((0, 1, 2**63 - 1))})
            done += 1
    return done


def _ask(board: Puzzle, name: str, options: dict[str, Any]) -> None:
    """Ask one method about one board; Failure when what it says is not so."""
    words = ", ".join(f"{key}={value!r}" for key, value in options.items())
    call = f"ponder.{name}(ponder.parse_board({board.content!r}), {words})"
    title = f"{name} {options.get('method', '')}".strip()

    def fail(reason: str) -> Failure:
        return Failure(f"{title}: {reason}", call, f"{title}: {reason}")

    with limited(title, call):
        try:
            result: Result = getattr(ponder, name)(board.board, **options)
        except PonderError as error:
            if options.get("method") == "lines" and "needs" in str(error):
                return
            raise fail(f"refused: {error}") from error
        except Exception as error:
            raise fail(f"ends in {type(error).__name__}: {error}") from error
    wrong = _wrong(board, name, options, result)
    if wrong is not None:
        raise fail(wrong)
    try:
        ponder.verify(board.board, json.loads(json.dumps(result.to_json())))
    except PonderError as error:
        raise fail(f"verify rejects it: {error}") from error
    except Exception as error:
        raise fail(f"verify ends in {type(error).__name__}: {error}") from error


def _wrong(board: Puzzle, name: str, options: dict[str, Any], result: Result) -> str | None:
    """Return what is not so in a result, or None."""
    fewest = board.fewest if name == "solve" else board.fewest_once
    bound, at_most = result.lower_bound, options.get("at_most")
    if bound is not None and fewest is not None and bound > fewest:
        return "a lower bound that is too high"
    if result.presses is not None:
        presses = result.presses.tolist()
        if not board.replays(presses):
            return "presses that do not replay"
        if name == "order" and len(set(presses)) != len(presses):
            return "a bulb is pressed twice"
        if result.optimal and len(presses) != fewest:
            return "called optimal, and is not"
    match result.verdict:
        case "solved":
            if result.presses is None or fewest is None:
                return "solved, and cannot be"
            if name == "solve" and at_most is None and not result.optimal:
                return "no time limit, and not the fewest"
            if at_most is not None and result.count is not None and result.count > at_most:
                return "more presses than were asked for"
        case "impossible":
            if result.claim == "C3":
                if at_most is None or (fewest is not None and fewest <= at_most):
                    return "C3 is claimed falsely"
            elif result.claim == "C4":
                if board.fewest is not None:
                    return "C4 is claimed falsely"
            elif result.claim != "C2" or fewest is not None or name == "solve":
                return f"{result.claim} is claimed falsely"
        case _:
            if options.get("method") != "greedy":
                return "unknown, without a time limit"
    return None
