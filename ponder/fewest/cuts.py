"""Cuts: what a refused cluster says about all other choices.

Idea (theory §7.2). A cluster K of press counts m that has no legal order has none in any other
choice that agrees with m on K and presses nothing beside it. So some bulb of N[K] must have
another count. A cut is this fact with its proof; a list of them is the evidence of a lower bound,
and each can be checked by itself. With press sets instead of counts the members of the coset
s₀ + ker A that agree on N[K] are an affine subspace, all refused at once: `agreeing` in
`ponder.linear.coset` lists them.

Letters: K cluster, N[K] = K and the bulbs beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from ponder.fewest.clusters import Cluster
from ponder.puzzle.board import Board
from ponder.puzzle.ordering_problem import Answer
from ponder.puzzle.refutation import LocalRefutation, Refutation
from ponder.puzzle.solver_refutations import Randomised
from ponder.types import Json


@dataclass(frozen=True)
class Cut:
    """Pressing exactly this cluster and nothing beside it has no legal order."""

    cluster: Cluster
    refutation: Refutation

    def to_json(self, board: Board) -> Json:
        """Return the bulbs with their counts, and the refutation."""
        return {
            "bulbs": board.graph.labels(self.cluster.bulbs),
            "counts": list(self.cluster.counts),
            "refutation": self.refutation.to_json(board),
        }


def proves(why: Answer) -> TypeGuard[LocalRefutation]:
    """Whether a refusal is a proof, which evidence and failure are not."""
    return isinstance(why, LocalRefutation) and not isinstance(why, Randomised)
