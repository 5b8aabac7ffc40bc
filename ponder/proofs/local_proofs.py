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

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from ponder.errors import PonderError
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import Options
from ponder.limits import NEVER, Limits
from ponder.proofs.parity_sums import Chain, ParityWriter
from ponder.proofs.precedence_parities import Site, Triangles, sites_of
from ponder.proofs.proof_writer import ProofWriter
from ponder.proofs.refused import Refused
from ponder.puzzle.components import component_numbers
from ponder.puzzle.ordering_problem import OrderingProblem


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
    WRITERS[refused.kind](writer, problem, formula, options, set(members.tolist()), limits)


def _odd_component(
    writer: ProofWriter,
    problem: OrderingProblem,
    formula: Cnf,
    options: Options,
    members: set[int],
    limits: Limits,
) -> None:
    """Add up all parities of the component."""
    number = component_numbers(problem, limits)
    component = set(np.flatnonzero(number == number[next(iter(members))]).tolist())
    chain = Chain(ParityWriter(writer, formula.size.clauses))
    _add(chain, sites_of(problem, options, formula, component), limits)
    if not chain.contradiction:
        raise PonderError("odd-component: the edges are even in number, which refutes nothing")


def _add(chain: Chain, sites: list[Site], limits: Limits) -> None:
    for site in sites:
        limits.check()
        chain.add_all(site.pieces)
        if chain.contradiction:
            return


def _no_end(last: bool) -> Callable[..., None]:
    """Return the writer for "none can be the last" (or the first)."""

    def write(
        writer: ProofWriter,
        problem: OrderingProblem,
        formula: Cnf,
        options: Options,
        members: set[int],
        limits: Limits,
    ) -> None:
        triangles = Triangles(problem, options, formula, limits)
        followed = _Followed(writer, triangles, last)
        sites: dict[int, list[Site]] = {}
        hanging = _hanging(problem, members)
        for site in sites_of(problem, options, formula, set(hanging)):
            sites.setdefault(hanging[site.press], []).append(site)
        for v in sorted(members):
            limits.check()
            chain = Chain(ParityWriter(writer, formula.size.clauses))
            _add(chain, sites.get(v, []), limits)
            if not chain.contradiction:
                near = [u for u in problem.neighbours[v] if u in members]
                followed.start(v, near, chain)
            if chain.contradiction or followed.done:
                return
        for v in _in_order(triangles, members):
            limits.check()
            followed.eliminate(v)
            if followed.done:
                return
        raise PonderError("no-first-press, no-last-press: the proof did not come to its end")

    return write


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


WRITERS: Mapping[str, Callable[..., None]] = {
    "odd-component": _odd_component,
    "no-first-press": _no_end(last=False),
    "no-last-press": _no_end(last=True),
}
"""By the kind of the refutation."""
