"""Results, forged by `tests.forgeries`: what the checker accepts is true all the same."""

from __future__ import annotations

import random
from typing import NamedTuple

import ponder
from ponder.system.types import Json
from tests import corpus, forgeries
from tests.corpus import Question
from tests.forgeries import Genuine


class Forged(NamedTuple):
    """A result, the question that it pretends to answer, and what was changed."""

    question: Question
    content: Json
    said: str


def make(rng: random.Random) -> Forged:
    """A true result of a small board, changed in one to four places."""
    rng = random.Random(rng.getrandbits(32))  # there is nothing to make smaller
    known = [_asked(_question(rng), rng) for _ in range(2)] + [rng.choice(forgeries.genuine())]
    true, source = rng.sample(known, 2)
    if rng.random() < 0.2:
        transplants = list(forgeries.transplanted(true, source))
        if transplants:
            said, question, content = rng.choice(transplants)
            return Forged(question, content, said)
    said, question, content = forgeries.changed(true, rng)
    return Forged(question, content, said)


def _question(rng: random.Random) -> Question:
    seed = rng.randrange(1 << 30)
    if rng.random() < 0.2:
        return next(corpus.larger_questions(1, seed % 1000))
    worlds = (corpus.grid_worlds, corpus.even_line_worlds, corpus.graph_worlds)
    return list(corpus.questions(rng.choice((*worlds, corpus.wiring_worlds))(), 2, seed))[1]


def _asked(question: Question, rng: random.Random) -> Genuine:
    command = rng.choice(("order", "solve"))
    result = getattr(ponder, command)(question.board)
    return Genuine(command, question, forgeries.as_json(result))


def judge(forged: Forged) -> None:
    """What `verify` says was checked is true."""
    wrong = forgeries.falsehood(forged.question, forged.content)
    assert wrong is None, f"{wrong}: {forged.question}: {forged.said}"
