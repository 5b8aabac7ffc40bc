"""Proofs in clauses of local refutations, about the `precedence` formula (theory §6.7).

*Odd component.* The parities of all its presses add up to 0 = 1 (`ponder.proofs.parity_sums`).
*No last press.* Every press of B has the clause "some neighbour in B is later". The presses are
eliminated in the formula's order: where the clause of a later vertex names v, those that v's names
take v's place. The last one has the empty clause. *No first press.* The same backwards.

Within a piece behind a small cut (`ponder.find.ordering.small_cuts`) the same steps carry the cut's
edges along: what they derive is the lemma that forbids a boundary. Letters as in theory §3.3. Cost:
a chain's for the parities, and one lemma for every edge of the filled graph within B.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from heapq import heappop, heappush

import numpy as np

from ponder.encodings.precedence import NO_CYCLE, Before, by_lines
from ponder.formulas.clause_templates import Repeated
from ponder.formulas.cnf import Cnf
from ponder.formulas.colours import lines_of
from ponder.formulas.encoder import Options
from ponder.formulas.time_steps import by_degree
from ponder.formulas.vertex_elimination import added_edges, eliminated
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.lrat_lines import Clause, LratWriter
from ponder.proofs.parity_sums import Chain, Parity, ParityWriter
from ponder.proofs.refused import Refused
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints


def write_local(
    writer: LratWriter, refused: Refused, formula: Cnf, options: Options, limits: Limits = NEVER
) -> None:
    """Write the proof of a local refutation. Raises PonderError if there is nothing to prove."""
    problem = refused.problem
    if problem.repeats:
        raise PonderError("a bulb is pressed twice: no proof in clauses of that")
    place = np.full(refused.board.graph.size, -1, dtype=np.int64)
    place[problem.bulbs] = np.arange(problem.size)
    members = place[refused.bulbs]
    if not members.size or members.min() < 0:
        raise PonderError(f"{refused.kind}: a bulb that is not pressed, or no bulb")
    source = Source(problem, options, formula, limits)
    derive(writer, source, refused.kind, members.tolist(), limits=limits)


@dataclass(frozen=True, eq=False)
class Source:
    """A formula and what proofs look up in it."""

    problem: OrderingProblem
    options: Options
    formula: Cnf
    limits: Limits = NEVER

    @cached_property
    def sites(self) -> dict[int, list[Site]]:
        """The parities of every press: one, or one for each line where colours are on."""
        return _sites_of(self.problem, self.options, self.formula)

    @cached_property
    def triangles(self) -> Triangles:
        """The clauses against cyclic triangles."""
        return Triangles(self.problem, self.options, self.formula, self.limits)


def derive(
    writer: LratWriter,
    source: Source,
    kind: str,
    members: Iterable[int],
    piece: Iterable[int] | None = None,
    boundary: Clause = (),
    limits: Limits = NEVER,
    sums: dict[tuple[int, ...], Chain] | None = None,
) -> tuple[int, Clause]:
    """Derive why B, some members of a piece of H (or of H), has no order; return the last lemma.

    Its literals are some of `boundary`, about edges leaving the piece. What presses add up to is
    looked up in `sums`, and kept there, not deleted. Raises PonderError.
    """
    problem, inside = source.problem, set(members)
    around = set(range(problem.size) if piece is None else piece)
    parities = ParityWriter(writer, source.formula.size.clauses)
    hanging = _hanging(problem, inside, around, apart=kind != "parity")

    def of(presses: Iterable[int], own: Clause) -> tuple[int, Clause]:
        """Add up what presses need; derive the clause of their own literals and the boundary's."""
        ordered = _side_by_side(problem, presses)
        if sums is None or (chain := sums.get(ordered)) is None:
            sites = [site for v in ordered for site in source.sites.get(v, ())]
            chain = Chain(parities)
            for site in limits.over(sorted(sites, key=lambda site: site.rank), 1):
                chain.add_all(site.pieces)
                if chain.contradiction:
                    return writer.name - 1, ()
        left = {*chain.members} - {abs(x) for x in own}
        clause = (*own, *(x for x in boundary if abs(x) in left))
        if {abs(x) for x in clause} != {*chain.members}:
            raise PonderError("internal error: the sum of the parities is not about B")
        name = parities.refute(clause, chain.steps)
        if sums is None:
            parities.forget(chain.steps)
        else:
            sums[ordered] = chain
        return name, clause

    if kind == "parity":  # one sum over all presses is already the contradiction
        return of(hanging, ())
    followed = _Followed(writer, source.triangles, last=kind == "last")
    # what hangs on each member, and the clause that its parity leaves
    hung: dict[int, list[int]] = {v: [] for v in inside}
    for u, v in hanging.items():
        hung[v].append(u)
    for v in sorted(inside):
        near = [u for u in problem.neighbours[v] if u in inside]
        name, clause = of(hung[v], tuple(followed.literal(v, u) for u in near))
        followed.start(v, near, name, clause[len(near) :])
        if followed.done is not None:
            return followed.done
    # follow the edges from vertex to vertex, in the elimination order of the formula
    later = {v: inside.intersection(source.triangles.later[v].tolist()) for v in sorted(inside)}
    for v in reversed([*TopologicalSorter(later).static_order()]):
        limits.check()
        followed.eliminate(v)
        if followed.done is not None:
            return followed.done
    raise PonderError("no-first-press, no-last-press: the proof did not come to its end")


def _hanging(
    problem: OrderingProblem, members: set[int], around: set[int], *, apart: bool
) -> dict[int, int]:
    """Return the press of B that each press around it hangs on; two are an error if `apart`."""
    found = {v: v for v in members}
    stack = list(members)
    while stack:
        v = stack.pop()
        for u in problem.neighbours[v]:
            if u not in found:
                if u in around:
                    found[u] = found[v]
                    stack.append(u)
            elif apart and found[u] != found[v] and not (u in members and v in members):
                raise PonderError("presses outside of the bulbs connect two of them")
    return found


def _side_by_side(problem: OrderingProblem, presses: Iterable[int]) -> tuple[int, ...]:
    """Return presses so that few edges are long, which makes chains short.

    Next comes a press with the fewest neighbours still to come, less those that came.
    """
    inside = set(presses)
    near = {v: inside.intersection(problem.neighbours[v]) for v in sorted(inside)}
    more = {v: len(some) for v, some in near.items()}
    met = dict[int, None]()
    for start in near:
        heap = [(more[start], start)]
        while heap:
            _, v = heappop(heap)
            if v not in met:
                met[v] = None
                for u in near[v] - met.keys():
                    more[u] -= 2
                    heappush(heap, (more[u], u))
    return tuple(met)


class _Followed:
    """The clauses "some of these is later than v" (or earlier), or a literal carried along."""

    def __init__(self, writer: LratWriter, triangles: Triangles, last: bool) -> None:
        self.writer, self.triangles, self.last = writer, triangles, last
        self.names = dict[int, int]()
        self.followers = dict[int, set[int]]()
        self.carried = dict[int, Clause]()
        self.done: tuple[int, Clause] | None = None  # name and literals of one that names no vertex

    def literal(self, v: int, u: int) -> int:
        """Return the literal "u is later than v", or earlier."""
        return self.triangles.literal(v, u) if self.last else self.triangles.literal(u, v)

    def start(self, v: int, near: list[int], name: int, carried: Clause) -> None:
        """Take up the clause of v, which was derived."""
        self.carried[v] = carried
        self._set(v, set(near), name)

    def eliminate(self, v: int) -> None:
        """Take v out of all clauses that name it."""
        near = self.triangles.later[v].tolist()
        at = {u: i for i, u in enumerate(near)}
        gone = [self.names[v]]
        for u in near:
            if v not in self.followers.get(u, ()):
                continue
            after = self.followers[v] - {u}
            hints = [self.names[u]]
            for w in sorted(after):  # v → w → u → v is a cycle, or with the arrows turned round
                hints.append(self.triangles.name(v, *((at[w], at[u])[:: 1 if self.last else -1])))
            hints.append(self.names[v])
            gone.append(self.names[u])
            followers = (self.followers[u] - {v}) | after
            self.carried[u] = tuple(dict.fromkeys((*self.carried[u], *self.carried[v])))
            self._set(u, followers, self.writer.lemma(self._clause(u, followers), hints))
            if self.done is not None:
                return
        self.writer.delete(gone)

    def _clause(self, v: int, followers: set[int]) -> tuple[int, ...]:
        return (*(self.literal(v, u) for u in sorted(followers)), *self.carried[v])

    def _set(self, v: int, followers: set[int], name: int) -> None:
        self.followers[v], self.names[v] = followers, name
        if not followers:
            self.done = name, self.carried[v]


# ---------------------------------------------------------------- the clauses of the formula


@dataclass(frozen=True, eq=False)
class Site:
    """A press's parity, or its parity in a line; `rank` is its place in a sum.

    It is site `at` of a group, whose clauses are numbered from `first`.
    """

    press: int
    rank: int
    group: Repeated
    first: int
    at: int
    sites: int

    @property
    def pieces(self) -> list[Parity]:
        """The pieces that it was cut into: the site's clauses in every block."""
        names: dict[tuple[tuple[int, ...], bool], dict[int, int]] = {}
        first = self.first
        for block in self.group.template:
            each = len(block) // self.sites
            start = self.at * each
            for name, row in enumerate(block[start : start + each].tolist(), first + start):
                variables = tuple(sorted(map(abs, row)))
                mask = sum(1 << k for k, v in enumerate(variables) if -v in row)
                odd = mask.bit_count() % 2 == 0
                names.setdefault((variables, odd), {})[mask] = name
            first += len(block)
        return [Parity(variables, odd, own) for (variables, odd), own in names.items()]


def _sites_of(problem: OrderingProblem, options: Options, formula: Cnf) -> dict[int, list[Site]]:
    """Return all parities in the encoder's layout. Raises PonderError without clauses."""
    found: dict[int, list[Site]] = {}
    groups, first = {}, 1
    for group in formula.groups:
        if isinstance(group, Repeated):
            groups[group.label] = group, first
        first += group.clauses
    for label, each, ranks in _groups(problem, options):
        if f"the right parity {label}" not in groups:
            continue
        group, first = groups[f"the right parity {label}"]
        for at, (press, rank) in enumerate(zip(each.tolist(), ranks.tolist(), strict=True)):
            site = Site(press, rank, group, first, at, each.size)
            found.setdefault(press, []).append(site)
    return found


def _groups(problem: OrderingProblem, options: Options) -> list[tuple[str, Ints, Ints]]:
    """Return the label of every group of parities, the presses of its sites, and their ranks."""
    found = []
    if by_lines(problem, options):
        for members, which in lines_of(problem).members:
            d = members.shape[1]
            found.append((f"over the {d} presses of a line", members.reshape(-1), which.repeat(d)))
        return found
    for near, which in by_degree(problem.hears):
        if not near.shape[1]:
            which = which[problem.odd[which]]
        found.append((f"over {near.shape[1]} neighbours", which, np.zeros_like(which)))
    return found


class Triangles:
    """The clauses that forbid cyclic triangles, by the vertex of each that is eliminated first."""

    def __init__(
        self, problem: OrderingProblem, options: Options, formula: Cnf, limits: Limits = NEVER
    ) -> None:
        if options.word("acyclic") != "elimination":
            raise PonderError("this proof needs acyclic=elimination")
        self.later: list[Ints] = eliminated(problem, options.word("order"), limits)
        pairs = np.concatenate([problem.edges, added_edges(problem, self.later)])
        before = Before.of(problem.size, pairs, formula.family("before").first)
        self._size = problem.size
        self._variable = dict(zip(before.keys.tolist(), before.variables.tolist(), strict=True))
        labels = [group.label for group in formula.groups]
        at = labels.index(NO_CYCLE) if NO_CYCLE in labels else len(labels)
        first = 1 + sum(group.clauses for group in formula.groups[:at])
        counts = np.array([some.size * (some.size - 1) for some in self.later], dtype=np.int64)
        self._first = (first + np.cumsum(counts) - counts).tolist()

    def name(self, v: int, u: int, w: int) -> int:
        """Return the clause against v → u → w → v, where u and w are places in `later[v]`."""
        size, (i, j) = self.later[v].size, sorted((u, w))
        place = i * (2 * size - i - 1) // 2 + j - i - 1
        return int(self._first[v] + place + (0 if u < w else size * (size - 1) // 2))

    def literal(self, u: int, v: int) -> int:
        """Return the literal "u before v"."""
        variable: int = self._variable[min(u, v) * self._size + max(u, v)]
        return variable if u < v else -variable
