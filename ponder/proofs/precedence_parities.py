"""The parities that a `precedence` formula states, found in its clauses.

For every press, or for every press and line where colours are on, the formula has one parity in
pieces (`ponder.formulas.xor`). The layout is the encoder's: the groups of equal degree, their sites
in order, and each site's clauses within every block of its group. Which piece a clause belongs to
is read off its variables.

Letters: as in `ponder.encodings.precedence`. Cost: linear in the clauses of the presses asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.encodings.precedence import Before
from ponder.errors import PonderError
from ponder.formulas.clause_templates import Repeated
from ponder.formulas.cnf import Cnf
from ponder.formulas.colours import lines_of
from ponder.formulas.encoder import Options
from ponder.formulas.time_steps import by_degree
from ponder.formulas.vertex_elimination import added_edges, eliminated
from ponder.limits import NEVER, Limits
from ponder.proofs.parity_sums import Parity
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.types import Ints


@dataclass(frozen=True, eq=False)
class Site:
    """The pieces of a press's parity, or of its parity in a line; `rank` is its place in a sum."""

    press: int
    rank: int
    pieces: list[Parity]


def sites_of(
    problem: OrderingProblem, options: Options, formula: Cnf, presses: set[int]
) -> list[Site]:
    """Return the parities of some presses, those of a line together; PonderError without clauses.

    >>> from ponder.encodings.precedence import Precedence
    >>> path, made = OrderingProblem.from_edges(3, [(0, 1), (1, 2)]), Precedence()
    >>> found = sites_of(path, made.options(), made.encode(path, made.options()), {1, 2})
    >>> [(site.press, [(p.variables, p.odd) for p in site.pieces]) for site in found]
    [(1, [((1, 2), True)]), (2, [((2,), True)])]
    """
    if options.word("xor") == "native":
        raise PonderError("native XORs are no clauses: a proof needs xor=chain")
    found: list[Site] = []
    for label, each, ranks in _groups(problem, options):
        first, group = _group(formula, label)
        if group is None:
            continue
        for at in [i for i, v in enumerate(each.tolist()) if v in presses]:
            pieces = _pieces(group, first, at, each.size)
            found.append(Site(int(each[at]), int(ranks[at]), pieces))
    return sorted(found, key=lambda site: (site.rank, site.press))


def _groups(problem: OrderingProblem, options: Options) -> list[tuple[str, Ints, Ints]]:
    """Return the label of every group of parities, the presses of its sites, and their ranks."""
    found = []
    if problem.lines is not None and options.word("lines") == "on":
        for members, which in lines_of(problem).members:
            d = members.shape[1]
            found.append((f"over the {d} presses of a line", members.reshape(-1), which.repeat(d)))
        return found
    for near, which in by_degree(problem):
        if not near.shape[1]:
            which = which[problem.odd[which]]
        found.append((f"over {near.shape[1]} neighbours", which, which))
    return found


def _group(formula: Cnf, label: str) -> tuple[int, Repeated | None]:
    """Return the first clause's name of the group with a label, and the group; None if none."""
    first = 1
    for group in formula.groups:
        if group.label == f"the right parity {label}" and isinstance(group, Repeated):
            return first, group
        first += group.clauses
    return first, None


def _pieces(group: Repeated, first: int, at: int, sites: int) -> list[Parity]:
    """Return the pieces at a site."""
    names: dict[tuple[tuple[int, ...], bool], dict[int, int]] = {}
    for block in group.template:
        each = len(block) // sites
        for i, row in enumerate(block[at * each : (at + 1) * each].tolist()):
            variables = tuple(sorted(map(abs, row)))
            true = {-x for x in row}
            mask = sum(1 << k for k, v in enumerate(variables) if v in true)
            odd = mask.bit_count() % 2 == 0
            names.setdefault((variables, odd), {})[mask] = first + at * each + i
        first += len(block)
    return [Parity(variables, odd, own) for (variables, odd), own in names.items()]


class Triangles:
    """The clauses that forbid cyclic triangles, by the vertex of each that is eliminated first."""

    def __init__(
        self, problem: OrderingProblem, options: Options, formula: Cnf, limits: Limits = NEVER
    ) -> None:
        how = options.word("acyclic")
        if how not in ("elimination", "closure"):
            raise PonderError(f"this proof needs acyclic=elimination or closure, not {how}")
        self.later = eliminated(problem, how, options.word("order"), limits)
        pairs = np.concatenate([problem.edges, added_edges(problem, self.later)])
        before = Before.of(problem.size, pairs, formula.family("before").first)
        self._size = problem.size
        self._variable = dict(zip(before.keys.tolist(), before.variables.tolist(), strict=True))
        first = 1 + sum(group.clauses for group in formula.groups[:-1])
        if formula.groups[-1].label != "no cyclic triangle":
            first += formula.groups[-1].clauses  # no triangles at all
        counts = np.array([some.size * (some.size - 1) for some in self.later], dtype=np.int64)
        self._first = (first + np.cumsum(counts) - counts).tolist()

    def name(self, v: int, u: int, w: int) -> int:
        """Return the clause against v → u → w → v, where v is eliminated first.

        `u` and `w` are places in `later[v]`.
        """
        size, (i, j) = self.later[v].size, sorted((u, w))
        place = i * (2 * size - i - 1) // 2 + j - i - 1
        return int(self._first[v] + place + (0 if u < w else size * (size - 1) // 2))

    def literal(self, u: int, v: int) -> int:
        """Return the literal "u before v"."""
        variable: int = self._variable[min(u, v) * self._size + max(u, v)]
        return variable if u < v else -variable
