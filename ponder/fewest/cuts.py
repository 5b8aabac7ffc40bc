"""Cuts: which refusals of a cluster say something about all other choices.

Idea (theory §7.2). A cluster K of press counts m that has no legal order has none in any other
choice that agrees with m on K and presses nothing beside it. So some bulb of N[K] must have
another count; theory §7.6 says more. A cut is this fact with its proof: a refusal that is none may
lead the search on, and proves nothing. With press sets instead of counts the members of the coset
s₀ + ker A that agree on N[K] are an affine subspace, all refused at once: `agreeing` in
`ponder.cosets.coset` lists them.

Letters: K cluster, N[K] = K and the bulbs beside it.
"""

from __future__ import annotations

from typing import TypeGuard

from ponder.puzzle.ordering_problem import Answer
from ponder.puzzle.refutation import LocalRefutation
from ponder.puzzle.solver_refutations import Randomised


def proves(why: Answer) -> TypeGuard[LocalRefutation]:
    """Whether a refusal is a proof, which evidence and failure are not."""
    return isinstance(why, LocalRefutation) and not isinstance(why, Randomised)
