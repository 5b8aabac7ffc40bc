"""Results, forged: what the checker accepts must be true all the same.

A batch takes small boards and wirings, asks `order` and `solve`, and changes the results in one to
four places (`tests.forgeries`): numbers, words, lists, proofs, the board and the question; or it
puts certificates of one result into another, or one made by chance. What `verify` says was checked
is held against brute force. Cost: some 1,000 forged results a second.
"""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import numpy as np

import ponder
from ponder.check.kinds import KINDS
from ponder.model.graph import GridGraph
from ponder.model.wired_graph import Wired
from ponder.system.types import Json
from tests import corpus, forgeries
from tests.boards import bits_of
from tests.corpus import Question
from tests.forgeries import Genuine
from tests.fuzz import Failure
from tests.fuzz.limits import limited

BOARDS = 4  # of a batch, with the results of both commands
FORGED = 100  # for each result


def attempt(rng: random.Random) -> int:
    """Forge the results of a few boards, and judge what `verify` makes of them."""
    count = 0
    for _ in range(BOARDS):
        question = a_question(rng)
        known = [_asked(question, command) for command in ("order", "solve")]
        known.append(rng.choice(forgeries.genuine()))
        for true in known:
            for _ in range(FORGED):
                said, other, content = _forged(true, known, rng)
                count += 1
                where = f"{true.name}, {other}: {said}"
                with limited(where, json.dumps(content, default=str)[:5000], 3):
                    wrong = forgeries.falsehood(other, content)
                if wrong is not None:
                    raise Failure(f"{wrong}: {where}", json.dumps(content, default=str))
    return count


def a_question(rng: random.Random) -> Question:
    """A small board, wiring or graph, solvable three times out of four."""
    seed = rng.randrange(1 << 30)
    if rng.random() < 0.2:
        return next(corpus.larger_questions(1, seed % 1000))
    worlds = rng.choice(
        (
            corpus.grid_worlds(),
            corpus.even_line_worlds(),
            corpus.graph_worlds(),
            corpus.wiring_worlds(),
        )
    )
    return list(corpus.questions(worlds, 2, seed))[rng.random() < 0.8]


def _asked(question: Question, command: str) -> Genuine:
    result = getattr(ponder, command)(question.board)
    content = forgeries.as_json(result)
    wrong = forgeries.falsehood(question, content)
    if wrong is not None:
        raise Failure(f"{wrong}: {command}, {question}", json.dumps(content))
    return Genuine(command, question, content)


def _forged(true: Genuine, known: list[Genuine], rng: random.Random) -> tuple[str, Question, Json]:
    drawn = rng.random()
    if drawn < 0.1:
        made = list(forgeries.transplanted(true, rng.choice(known)))
        if made:
            return rng.choice(made)
    if drawn < 0.35:
        return by_chance(true, rng)
    return forgeries.changed(true, rng)


def by_chance(true: Genuine, rng: random.Random) -> tuple[str, Question, Json]:
    """The same result with a certificate made by chance, for a claim or a bound."""
    content: Any = copy.deepcopy(true.content)
    why = certificate(true.question, rng)
    if rng.random() < 0.5:
        bound = rng.randint(1, 2 * len(true.question.world.flips))
        content |= {"bound": why, "lower_bound": bound, "optimal": bound == content["count"]}
    else:
        claim = rng.choice(("C1", "C2", "C4"))
        content |= {"verdict": "impossible", "claim": claim, "refutation": why, "at_most": None}
        content |= {"presses": None, "count": None, "optimal": False}
        if content["command"] == "order":
            content |= {"bound": None, "lower_bound": None}
    return json.dumps(why, default=str)[:300], true.question, content


def certificate(question: Question, rng: random.Random) -> Json:
    """A certificate of any kind about things that the board has."""
    board, kind = question.board, rng.choice(list(KINDS))
    graph = board.graph
    named = [v for v in range(graph.presses) if rng.random() < 0.5] or [0]
    bulbs = graph.labels(named)
    sets = question.world.press_sets(question.state) or [rng.getrandbits(graph.presses)]
    chosen = bits_of(rng.choice(sets), graph.presses)
    if rng.random() < 0.5 and chosen.any():
        bulbs = graph.labels(np.flatnonzero(chosen)[: rng.randint(1, 9)])
    lines = graph.shape if isinstance(graph, GridGraph) else (3, 3)
    rows, columns = ([k for k in range(n) if rng.random() < 0.6] for n in lines)
    why: Json = {"kind": kind, "bulbs": bulbs, "side": rng.choice(("rows", "columns"))}
    why |= {"rule": rng.choice(("parity", "first", "last", "orders")), "rows": rows}
    why |= {
        "columns": columns,
        "end": rng.choice(("start", "goal")),
        "press_counts": chosen.astype(int).tolist(),
    }
    if kind == "witness" and isinstance(graph, Wired):
        why["bulbs"] = graph.of_lights.labels([v for v in range(graph.size) if rng.random() < 0.5])
    if kind == "members":
        parts = (
            [certificate(question, rng) for _ in range(rng.randint(0, 3))]
            if rng.random() < 0.8
            else []
        )
        why["parts"] = [part for part in parts if part["kind"] in ("block", "cut")]
    if kind == "modulo-four":
        why |= {
            "least": rng.randint(0, 9),
            "because": {"kind": rng.choice(("lightest", "members"))},
        }
    return why
