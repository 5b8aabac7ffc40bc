"""Numbers in evidence, forged: what the checker accepts must be true all the same.

A batch takes one small board, wiring or graph, what is true of it by brute force, and evidence of
every kind for it, genuine and made at random. Then the numbers in the evidence are forged, one, a
few, or all of a name: to what arrays of 16, 32, 53 and 64 bits just hold or just do not, to what
makes products wrap around, to the same huge number plus little ones, to what is no number at all.
The evidence is put before the checker for a claim that is false: one press more than are needed, a
press set that has an order, a worst board that needs fewer presses than it does. So whatever is
accepted is a fault.

Cost: some 5,000 forged numbers a second.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ponder.check.limits import Budget, TooLarge
from ponder.check.most_moves import verify_most_moves
from ponder.check.verification import check_bound
from ponder.model.board import Board
from ponder.system.errors import CheckFailed
from tests import evidence
from tests.fuzz import Failure, one_way
from tests.fuzz.results import (
    Case,
    Json,
    a_board,
    bound_at_random,
    everything_at_random,
    inside,
    part_at_random,
    paths,
    true_results,
)
from tests.kinds import BOUNDS, check_of_board, check_refutation

BATCH = 2_000
"""Forged numbers in a batch, at least."""
WORK = 200_000_000
"""Nanoseconds for a bound, by estimate: a forged number may ask for very much."""

SPECIAL: tuple[Any, ...] = (
    0, -1, 1, 2, 3, 7, 1000, 1001, 2**15, 2**16, 2**31 - 1, 2**31, 2**32, 2**53, 2**53 + 1, 2**60,
    2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1, 2**63, 2**64, 2**64 + 1, 10**30, -(2**63), -(10**30),
    True, False, 1.0, 1e3, "1", None,
)  # fmt: skip

Check = Callable[[Json], object]
"""Raises CheckFailed or TooLarge, returns why something was not checked, or None: accepted."""


def attempt(rng: random.Random) -> int:
    """Try one batch on one board; return how many numbers were forged."""
    share = rng.random()
    if share < 0.15:
        targets = most_moves_targets(rng)
    elif share < 0.35:
        targets = one_way.wiring_targets(rng, beyond)
    elif share < 0.5:
        targets = one_way.orientation_targets(rng)
    else:
        case = evidence.Truth(a_board(rng))
        while case.size > 12:
            case = evidence.Truth(a_board(rng))
        targets = bound_targets(rng, case) + refutation_targets(rng, case)
    forged = 0
    while targets and forged < BATCH:
        text, check, about = rng.choice(targets)
        content = json.loads(text)
        numbers = forge(rng, content)
        if not numbers:
            targets = [target for target in targets if target[0] != text]
            continue
        forged += numbers
        judge(content, check, about)
    return forged


def judge(content: Json, check: Check, about: str) -> None:
    """Failure when a forged claim is accepted, or anything but a refusal comes out."""
    try:
        why = check(content)
    except (CheckFailed, TooLarge):
        return
    except Exception as error:
        raise Failure(f"{type(error).__name__}: {error}", f"{about}\n{content}") from error
    if why is None:
        raise Failure(f"accepted, and false: {about.splitlines()[0]}", f"{about}\n{content}")


# ------------------------------------------------------------------------------ what is forged


Target = tuple[str, Check, str]
"""Evidence as JSON, what checks a false claim by it, and what that claim is."""


def bound_targets(rng: random.Random, case: Case) -> list[Target]:
    """Evidence for lower bounds, to be put forward for more presses than are needed."""
    known = [result["bound"] for result in true_results(rng, case) if result["bound"]]
    targets = []
    for command, least in (("order", case.once), ("solve", case.fewest)):
        if least is None:
            continue
        made = [bound_at_random(rng, case) for _ in range(8)]
        for bound in [*known, *known, *made]:
            if bound["kind"] not in BOUNDS[command]:
                continue
            more = rng.choice([1, 1, 2, 2, 3, 4, 10, 2**30])
            targets.append(bound_target(case.board, command, least, least + more, bound))
    return targets


def bound_target(board: Board, command: str, least: int, claimed: int, bound: Json) -> Target:
    def check(forged: Json) -> object:
        return beyond(board, command, least, claimed, forged)

    return json.dumps(bound), check, f"`{command}` needs more than {least} presses\n{about(board)}"


def beyond(board: Board, command: str, least: int, claimed: int, forged: Json) -> object:
    """Check a bound above the least number; None, too, where it is said to prove another one."""
    budget = Budget()
    budget.left = WORK
    try:
        return check_bound(board, command, claimed, forged, budget)
    except CheckFailed as failure:
        proved = re.search(r"proves (\d+)", str(failure))
        if proved is not None and int(proved[1]) > least:
            return None  # whoever claims that is believed
        raise


def refutation_targets(rng: random.Random, case: Case) -> list[Target]:
    """Refutations, to be put forward about press sets that have an order."""
    board = case.board

    def refuted(forged: Json) -> object:
        found = check_refutation(board, forged)
        if forged.get("kind") in ("line-parities", "weighted-cuts"):  # about all press sets
            return found.unchecked if case.once else "true"
        return found.unchecked if case.orderable(found.counts) else "true"

    def unreachable(forged: Json) -> object:
        check_of_board(board, forged)
        return None if case.press_sets else "true"

    targets: list[Target] = []
    if board.odd_later is not None and case.press_sets:
        parts = [part_at_random(rng, case) for _ in range(8)]
        targets = [
            (json.dumps(part), refuted, f"{part['kind']} refutes a press set\n{about(board)}")
            for part in parts
            if part["kind"] != "coset"
        ]
    everything = everything_at_random(rng, case)
    if everything["kind"] == "odd-witness":
        said = f"nothing leads to the goal\n{about(board)}"
        targets.append((json.dumps(everything), unreachable, said))
    return targets


@cache
def worst_boards() -> tuple[tuple[Board, Json], ...]:
    return tuple((e.board, e.content) for e in evidence.genuine() if e.kind in evidence.MOST_MOVES)


def most_moves_targets(rng: random.Random) -> list[Target]:
    """Certificates of the hardest board, to be put forward for one press fewer, or many."""
    targets = []
    for board, content in worst_boards():
        for fewer in (1, 2, 3):
            upper = content["upper_bound"] - fewer
            if upper < 0:
                continue
            claim = {**content, "upper_bound": upper, "optimal": False, "lower_bound": 0}
            targets.append(most_moves_target(board, claim))
            if content["evidence"]["kind"] == "sign-tree":
                claim["evidence"] = a_small_tree(rng, content["evidence"])
                targets.append(most_moves_target(board, claim))
    return targets


def a_small_tree(rng: random.Random, tree: Json) -> Json:
    """Return a tree of one type and one weight for all cases, which proves nothing."""
    weight = [[point, rng.randint(1, 9)] for point in rng.choice([(0,), (1,), (0, 1)])]
    small = {"basis": [rng.choice(tree["basis"])], "weights": [weight], "cases": [0] * 8}
    return {**tree, **small, "height": rng.randint(1, 9)}


def most_moves_target(board: Board, claim: Json) -> Target:
    def check(forged: Json) -> None:
        verify_most_moves(board, {**claim, "evidence": forged})

    said = f"no board needs more than {claim['upper_bound']} presses\n{about(board)}"
    return json.dumps(claim["evidence"]), check, said


def about(board: Board) -> str:
    """Return the board as Python, whatever its graph."""
    edges = [
        (u, v) for u in range(board.graph.size) for v in board.graph.neighbours(u).tolist() if u < v
    ]
    state = np.array([board.lit, board.goal]).astype(int).tolist()
    return f"{board.graph.pattern} {getattr(board.graph, 'shape', edges)} {board.rule} {state}"


# ------------------------------------------------------------------------------------- forging


def forge(rng: random.Random, content: Json) -> int:
    """Forge some numbers; return how many."""
    ways = [way for way in paths(content) if type(at(content, way)) is int]
    if not ways:
        return 0
    match rng.randrange(5):
        case 0:  # one of them
            chosen = [rng.choice(ways)]
        case 1:  # a few of them
            chosen = rng.sample(ways, min(len(ways), rng.randint(2, 5)))
        case 2:  # all of them
            chosen = ways
        case _:  # all of a name
            name = rng.choice([name_of(content, way) for way in ways])
            chosen = [way for way in ways if name_of(content, way) == name]
    base, times = huge(rng), rng.choice([1, 1, 2, 3, 4, 2**20, 2**31, 2**40, 2**55])
    how = rng.randrange(4)
    for way in chosen:
        *above, key = way
        old = at(content, way)
        if how == 0:
            new: Any = rng.choice(SPECIAL)
        elif how == 1:
            new = base + rng.randint(-3, 3)
        elif how == 2:
            new = old * times + rng.choice([-1, 0, 0, 1])
        else:
            new = old + rng.choice([-2, -1, 1, 2, 4, huge(rng)])
        inside(content, above)[key] = new
    return len(chosen)


def huge(rng: random.Random) -> int:
    """Return a number that is near a power of two, or a part of one."""
    return (1 << rng.randint(8, 66)) // rng.choice([1, 1, 1, 3, 5, rng.randint(1, 1000)])


def at(content: Json, way: tuple[Any, ...]) -> Any:
    *above, key = way
    return inside(content, above)[key]


def name_of(content: Json, way: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what a number is: the names above it, and its place where it is one of a pair."""
    *above, key = way
    siblings = inside(content, above)
    place = (key,) if isinstance(siblings, list) and len(siblings) == 2 else ()
    return (*(word for word in way if isinstance(word, str)), *place)
