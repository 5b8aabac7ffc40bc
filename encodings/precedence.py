"""Precedence: one variable per edge of H, an XOR per press, and acyclicity (theory §2.1, §6.2).

Orient H without a cycle so that v has out-degree t(v) mod 2. Without steps there is no horizon.

Variables   before(a|b): a is pressed before b; one per edge, b before a is its negation
            colour(b), lines=on: an odd number of presses of b's row come after b
Parity      an XOR per press; on row/column boards (lines=on) one over the row, with the colour, and
            one over the column (theory §6.3)
Acyclicity  elimination: two clauses a triangle of the filled graph; lazy: the triangles of H, and
            cuts
Hint        What an order of the presses, even one with wrong parities, makes of edges:
            so most formulas need few cuts. `schedule` first tries that, without any triangles.
Good for    H sparse or small, and for refutations; `lines=on` also for hundreds of presses
Reference   Rankooh, Rintanen, "Propositional encodings of acyclicity and reachability by using
            vertex elimination" (AAAI 2022); but one variable per undirected edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ponder.formulas.cnf import Cnf, Family, clauses
from ponder.formulas.colours import CARDINALITY, allot_colours, halve_lines, line_colours, lines_of
from ponder.formulas.encoder import (
    CONFLICTS,
    Directions,
    Encoder,
    Option,
    Options,
    PressName,
    copy_ranks,
    press_names,
)
from ponder.formulas.gadgets import Block, xor
from ponder.formulas.time_steps import XOR_CUT, by_degree
from ponder.formulas.vertex_elimination import added_edges, eliminated
from ponder.model.ordering_problem import MOST_EDGES, Order, OrderingProblem
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, indices

NO_CYCLE = "no cyclic triangle"  # the label of the clauses that elimination makes
MOST_TRIANGLES = 3_000_000  # where elimination makes more, cycles are cut off instead


class Precedence(Encoder):
    """Who comes first, for every edge."""

    name = "precedence"
    summary = "one variable per edge of H and acyclicity; any graph, no horizon"
    spec: ClassVar[tuple[Option, ...]] = (
        Option("acyclic", "elimination", "how cycles are forbidden", ("elimination", "lazy")),
        Option("order", "degree", "which vertex is eliminated first", ("degree", "fill")),
        Option("lines", "on", "on row/column boards, colours along the lines", ("on", "off")),
        XOR_CUT,
        CARDINALITY,
    )

    def lazy(self, options: Options) -> bool:
        """Whether cycles are cut off afterwards."""
        return options.word("acyclic") == "lazy"

    def schedule(
        self, problem: OrderingProblem, options: Options, limits: Limits = NEVER
    ) -> Iterator[Options]:
        """Yield a first attempt by cuts, then least fill, or cuts where that is too large."""
        if "acyclic" in options.named or by_lines(problem, options):
            yield options
            return
        cutting = options.with_usual(acyclic="lazy", xor_cut=4)
        yield replace(cutting, conflicts=CONFLICTS)
        refuting = options.with_usual(order="fill")
        try:
            eliminated(problem, refuting.word("order"), limits, MOST_TRIANGLES)
        except NeedsMemory:
            yield cutting
        else:
            yield refuting

    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return the edges' directions, the parities, and what forbids cycles."""
        problem.prepare(limits, MOST_EDGES)
        name = press_names(problem)
        formula = Cnf(
            f"an acyclic orientation for {pluralise(problem.size, 'press')}", limits=limits
        )
        pairs, later = self.pairs(problem, options, limits)
        edges, joined = problem.edges, pairs[len(problem.edges) :]

        def naming(i: int, _: int) -> str:
            return f"before({name(pairs[i, 0])}|{name(pairs[i, 1])})"

        neighbours, _ = formula.allot(
            1,
            Family(
                "before", "before(a|b): a is pressed before its neighbour b", len(edges), naming
            ),
            Family(
                "joined",
                "before(a|b): the same for a pair that elimination joined",
                len(joined),
                lambda i, _: naming(i + len(edges), 0),
            ),
        )
        before = Before.from_pairs(problem.size, pairs, neighbours.first)
        rank, _ = copy_ranks(problem)
        if problem.repeats:
            u, v = problem.edges.T
            same = problem.bulbs[u] == problem.bulbs[v]
            ascending = np.where(rank[u] < rank[v], 1, -1) * before(u, v)
            formula.add("copies of a bulb in ascending order", clauses(ascending[same]))
        if problem.fixed is not None:
            formula.add("an edge is fixed", clauses(before(*problem.fixed.T)))
        if by_lines(problem, options):
            _parity_by_lines(formula, problem, options, before, name)
        else:
            _parity_by_neighbours(formula, problem, options, before, name)
        if later:
            _forbid_triangles(formula, NO_CYCLE, before, later)
        elif self.lazy(options) and options.conflicts is None:
            starts, near = problem.adjacency
            above = [u[u > v] for v, u in enumerate(np.split(near, starts[1:-1]))]
            _forbid_triangles(formula, "no cyclic triangle among neighbours", before, above)
        return formula

    def pairs(
        self, problem: OrderingProblem, options: Options, limits: Limits = NEVER
    ) -> tuple[Ints, list[Ints]]:
        """Return the pairs (u, v) of the first variables, H's edges first, and who goes later."""
        if self.lazy(options):
            return problem.edges, []
        later = eliminated(problem, options.word("order"), limits)
        limits.check()
        return np.concatenate([problem.edges, added_edges(problem, later)]), later

    def read(
        self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits
    ) -> Directions:
        """Return the directions: H's edges are the first variables."""
        return Directions(true[1 : len(problem.edges) + 1])

    def hint(self, problem: OrderingProblem, order: Order) -> Ints:
        """Return the literals of the edges, those built first last."""
        place = np.empty(problem.size, dtype=np.int64)
        place[order.vertices] = np.arange(problem.size)
        u, v = place[problem.edges.T]
        edges = np.where(u < v, 1, -1) * np.arange(1, u.size + 1, dtype=np.int64)
        return edges[np.lexsort((np.maximum(u, v), np.minimum(u, v)))]

    def cuts(self, problem: OrderingProblem, cycles: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return "the presses of a cycle are not each before the next one", both ways around."""
        before = Before.from_pairs(problem.size, problem.edges, 1)
        clauses: list[list[int]] = []
        for cycle in cycles:
            along = before(np.array(cycle), np.roll(cycle, -1))
            clauses += [(-along).tolist(), along.tolist()]
        return clauses

    def is_cut(self, problem: OrderingProblem, options: Options, clause: Sequence[int]) -> bool:
        """Whether the clause says that the presses around a cycle are not each before the next."""
        known = all(0 < abs(literal) <= len(problem.edges) for literal in clause)
        if not self.lazy(options) or not clause or not known:
            return False
        ends = ((problem.edges[abs(x) - 1].tolist(), x < 0) for x in clause)
        following = dict((u, v) if forward else (v, u) for (u, v), forward in ends)
        start = press = next(iter(following))
        for _ in clause:
            press = following.get(press, -1)
            if press == start:
                return True
        return False


# ------------------------------------------------------------------------------------ variables


@dataclass(frozen=True, eq=False)
class Before:
    """The literal "u before v" of every pair that has a variable."""

    size: int
    keys: Ints  # the pairs as u·n + v, u < v, ascending
    variables: Ints  # theirs

    @classmethod
    def from_pairs(cls, size: int, pairs: Ints, first: int) -> Before:
        """Number the pairs (u, v), u < v, from `first` up."""
        keys = pairs[:, 0] * size + pairs[:, 1]
        ascending = np.argsort(keys)
        return cls(size, keys[ascending], first + ascending)

    def __call__(self, u: Ints, v: Ints) -> Ints:
        """Return the literals, elementwise; the pairs must exist."""
        place = np.searchsorted(self.keys, np.minimum(u, v) * self.size + np.maximum(u, v))
        return np.asarray(np.where(u < v, 1, -1) * self.variables[place], dtype=np.int64)

    def knows(self, u: Ints, v: Ints) -> Bits:
        """Return which of the pairs have a variable."""
        key = np.minimum(u, v) * self.size + np.maximum(u, v)
        place = np.searchsorted(self.keys, key)
        return np.asarray(self.keys.take(indices(place), mode="clip") == key)


# ---------------------------------------------------------------------------------- constraints


def by_lines(problem: OrderingProblem, options: Options) -> bool:
    """Whether parities are those of lines."""
    return problem.lines is not None and options.word("lines") == "on"


def _parity_by_neighbours(
    formula: Cnf, problem: OrderingProblem, options: Options, before: Before, name: PressName
) -> None:
    for near, which in by_degree(problem.hears):
        literals = before(which[:, None], near)
        word = pluralise(near.shape[1], "neighbour")
        _xors(formula, options, word, literals, problem.odd[which], [name(v) for v in which])


def _parity_by_lines(
    formula: Cnf, problem: OrderingProblem, options: Options, before: Before, name: PressName
) -> None:
    """Per press and line: the parity of the later presses is the literal that the colour gives."""
    lines, colour = lines_of(problem), allot_colours(formula, problem)
    literals = line_colours(problem, lines, colour.now)
    for (members, which), colours in zip(lines.members, literals, strict=True):
        d = members.shape[1]
        formula.make_room(members.size * d)
        rest = np.array([[j for j in range(d) if j != i] for i in range(d)], dtype=np.int64)
        near = members[:, rest.reshape(d, d - 1)]
        later = before(np.broadcast_to(members[:, :, None], near.shape), near)
        rows = np.concatenate([later, colours[:, :, None]], axis=2).reshape(-1, d)
        sites = [
            f"{name(v)},{lines.labels[line]}"
            for presses, line in zip(members.tolist(), which.tolist(), strict=True)
            for v in presses
        ]
        even = np.zeros(len(rows), dtype=np.bool_)
        _xors(formula, options, f"the {d} presses of a line", rows, even, sites)
    halve_lines(formula, problem, colour.now, options.word("card"))


def _xors(
    formula: Cnf, options: Options, word: str, literals: Ints, odd: Bits, sites: list[str]
) -> None:
    """Add "odd or even many of a row's literals are true", one row a site."""
    count = literals.shape[1]
    label = f"the right parity over {word}"
    if not count:  # nothing to count: fine if even, hopeless if odd
        literals, odd, sites = literals[odd], odd[odd], [sites[i] for i in np.flatnonzero(odd)]
    else:
        literals = literals.copy()
        literals[:, 0] *= np.where(odd, 1, -1)
    gadget, link = xor(count, options.number("xor_cut")), f"link{count}"
    meaning = f"{link}(b,i): parity over the pieces 0 to i of b's XOR over {word}"
    formula.place(label, gadget, literals, link, meaning, sites)


def _forbid_triangles(formula: Cnf, label: str, before: Before, later: list[Ints]) -> None:
    """Add, for every triangle {v, u, w} with u, w in later[v], that it is no cycle, either way."""
    blocks, literals = list[Block](), 0
    for v, near in enumerate(later):
        formula.make_room(literals)
        if near.size > 1:
            u, w = near[np.stack(np.triu_indices(near.size, 1))]
            exists = before.knows(u, w)
            u, w, first = u[exists], w[exists], np.full(np.count_nonzero(exists), v)
            cycle = clauses(-before(first, u), -before(u, w), -before(w, first))
            blocks += [cycle, -cycle]
            literals += 2 * cycle.size
    if blocks:
        formula.add(label, np.concatenate(blocks))
