"""`--count` and `--all` of `order` and `orient`: how many answers there are, and each of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ponder.apps.cli import options
from ponder.apps.cli.options import option
from ponder.apps.cli.terminal import remark, say
from ponder.system.limits import LimitReached, Limits

if TYPE_CHECKING:
    from ponder.find.ordering.counting import Count
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


def of_board(
    board: Board, chosen: Ints | None, every: bool, clock: Limits, showing: options.Showing
) -> int:
    """Print the legal orders of a board, or how many there are; return the exit code."""
    from ponder.check.naming import board_named, digits, press_set_named
    from ponder.find.counts import all_orders, count_orders
    from ponder.model import render

    if every:
        orders = all_orders(board, chosen, timeout=clock)
        if showing.as_json:
            return _said((json.dumps({"presses": order}) for order in orders), showing.quiet)
        name, coords = render.label_text, showing.coords
        lines = (" ".join(name(board, x, coords) for x in order) for order in orders)
        return _said(lines, showing.quiet)
    try:
        found = count_orders(board, chosen, timeout=clock)
    except LimitReached as why:
        return _late(why)
    sets: Json = {"press_sets": found.press_sets, "orderable": found.orderable}
    named = press_set_named(board, board.graph.set_of(chosen)) if chosen is not None else ""
    about = ", ".join(filter(None, (board_named(board), named, digits(board.sha256))))
    return _counted(found.orders, "orders", str(found), about, showing.as_json, sets)


def of_graph(
    question: Question,
    odd: str,
    fixed: str,
    every: bool,
    clock: Limits,
    as_json: bool,
    quiet: bool,
) -> int:
    """Print the orientations of a graph, or how many there are; return the exit code."""
    from ponder.check.naming import digits, orientation_named
    from ponder.find.counts import orientations_of
    from ponder.find.ordering.counting import count_orientations, count_parities

    asked = options.asked_of(question, "none" if odd == AUTO else odd, fixed)
    asks = asked.question
    problem = asks.problem
    graph, parities = orientation_named(asks.graph, asks.odd, asks.fixed)
    if every and odd == AUTO:
        raise click.UsageError("--all lists the orientations of one --odd")
    if every:
        found = orientations_of(asked, clock)
        if as_json:
            return _said((json.dumps({"order": x.order, "arcs": x.arcs}) for x in found), quiet)
        return _said((" ".join(f"{u}->{v}" for u, v in x.arcs) for x in found), quiet)
    try:
        if odd == AUTO:
            number = count_parities(problem, clock)
            text = f"{number} sets of odd vertices have an acyclic orientation"
            about = f"{graph}; {parities.partition('; ')[2]}"
            return _counted(number, "odd-sets", text, about, as_json, {})
        number = count_orientations(problem, clock)
    except LimitReached as why:
        return _late(why)
    text = f"{number} acyclic {'orientation' if number.number == 1 else 'orientations'}"
    about = f"{graph}; {parities}; {digits(asks.sha256)}"
    return _counted(number, "orientations", text, about, as_json, {})


def _counted(found: Count, what: str, text: str, about: str, as_json: bool, more: Json) -> int:
    """Print a count, `about` the question that it answers; return the exit code."""
    if as_json:
        content: Json = {"schema": COUNT, "about": about, "what": what, "count": found.number}
        click.echo(json.dumps({**content, "exact": found.exact, **more}))
    else:
        say([f"{text} ({about})"])
    return 0 if found.exact else 3


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
