"""LRAT of blocks without an order, about the `precedence` formula (theory §6.7).

*Parity.* The parities of all presses add up to 0 = 1 (`ponder.proofs.parity_sums`).
*No last press.* Every press of the block B has the clause "some neighbour in B is later". The
presses are eliminated in the formula's order: where the clause of a later vertex names v, those
that v's names take v's place. The last one has the empty clause. *No first press.* The same
backwards.

Letters as in theory §3.3. Cost: a chain's for the parities, and one lemma for every edge of the
filled graph within B.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from ponder.encodings.precedence import NO_CYCLE, Before, by_lines
from ponder.formulas.cnf import Cnf, Group
from ponder.formulas.colours import lines_of
from ponder.formulas.encoder import Options
from ponder.formulas.time_steps import by_degree
from ponder.formulas.vertex_elimination import added_edges, eliminated
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.parity_sums import Chain, LratWriter, Parity, ParityWriter
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Ints


def write_block(
    writer: LratWriter,
    problem: OrderingProblem,
    formula: Cnf,
    options: Options,
    rule: str,
    members: Iterable[int],
    limits: Limits = NEVER,
) -> None:
    """Refute a block, given by its vertices, by the rule `parity`, `first` or `last`.

    Raises PonderError if there is nothing to prove, and TimeUp.
    """
    block = set(members)
    hanging = _hanging(problem, block, apart=rule != "parity")
    parities = ParityWriter(writer, formula.size.clauses)
    sites = _sites(problem, options, formula, hanging)

    def add_up(presses: Iterable[int], literals: tuple[int, ...]) -> int | None:
        """Derive, from what the presses need, the clause of the literals; None: the empty one."""
        chain = Chain(parities)
        parts = [site for v in _side_by_side(problem, presses) for site in sites.get(v, ())]
        for _, pieces in limits.over(sorted(parts, key=itemgetter(0)), 1):
            chain.add_all(pieces)
            if chain.contradiction:
                return None
        if {abs(x) for x in literals} != {*chain.members}:
            raise PonderError("the sum of the parities is not about the block: nothing to prove")
        name = parities.refute(literals, chain.steps)
        parities.forget(chain.steps)
        return name

    if rule == "parity":  # one sum over all presses is already the contradiction
        add_up(hanging, ())
        return
    ends = _Ends(writer, problem, options, formula, limits, last=rule == "last")
    for v in sorted(block):
        near = [u for u in problem.neighbours[v] if u in block]
        hung = [u for u, contact in hanging.items() if contact == v]
        name = add_up(hung, tuple(ends.literal(v, u) for u in near))
        if name is None or not near:
            return
        ends.followers[v], ends.names[v] = set(near), name
    # follow the edges from vertex to vertex, in the elimination order of the formula
    later = {v: block.intersection(ends.later[v].tolist()) for v in sorted(block)}
    for v in reversed([*TopologicalSorter(later).static_order()]):
        limits.check()
        if ends.eliminate(v):
            return
    raise PonderError(f"{rule}: the proof did not come to its end")


def _hanging(problem: OrderingProblem, block: set[int], *, apart: bool) -> dict[int, int]:
    """Return the press of B that each press around it hangs on; two are an error if `apart`."""
    contact = {v: v for v in block}
    stack = list(block)
    while stack:
        v = stack.pop()
        for u in problem.neighbours[v]:
            if u not in contact:
                contact[u] = contact[v]
                stack.append(u)
            elif apart and contact[u] != contact[v] and not (u in block and v in block):
                raise PonderError("presses outside of the bulbs connect two of them")
    return contact


def _side_by_side(problem: OrderingProblem, presses: Iterable[int]) -> Iterator[int]:
    """Yield presses so that few edges are long, which makes chains short.

    Next comes a press with the fewest neighbours still to come, less those that came.
    """
    inside = set(presses)
    near = {v: inside.intersection(problem.neighbours[v]) for v in sorted(inside)}
    more = {v: len(neighbours) for v, neighbours in near.items()}
    met = set[int]()
    for start in near:
        heap = [(more[start], start)]
        while heap:
            _, v = heappop(heap)
            if v not in met:
                met.add(v)
                yield v
                for u in near[v] - met:
                    more[u] -= 2
                    heappush(heap, (more[u], u))


class _Ends:
    """The clauses "some of these `followers` is later than v", or earlier, by their `names`.

    `later` are the neighbours that the formula eliminates after each vertex.
    """

    def __init__(
        self,
        writer: LratWriter,
        problem: OrderingProblem,
        options: Options,
        formula: Cnf,
        limits: Limits,
        *,
        last: bool,
    ) -> None:
        self.writer, self.last, self.size = writer, last, problem.size
        self.names = dict[int, int]()
        self.followers = dict[int, set[int]]()
        self.later: list[Ints] = eliminated(problem, options.word("order"), limits)
        pairs = np.concatenate([problem.edges, added_edges(problem, self.later)])
        before = Before.from_pairs(problem.size, pairs, formula.family("before").first)
        self.variables = dict(zip(before.keys.tolist(), before.variables.tolist(), strict=True))
        labels = [group.label for group in formula.groups]
        at = labels.index(NO_CYCLE) if NO_CYCLE in labels else len(labels)
        first = 1 + sum(group.clauses for group in formula.groups[:at])
        counts = np.array([near.size * (near.size - 1) for near in self.later], dtype=np.int64)
        self.triangles = (first + np.cumsum(counts) - counts).tolist()

    def literal(self, v: int, u: int) -> int:
        """Return the literal "u is later than v", or earlier."""
        variable: int = self.variables[min(u, v) * self.size + max(u, v)]
        return variable if (v < u) == self.last else -variable

    def triangle(self, v: int, u: int, w: int) -> int:
        """Return the clause against v → u → w → v, where u and w are places in `later[v]`."""
        size, (i, j) = self.later[v].size, sorted((u, w))
        place = i * (2 * size - i - 1) // 2 + j - i - 1
        return int(self.triangles[v] + place + (0 if u < w else size * (size - 1) // 2))

    def eliminate(self, v: int) -> bool:
        """Take v out of all clauses that name it; tell whether one is empty then."""
        near = self.later[v].tolist()
        at = {u: i for i, u in enumerate(near)}
        gone = [self.names[v]]
        for u in near:
            if v not in self.followers.get(u, ()):
                continue
            after = self.followers[v] - {u}
            hints = [self.names[u]]
            for w in sorted(after):  # v → w → u → v is a cycle, or with the arrows turned round
                hints.append(self.triangle(v, *((at[w], at[u])[:: 1 if self.last else -1])))
            hints.append(self.names[v])
            gone.append(self.names[u])
            self.followers[u] = (self.followers[u] - {v}) | after
            clause = tuple(self.literal(u, w) for w in sorted(self.followers[u]))
            self.names[u] = self.writer.lemma(clause, hints)
            if not clause:
                return True
        self.writer.delete(gone)
        return False


# ---------------------------------------------------------------- the clauses of the formula


_Site: TypeAlias = tuple[int, list[Parity]]
"""A press's parity, or its parity in a line: its place in a sum, and the pieces it was cut into."""


def _sites(
    problem: OrderingProblem, options: Options, formula: Cnf, presses: Container[int]
) -> dict[int, list[_Site]]:
    """Return the parities of some presses, in the encoder's layout."""
    sites: dict[int, list[_Site]] = {}
    groups, first = dict[str, tuple[Group, int]](), 1
    for group in formula.groups:
        groups[group.label] = group, first
        first += group.clauses
    for word, owners, ranks in _parity_groups(problem, options):
        label = f"the right parity over {word}"
        if label in groups:
            for at, (press, rank) in enumerate(zip(owners.tolist(), ranks.tolist(), strict=True)):
                if press in presses:
                    pieces = _pieces(*groups[label], at, owners.size)
                    sites.setdefault(press, []).append((rank, pieces))
    return sites


def _pieces(group: Group, first: int, at: int, sites: int) -> list[Parity]:
    """Return the pieces of a parity: the clauses, in every block, of site `at` of a group.

    The group's clauses are numbered from `first`.
    """
    names: dict[tuple[tuple[int, ...], bool], dict[int, int]] = {}
    for block in group.template:
        per_site = len(block) // sites
        start = at * per_site
        for name, row in enumerate(block[start : start + per_site].tolist(), first + start):
            variables = tuple(sorted(map(abs, row)))
            mask = sum(1 << k for k, v in enumerate(variables) if -v in row)
            odd = mask.bit_count() % 2 == 0
            names.setdefault((variables, odd), {})[mask] = name
        first += len(block)
    return [Parity(variables, odd, named) for (variables, odd), named in names.items()]


def _parity_groups(problem: OrderingProblem, options: Options) -> Iterator[tuple[str, Ints, Ints]]:
    """Yield what every group of parities is over, the presses of its sites, and their ranks."""
    if by_lines(problem, options):
        for members, which in lines_of(problem).members:
            d = members.shape[1]
            yield f"the {d} presses of a line", members.reshape(-1), which.repeat(d)
        return
    for near, which in by_degree(problem.hears):
        presses = which if near.shape[1] else which[problem.odd[which]]
        yield pluralise(near.shape[1], "neighbour"), presses, np.zeros_like(presses)
