"""Small wirings at random, and which of their press sets have an order, by brute force."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

import numpy as np

from ponder.model.board import Board
from ponder.model.wired_graph import WiringGraph

Case: TypeAlias = tuple[int, list[int], list[int], int, int, str]
"""Lights, what each button flips (bits), where it sits or −1, the start, the goal, the rule."""


def board_of(
    lights: int, flips: list[int], at: list[int], start: int, goal: int, rule: Any
) -> Board:
    def bits(number: int) -> np.ndarray[Any, Any]:
        return np.array([number >> k & 1 for k in range(lights)], dtype=np.bool_)

    toggles = [np.flatnonzero(bits(flip)).tolist() for flip in flips]
    return Board(WiringGraph(lights, toggles, at), bits(start), bits(goal), rule)


def any_case(rng: random.Random) -> Case:
    """A wiring of up to 8 × 8: one-way, centreless, with repeated and useless buttons."""
    most = rng.choice((3, 8))
    lights, buttons = rng.randint(1, most), rng.randint(1, most)
    share = rng.choice((0.2, 0.35, 0.5))
    flips = [sum((rng.random() < share) << k for k in range(lights)) for _ in range(buttons)]
    at = [rng.choice([-1, *range(lights)]) for _ in range(buttons)]
    if lights == buttons and rng.random() < 0.5:
        at = list(range(lights))
        flips = [flip & ~(1 << v) for v, flip in enumerate(flips)]
    flips[-1] = rng.choice((flips[-1], flips[0], 0))
    start = goal = rng.getrandbits(lights)
    for flip in flips:
        goal ^= flip * (rng.random() < 0.6)
    if rng.random() < 0.3:
        goal = rng.getrandbits(lights)
    return lights, flips, at, start, goal, rng.choice(("unlit", "unlit", "lit", "any"))


def press_sets(case: Case) -> dict[int, bool]:
    """All press sets (bits), and whether each has an order: the table of what can be pressed."""
    _, flips, at, start, goal, rule = case
    after, ordered = {0: start}, {0}
    for chosen in range(1, 1 << len(flips)):
        members = [v for v in range(len(flips)) if chosen >> v & 1]
        after[chosen] = after[chosen ^ 1 << members[0]] ^ flips[members[0]]
        for v in members:
            before = chosen ^ 1 << v
            free = rule == "any" or at[v] < 0
            if before in ordered and (free or after[before] >> at[v] & 1 == (rule == "lit")):
                ordered.add(chosen)
                break
    return {chosen: chosen in ordered for chosen, state in after.items() if state == goal}
