"""What a worker can be asked (TASKS): one function a task, from a request to a JSON object.

`say` takes what is known before the end. `serve` is the life of a process of `workers`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ponder.check.certificate import Refutation
from ponder.check.reader import bulbs
from ponder.check.replay import replay
from ponder.check.result import Result
from ponder.check.witness import Witness
from ponder.find.context import SearchContext
from ponder.find.coset.minimum_weight import lightest, lightest_press_set
from ponder.find.linear.press_sets import kernel, press_sets
from ponder.find.order import order
from ponder.find.ordering.blocks import dead_end
from ponder.find.solve import search, solve
from ponder.lights_out.covers import press_set_of_one, single_cells
from ponder.model.board import Board
from ponder.model.formats import parse_board
from ponder.model.presets import GRADES, SIDES, YOUR_OWN, puzzle_named
from ponder.model.wired_graph import Wired, no_wiring
from ponder.page.board_data import drawable, page_text
from ponder.page.hints import after, hint
from ponder.page.protocol import BadRequest
from ponder.page.refute import REASONS, marking_of, refute
from ponder.page.riddles import own_marking, puzzle_riddle, riddle
from ponder.pictures import explain
from ponder.pictures.frames import order_film
from ponder.pictures.marks import line_bits, marks_of
from ponder.pictures.steps import steps
from ponder.pictures.svg import film_svg
from ponder.studies.boards_to_play import PuzzleFamily, board_to_play, daily
from ponder.studies.families import CannotGenerate
from ponder.system.errors import PonderError
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, Ints, Json

if TYPE_CHECKING:
    from ponder.system.child_program import Parent

Say: TypeAlias = Callable[[Json], None]
Request: TypeAlias = dict[str, Any]  # `board`, and what `protocol.QUESTIONS` names
FOR_PROGRAMS: Final = ("order", "solve", "press-sets")  # of boards that the page may not draw
MOST_BULBS: Final = 65_536  # bulbs of such a board at most
SHOWN: Final = 64  # quiet patterns that are listed at most
DRAWS: Final = 60  # random boards that are tried for one without an order
ORDER_SHARE: Final = 0.4
ORDER_SECONDS: Final = 10.0  # for an order at most, where the fewest presses are wanted too


def warm_up() -> None:
    """Use what every search needs, so that the first one does not wait for it."""
    for pattern in ("cross", "plus"):
        board = Board.from_rows(["0011", "1101", "0110", "0001"], pattern)
        order(board)
        solve(board)


def board_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return the board in the form that the page reads (`boards`)."""
    return {"board": page_text(board)}


def order_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return the result of `ponder.order`."""
    return order(board, timeout=limits, progress=_told(say)).to_json()


def solve_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return the result of `ponder.solve`."""
    return solve(board, timeout=limits, progress=_told(say)).to_json()


def press_sets_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return the nullity, and a lightest press set where there is one and it is proved."""
    sets = press_sets(board, limits)
    if isinstance(sets, Witness):
        return {"nullity": kernel(board.graph).nullity, "lightest": None}
    best = lightest(board, sets, SearchContext(limits=limits))
    labels = board.graph.labels(best.presses) if best.optimal and best.presses is not None else None
    return {"nullity": sets.nullity, "lightest": labels}


def answer_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Say what is known of a board, stage by stage; the last stage is the end.

    solvable     some legal sequence reaches the goal (theory §2.6): `nullity`
    press-sets   a light press set: `presses`, `lightest` (whether proved), `nullity`, `lines`
    order        each bulb at most once: verdict, count, presses, why, marks, …; `hopeless`, whether
                 no sequence works, with repeats either
    found        few presses with repeats, whenever fewer or a higher bound are known:
                 `presses`, `count`, `lower_bound`
    fewest       as for order, of the fewest presses with repeats: the end
    witness      in place of all these, where no press set exists: `why`, `marks`, …

    `why` is a sentence, `steps` what is behind it, with what to mark for each step
    (`ponder.pictures.steps`).
    """
    sets = press_sets(board, limits)
    if isinstance(sets, Witness):
        return {"stage": "witness", **_reasons(board, sets)}
    if not isinstance(board.graph, Wired) and dead_end(board, limits) is None:
        say({"stage": "solvable", "nullity": sets.nullity})
    light, proved = lightest_press_set(sets, limits.sooner(0.1))
    presses = board.graph.labels(np.flatnonzero(light))
    bits = None if board.pressed else line_bits(board, light)
    lines = None if bits is None else [bit.tolist() for bit in bits]
    known: Json = {"nullity": sets.nullity, "presses": presses, "lightest": proved, "lines": lines}
    say({"stage": "press-sets", **known})
    seconds = min(ORDER_SECONDS, limits.left(ORDER_SHARE) or 0.0)
    ordered = order(board, timeout=limits.sooner(seconds), progress=_told(say))
    say({"stage": "order", **_told_of(ordered)})
    fewest = ordered
    for fewest in search(board, timeout=limits):
        bounds = {"count": fewest.count, "lower_bound": fewest.lower_bound}
        say({"stage": "found", "presses": fewest.places, **bounds})
    return {"stage": "fewest", **_told_of(fewest)}


def quiet_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return a basis of the quiet patterns, or the first of it."""
    quiet = kernel(board.graph)
    shown = min(quiet.nullity, SHOWN)
    patterns = quiet.combine(np.eye(shown, quiet.nullity, dtype=np.bool_))
    labels = [board.graph.labels(np.flatnonzero(pattern)) for pattern in patterns]
    return {"nullity": quiet.nullity, "patterns": labels}


def single_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return the bulbs that can be toggled alone, and a lightest press set that toggles `bulb`."""
    graph = no_wiring(board.graph)
    if "bulb" not in request:
        return {"bulbs": graph.labels(np.flatnonzero(single_cells(graph, limits)))}
    try:
        bulb = graph.bulb(request["bulb"])
    except (KeyError, TypeError):
        raise BadRequest("`bulb` is the row and the column of a bulb, or its name") from None
    presses = press_set_of_one(graph, bulb, limits)
    return {"presses": None if presses is None else graph.labels(np.flatnonzero(presses))}


def hint_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Explain the first of `sequence`, which solves the board after `presses`: see `hints`."""
    no_wiring(board.graph)
    done, coming = (bulbs(board.graph, request.get(k, []), k) for k in ("presses", "sequence"))
    if board.pressed and done.size:
        raise BadRequest("with the goal `pressed` the board is that of the bulbs that are left")
    replay(after(board, done), coming, limits)
    if not coming.size:
        raise BadRequest("`sequence` is empty: nothing is left to press")
    return hint(board, done.tolist(), coming.tolist(), limits)


def animation_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return `svg`: the presses of `sequence`, played on the board."""
    no_wiring(board.graph)
    presses = bulbs(board.graph, request.get("sequence", []), "sequence")
    return {"svg": film_svg(order_film(board, presses))}


def no_order_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return a random board of the same shape, pattern, rule and goal that has no order."""
    graph = board.graph
    seed = request.get("seed")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise BadRequest("`seed` is a whole number from 0 on")
    rng = np.random.default_rng(seed)
    for _ in range(DRAWS):
        limits.check()
        lit = board.goal ^ graph.apply(rng.random(graph.presses) < rng.uniform(0.2, 0.6))
        if board.pressed:  # where any lights will do
            lit = rng.random(graph.size) < 0.5
        drawn = replace(board, lit=lit)
        if order(drawn, timeout=limits.share(0.2)).verdict == "impossible":
            return {"board": page_text(drawn)}
    raise BadRequest("none was found: nearly all boards of this kind have an order", 422)


def new_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return the board of a day, or of a puzzle (or made like the board), a grade and a seed.

    `side` is that of the square or the row, unless the grade says it.

    With `riddle` it is one that may have an order or not.
    """
    try:
        if "daily" in request:
            family, seed = daily(date.fromisoformat(request["daily"]))
            grade, name = family.grade, family.puzzle.key
        else:
            grade, seed, name = request["grade"], request["seed"], request["puzzle"]
        puzzle = None if name == YOUR_OWN[0] else puzzle_named(name, offered=True)
        if puzzle is not None and "side" in request:
            if type(side := request["side"]) is not int or side not in SIDES:
                raise BadRequest(f"`side` is a whole number from {SIDES[0]} to {SIDES[-1]}")
            puzzle = replace(puzzle, sizes=(side,) * len(GRADES))
        if request.get("riddle") is True:
            if puzzle is None:
                new_board = riddle(board, grade, seed, limits)
            else:
                new_board = puzzle_riddle(puzzle, grade, seed, limits)
        elif puzzle is None:
            new_board = board_to_play(board, grade, seed).board
        else:
            shape = puzzle.shape(puzzle.sizes[GRADES.index(grade)])
            new_board = PuzzleFamily(puzzle, *shape, grade).board(seed)
    except (CannotGenerate, BadRequest):
        raise
    except (KeyError, TypeError, ValueError):
        raise BadRequest("`daily`, or `puzzle`, `grade` and `seed`, name no board") from None
    return {"board": page_text(new_board)}


def refute_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Judge marks that show that a board cannot be done, by `reason` alone if that is named.

    Accepted: `steps` of the proof, `marks`, `result`. Refused: `missing`. With `tell` the marks
    themselves: `bulbs`, `rows` and `columns`.
    """
    no_wiring(board.graph)
    if request.get("tell") is True:
        result = order(board, timeout=limits)
        why = result.refutation
        if why is None or (marking := own_marking(board, why, result.counts)) is None:
            raise BadRequest("no marks show why here", 422)
        lines = {"rows": marking.rows.tolist(), "columns": marking.columns.tolist()}
        return {"bulbs": board.graph.labels(marking.bulbs), **lines}
    if (reason := request.get("reason")) not in (None, *REASONS):
        raise BadRequest(f"`reason` is one of {', '.join(REASONS)}")
    return refute(board, marking_of(board, request), reason, limits).to_json()


def certificate_task(board: Board, request: Request, limits: Limits, say: Say) -> Json:
    """Return `certificate`, the text of a file for Coq, of marks that are accepted."""
    from ponder.find.row_column.maximum_flow import half_factor_of
    from ponder.proofs.coq import Certificate

    no_wiring(board.graph)
    judged = refute(board, marking_of(board, request), None, limits)
    if judged.result is None:
        raise BadRequest(f"{judged.missing}")
    content = judged.result.to_json()
    return {"certificate": Certificate.write(board, content, half_factor_of, limits=limits).text}


def _told(say: Say) -> Callable[[str], None]:
    return lambda text: say({"progress": text})


def _told_of(result: Result) -> Json:
    board, refutation = result.board, result.refutation
    content = result.to_json()
    kept = ("verdict", "claim", "presses", "count", "lower_bound", "optimal", "reason", "method")
    parameters = {key: content[key] for key in kept}
    never = result.claim == "C4" or (board.pressed and result.verdict == "impossible")
    parameters["hopeless"] = never
    if refutation is not None:
        parameters |= _reasons(board, refutation, result.counts)
    return parameters


def _reasons(board: Board, refusal: Refutation, counts: Ints | Bits | None = None) -> Json:
    """Return what a refusal has to say and to show."""
    return {
        "why": explain.sentence(board, refusal, counts),
        "steps": steps(board, refusal, counts),
        "marks": marks_of(board, refusal, counts),
    }


TASKS: Final[dict[str, Callable[[Board, Request, Limits, Say], Json]]] = {
    "board": board_task,
    "order": order_task,
    "solve": solve_task,
    "press-sets": press_sets_task,
    "answer": answer_task,
    "quiet": quiet_task,
    "single": single_task,
    "hint": hint_task,
    "animation": animation_task,
    "no-order": no_order_task,
    "new": new_task,
    "refute": refute_task,
    "certificate": certificate_task,
}


def answered(task: str, asked: Request, limits: Limits, say: Say) -> Json:
    """Do one task; every way in which it can fail becomes a line."""
    try:
        board = parse_board(asked["board"], limits=limits)
        if task not in FOR_PROGRAMS:
            drawable(board)
        elif board.graph.size > MOST_BULBS:
            raise BadRequest(f"a board of {board.graph.size:,} bulbs is too large here")
        return {"end": TASKS[task](board, asked, limits, say)}
    except PonderError as error:
        status = error.status if isinstance(error, BadRequest) else 400
        return {"error": str(error), "status": status}
    except TimeUp as stopped:
        return {"error": f"unknown: {stopped}", "status": 422}
    except MemoryError:
        return {"error": "this search needs more memory than it may take", "status": 422}
    except Exception as error:
        return {"error": f"the search failed: {type(error).__name__}: {error}", "status": 422}


def serve(parent: Parent) -> None:
    """Answer the server's questions until it is gone."""
    warm_up()
    for task, timeout, asked in parent.requests():
        parent.reply(answered(task, asked, Limits(timeout), parent.reply))
