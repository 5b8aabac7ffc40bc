"""Refutations that live on a set B of pressed bulbs, with the parities t_B (`LocalRefutation`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from ponder.printable import counted
from ponder.puzzle.board import Board
from ponder.puzzle.evidence import HIDDEN
from ponder.puzzle.refutation import LocalRefutation, pairs_within
from ponder.types import Json


@dataclass(frozen=True, eq=False)
class OddComponent(LocalRefutation):
    """The number of edges within B and the number of its vertices with t_B = 1 differ mod 2, where
    the out-degrees add up to the edges (theory §3.1).
    """

    kind = "odd-component"
    pairs: int = field(metadata=HIDDEN)
    odd: int = field(metadata=HIDDEN)

    @classmethod
    def from_json(cls, board: Board, content: Json) -> Self:
        """Return the object of a text form; the pairs are counted again."""
        members = NoFirstPress.from_json(board, content).members
        pairs = len(board.graph.edges_within(np.unique(members)))
        return cls(members, pairs, (pairs + 1) % 2)  # the two differ mod 2

    def sentence(self, board: Board) -> str:
        """Return the count."""
        k = self.members.size
        if k == 1 and not self.pairs:
            return (
                "this bulb has to be pressed before an odd number of its neighbours, but none of "
                "them is pressed"
            )
        these = f"these {k} pressed bulbs have" if k > 1 else "the presses of this bulb make"
        need = "an even" if self.odd % 2 == 0 else "an odd"
        pairs = counted(self.pairs, "neighbouring pair")
        return f"{these} {pairs}; every order needs {need} number"

    def marks(self, board: Board) -> Json:
        """Return B and its pairs, and whether they are odd in number."""
        pairs = len(pairs_within(board, self.members))
        label = f"{counted(pairs, 'pair')}: {'odd' if pairs % 2 else 'even'}"
        return {**super().marks(board), "label": label}


@dataclass(frozen=True, eq=False)
class NoFirstPress(LocalRefutation):
    """Every vertex of B has deg_B(v) ≢ t_B(v): none can be the first of B to be pressed, which has
    all its neighbours in B after it (theory §3.2).
    """

    kind = "no-first-press"

    def sentence(self, board: Board) -> str:
        """Return the reason."""
        return (
            f"{_none(self.members.size, 'first')}: "
            "each has the wrong number of neighbours among them, all of which would come later"
        )


@dataclass(frozen=True, eq=False)
class NoLastPress(LocalRefutation):
    """Every vertex of B has t_B(v) = 1: none can be the last of B to be pressed, which has no
    neighbour in B after it (theory §3.2).
    """

    kind = "no-last-press"

    def sentence(self, board: Board) -> str:
        """Return the reason."""
        return (
            f"{_none(self.members.size, 'last')}: each needs an odd number of neighbours after it"
        )


@dataclass(frozen=True, eq=False)
class Exhausted(LocalRefutation):
    """No order of B has the parities t_B, by dynamic programming over all subsets of B (theory
    §3.5); a checker fills the same table, 2^|B| entries.
    """

    kind = "exhausted"

    def sentence(self, board: Board) -> str:
        """Return what was searched."""
        k = self.members.size
        these = f"these {k} bulbs" if k > 1 else "the presses of this bulb"
        return f"all orders of {these} were searched: none is legal"


def _none(bulbs: int, place: str) -> str:
    """Return that none of the bulbs can be pressed in a place, the first or the last."""
    if bulbs == 1:
        return f"no press of this bulb can be its {place}"
    return f"none of these {bulbs} bulbs can be the {place} of them to be pressed"
