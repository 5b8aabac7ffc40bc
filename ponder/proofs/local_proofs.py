"""Proofs in clauses of local refutations, about the `precedence` formula (theory §6.7).

*Odd component.* The parities of all its presses add up to 0 = 1 (`ponder.proofs.parity_sums`). Only
parities are used; what forbids cycles may be left out.

*No last press.* Every press of B has the clause "some neighbour in B is later", from the sum of its
parity and of what hangs on it. The presses are eliminated in the formula's order: where the clause
of a later vertex names v, those that v's names take v's place. The last one has the empty clause.
*No first press.* The same in the other direction.

Letters: B, t_B, pieces as in theory §3.3; later, the filled graph as in
`ponder.formulas.vertex_elimination`. Cost: a chain's for the parities, and one lemma for every edge
of the filled graph within B.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from ponder.proofs.lemma_templates import ProofWriter
from ponder.proofs.parity_sums import Chain, Parity, ParityWriter
from ponder.proofs.refused import Refused
from ponder.puzzle.components import component_numbers
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.types import Ints


def write_local(
    writer: ProofWriter, refused: Refused, formula: Cnf, options: Options, limits: Limits = NEVER
) -> None:
    """Write the proof of a local refutation; PonderError when there is nothing to prove."""
    problem = refused.problem
    if problem.repeats:
        raise PonderError("a bulb is pressed twice: no proof in clauses of that")
    place = np.full(refused.board.graph.size, -1, dtype=np.int64)
    place[problem.bulbs] = np.arange(problem.size)
    members = place[refused.bulbs]
    if not members.size or members.min() < 0:
        raise PonderError(f"{refused.kind}: a bulb that is not pressed, or no bulb")
    parities = ParityWriter(writer, formula.size.clauses)
    if refused.kind == "odd-component":
        number = component_numbers(problem, limits)
        component = set(np.flatnonzero(number == number[members[0]]).tolist())
        sites = sites_of(problem, options, formula, component)
        if not _sum(parities, sites, limits).contradiction:
            raise PonderError("odd-component: the edges are even in number, which refutes nothing")
        return
    triangles = Triangles(problem, options, formula, limits)
    inside = set(members.tolist())
    hanging = _hanging(problem, inside)
    sites_at: dict[int, list[Site]] = {v: [] for v in inside}
    for site in sites_of(problem, options, formula, set(hanging)):
        sites_at[hanging[site.press]].append(site)
    followed = _Followed(writer, triangles, last=refused.kind == "no-last-press")
    for v in sorted(inside):
        chain = _sum(parities, sites_at[v], limits)
        if not chain.contradiction:
            followed.start(v, [u for u in problem.neighbours[v] if u in inside], chain)
        if chain.contradiction or followed.done:
            return
    for v in _in_order(triangles, inside):
        limits.check()
        followed.eliminate(v)
        if followed.done:
            return
    raise PonderError("no-first-press, no-last-press: the proof did not come to its end")


def _sum(parities: ParityWriter, sites: list[Site], limits: Limits) -> Chain:
    """Add up the parities of some sites, until they contradict each other."""
    chain = Chain(parities)
    for site in sites:
        limits.check()
        chain.add_all(site.pieces)
        if chain.contradiction:
            break
    return chain


def _in_order(triangles: Triangles, members: set[int]) -> Iterator[int]:
    """Yield the members so that each comes before those that are eliminated after it."""
    earlier = dict.fromkeys(members, 0)
    for v in members:
        for u in triangles.later[v].tolist():
            if u in earlier:
                earlier[u] += 1
    ready = sorted(v for v, count in earlier.items() if not count)
    while ready:
        v = ready.pop()
        yield v
        for u in triangles.later[v].tolist():
            if u in earlier:
                earlier[u] -= 1
                if not earlier[u]:
                    ready.append(u)


def _hanging(problem: OrderingProblem, members: set[int]) -> dict[int, int]:
    """Return, for every press of B and of the pieces that hang on it, the press of B."""
    found = {v: v for v in members}
    stack = list(members)
    while stack:
        v = stack.pop()
        for u in problem.neighbours[v]:
            if u not in found:
                found[u] = found[v]
                stack.append(u)
            elif found[u] != found[v] and not (u in members and v in members):
                raise PonderError("presses outside of the bulbs connect two of them")
    return found


class _Followed:
    """The clauses "some of these is later than v" (or earlier): their names and presses."""

    def __init__(self, writer: ProofWriter, triangles: Triangles, last: bool) -> None:
        self.writer, self.triangles, self.last = writer, triangles, last
        self.names: dict[int, int] = {}
        self.followers: dict[int, set[int]] = {}
        self.done = False

    def literal(self, v: int, u: int) -> int:
        """Return the literal "u is later than v", or earlier."""
        return self.triangles.literal(v, u) if self.last else self.triangles.literal(u, v)

    def start(self, v: int, near: list[int], chain: Chain) -> None:
        """Derive the clause of v from what is left of the parities of v and what hangs on it."""
        literals = [self.literal(v, u) for u in near]
        if {abs(x) for x in literals} != set(chain.members):
            raise PonderError("internal error: the sum of the parities is not about B")
        self._set(v, set(near), chain.parities.refute(literals, chain.steps))
        chain.parities.forget(chain.steps)

    def eliminate(self, v: int) -> None:
        """Take v out of all clauses that name it."""
        near = self.triangles.later[v].tolist()
        at = {u: i for i, u in enumerate(near)}
        gone = [(self.names[v], self._clause(v, self.followers[v]))]
        for u in near:
            if v not in self.followers.get(u, ()):
                continue
            after = self.followers[v] - {u}
            hints = [self.names[u]]
            for w in sorted(after):  # v → w → u → v is a cycle, or with the arrows turned round
                hints.append(self.triangles.name(v, *((at[w], at[u])[:: 1 if self.last else -1])))
            hints.append(self.names[v])
            gone.append((self.names[u], self._clause(u, self.followers[u])))
            followers = (self.followers[u] - {v}) | after
            self._set(u, followers, self.writer.lemma(self._clause(u, followers), hints))
            if self.done:
                return
        self.writer.delete([one for one in gone if len(one[1]) > 1])

    def _clause(self, v: int, followers: set[int]) -> tuple[int, ...]:
        return tuple(self.literal(v, u) for u in sorted(followers))

    def _set(self, v: int, followers: set[int], name: int) -> None:
        self.followers[v], self.names[v] = followers, name
        self.done = not followers


# ---------------------------------------------------------------- the clauses of the formula


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

    For every press, or press and line where colours are on, there is one in pieces. The layout is
    the encoder's: groups of equal degree, their sites in order, each site's clauses in every block.
    """
    if options.word("xor") == "native":
        raise PonderError("native XORs are no clauses: a proof needs xor=chain")
    found: list[Site] = []
    groups, first = {}, 1
    for group in formula.groups:
        if isinstance(group, Repeated):
            groups[group.label] = group, first
        first += group.clauses
    for label, each, ranks in _groups(problem, options):
        if f"the right parity {label}" not in groups:
            continue
        group, first = groups[f"the right parity {label}"]
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
    for near, which in by_degree(problem.hears):
        if not near.shape[1]:
            which = which[problem.odd[which]]
        found.append((f"over {near.shape[1]} neighbours", which, which))
    return found


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
        self.later: list[Ints] = eliminated(problem, how, options.word("order"), limits)
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
