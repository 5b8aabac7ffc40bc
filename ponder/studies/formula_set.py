"""A benchmark set: formulas with known answers, graded by size and by what refutes them.

    balanced      row/column boards that have an order                        satisfiable
    alternating   rings of pieces and hubs that have one                      satisfiable
    count         rows and columns disagree in number                         unsatisfiable
    cut           some rows and some columns do                               unsatisfiable
    parity        a plus board with a component of an odd number of edges     unsatisfiable
    octic         random graphs, eight neighbours each, T = ∅                  satisfiable
    cubic         three neighbours each, T = ∅: no press can be the first      unsatisfiable
    quintic       five neighbours each, for the same reason                    unsatisfiable
    ring          neither count nor end explains it (`random_graphs`)         unsatisfiable

Every formula says that the presses of one board, each once, have a legal order. The answer is known
before any solver is asked: by a replayed order, a refutation that `ponder.check` accepts, or the
lemma about rings.

Where not every board of a family will do, the seeds from the recipe's on are tried. The same recipe
and version of ponder give the same bytes; another version may change the comments, never the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Final

import numpy as np

from ponder.check.result import Result
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import Encoder, Options
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.studies.generate import SizedFamily
from ponder.studies.random_graphs import Ring
from ponder.studies.sampling import Family
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints

SATISFIABLE: Final = (
    "balanced",
    "alternating",
    "octic",
)  # the families whose formulas have a model
LINES: Final = ("balanced", "count", "cut")  # the families of row/column boards
GIANT: Final = 0.85  # the density of `parity`: presses so dense that nearly all are one component
FAMILIES: Final = {
    "balanced": Family("balanced"), "count": Family("unbalanced"), "cut": Family("cut"),
    "parity": Family("plus", density=GIANT), "cubic": Family("graph", density=1.0, degree=3),
    "quintic": Family("graph", density=1.0, degree=5),
    "octic": Family("graph", density=1.0, degree=8),
}  # fmt: skip


@dataclass(frozen=True)
class FormulaRecipe:
    """How one formula of the set is made; `proof`: a solver is to find its proof."""

    family: str
    size: int
    encoding: str
    settings: tuple[str, ...] = ()
    seed: int = 0
    proof: bool = False

    @property
    def name(self) -> str:
        """The name of the formula, and of its files."""
        words = [self.family, str(self.size), self.encoding]
        return "-".join([*words, *(word.replace("=", "_") for word in self.settings)])

    @property
    def satisfiable(self) -> bool:
        """Whether the formula has a model."""
        return self.family in SATISFIABLE

    @property
    def maker(self) -> SizedFamily:
        """What makes the boards."""
        if self.family in FAMILIES:
            return FAMILIES[self.family].maker((self.size, self.size))
        return Ring(self.size, alternating=self.family == "alternating")


def graded(
    family: str, encoding: str, sizes: tuple[int, ...], *settings: str, proofs: int = 0
) -> Iterator[FormulaRecipe]:
    """Yield the formulas of these sizes; a solver is to prove those up to the size `proofs`."""
    for size in sizes:
        yield FormulaRecipe(family, size, encoding, settings, proof=size <= proofs)


SET: Final[tuple[FormulaRecipe, ...]] = (
    *graded("balanced", "half_factor", (24, 50, 76, 100)),
    *graded("balanced", "layered", (8, 12, 16, 24)),
    *graded("balanced", "precedence", (6, 8, 12)),
    *graded("balanced", "time_indexed", (6, 8, 12)),
    *graded("alternating", "precedence", (10, 30, 62, 126, 250)),
    *graded("count", "half_factor", (4, 6, 8, 10, 12, 16, 24)),
    *graded("count", "half_factor", (10,), "card=totalizer", proofs=10),
    *graded("count", "layered", (4, 6)),
    *graded("count", "layered", (4,), "colours=off"),
    *graded("count", "precedence", (6, 8)),
    *graded("count", "time_indexed", (6,)),
    *graded("cut", "half_factor", (6, 8, 10, 12, 16, 24)),
    *graded("cut", "layered", (6,)),
    *graded("cut", "precedence", (6, 8)),
    *graded("cut", "time_indexed", (6,)),
    *graded("parity", "precedence", (6, 8, 10, 12, 15, 20)),
    *graded("cubic", "precedence", (160, 200, 240, 280, 320, 360, 400), "order=fill"),
    *graded("ring", "precedence", (6, 10, 14, 18, 22, 26, 30, 38, 46, 54, 62, 70, 78), proofs=46),
    *graded("ring", "precedence", (18,), "acyclic=labels", proofs=18),
)
"""The set."""

LAYERS: Final = {8: 12, 12: 21, 16: 34, 24: 47}
"""Layers in which the balanced boards of seed 0 have an order, by size (a test finds one)."""


@dataclass(frozen=True, eq=False)
class Specimen:
    """A board of a recipe, its presses, and what `order` says of them (None: of rings nothing)."""

    recipe: FormulaRecipe
    seed: int
    board: Board
    presses: Bits
    result: Result | None

    @cached_property
    def problem(self) -> OrderingProblem:
        """The ordering problem of the presses."""
        return OrderingProblem.of_board(self.board, self.presses)

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder."""
        from ponder.encodings.registry import encoder

        made = encoder(self.recipe.encoding)
        if not isinstance(made, Encoder):
            raise TypeError("a CP-SAT model is not a formula")
        return made

    @cached_property
    def options(self) -> Options:
        """The encoder's options; `layers` is what a known order needs."""
        settings = self.recipe.settings
        if self.recipe.encoding == "layered" and self.recipe.satisfiable:
            published = LAYERS.get(self.recipe.size) if self.seed == 0 else None
            order = None if self.result is None else self.result.presses
            assert order is not None
            settings = (*settings, f"layers={published or layers_of(self.board, order)}")
        return self.encoder.options(settings)

    def formula(self, limits: Limits = NEVER) -> Cnf:
        """Return the formula."""
        return self.encoder.encode(self.problem, self.options, limits)

    @property
    def comments(self) -> list[str]:
        """The lines that name the board, the encoding, and the answer."""
        known = f"answer {self.answer}: {self.known}"
        return [*self.encoder.describe(self.problem, self.options, self.board), known]

    @property
    def answer(self) -> str:
        """The answer in the words of the SAT competition."""
        return "SATISFIABLE" if self.recipe.satisfiable else "UNSATISFIABLE"

    @property
    def known(self) -> str:
        """Why the answer is known."""
        if self.result is None:
            return "two pieces are joined, and both edges of each must lead into it (lemma)"
        if self.result.refutation is None:
            return f"an order of {pluralise(self.result.count or 0, 'press')}, replayed"
        return f"{self.result.refutation.kind}, checked"


def specimen(recipe: FormulaRecipe, limits: Limits = NEVER) -> Specimen:
    """Return the first board from the recipe's seed on that does as its family promises.

    Raises TimeUp if the time is up before.

    >>> found = specimen(FormulaRecipe("cut", 4, "half_factor"))
    >>> found.seed, found.known, found.formula().size.clauses
    (0, 'line-cut, checked', 12)
    """
    from ponder.find.order import order

    for seed in count(recipe.seed):
        limits.check()
        board = recipe.maker.board(seed)
        if recipe.family == "ring":
            return Specimen(recipe, seed, board, np.ones(board.graph.size, dtype=np.bool_), None)
        whole = recipe.family in ("alternating", "octic", "cubic", "quintic")
        every = np.arange(board.graph.size) if whole else None
        result = order(board, press_set=every, timeout=limits)
        limits.check()
        if recipe.satisfiable and result.presses is not None:
            presses = board.graph.set_of(result.presses.tolist())
            return Specimen(recipe, seed, board, presses, result)
        if not recipe.satisfiable and result.counts is not None and _explains(recipe, result):
            return Specimen(recipe, seed, board, np.asarray(result.counts > 0), result)
    raise RuntimeError("internal error: no seed is left")


def _explains(recipe: FormulaRecipe, result: Result) -> bool:
    """Whether a board is refuted as its family promises; `parity` by most of its presses."""
    kinds = {
        "count": "line-count",
        "cut": "line-cut",
        "parity": "odd-component",
        "cubic": "no-first-press",
        "quintic": "no-first-press",
    }
    if result.refutation is None or result.refutation.kind != kinds[recipe.family]:
        return False
    if recipe.family != "parity" or result.counts is None:
        return True
    bulbs = result.refutation.to_json(result.board)["bulbs"]
    return isinstance(bulbs, list) and 2 * len(bulbs) > int((result.counts > 0).sum())


def layers_of(board: Board, order: Ints) -> int:
    """Return how many layers an order needs: a press comes after its neighbours before it."""
    layer: dict[int, int] = {}
    for press in order.tolist():
        near = board.graph.neighbours(press).tolist()
        layer[press] = 1 + max((layer[other] for other in near if other in layer), default=0)
    return max(layer.values(), default=0)
