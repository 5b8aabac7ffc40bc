"""What the encodings with steps share: presses at steps, "done" bits, parities between steps.

Letters
    n, m     presses (vertices of H), edges of H          k    steps, 0 … k−1
    t(v)     parity that the presses of v's neighbours after v must have
    e(v)     = deg(v) + t(v) mod 2: the parity of those before v (play order)
    cut      the most literals in a piece of an XOR

Variables of step s, numbered step by step (so every group of clauses is one template, repeated)
    press(v)@s      v is pressed at step s
    done(v)@s       v is pressed at step s or before

Every press happens at exactly one step because "done" can only go up and is up at the end:
3·n·(k−1) + n·… binary and ternary clauses instead of n at-most-ones over k variables.

Three ways to say that a press needs the right parity (option `parity`)
    lines   row/column boards: odd(row r)@s, odd(column c)@s, the parity of the presses in the
            line before step s. A press needs its row's and column's bits to be equal or different:
            two ternary clauses, and two to flip each bit. All neighbourhoods of a line share one
            bit; this is what makes hundreds of presses feasible.
    light   light(v)@s, the parity of the presses of v's neighbours before step s: the puzzle as
            it is seen. Two clauses per edge and direction, no XOR. Needs one press per step.
    chain   an XOR over the done bits of v's neighbours, cut in pieces, guarded by press(v)@s.

Copies of one bulb are pressed by ascending number (they are interchangeable), so on row/column
boards, where a copy would count in both lines, the number of earlier copies is a constant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder import parity
from ponder.cnf import Block, Cnf, Family, Kind, Spec, clauses, copy_ranks, press_names
from ponder.errors import PonderError
from ponder.graph import Bits, Ints
from ponder.ordering import OrderingProblem


@dataclass(frozen=True, eq=False)
class Steps:
    """The families of a formula with steps; the parts of the parity's family that apply."""

    formula: Cnf
    problem: OrderingProblem
    steps: int
    press: Family
    done: Family
    bits: Family
    extra: list[Family]
    mode: str
    cut: int

    @classmethod
    def allot(
        cls,
        formula: Cnf,
        problem: OrderingProblem,
        steps: int,
        mode: str,
        cut: int,
        extra: list[Spec],
    ) -> Steps:
        """Number the variables of `steps` steps; `extra` families are the encoder's own.

        `mode` is `lines`, `light`, `chain` or `native` (the chain's XORs left whole).
        """
        names = press_names(problem)
        n = problem.size

        def named(word: str) -> Spec:
            meanings = {
                "press": "press(b)@s: bulb b is pressed at step s",
                "done": "done(b)@s: bulb b is pressed at step s or before",
                "light": "light(b)@s: b's neighbours have had an odd number of presses before s",
                "need": "need(b)@s: b's neighbours have had the parity of presses that b needs",
            }
            return Spec(word, meanings[word], n, lambda i, s: f"{word}({names[i]})@{s}")

        match mode:
            case "lines":
                lines = lines_of(problem)
                bits = Spec(
                    "odd",
                    "odd(l)@s: line l has had an odd number of presses before step s",
                    len(lines.labels),
                    lambda i, s: f"odd({lines.labels[i]})@{s}",
                )
            case "light":
                bits = named("light")
            case "native":
                bits = named("need")
            case _:
                owner, rank = _links(problem, cut)
                bits = Spec(
                    "link",
                    "link(b,i)@s: parity of the presses before s of b's neighbours in pieces 0 to i",
                    len(owner),
                    lambda i, s: f"link({names[owner[i]]},{rank[i]})@{s}",
                )
        press, done, own, *others = formula.allot(
            steps, named("press"), named("done"), bits, *extra
        )
        return cls(formula, problem, steps, press, done, own, others, mode, cut)

    # -------------------------------------------------------------------------------- clauses

    def each(self, label: str, *template: Block) -> None:
        """Add a template for every step."""
        self.formula.add(label, *template, copies=self.steps, stride=self.press.stride)

    def between(self, label: str, *template: Block, kind: Kind = "clause") -> None:
        """Add a template for every two consecutive steps."""
        self.formula.add(
            label, *template, kind=kind, copies=self.steps - 1, stride=self.press.stride
        )

    def once(self) -> None:
        """Say that every press happens at exactly one step, and copies in ascending order."""
        press, done = self.press, self.done
        if not self.steps:
            return
        first = [clauses(-press.now, done.now), clauses(-done.now, press.now)]
        self.formula.add("done at the first step = pressed there", *first)
        self.between(
            "done = pressed, or done before; never both",
            clauses(-press.next, done.next),
            clauses(-done.now, done.next),
            clauses(-done.next, done.now, press.next),
            clauses(-press.next, -done.now),
        )
        self.formula.add("all presses done at the last step", clauses(done.at(self.steps - 1)))
        before, after = copy_ranks(self.problem)
        later = np.flatnonzero(before)
        if later.size:  # the copy before is the one of the same bulb with rank one less
            by_bulb = np.lexsort((before, self.problem.bulbs))
            place = np.empty_like(by_bulb)
            place[by_bulb] = np.arange(by_bulb.size)
            earlier = by_bulb[place[later] - 1]
            self.formula.add("later copies not at the first step", clauses(-press.now[later]))
            self.between(
                "copies of a bulb in ascending order",
                clauses(-done.next[later], done.now[earlier]),
            )

    def right_parity(self) -> None:
        """Say that every press finds the parity it needs."""
        if not self.steps:
            return
        match self.mode:
            case "lines":
                self._by_lines()
            case "light":
                self._by_light()
            case _:
                self._by_done()

    def _by_lines(self) -> None:
        press, odd, lines = self.press, self.bits, lines_of(self.problem)
        row, column = odd.now[lines.rows], odd.now[lines.columns]
        rank, _ = copy_ranks(self.problem)
        differ = needed(self.problem) ^ (rank & 1).astype(np.bool_)
        column = np.where(differ, -column, column)
        self.formula.add("lines start even", clauses(-odd.now))
        self.each(
            "a press needs equal (or different) row and column bits",
            clauses(-press.now, -row, column),
            clauses(-press.now, row, -column),
        )
        flips: list[Block] = []
        for line in (lines.rows, lines.columns):
            now, then = odd.now[line], odd.next[line]
            flips += [clauses(-press.now, now, then), clauses(-press.now, -now, -then)]
        self.between("a press flips the bits of its lines", *flips)
        stay: list[Block] = []
        for members, which in lines.members:
            some = press.now[members]
            for sign in (1, -1):
                ends = np.stack([sign * odd.now[which], -sign * odd.next[which]], axis=1)
                stay.append(np.concatenate([ends, some], axis=1).astype(np.int32))
        self.between("a line's bit stays unless one of its presses is pressed", *stay)

    def _by_light(self) -> None:
        press, light = self.press, self.bits
        self.formula.add("no neighbour pressed at the start", clauses(-light.now))
        right = np.where(needed(self.problem), light.now, -light.now)
        self.each("a press needs its light", clauses(-press.now, right))
        flips: list[Block] = []
        for u, v in (self.problem.edges.T, self.problem.edges.T[::-1]):
            flips += [
                clauses(-press.now[u], light.now[v], light.next[v]),
                clauses(-press.now[u], -light.now[v], -light.next[v]),
            ]
        self.between("a press flips its neighbours' lights", *flips)
        stay: list[Block] = []
        for near, which in by_degree(self.problem):
            for sign in (1, -1):
                ends = np.stack([sign * light.now[which], -sign * light.next[which]], axis=1)
                stay.append(np.concatenate([ends, press.now[near]], axis=1).astype(np.int32))
        self.between("a light stays unless a neighbour is pressed", *stay)

    def _by_done(self) -> None:
        press, done, bits = self.press, self.done, self.bits
        odd = needed(self.problem)
        self.formula.add("a first press needs even parity", clauses(-press.now[odd]))
        first = bits.first + bits.stride  # the links of copy 1, beside press.next
        for near, which in by_degree(self.problem):
            some, even = done.now[near], ~odd[which]
            if self.mode == "native":
                flipped = np.where(even, bits.next[which], -bits.next[which])[:, None]
                whole = np.concatenate([some, flipped], axis=1).astype(np.int32)
                self.between("need = the parity of done neighbours is right", whole, kind="xor")
                continue
            if not near.shape[1]:  # nothing before it, ever
                self.between("no neighbours: needs even parity", clauses(-press.next[which[~even]]))
                continue
            some[:, 0] *= np.where(even, -1, 1)
            gadget = parity.xor(near.shape[1], self.cut, guarded=True)
            literals = np.concatenate([some, press.next[which][:, None]], axis=1)
            self.between(
                f"a press needs the right parity of its {near.shape[1]} neighbours, if done",
                *gadget.place(literals, first),
            )
            first += gadget.auxiliaries * which.size
        if self.mode == "native":
            self.between("a press needs what it needs", clauses(-press.next, bits.next))


# ------------------------------------------------------------------------------------ the graph


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines with presses, rows first: every press's row and column among them.

    `members` has, for every number of presses d, (lines, d) vertices and the lines' numbers.
    """

    labels: list[str]
    rows: Ints
    columns: Ints
    members: list[tuple[Ints, Ints]]


def lines_of(problem: OrderingProblem) -> Lines:
    """Return the lines of a row/column board's presses; PonderError on another board."""
    if problem.lines is None:
        raise PonderError(
            f"needs a row/column board (pattern: cross), but this one is {problem.graph.pattern}"
        )
    labels: list[str] = []
    placed: list[Ints] = []
    members: dict[int, list[tuple[Ints, int]]] = {}
    for word, line in zip(("row", "column"), problem.lines, strict=True):
        used, place = np.unique(line, return_inverse=True)
        by_line = np.split(
            np.argsort(place, kind="stable"), np.cumsum(np.bincount(place))[:-1]
        ) if used.size else []
        for i, vertices in enumerate(by_line):
            members.setdefault(vertices.size, []).append((vertices, len(labels) + i))
        placed.append(np.asarray(place + len(labels), dtype=np.int64))
        labels += [f"{word} {x}" for x in used.tolist()]
    grouped = [
        (np.stack([vertices for vertices, _ in some]), np.array([which for _, which in some]))
        for _, some in sorted(members.items())
    ]
    return Lines(labels, placed[0], placed[1], grouped)


def _links(problem: OrderingProblem, cut: int) -> tuple[list[int], list[int]]:
    """Return every link variable's vertex and number, in the order in which they are placed."""
    owner, rank = [], []
    for near, which in by_degree(problem):
        links = parity.xor(near.shape[1], cut, guarded=True).auxiliaries
        owner += np.repeat(which, links).tolist()
        rank += list(range(links)) * which.size
    return owner, rank


def needed(problem: OrderingProblem) -> Bits:
    """Return e: the parity that the presses before v must have, e(v) = deg(v) + t(v) mod 2."""
    if problem.lines is None:
        degree = np.diff(problem.adjacency[0])
    else:
        before, after = copy_ranks(problem)
        degree = -(before + after)
        for line in problem.lines:
            degree = degree + np.bincount(line, minlength=1)[line] - 1
    return (degree & 1).astype(np.bool_) ^ problem.odd


def by_degree(problem: OrderingProblem) -> list[tuple[Ints, Ints]]:
    """Return, for every degree d that occurs, (vertices, d) neighbours and those vertices."""
    starts, near = problem.adjacency
    degree = np.diff(starts)
    groups = []
    for d in np.unique(degree).tolist():
        which = np.flatnonzero(degree == d)
        groups.append((near[starts[which][:, None] + np.arange(d)], which))
    return groups


def merged(blocks: list[Block]) -> list[Block]:
    """Return the same clauses with one block per length."""
    lengths: dict[int, list[Block]] = {}
    for block in blocks:
        lengths.setdefault(block.shape[1], []).append(block)
    return [np.concatenate(lengths[w]) for w in sorted(lengths)]
