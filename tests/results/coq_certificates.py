"""What share of answers about random boards has a certificate that Coq's kernel accepts.

    python -m tests.results.coq_certificates -o docs

A thousand random boards of each pattern, three to six rows and columns, half of the bulbs lit, are
answered by `order` and by `solve`. `certified` counts the answers that are in a certificate as a
whole, the bound included, `accepted` those of them that Coq accepts. `spoilt` certificates have one
thing changed (`tests.verified.certificates`), `refused` counts those that Coq refuses for it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import ponder
from ponder.check.result import Result
from ponder.find.row_column.half_factor import half_factor_of
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.proofs.coq import Certificate
from ponder.system.errors import NoShortProof
from tests.results import PATTERNS, Table
from tests.verified import building, certificates

COMMAND = "python -m tests.results.coq_certificates -o docs"
COLUMNS = ("pattern", "command", "boards", "certified", "accepted", "spoilt", "refused")
BOARDS = 1000
SPOILT = 200
"""Spoilt certificates of a line, at most."""
BATCH = 100
"""Certificates that are compiled together."""

ASK: dict[str, Callable[[Board], Result]] = {"order": ponder.order, "solve": ponder.solve}


def random_board(rng: np.random.Generator, pattern: str) -> Board:
    """A board of three to six rows and columns, every bulb lit with probability one half."""
    graph = grid_graph(pattern, (int(rng.integers(3, 7)), int(rng.integers(3, 7))))
    return Board(graph, rng.random(graph.size) < 0.5, np.ones(graph.size, dtype=np.bool_), "unlit")


def line(pattern: str, command: str, boards: int) -> Sequence[object]:
    """Return the numbers of one pattern and command."""
    rng = np.random.default_rng([PATTERNS.index(pattern), boards])
    sound: list[str] = []
    spoilt: list[str] = []
    for _ in range(boards):
        board = random_board(rng, pattern)
        result = ASK[command](board)
        try:
            certificate = Certificate.of(board, result.to_json(), half_factor_of)
        except NoShortProof:
            continue
        if certificate.left_out is None:
            sound.append(certificates.sound(certificate))
            spoilt += certificates.spoilt(certificate, result.optimal)
    chosen = rng.permutation(len(spoilt))[:SPOILT]
    wrong = [spoilt[k] for k in chosen]
    return len(sound), accepted(sound), len(wrong), accepted(wrong)


def accepted(bodies: list[str]) -> int:
    """Return how many parts Coq compiles; those whose `Qed` must fail, if it does."""
    building.build()
    with tempfile.TemporaryDirectory() as folder:

        def passes(some: list[str]) -> bool:
            done = building.compiled(Path(folder), certificates.together(some))
            return done.returncode == 0

        found = 0
        for start in range(0, len(bodies), BATCH):
            batch = bodies[start : start + BATCH]
            found += len(batch) if passes(batch) else sum(passes([body]) for body in batch)
    return found


def table(names: Sequence[tuple[str, str, int]], file: Path | None = None) -> Table:
    """Return the table of these lines."""
    made = Table(COMMAND, COLUMNS, 3, file)
    made.fill(names, line)
    return made


def main() -> None:
    """Make the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    file = parser.parse_args().output / "coq-certificates.csv"
    table([(pattern, command, BOARDS) for pattern in PATTERNS for command in ASK], file)


if __name__ == "__main__":
    main()
