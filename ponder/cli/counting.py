"""`--count` and `--all` of `order` and `orient`: how many answers there are, and each of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ponder.cli import options
from ponder.cli.options import option
from ponder.cli.terminal import remark, say
from ponder.system.limits import LimitReached, Limits
from ponder.system.printable import names_listed

if TYPE_CHECKING:
    from ponder.find.counting import Count
    from ponder.model.board import Board
    from ponder.model.formats import Question
    from ponder.system.types import Ints, Json

COUNT = "ponder.count/1"
AUTO = "auto"  # the value of --odd that asks about all sets of vertices

count_option: Any = option("--count", "Count them all; `at least` where that takes too much.")
all_option: Any = option("--all", "List them all, a line each.")


def asked(count: bool, every: bool) -> bool:
    """Whether answers are to be counted or listed. Raises UsageError for both at once."""
    if count and every:
        raise click.UsageError("--count and --all: give one of them")
    return count or every


@dataclass(frozen=True)
class Counted:
    """A count, `about` the question that it answers."""

    number: Count
    what: str
    text: str
    about: str
    more: Json

    def __str__(self) -> str:
        return f"{self.text} ({self.about})"

    def to_json(self) -> Json:
        """Return the object of schema `ponder.count/1`."""
        content: Json = {"schema": COUNT, "about": self.about, "what": self.what}
        return {**content, "count": self.number.number, "exact": self.number.exact, **self.more}


def count_of_board(board: Board, chosen: Ints | None, clock: Limits) -> Counted:
    """Count the legal orders of a board. Raises LimitReached."""
    from ponder.check.naming import board_named, digits, press_set_named
    from ponder.find.counting import count_orders

    found = count_orders(board, chosen, timeout=clock)
    sets: Json = {"press_sets": found.press_sets, "orderable": found.orderable}
    named = press_set_named(board, board.graph.set_of(chosen)) if chosen is not None else ""
    about = ", ".join(filter(None, (board_named(board), named, digits(board.sha256))))
    return Counted(found.orders, "orders", str(found), about, sets)


def count_of_graph(question: Question, odd: str, fixed: str, clock: Limits) -> Counted:
    """Count the orientations of a graph, or the sets of odd vertices. Raises LimitReached."""
    from ponder.check.naming import digits, orientation_named
    from ponder.find.counting import orientations_of_problem

    if odd == AUTO:
        raise click.UsageError("--odd auto is no more: name the vertices")
    asks = options.asked_of(question, odd, fixed).question
    graph, parities = orientation_named(asks.graph, asks.odd, asks.fixed)
    number = orientations_of_problem(asks.problem, clock)
    text = f"{number} acyclic {'orientation' if number.number == 1 else 'orientations'}"
    return Counted(number, "orientations", text, f"{graph}; {parities}; {digits(asks.sha256)}", {})


def present(count: Callable[[], Counted], as_json: bool) -> int:
    """Print a count; return the exit code."""
    try:
        found = count()
    except LimitReached as why:
        return _late(why)
    if as_json:
        click.echo(json.dumps(found.to_json()))
    else:
        say([str(found)])
    return 0 if found.number.exact else 3


def list_of_board(
    board: Board, chosen: Ints | None, clock: Limits, showing: options.Showing
) -> int:
    """Print the legal orders of a board; return the exit code."""
    from ponder.find.counting import all_orders
    from ponder.model.render import label_text

    orders = all_orders(board, chosen, timeout=clock)
    lines = (" ".join(label_text(board, x, showing.coords) for x in order) for order in orders)
    if showing.as_json:
        lines = (json.dumps({"presses": order}) for order in orders)
    return _said(lines, showing.quiet)


def list_of_graph(
    question: Question, odd: str, fixed: str, clock: Limits, as_json: bool, quiet: bool
) -> int:
    """Print the orientations of a graph; return the exit code."""
    from ponder.find.counting import orientations_of

    if odd == AUTO:
        raise click.UsageError("--all lists the orientations of one --odd")
    found = orientations_of(options.asked_of(question, odd, fixed), clock)
    lines = (" ".join(names_listed(arc, "->") for arc in x.arcs) for x in found)
    if as_json:
        lines = (json.dumps({"order": x.order, "arcs": x.arcs}) for x in found)
    return _said(lines, quiet)


def _said(lines: Iterable[str], quiet: bool) -> int:
    none = True
    try:
        for line in lines:
            none = False
            say([line])
    except LimitReached as why:
        return _late(why)
    if none:
        remark("there is none", quiet)
    return 0


def _late(why: LimitReached) -> int:
    remark(str(why))
    return 3
