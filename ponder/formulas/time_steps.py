"""What encodings with steps share: presses at steps, "done" bits, parities (theory §6.1).

Letters: n presses, m edges of H; k steps; ℓ lines that have presses; e(v) = deg(v) + t(v) mod 2,
the parity of v's earlier neighbours. Variables are numbered step by step: a group of clauses is one
template, repeated. "Done" goes up and is up at the end, in place of n exactly-ones. A press needs
the right parity, in one of three ways (option `parity`):

    lines   row/column boards: a press needs equal (or different) parities of its row and column,
            and flips both; ℓ variables a step, 2·n·k + (4·n + 2·ℓ)·(k−1) clauses; with colours
            (option `colours`, theory §6.3) one variable a press and 2·n·k clauses more
    light   the parity of v's neighbours; one press a step; n variables a step, 4·m·k clauses about
    chain   an XOR over the done bits of v's neighbours, cut in pieces (`ponder.formulas.gadgets`)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ponder.formulas.cnf import Cnf, Family, clauses
from ponder.formulas.colours import CARDINALITY, allot_colours, halve_lines, lines_of
from ponder.formulas.encoder import Coder, Option, Options, copy_ranks, next_copies, press_names
from ponder.formulas.gadgets import Block, links, xor
from ponder.model.ordering_problem import MOST_EDGES, OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, bincount, distinct

PARITY = Option(
    "parity", "auto", "how a press's parity is tracked", ("auto", "lines", "light", "chain")
)
COLOURS = Option("colours", "on", "parity=lines: imply half of every line", ("on", "off"))
XOR_CUT = Option("xor_cut", 5, "the most literals in a piece of an XOR", least=3, most=12)
LAYERS = Option("layers", 0, "the number of layers; 0: one for every press")
TRACKING = (COLOURS, XOR_CUT, CARDINALITY)
NORMAL = Option(
    "normal", "auto", "orders in normal form only; auto: without colours", ("auto", "on", "off")
)


class Steps:
    """A formula with steps under construction: its families, and what adds its groups.

    `bits` are the variables of the way to track parity; `extra` the encoder's own. parity=auto is
    `lines` on row/column boards, else `default`. Raises PonderError if parity=lines is asked for on
    another board.
    """

    def __init__(
        self,
        formula: Cnf,
        problem: OrderingProblem,
        count: int,
        options: Options,
        default: str,
        *extra: Family,
    ) -> None:
        self.formula: Cnf = formula
        self.problem: OrderingProblem = problem
        self.count: int = count
        self.cut: int = options.number("xor_cut")
        self.mode: str = options.word("parity")
        if self.mode == "auto":
            self.mode = "lines" if problem.lines is not None else default
        if self.mode != "lines":
            problem.prepare(formula.limits, MOST_EDGES)
        coloured = self.mode == "lines" and options.word("colours") == "on"
        self.colour: Family | None = allot_colours(formula, problem) if coloured else None
        self.press: Family
        self.done: Family
        self.extra: list[Family]
        self.bits: Family
        self.press, self.done, self.bits, *self.extra = formula.allot(
            count,
            self._family("press", "press(b)@s: bulb b is pressed at step s"),
            self._family("done", "done(b)@s: bulb b is pressed at step s or before"),
            self._parity_bits(),
            *extra,
        )

    def _family(self, word: str, meaning: str) -> Family:
        name = press_names(self.problem)
        return Family(word, meaning, self.problem.size, lambda i, s: f"{word}({name(i)})@{s}")

    def _parity_bits(self) -> Family:
        if self.mode == "lines":
            labels = lines_of(self.problem).labels
            meaning = "odd(l)@s: line l has had an odd number of presses before step s"
            return Family("odd", meaning, len(labels), lambda i, s: f"odd({labels[i]})@{s}")
        if self.mode == "light":
            meaning = "light(b)@s: an odd number of b's neighbours before step s"
            return self._family("light", meaning)
        name, places = press_names(self.problem), list[tuple[int, int]]()
        for near, which in self.formula.limits.over(by_degree(self.problem.hears), 1):
            link_numbers = range(links(near.shape[1], self.cut))
            places += [(v, i) for v in which.tolist() for i in link_numbers]
        return Family(
            "link",
            "link(b,i)@s: parity of b's neighbours before s, in pieces 0 to i of its XOR",
            len(places),
            lambda i, s: f"link({name(places[i][0])},{places[i][1]})@{s}",
        )

    def at_each(self, label: str, *template: Block) -> None:
        """Add a template for every step; colours stay, all else moves along."""
        stride, fixed = self.press.stride, self.press.first - 1
        self.formula.add(label, *template, copies=self.count, stride=stride, fixed=fixed)

    def between(self, label: str, *template: Block) -> None:
        """Add a template for every two consecutive steps."""
        self.formula.add(label, *template, copies=self.count - 1, stride=self.press.stride)

    def once(self) -> None:
        """Say that every press happens at exactly one step, and copies in ascending order."""
        press, done = self.press, self.done
        same = clauses(-press.now, done.now), clauses(-done.now, press.now)
        self.formula.add("done at the first step = pressed there", *same)
        self.between(
            "done = pressed, or done before; never both",
            clauses(-press.next, done.next),
            clauses(-done.now, done.next),
            clauses(-done.next, done.now, press.next),
            clauses(-press.next, -done.now),
        )
        self.formula.add("all are done at the last step", clauses(done.at(self.count - 1)))
        if self.problem.fixed is not None:
            labels = "no fixed edge leads to a first press", "an edge is fixed"
            self._ascend(*labels, *self.problem.fixed.T)
        if self.problem.repeats:
            labels = "later copies are not pressed first", "copies of a bulb in ascending order"
            self._ascend(*labels, *next_copies(self.problem))

    def _ascend(self, at_first: str, after: str, earlier: Ints, later: Ints) -> None:
        self.formula.add(at_first, clauses(-self.press.now[later]))
        self.between(after, clauses(-self.done.next[later], self.done.now[earlier]))

    def right_parity(self, options: Options) -> None:
        """Say that every press finds the parity it needs."""
        match self.mode:
            case "lines":
                self._by_lines()
                if self.colour is not None:
                    self._coloured(self.colour, options.word("card"))
            case "light":
                self._by_light()
            case _:
                self._by_done()

    def wants_normal_form(self, options: Options) -> bool:
        """Whether only orders in normal form are asked for."""
        word = options.word("normal")
        return word == "on" or (word == "auto" and self.colour is None)

    def _by_lines(self) -> None:
        press, odd, lines = self.press, self.bits, lines_of(self.problem)
        rank, _ = copy_ranks(self.problem)
        differ = needed(self.problem) ^ (rank & 1).astype(np.bool_)
        row = odd.now[lines.rows]
        column = np.where(differ, -1, 1) * odd.now[lines.columns]
        self.formula.add("lines start even", clauses(-odd.now))
        self.at_each(
            "a press needs equal (or different) bits of its row and column",
            clauses(-press.now, -row, column),
            clauses(-press.now, row, -column),
        )
        flips = []
        for line in (lines.rows, lines.columns):
            now, then = odd.now[line], odd.next[line]
            flips += [clauses(-press.now, now, then), clauses(-press.now, -now, -then)]
        self.between("a press flips the bits of its lines", *flips)
        self._stay("a line's bit stays unless one of its presses is pressed", lines.members)

    def _coloured(self, colour: Family, card: str) -> None:
        """Link colours to rows: a row's bit counts the presses before, d − 1 − those come after."""
        lines = lines_of(self.problem)
        even = bincount(lines.rows)[lines.rows] % 2 == 0
        later = np.where(even, -1, 1) * self.bits.now[lines.rows]
        self.at_each(
            "a press has the colour that its row's bit shows",
            clauses(-self.press.now, -later, colour.now),
            clauses(-self.press.now, later, -colour.now),
        )
        halve_lines(self.formula, self.problem, colour.now, card)

    def _by_light(self) -> None:
        press, light = self.press, self.bits
        self.formula.add("no neighbour is pressed before the start", clauses(-light.now))
        right = np.where(needed(self.problem), 1, -1) * light.now
        self.at_each("a press needs its light", clauses(-press.now, right))
        flips, heard = [], self.problem.heard
        for side, (v, u) in enumerate((self.problem.edges.T, self.problem.edges.T[::-1])):
            if heard is not None:
                u, v = u[heard[:, side]], v[heard[:, side]]
            now, then = light.now[v], light.next[v]
            flips += [clauses(-press.now[u], now, then), clauses(-press.now[u], -now, -then)]
        self.between("a press flips its neighbours' lights", *flips)
        self._stay("a light stays unless a neighbour is pressed", by_degree(self.problem.hears))

    def _stay(self, label: str, causes: list[tuple[Ints, Ints]]) -> None:
        """Say "bit now = bit next, or one of the causes is pressed", causes by bits."""
        rules: list[Block] = []
        for presses, which in causes:
            self.formula.make_room(2 * presses.size)
            now, then = self.bits.now[which], self.bits.next[which]
            rules += [
                clauses(sign * now, -sign * then, self.press.now[presses]) for sign in (1, -1)
            ]
        self.between(label, *rules)

    def _by_done(self) -> None:
        press, done, bits = self.press, self.done, self.bits
        odd = needed(self.problem)
        self.formula.add("a first press needs even parity", clauses(-press.now[odd]))
        first = bits.first + bits.stride  # the links of copy 1, beside press.next
        for near, which in by_degree(self.problem.hears):
            heard, flips, d = done.now[near], odd[which], near.shape[1]
            if not d:
                alone = clauses(-press.next[which[flips]])
                self.between("without neighbours the parity is even", alone)
            else:
                heard[:, 0] *= np.where(flips, 1, -1)
                gadget = xor(d, self.cut, guarded=True)
                self.formula.make_room(gadget.literals * which.size)
                placed = gadget.place(np.column_stack([heard, press.next[which]]), first)
                near_by = pluralise(d, "neighbour")
                self.between(f"a press needs the right parity of its {near_by}", *placed)
                first += gadget.auxiliaries * which.size


def needed(problem: OrderingProblem) -> Bits:
    """Return e: the parity that the presses before v must have, e(v) = deg(v) + t(v) mod 2."""
    if problem.lines is None:
        degree = np.diff(problem.hears[0])
    else:
        before, after = copy_ranks(problem)
        rows, columns = (bincount(line, minlength=1)[line] - 1 for line in problem.lines)
        degree = rows + columns - before - after
    return np.asarray((degree & 1).astype(np.bool_) ^ problem.odd)


def by_degree(lists: tuple[Ints, Ints]) -> list[tuple[Ints, Ints]]:
    """Return, for every degree d that occurs, (vertices, d) neighbours and those vertices.

    `lists` of neighbours are in CSR form.
    """
    starts, near = lists
    degree = np.diff(starts)
    groups = []
    for d in distinct(degree).tolist():
        which = np.flatnonzero(degree == d)
        groups.append((near[starts[which][:, None] + np.arange(d)], which))
    return groups


class InLayers(Coder):
    """What encoders with the option `layers` have in common: too few of them refute nothing."""

    def layers(self, problem: OrderingProblem, options: Options) -> int:
        """Return the number of layers that the option means: 0, like more, is one a press."""
        return min(options.number("layers") or problem.size, problem.size)

    def refutes(self, problem: OrderingProblem, options: Options) -> bool:
        """Only with as many layers as presses."""
        return self.layers(problem, options) >= problem.size

    def schedule(
        self, problem: OrderingProblem, options: Options, limits: Limits = NEVER
    ) -> Iterator[Options]:
        """Yield options with more and more layers, the last with one for every press.

        Presses of a clique are in different layers, so a line of d presses needs d of them; the
        first attempt has half as many again. With `layers` given, only that.
        """
        if options.number("layers"):
            yield options
            return
        if problem.lines is not None and problem.size:
            longest = max(int(bincount(line).max()) for line in problem.lines)
        else:
            problem.prepare(limits, MOST_EDGES)
            longest = int(np.diff(problem.adjacency[0]).max(initial=0)) + 1
        layers = longest * 3 // 2 + 2
        while layers < problem.size:
            yield Options({**options.values, "layers": layers})
            layers *= 2
        yield options
