"""True results of every kind, and forgeries of them: each number, field, order, board in turn.

`genuine()` has one true result for each kind of certificate and each way to use it, on boards small
enough for brute force. `forged` yields everything that differs from one in one place, and
`transplanted` puts the certificates of one into another. `falsehood` asks `verify` and compares
with the truth: a forgery may be refused, left open, or true, never accepted and false.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

import ponder
from ponder.check.reader import packed, unpacked
from ponder.check.result import Result
from ponder.check.verification import KINDS, verify
from ponder.check.witness import Randomised
from ponder.encodings.precedence import Precedence
from ponder.find.solvers.by_encoding import SolverSettings
from ponder.find.solvers.clause_arrays import Formula as ClauseArrays
from ponder.find.solvers.clause_arrays import Unsat
from ponder.find.solvers.decoding import proved
from ponder.find.solvers.sat import solve
from ponder.model.board import RULES, Board, Rule
from ponder.model.graph import GridGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import WiringGraph
from ponder.proofs.lrat_trimming import trimmed
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits
from ponder.system.types import Json
from tests import brute
from tests.boards import bits_of
from tests.corpus import Question, World, wiring_worlds, world_of

Rows = tuple[str, ...]
Path = tuple[str | int, ...]

BOARDS: dict[str, tuple[str, Rows, str, Rule, str | Rows]] = {
    "block first": ("order", ("1010", "1001"), "cross", "unlit", ("0000", "0111")),
    "block last": ("order", ("0010", "1111"), "cross", "lit", ("0010", "1011")),
    "block parity": ("order", ("101",), "king", "unlit", ("110",)),
    "cut of all lines": ("order", ("11", "00"), "cross", "unlit", "lit"),
    "members of an order": ("order", ("11011",), "king", "unlit", ("00111",)),
    "settings of an order": ("order", ("101", "101"), "cross", "unlit", "lit"),
    "dead end": ("order", ("000",), "cross", "lit", "lit"),
    "witness": ("order", ("110",), "cross", "any", "lit"),
    "lightest": ("order", ("111",), "king", "any", "lit"),
    "bound by a part": ("order", ("10110",), "king", "lit", ("10101",)),
    "bound by parts": ("order", ("111", "100"), "plus", "unlit", ("000", "011")),
    "bound by settings": ("order", ("111",), "cross", "unlit", "lit"),
    "solve: dead end": ("solve", ("000",), "cross", "lit", "lit"),
    "solve: witness": ("solve", ("100",), "cross", "lit", "lit"),
    "solve: lightest": ("solve", ("000",), "plus", "any", "unlit"),
    "solve: line counts": ("solve", ("00", "11"), "cross", "lit", "unlit"),
    "solve: a proof": ("solve", ("01111",), "king", "unlit", ("01100",)),
    "solve: a part": ("solve", ("010",), "king", "lit", ("100",)),
    "solve: part and proof": ("solve", ("10", "10", "10"), "cross", "unlit", ("01", "01", "01")),
    "solve: parts and proofs": ("solve", ("1000", "0000"), "torus-plus", "lit", ("0111", "1111")),
    "solve: modulo four": ("solve", ("10101",), "plus", "unlit", ("11011",)),
    "solve: modulo four of members": ("solve", ("00111",), "king", "unlit", ("01010",)),
    "solve: settings": ("solve", ("111",), "cross", "unlit", "lit"),
}
"""Boards whose answers have a kind of certificate, with the command."""


@dataclass(frozen=True, eq=False)
class Genuine:
    """A true result as JSON, and the question that it answers."""

    name: str
    question: Question
    content: Json

    @property
    def board(self) -> Board:
        return self.question.board


def question_of(rows: Rows, pattern: str, rule: Rule, goal: str | Rows) -> Question:
    """The question of a grid, with its truth."""
    shape = len(rows), len(rows[0])
    graph = Board.from_rows(rows, pattern).graph
    everything = (1 << shape[0] * shape[1]) - 1
    wanted = {"lit": everything, "unlit": 0}.get(str(goal))
    target = number("".join(goal)) if wanted is None else wanted
    edges = brute.grid_edges(*shape, pattern)
    world = world_of(f"{shape[0]}x{shape[1]} {pattern}", graph, edges, rule, target)
    return world.question(number("".join(rows)))


def number(bits: str) -> int:
    return sum(1 << k for k, bit in enumerate(bits) if bit == "1")


def as_json(result: Result) -> Json:
    content: Json = json.loads(json.dumps(result.to_json()))
    for told in ("steps", "statistics", "seconds", "method", "version"):  # which nothing checks
        del content[told]
    return content


@cache
def genuine() -> tuple[Genuine, ...]:
    """All of them."""
    results = []
    for name, (command, rows, pattern, rule, goal) in BOARDS.items():
        question = question_of(rows, pattern, rule, goal)
        ask = ponder.order if command == "order" else ponder.solve
        results.append(Genuine(name, question, as_json(ask(question.board))))
    results += map(_by_hand, _HAND_MADE)
    return tuple(results)


def _by_hand(name: str) -> Genuine:
    question, result = _HAND_MADE[name]()
    return Genuine(name, question, as_json(result))


def _impossible(question: Question, why: Json, counts: bool = True) -> Result:
    """The claim C1 about the first press set of a board, with a refutation in JSON."""
    press_set = bits_of(question.world.press_sets(question.state)[0], len(question.world.flips))
    read = KINDS[str(why["kind"])].read(question.board, why)
    assert isinstance(read, ponder.check.certificate.Refutation)
    return Result(
        "order", question.board, "impossible", "hand", claim="C1", refutation=read, counts=press_set
    )


def _orders() -> tuple[Question, Result]:
    """A block without an order, by all its orders: a king's board whose parities agree."""
    for seed in range(1000):
        rng = random.Random(seed)
        rows = tuple("".join(rng.choice("01") for _ in range(3)) for _ in range(3))
        question = question_of(rows, "king", "unlit", "lit")
        press_set = question.world.press_sets(question.state)[0]
        bulbs = [(v // 3, v % 3) for v in range(9) if press_set >> v & 1]
        if not question.world.orders[press_set] and len(bulbs) > 4:
            why: Json = {"kind": "block", "rule": "orders", "bulbs": bulbs}
            return question, _impossible(question, why)
    raise AssertionError


def _cut() -> tuple[Question, Result]:
    """A cut of some lines, where the line counts agree."""
    world = question_of(("0000",) * 3, "cross", "unlit", "lit").world
    for state in range(world.states):
        question = world.question(state)
        for press_set in world.press_sets(state):
            if world.orders[press_set]:
                continue
            result = ponder.order(question.board, press_set=bits_of(press_set, 12))
            if result.refutation is not None and not getattr(result.refutation, "all_lines", True):
                return question, result
    raise AssertionError


def _formula() -> tuple[Question, Result]:
    question = question_of(("11", "00"), "cross", "unlit", "lit")
    settings = SolverSettings("half_factor")
    return question, ponder.order(question.board, method="sat", solver_settings=settings)


def _lazy_formula() -> tuple[Question, Result]:
    """A formula that leaves cycles out, with a clause against one."""
    world = question_of(("000",) * 3, "king", "unlit", "lit").world
    for state in range(world.states):
        question, sets = world.question(state), world.press_sets(state)
        press_set = bits_of(sets[0] if sets else 0, 9)
        problem = OrderingProblem.of_board(question.board, press_set)
        if sets and press_set[[0, 1, 3]].all() and not world.orders[sets[0]]:
            break
    coder = Precedence()
    options = coder.options(["acyclic=lazy"])
    corner = np.searchsorted(problem.bulbs, [0, 1, 3]).tolist()
    cuts = coder.cuts(problem, [corner])
    cnf = coder.encode(problem, options).extended("cuts", cuts)
    outcome = solve(ClauseArrays.from_clauses(cnf.variables, cnf.blocks()), proof=True)
    assert isinstance(outcome, Unsat)
    proof = trimmed((outcome.proof or b"").decode(), cnf.size.clauses)
    why = proved(coder, options, cnf, proof, added=cuts)
    return question, Result(
        "order", question.board, "impossible", "hand", "C1", refutation=why, counts=press_set
    )


def _packing() -> tuple[Question, Result]:
    question = question_of(("0111", "1111", "1110"), "plus", "any", "lit")
    why = KINDS["packing"].read(question.board, {"bulbs": [[0, 0], [2, 3]]})
    return question, Result("solve", question.board, "unknown", "hand", None, None, 2, why)  # type: ignore[arg-type]


def _counted() -> tuple[Question, Result]:
    question = question_of(("010", "110", "001"), "torus-plus", "any", "lit")
    for state in range(question.world.states):
        question = question.world.question(state)
        result = ponder.solve(question.board)
        if getattr(result.evidence, "press_sets", 0) not in (None, 0, 1):
            return question, result
    return question, result


def _too_few() -> tuple[Question, Result]:
    question = question_of(("010",), "king", "lit", ("100",))
    return question, ponder.solve(question.board, at_most=(question.fewest or 0) - 1)


def _enough() -> tuple[Question, Result]:
    question = question_of(("010",), "king", "lit", ("100",))
    return question, ponder.solve(question.board, at_most=question.fewest)


def _remark() -> tuple[Question, Result]:
    question = question_of(("11", "00"), "cross", "unlit", "lit")
    why = Randomised(16, 3, -40.5)
    return question, Result("order", question.board, "unknown", "hand", refutation=why)


def _wired(solvable: bool) -> tuple[Question, Result]:
    for world in wiring_worlds():
        for state in range(world.states):
            question = world.question(state)
            if world.rule == "any" or not world.press_sets(state):
                continue
            if (question.fewest is not None) == solvable and question.fewest not in (0, 1):
                return question, ponder.solve(question.board)
    raise AssertionError


def _wired_order() -> tuple[Question, Result]:
    for world in wiring_worlds():
        for state in range(world.states):
            question = world.question(state)
            if world.rule != "any" and question.once is None and world.press_sets(state):
                result = ponder.order(question.board)
                if result.refutation is not None and result.refutation.kind == "block":
                    return question, result
    raise AssertionError


def _settings() -> tuple[Question, Result]:
    """The settings under the rule `any`, where no order counts."""
    question = question_of(("011", "101", "110"), "cross", "any", "lit")
    why = KINDS["settings"].read(question.board, {"side": "rows"})
    least = ponder.solve(question.board).count
    return question, Result("solve", question.board, "unknown", "hand", None, None, least, why)  # type: ignore[arg-type]


def _listed() -> tuple[Question, Result]:
    """All lightest press sets by name."""
    question = question_of(("00", "00"), "king", "any", "lit")
    return question, ponder.solve(question.board, every=True)


_HAND_MADE: dict[str, Callable[[], tuple[Question, Result]]] = {
    "block orders": _orders,
    "cut": _cut,
    "formula": _formula,
    "lazy formula": _lazy_formula,
    "packing": _packing,
    "several lightest": _counted,
    "listed lightest": _listed,
    "settings of any order": _settings,
    "at most: too few": _too_few,
    "at most: enough": _enough,
    "randomised": _remark,
    "states": lambda: _wired(False),
    "bound by states": lambda: _wired(True),
    "block of a wiring": _wired_order,
}


# -------------------------------------------------------------------------------------- judgement


def falsehood(question: Question, content: Json, board: Board | None = None) -> str | None:
    """What is false in a result that `verify` does not refuse, among what it says was checked.

    None for a refused result, or where all that was checked is true. Raises what `verify` raises
    beside refusals.
    """
    try:
        report = verify(board or question.board, content, timeout=Limits(20.0))
    except CheckFailed:
        return None
    return _false(question, content, [s.text for s in report.statements if s.unchecked is None])


def _false(question: Question, content: Any, checked: list[str]) -> str | None:
    order, world = content["command"] == "order", question.world
    truth = question.once if order else question.fewest
    for text in checked:
        if "lead to the goal" in text or "leads to the goal" in text:
            presses = question.board.graph.bulbs(content["presses"]).tolist()
            if not question.replays(presses) or (order and len(set(presses)) < len(presses)):
                return "the presses are wrong"
        if "has fewer than" in text and truth is not None and content["lower_bound"] > truth:
            return f"the bound {content['lower_bound']} is more than {truth}"
        if text.startswith("at most "):
            enough = truth is not None and truth <= content["at_most"]
            if enough != (content["verdict"] == "solved"):
                return f"at most {content['at_most']}, and the truth is {truth}"
        if text.startswith(("C1,", "C2,", "C4,")):
            claim = text[:2]
            if claim == "C1" and world.orders[_press_set(question, content["refutation"])]:
                return "the press set has an order"
            if claim == "C2" and question.once is not None:
                return "there is an order"
            if claim == "C4" and question.fewest is not None:
                return "there is a solution"
    if content["optimal"] and content["count"] != truth and len(checked) > 2:
        return f"{content['count']} are not the fewest, {truth}"
    return None


def _press_set(question: Question, refutation: Any) -> int:
    digits = "".join(map(str, refutation["press_counts"])).replace("-", "")
    return number(digits)


# --------------------------------------------------------------------------------------- mutation

NUMBERS: tuple[object, ...] = (
    -1, 0, 1, 2, 3, 7, 10**6, 1 << 31, 1 << 62, 1 << 63, 10**400, -(1 << 63), True, False, 1.0,
    1e308, float("inf"), float("nan"), "1", None, [1], {},
)  # fmt: skip
WORDS: tuple[object, ...] = (
    "", "rows", "columns", "start", "goal", "parity", "first", "last", "orders", "order", "solve",
    "solved", "impossible", "unknown", "C1", "C2", "C3", "C4", *KINDS, *RULES, "half_factor",
    "precedence", "acyclic=lazy", "x" * 5000, 0, None, [], True,
)  # fmt: skip


def places(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every value in a JSON object, with its path."""
    yield path, value
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        yield from places(item, (*path, key))


def put(content: Json, path: Path, value: object) -> Json:
    """A copy with another value at a place."""
    changed: Any = copy.deepcopy(content)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed  # type: ignore[no-any-return]


def others(value: object, rng: random.Random) -> Iterator[object]:
    """Values that may stand in place of one."""
    if isinstance(value, bool):
        yield from (not value, None, 1, "true")
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, -value, 2 * value + 1, *NUMBERS)
    elif isinstance(value, str):
        yield from _texts(value, rng)
    elif isinstance(value, list):
        yield from _lists(value, rng)
    elif isinstance(value, dict):
        yield from (None, [], 0, "x")
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
    else:
        yield from (0, 1, [], "", {}, False)


def _texts(value: str, rng: random.Random) -> Iterator[object]:
    yield from WORDS
    if value[:1] in "01" and value.strip("01-") == "":  # a row of press counts
        for k in range(len(value)):
            yield value[:k] + ("1" if value[k] == "0" else "0") + value[k + 1 :]
        yield from (value + "0", value[1:], value.replace("1", "2"), "９" * len(value))
    if len(value) > 20 and value[:2] == "eJ":  # a proof
        with suppress(CheckFailed):  # a proof that a change before this one has cut
            yield from _proofs(unpacked(value, "a proof"), rng)


def _proofs(text: str, rng: random.Random) -> Iterator[str]:
    lines = text.splitlines()
    for k in range(len(lines)):
        yield packed("\n".join(lines[:k] + lines[k + 1 :]) + "\n")
        words = lines[k].split()
        for at in rng.sample(range(len(words)), min(3, len(words))):
            changed = [
                *words[:at],
                str(int(words[at]) + 1 if words[at] != "d" else 0),
                *words[at + 1 :],
            ]
            yield packed("\n".join([*lines[:k], " ".join(changed), *lines[k + 1 :]]) + "\n")
    last = lines[-1].split()[0] if lines else "1"
    yield packed(f"{last} 0 1 0\n")
    yield packed("")
    yield packed(text)[:-8]


def _lists(value: list[object], rng: random.Random) -> Iterator[object]:
    yield from ([], None, {}, value * 2, [value], value[::-1])
    for k in range(len(value)):
        yield value[:k] + value[k + 1 :]
        yield [*value, value[k]]
        yield [*value[:k], value[(k + 1) % len(value)], *value[k + 1 :]]
    yield [*value, 0]
    yield [*value, [0, 0]]
    yield rng.sample(value, len(value))


def forged(true: Genuine, rng: random.Random) -> Iterator[tuple[str, Question, Json]]:
    """Everything that differs from a true result in one place, board and question included."""
    for path, value in places(true.content):
        for other in others(value, rng) if path else ():
            if json.dumps(other, default=str) != json.dumps(value):
                yield f"{path} = {other!r}"[:200], true.question, put(true.content, path, other)
    for question in _other_questions(true.question):
        content = copy.deepcopy(true.content)
        content["board"] = _described(question.board)
        yield f"of the board {question}", question, content
    for command in ("order", "solve"):
        for claim in (None, "C1", "C2", "C3", "C4"):
            for verdict in ("solved", "impossible", "unknown"):
                asked = {"command": command, "claim": claim, "verdict": verdict}
                yield f"{asked}", true.question, {**copy.deepcopy(true.content), **asked}


def _described(board: Board) -> Json:
    board_json = Result("order", board, "unknown", "").to_json()["board"]
    assert isinstance(board_json, dict)
    return board_json


def _other_questions(question: Question) -> Iterator[Question]:
    """The same with one light or bulb of the goal changed, another rule, another pattern."""
    world = question.world
    for k in range(world.lights):
        yield world.question(question.state ^ 1 << k)
        yield replace(world, goal=world.goal ^ 1 << k).question(question.state)
    for rule in RULES:
        yield replace(world, rule=rule).question(question.state)
    if isinstance(world.graph, GridGraph) and not isinstance(world.graph, WiringGraph):
        rows, columns = world.graph.shape
        for pattern in ("cross", "plus", "king", "torus-plus"):
            graph = Board.from_rows(["0" * columns] * rows, pattern).graph
            edges = brute.grid_edges(rows, columns, pattern)
            other: World = world_of(pattern, graph, edges, world.rule, world.goal)
            yield other.question(question.state)


def transplanted(into: Genuine, source: Genuine) -> Iterator[tuple[str, Question, Json]]:
    """A true result with the certificates of another one."""
    for key in ("bound", "refutation"):
        for other in ("bound", "refutation"):
            if source.content[other] is not None:
                content = {**copy.deepcopy(into.content), key: copy.deepcopy(source.content[other])}
                for bound in (0, 1, 3, 100):
                    changed = {
                        **content,
                        "lower_bound": bound,
                        "optimal": bound == content["count"],
                    }
                    yield f"{key} of {source.name}", into.question, changed
                yield f"{key} of {source.name}", into.question, content


def changed(true: Genuine, rng: random.Random) -> tuple[str, Question, Json]:
    """A true result changed in one to four places, at random."""
    content, said, question = true.content, list[str](), true.question
    if rng.random() < 0.3:
        question = rng.choice(list(_other_questions(question)))
        content = {**content, "board": _described(question.board)}
    for _ in range(rng.randint(1, 4)):
        path, value = rng.choice(list(places(content))[1:])
        other = rng.choice(list(others(value, rng)))
        content = put(content, path, other)
        said.append(f"{path} = {other!r}"[:120])
    return f"{true.name}: {'; '.join(said)}", question, content
