"""How `order` and `solve` print a result: for people, as JSON, and as a trace."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from ponder.printable import counted
from ponder.signals import heard

if TYPE_CHECKING:
    from ponder.cli.options import Showing
    from ponder.puzzle.render import Coordinates, Paint
    from ponder.puzzle.result import Result

INTERRUPTED = "interrupted"
"""The reason of a search that Ctrl-C ended; what it knew is printed all the same."""

LONG_TRACE = 20
"""A trace of more presses than this goes to a pager when standard output is a terminal."""


def present(result: Result, showing: Showing, *, explain: bool = False) -> int:
    """Print a result and return the exit code."""
    from ponder.cli.terminal import coloured, picture, remark, say
    from ponder.puzzle.render import draw

    if showing.trace_to is not None and result.presses is not None:
        from ponder.puzzle.files import whole_file

        with whole_file(showing.trace_to) as file:
            file.writelines(_trace(result, showing.coords, draw))
    elif showing.trace_to is not None:
        remark(f"no presses to trace ({result.verdict}): {showing.trace_to}", showing.quiet)
    if showing.as_json:
        click.echo(json_text(result))
    else:
        say(_text(result, showing))
        if explain:
            say(_steps(result))
        if showing.trace and showing.trace_to is None and result.presses is not None:
            lines = _trace(result, showing.coords, picture)
            if sys.stdout.isatty() and result.presses.size > LONG_TRACE:
                click.echo_via_pager(lines, color=coloured(sys.stdout))
            else:
                say(line.rstrip("\n") for line in lines)
    # some methods answer with what they have, and do not say that it is for a Ctrl-C
    unfinished = result.verdict != "impossible" and not result.optimal
    if result.reason == INTERRUPTED or (unfinished and heard() is not None):
        return 130
    return 3 if result.verdict == "unknown" else 0


def compete(result: Result) -> int:
    """Print a result as SAT competitions have it, and return their exit code.

    10 and `s SATISFIABLE` with the presses in `v` lines, as the numbers of the bulbs in play order
    (row by row from 1, holes left out) and a 0; 20 and `s UNSATISFIABLE`; 0 and `s UNKNOWN`.
    """
    from ponder.cli.terminal import say
    from ponder.puzzle.refutation import CLAIMS

    say([f"c {result.board.name} {result.board.sha256}", f"c method {result.method}"])
    if result.reason is not None:
        say([f"c {result.reason}"])
    if result.refutation is not None:
        say([f"c {result.refutation.sentence(result.board)}"])
    if result.verdict == "impossible" and result.claim is not None:
        say([f"c {result.claim}: {CLAIMS[result.claim]}"])
    match result.verdict:
        case "solved":
            presses = [] if result.presses is None else (result.presses + 1).tolist()
            words = [str(number) for number in [*presses, 0]]
            say(["s SATISFIABLE"])
            say(f"v {' '.join(words[k : k + 12])}" for k in range(0, len(words), 12))
            return 10
        case "impossible":
            say(["s UNSATISFIABLE"])
            return 20
    say(["s UNKNOWN"])
    return 0


def json_text(result: Result) -> str:
    """Return the result as one JSON object, readable where it is small.

    Long lists (presses, press counts) stand on one line each.
    """
    content = result.to_json()
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def _text(result: Result, showing: Showing) -> Iterator[str]:
    from ponder.cli.terminal import painter
    from ponder.pictures.words import quality, too_few, why_not_fewer
    from ponder.puzzle import render
    from ponder.puzzle.answer import CP_SAT_SAYS
    from ponder.puzzle.refutation import CLAIMS

    board, paint = result.board, painter()
    if not showing.quiet:
        yield f"{board.name}: {render.title(board)}"
        yield ""
    if result.presses is not None:
        yield paint(counted(result.presses.size, "press"), "good") + quality(result)
        yield ""
        yield from render.wrapped(render.press_words(board, result.presses, showing.coords))
    if result.verdict == "impossible" and result.claim == "C3":
        yield paint("no", "bad") + (
            f": {too_few(result)}; no legal sequence has fewer than {result.lower_bound} (C3)"
        )
    elif result.verdict == "impossible":
        what = {"order": "no order", "solve": "no solution"}[result.command]
        claim = f" ({result.claim})" if result.claim else ""
        meaning = CLAIMS[result.claim] if result.claim else ""
        yield paint(what, "bad") + f": {meaning}{claim}"
    if result.verdict == "unknown":
        yield paint("unknown", "bad") + f": {result.reason or 'no answer'}"
    if result.refutation is not None:
        yield from _reason(result, paint)
    elif (why := why_not_fewer(result)) is not None:
        yield ""
        text = f"not fewer than {result.lower_bound}: {why}"
        yield from render.wrapped(text.split(), indent="")
        yield from _listed(result, showing)
    if (said := result.statistics.get(CP_SAT_SAYS)) is not None and not showing.quiet:
        yield ""
        text = f"OR-tools CP-SAT says, and nothing here proves it: {said}"
        yield from render.wrapped(text.split(), indent="")
    if not showing.quiet:
        yield ""
        ended = f"; {result.reason}" if result.reason and result.verdict == "solved" else ""
        yield paint(f"{result.method}, {render.seconds_text(result.seconds)}{ended}", "dim")


def _listed(result: Result, showing: Showing) -> Iterator[str]:
    """Yield all press sets that are as light, where they are listed."""
    from ponder.puzzle import render

    listed = None if result.bound is None else result.bound.get("listed")
    for labels in listed if isinstance(listed, list) else []:
        yield ""
        words = (render.label_text(result.board, label, showing.coords) for label in labels)
        yield from render.wrapped(words)


def _reason(result: Result, paint: Paint) -> Iterator[str]:
    """Explain a refutation in words, and draw the bulbs that it names where they fit."""
    from ponder.cli.terminal import ascii_only
    from ponder.puzzle import render
    from ponder.puzzle.graph import GridGraph

    board, refutation = result.board, result.refutation
    if refutation is None:
        return
    yield ""
    yield from render.wrapped(refutation.sentence(board).split(), indent="  ")
    bulbs = refutation.bulbs
    if bulbs is None or not bulbs.size:
        return
    yield ""
    graph = board.graph
    if isinstance(graph, GridGraph) and graph.shape[1] <= 60 and graph.shape[0] <= 60:
        picture = render.draw(
            board, marked=graph.set_of(bulbs), paint=paint, ascii_only=ascii_only()
        )
        yield from ("  " + line for line in picture)
    else:
        words = render.press_words(board, bulbs[:200])
        if bulbs.size > 200:
            words.append(f"… ({bulbs.size} in all)")
        yield from render.wrapped(words)


def _steps(result: Result) -> Iterator[str]:
    """Tell what was tried; stages that ran many times (on blocks, say) are summed up."""
    from ponder.puzzle.render import seconds_text

    yield ""
    groups: list[tuple[str, str, float, int]] = []
    for step in result.steps:
        if groups and groups[-1][:2] == (step.method, step.outcome):
            method, outcome, seconds, times = groups.pop()
            groups.append((method, outcome, seconds + step.seconds, times + 1))
        else:
            groups.append((step.method, step.outcome, step.seconds, 1))
    for method, outcome, seconds, times in groups:
        often = f" ({times} times)" if times > 1 else ""
        yield f"  {method:<10} {seconds_text(seconds):>9}  {outcome}{often}"


def _trace(
    result: Result, coordinates: Coordinates, draw: Callable[..., list[str]]
) -> Iterator[str]:
    """Yield the board at the start and after each press, as text with line ends."""
    from ponder.check.replay import play
    from ponder.puzzle import render

    board, presses = result.board, result.presses
    if presses is None:
        return
    yield "\nstart\n\n" + "\n".join(draw(board)) + "\n"
    states = play(board, presses)
    for k, (bulb, state) in enumerate(zip(presses.tolist(), states, strict=True), 1):
        label = render.label_text(board, board.graph.label(bulb), coordinates)
        picture = draw(board, lit=state, marked=board.graph.set_of([bulb]))
        yield f"\npress {k}: {label}\n\n" + "\n".join(picture) + "\n"
