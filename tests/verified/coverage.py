"""Random questions of every kind, and which of their answers have a certificate for Coq.

    python -m tests.verified.coverage --questions 300 --seed 1

Boards of all patterns, with and without holes, wirings, and orientations, with sides up to twelve;
of each every refusal and every proved bound. `reason` is why there is no certificate, or None.
With `--coq` the certificates are compiled, many together.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import ponder
from ponder.check.limits import TooLarge
from ponder.check.orientation import Question
from ponder.cli.prove import proved_again
from ponder.find.orient import Refusal
from ponder.find.row_column.half_factor import half_factor_of
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph
from ponder.model.wired_graph import Wired, WiringGraph, board_graph
from ponder.proofs.coq import Certificate
from ponder.system.errors import NoShortProof
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Json
from tests.verified import building, certificates

BATCH = 40  # certificates that are compiled together
SECONDS = 4.0  # for an answer, and for a certificate
PATTERNS = (
    "cross",
    "plus",
    "king",
    "torus-plus",
    "torus-king",
    "stencil 1,2 -1,-2 2,0 -2,0",
    "toggles",
)
OFFSETS = ("0,0", "0,1", "1,0", "1,1", "0,-1", "-1,0", "2,1")


@dataclass(frozen=True)
class Answer:
    """What was asked, the kind of the evidence, a certificate, or why there is none."""

    asked: str
    kind: str
    certificate: Certificate | None
    reason: str | None


def boards(rng: random.Random) -> Board:
    """A board on a grid, with a start from a press set or at random."""
    most = rng.choice((4, 6, 8, 12))
    shape = rng.randint(1, most), rng.randint(1, most)
    pattern = rng.choice(PATTERNS)
    if pattern == "toggles":
        word = rng.choice(("toggles", "torus-toggles"))
        pattern = " ".join([word, *rng.sample(OFFSETS, rng.randint(1, 4))])
    bits = np.random.default_rng(rng.getrandbits(32))
    mask = bits.random(shape) < 0.85 if rng.random() < 0.25 else None
    if mask is not None and not mask.any():
        mask = None
    return started(board_graph(pattern, shape, mask), rng, bits)


def started(graph: Any, rng: random.Random, bits: np.random.Generator) -> Board:
    """The graph with a goal, a rule, and a start from which presses lead there, or any start."""
    goal = rng.choice((np.ones, np.ones, np.zeros, None))
    target = bits.random(graph.size) < 0.5 if goal is None else goal(graph.size, dtype=np.bool_)
    presses = bits.random(graph.presses if isinstance(graph, Wired) else graph.size) < 0.5
    lit = target ^ graph.apply(presses)
    if rng.random() < 0.3:
        lit = bits.random(graph.size) < 0.5
    return Board(graph, lit, target, rng.choice(("unlit", "unlit", "unlit", "lit", "any")))


def graphs(rng: random.Random) -> EdgeGraph:
    """A graph of up to 60 vertices, with about as many edges as a plus board or a few more."""
    size = rng.choice((5, 8, 12, 20, 60))
    pairs = list(combinations(range(size), 2))
    return EdgeGraph(size, np.array(sorted(rng.sample(pairs, min(len(pairs), size * 3 // 2)))))


def wirings(rng: random.Random) -> WiringGraph:
    """A wiring of up to 60 lights and buttons."""
    lights, buttons = (rng.choice((4, 6, 8, 12, 20, 40)) for _ in range(2))
    toggles = [sorted(rng.sample(range(lights), rng.randint(0, min(5, lights)))) for _ in
               range(buttons)]  # fmt: skip
    at = [rng.choice([-1, *range(lights)]) for _ in range(buttons)]
    return WiringGraph(lights, toggles, at)


def answers(rng: random.Random) -> Iterator[Answer]:
    """All that is refused or bounded about one random question."""
    kind = rng.choice(("board", "board", "graph", "wiring", "orientation"))
    if kind == "orientation":
        yield from orientations(rng)
        return
    bits = np.random.default_rng(rng.getrandbits(32))
    make = {"graph": graphs, "wiring": wirings}
    board = started(make[kind](rng), rng, bits) if kind in make else boards(rng)
    wiring = isinstance(board.graph, Wired)
    said = f"{'wiring' if wiring else kind} {board.graph.pattern} {board.graph.size}"
    asks: list[tuple[str, Any]] = [("order", ponder.order), ("solve", ponder.solve)]
    if board.rule != "any" and rng.random() < 0.3:
        asks.append(("sat", partial(ponder.order, method="sat")))
    for name, ask in asks:
        limit = Limits.of(SECONDS)
        result = ask(board, timeout=limit).to_json()
        for part in statements(result):
            evidence = part["refutation"] or part["bound"]
            yield certified(
                f"{name} {said} {board.rule}", evidence["kind"],
                partial(Certificate.of, board, part, half_factor_of),
            )  # fmt: skip


def statements(result: Json) -> Iterator[Any]:
    """The refusal and the bound of a result, each by itself."""
    told: Any = result
    if told["refutation"] is not None and told["refutation"]["kind"] != "randomised":
        yield told | {"lower_bound": None, "bound": None}
    if told["lower_bound"] and told["bound"] is not None:
        yield told | {"verdict": "unknown", "presses": None, "refutation": None}


def orientations(rng: random.Random) -> Iterator[Answer]:
    """A refusal of `orient`, with or without given arcs."""
    graph = graphs(rng)
    odd = [v for v in range(graph.size) if rng.random() < rng.choice((0.1, 0.5, 0.9))]
    arcs = sorted((u, v) if rng.random() < 0.5 else (v, u) for u, v in graph.edges.tolist()
                  if rng.random() < rng.choice((0.0, 0.3, 0.7)))  # fmt: skip
    edges = [(u, v) for u, v in graph.edges.tolist()]
    found = ponder.orient((graph.size, edges), odd, fixed=arcs, timeout=SECONDS)
    if isinstance(found, Refusal):
        given = np.array(arcs, dtype=np.int64).reshape(-1, 2)
        question = Question(graph, graph.set_of(odd), given)
        result: Json = {"verdict": "impossible", "refutation": found.certificate}
        yield certified(
            f"orientation {graph.size}", str(found.certificate["kind"]),
            partial(Certificate.of_orientation, question, result, "asked"),
        )  # fmt: skip


def certified(asked: str, kind: str, make: Any) -> Answer:
    """The certificate, or why there is none."""
    limits = Limits.of(5 * SECONDS)
    try:
        certificate = make(again=partial(proved_again, clock=limits, quiet=True), limits=limits)
    except (NoShortProof, TooLarge, TimeUp) as reason:
        return Answer(asked, kind, None, str(reason))
    return Answer(asked, kind, certificate, certificate.left_out)


def main() -> None:
    """Count kinds with and without a certificate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coq", action="store_true")
    asked = parser.parse_args()
    found, begun = list[Answer](), time.process_time()
    for number in range(asked.questions):
        found += answers(random.Random(f"{asked.seed} {number}"))
    kinds = Counter(answer.kind for answer in found if answer.reason is None)
    print(f"{asked.questions} questions, {len(found)} answers, {sum(kinds.values())} certified,",
          f"{time.process_time() - begun:.0f} s of CPU")  # fmt: skip
    for kind, count in sorted(kinds.items()):
        print(f"{count:6} {kind}")
    missing = Counter(
        (answer.kind, re.sub(r"\d[\d,]*", "N", answer.reason))
        for answer in found
        if answer.reason is not None
    )
    for (kind, reason), count in missing.most_common():
        first = next(x.asked for x in found if x.kind == kind and x.reason is not None)
        print(f"{count:6} without: {kind}: {reason} ({first})")
    if asked.coq:
        sound = [answer for answer in found if answer.certificate is not None]
        sys.stdout.flush()
        refused = [answer for start in range(0, len(sound), BATCH) for answer in
                   refused_by_coq(sound[start : start + BATCH])]  # fmt: skip
        print(f"Coq accepts {len(sound) - len(refused)} of {len(sound)}")
        for answer in refused:
            print(f"refused: {answer.kind} ({answer.asked})")


def refused_by_coq(answers: list[Answer]) -> list[Answer]:
    """Return the answers whose certificates Coq refuses, halving the list where it does."""
    bodies = [certificates.sound(x.certificate) for x in answers if x.certificate is not None]
    with tempfile.TemporaryDirectory() as folder:
        done = building.compiled(Path(folder), certificates.together(bodies))
    if done.returncode == 0:
        return []
    if len(answers) == 1:
        return answers
    half = len(answers) // 2
    return refused_by_coq(answers[:half]) + refused_by_coq(answers[half:])


if __name__ == "__main__":
    main()
