"""Evidence about wirings and orientations, to be put forward for what is false about them.

Wirings of up to eight lights and buttons, and graphs of up to five vertices, of which brute force
knows everything: what is genuine about another press set or question, and what is made at random,
goes before the checker for one press more than are needed, a press set that has an order, a goal
that is reached, or the other answer to the question.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np

import ponder
from ponder.check.kinds import Bound
from ponder.check.limits import Budget
from ponder.check.orientation import CIRCLE, verify_orientation
from ponder.check.written import press_counts_json
from ponder.find.context import SolveSession
from ponder.find.orient import Asked, outcome_json
from ponder.find.solvers.by_encoding import SolverSettings
from tests import checking
from tests.brute import on_a_wiring, parities_of_orders
from tests.kinds import BOUNDS, LOCAL, check_of_board, check_refutation
from tests.wirings import any_case, board_of, press_sets

Target = tuple[str, Callable[[Any], object], str]
"""Evidence as JSON, what checks a false claim by it, and what that claim is."""


def wiring_targets(rng: random.Random, against: Callable[..., object]) -> list[Target]:
    """Evidence about one wiring. `against` checks a bound above what is needed."""
    case = any_case(rng)
    board, sets, (fewest, once) = board_of(*case), press_sets(case), on_a_wiring(*case[1:])
    said = f"{case}"
    parts = [_part(rng, board, len(case[1]), sets) for _ in range(6)]
    bounds: list[Any] = [
        {"kind": kind}
        for kind in Bound.kinds()
        if Bound.kinds()[kind].of_wirings and kind != "within-steps"
    ]
    bounds += [{"kind": "coset", "parts": rng.sample(parts, rng.randint(0, 2))} for _ in range(3)]
    witnesses: list[Any] = [{"kind": "states", "reached": rng.randint(0, 1 << case[0])}]
    lights = [v for v in range(case[0]) if rng.random() < 0.5]
    witnesses.append({"kind": "odd-witness", "bulbs": lights})
    for ask in (ponder.order, ponder.solve):
        content = checking.loads(ask(board).to_json())
        bounds += [content["bound"]] if content["bound"] else []
    targets: list[Target] = []
    for command, least in (("solve", fewest), ("order", once)):
        for bound in bounds:
            if least is not None and bound["kind"] in BOUNDS[command]:
                more = least + rng.choice([1, 1, 2, 3, 2**30])
                bounded = partial(against, board, command, least, more)
                targets.append((json.dumps(bound), bounded, f"`{command}` > {least}\n{said}"))

    def refuted(forged: Any) -> object:
        found = check_refutation(board, forged)
        chosen = sum(1 << int(v) for v in np.flatnonzero(found.counts))
        return found.unchecked if sets[chosen] else "true"

    def unreached(forged: Any) -> object:
        check_of_board(board, forged)
        return None

    if sets and board.rule != "any":
        targets += [
            (json.dumps(part), refuted, f"a press set without order\n{said}") for part in parts
        ]
    if fewest is not None:
        targets += [
            (json.dumps(one), unreached, f"no way to the goal\n{said}") for one in witnesses
        ]
    return targets


def _part(rng: random.Random, board: Any, buttons: int, sets: dict[int, bool]) -> Any:
    """A local refutation of a press set, which may refute nothing."""
    chosen = rng.choice(sorted(sets)) if sets else 0
    pressed = [v for v in range(buttons) if chosen >> v & 1]
    some = [v for v in pressed if rng.random() < 0.7]
    counts = np.isin(np.arange(buttons), pressed).astype(np.int64)
    part = {"kind": rng.choice(LOCAL), "press_counts": press_counts_json(board, counts)}
    return checking.loads(part | {"bulbs": board.graph.labels(some)})


def orientation_targets(rng: random.Random) -> list[Target]:
    """Results about one graph that give the other answer."""
    size = rng.randint(1, 5)
    pairs = list(combinations(range(size), 2))
    edges = [pair for pair in pairs if rng.random() < 0.7]
    hears = [[u + w - v for u, w in edges if v in (u, w)] for v in range(size)]
    arcs = [(u, v) if rng.random() < 0.5 else (v, u) for u, v in edges if rng.random() < 0.3]
    bits = tuple(rng.randrange(2) for _ in range(size))
    free, able = parities_of_orders(hears), bits in parities_of_orders(hears, arcs)
    odd = [v for v in range(size) if bits[v]]
    asked = Asked.of((size, edges), odd, arcs)
    found = json.loads(json.dumps(outcome_json(asked, asked.outcome(SolveSession()), 0, 0.0)))
    contents: list[Any] = []
    if able:
        found |= {"verdict": "impossible", "arcs": None, "order": None}
        for kind in (*LOCAL, CIRCLE):
            some = [v for v in range(size) if rng.random() < 0.7]
            if kind == CIRCLE and arcs:
                some = [v for arc in arcs for v in arc]
            contents.append(found | {"refutation": {"kind": kind, "vertices": some}})
        others = [other for other in product((0, 1), repeat=size) if other not in free]
        if others and rng.random() < 0.2:
            contents.append(found | {"refutation": _sat_proof(asked, rng.choice(others))})
    else:
        order = rng.sample(range(size), size)
        place = {v: k for k, v in enumerate(order)}
        ends = [sorted(edge, key=place.__getitem__) for edge in edges]
        found |= {"verdict": "oriented", "refutation": None, "order": order, "arcs": ends}
        contents = [found] * 3

    def answered(forged: Any) -> object:
        report = verify_orientation(asked.question.graph, forged, Budget())
        return None if report.complete else "open"

    said = f"{size} vertices, {edges}, odd {odd}, arcs {arcs}, not {able}"
    return [(json.dumps(content), answered, said) for content in contents]


def _sat_proof(asked: Asked, odd: tuple[int, ...]) -> object:
    """A solver's proof about other parities of the same graph."""
    board = replace(asked.question, odd=np.array(odd, dtype=np.bool_)).board
    recipe = SolverSettings("precedence", ("acyclic=elimination",))
    every = np.arange(board.graph.size)
    result = ponder.order(board, method="sat", solver_settings=recipe, press_set=every).to_json()
    return checking.loads(result)["refutation"]
