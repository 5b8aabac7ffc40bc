"""Planning: do at most L legal presses of a wiring reach the goal, repeats allowed?

Idea. Planning as satisfiability. At each of L steps at most one button is pressed, and every light
has a variable before each step. The alphabetically first of all shortest sequences is enough. In it
a press that neither hears the one before it nor is heard by it has the greater number, so none
comes twice in succession, either. Pauses come last, so "at most L" needs no other formula.

Variables   press(b)@s, upto(b)@s: the press at step s is b or one listed before b; light(l)@s
Clauses     a step: 6·n − 2 at n buttons, 2 a wire, 2·m at m lights
Reference   Kautz, Selman, "Planning as satisfiability" (ECAI 1992); `encodings.time_indexed`, whose
            ladder and normal form these are.
"""

from __future__ import annotations

import numpy as np

from ponder.formulas.clause_templates import Block, clauses
from ponder.formulas.cnf import Cnf, Spec
from ponder.formulas.time_steps import ascending, by_degree, ladder, stays
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.types import Ints, bincount

MOST_LITERALS = 30_000_000  # of one formula, by estimate


def within_steps(board: Board, graph: Wired, steps: int, limits: Limits = NEVER) -> Cnf:
    """Return the formula. Raises TimeUp, NeedsMemory, ValueError under the rule `any`."""
    if (needed := literals_within(graph, steps)) > MOST_LITERALS:
        raise NeedsMemory(f"the formula of {steps:,} presses would have {needed:,} literals")
    problem = OrderingProblem.of_board(board, np.ones(graph.presses, dtype=np.bool_))
    formula = Cnf(f"at most {steps} presses", limits=limits)

    def each(word: str, meaning: str, width: int) -> Spec:
        return Spec(word, meaning, width, lambda i, s: f"{word}({i})@{s}")

    def at_each(label: str, *template: Block, copies: int = steps) -> None:
        formula.add(label, *template, copies=copies, stride=press.stride)

    press, upto, light = formula.allot(
        steps + 1,
        each("press", "press(b)@s: button b is pressed at step s", graph.presses),
        each("upto", "upto(b)@s: at step s b is pressed, or one before it", graph.presses),
        each("light", "light(l)@s: light l is lit before step s", graph.size),
    )
    flip, now, then = press.now[graph.owners], light.now[graph.toggled], light.next[graph.toggled]
    seated = np.flatnonzero(graph.at >= 0)
    right = (1 if board.rule == "lit" else -1) * light.now[graph.at[seated]]
    at_each("at most one press a step", *ladder(press.now, upto.now))
    at_each("a press flips its lights", clauses(-flip, now, then), clauses(-flip, -now, -then))
    for near, which in by_degree(_togglers(graph)):
        at_each("other lights stay", *stays(light, which, press.now[near]))
    at_each("a press needs its light", clauses(-press.now[seated], right))
    rest = steps - 1
    at_each("pauses come last", clauses(-upto.next[-1:], upto.now[-1:]), copies=rest)
    normal = ascending(problem.adjacency, press, upto.now)
    at_each("presses ascend unless one hears the other", *normal, copies=rest)
    for label, bits, step in (("the start", board.lit, 0), ("the goal", board.goal, steps)):
        formula.add(label, clauses(np.where(bits, 1, -1) * light.at(step)))
    return formula


def literals_within(graph: Wired, steps: int) -> int:
    """Return a bound on the literals of the formula, without making it."""
    heard = bincount(graph.toggled, minlength=graph.size)[graph.at[graph.at >= 0]]
    wires = graph.edge_count()
    return steps * (20 * graph.presses + 8 * (graph.size + wires) + 2 * int(heard.sum()))


def _togglers(graph: Wired) -> tuple[Ints, Ints]:
    """Return the buttons that toggle each light, in CSR form."""
    starts = np.cumsum(bincount(graph.toggled + 1, minlength=graph.size + 1))
    return starts, graph.owners[np.argsort(graph.toggled, kind="stable")]
