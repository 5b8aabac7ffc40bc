"""`exhausted`: no order of B, by all of them, those alike taken together.

Dynamic programming over the subsets of B (theory §3.3, §3.5), in the table of `subset_table`, whose
cost it is; those who refute fill the same table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ponder.check.fields import fail
from ponder.check.limits import FREE, Budget
from ponder.check.local_refutations import Block, LocalRefutation, Some
from ponder.check.neighbourhoods import beside, query_cost
from ponder.check.subset_table import SubsetTable
from ponder.model.board import Board
from ponder.system.types import indices

_NS_PAIR = 300  # nanoseconds for two of the presses whose orders are gone through


class Exhausted(LocalRefutation):
    """All orders of these presses were tried."""

    kind = "exhausted"
    hears_others: ClassVar[bool] = True
    theory = "§3.3, §3.5, own proof"
    explained: ClassVar[tuple[str, ...]] = (
        "All orders of these presses were tried, step by step. Each gets stuck before its end.",
    )

    @classmethod
    def check_block(cls, block: Block, budget: Budget) -> None:
        """Go through all orders of the presses."""
        graph, size = block.graph, int(block.counts.sum())
        budget.spend(
            size * (query_cost(graph) + size * _NS_PAIR), "who is beside whom of some presses"
        )
        presses = np.repeat(block.members, indices(block.counts))
        near = [np.flatnonzero(beside(graph, v, presses)).tolist() for v in presses.tolist()]
        hears = [[j for j in some if j != i] for i, some in enumerate(near)]
        table = SubsetTable.of(hears, np.repeat(block.odd, indices(block.counts)).tolist())
        table.spend(budget)
        if table.reachable() >> table.full:
            fail(f"exhausted: these {size} presses have a legal order")

    @classmethod
    def impossible(
        cls, members: Some, hears: Sequence[Some], odd: Sequence[bool], budget: Budget = FREE
    ) -> bool:
        """Whether the presses have no order, whatever is done with those that they hear."""
        table = _table(members, hears, odd)
        table.spend(budget)
        return not table.reachable() >> table.full

    def sentence(self, board: Board) -> str:
        """Return what was searched."""
        k = self.members.size
        these = f"these {k} bulbs" if k > 1 else "the presses of this bulb"
        return f"all orders of {these} were searched: none is legal"


def _table(members: Some, hears: Sequence[Some], odd: Sequence[bool]) -> SubsetTable:
    """Return the table of some presses and of those that they hear, these without conditions."""
    every = sorted({*members}.union(*(hears[v] for v in members)))
    place = {u: k for k, u in enumerate(every)}
    near: list[list[int]] = [[] for _ in every]
    heard_by: list[list[int]] = [[] for _ in every]
    needs = [False] * len(every)
    for v in members:
        near[place[v]] = [place[u] for u in hears[v]]
        needs[place[v]] = (odd[v] + len(hears[v])) % 2 == 1
        for u in hears[v]:
            heard_by[place[u]].append(place[v])
    return SubsetTable.of(near, needs, heard_by)
