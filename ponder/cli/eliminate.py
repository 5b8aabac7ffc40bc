"""`ponder eliminate`: the row reduction of a board, listed or step by step, and what it gives."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import gathered, option
from ponder.cli.terminal import ascii_only, drawn, drawn_over, painter, say
from ponder.model.files import packed_file
from ponder.pictures.shapes import ThemeName
from ponder.system.errors import BoardError
from ponder.system.printable import pluralise

if TYPE_CHECKING:
    from ponder.find.linear.row_reduction import RowReduction
    from ponder.model.board import Board
    from ponder.model.render import Coordinates, Paint, Role
    from ponder.pictures.elimination import Frame
    from ponder.system.types import Bits, Json

SPACED = 30  # bulbs up to which the entries of a matrix stand apart
SHOWN = 16  # quiet patterns that are drawn at most
MOST_BULBS = 100  # bulbs of a board at most: more, and nobody looks at the matrix

FORMATS: tuple[options.Format, ...] = ("svg", "gif", "apng")


@options.command(
    """
Examples:
  ponder eliminate board.txt                   by keys on a terminal; a listing elsewhere
  ponder eliminate board.txt --auto --speed 5
  ponder eliminate board.txt --matrices | less
  ponder eliminate board.txt --why-always-solvable
  ponder eliminate board.txt -o elimination.gif
  ponder eliminate board.txt --json

Each bulb has one equation: an odd number of the presses that toggle it, iff it must change. Keys:
space, Enter, → or l one step on, ← or h one back, ↓ ↑ (j k) a press on or back, End or e to the
end, q to what is read off. `ponder schema elimination` describes the JSON.

Exit codes: 0 answered, 2 bad usage or bad input, 130 interrupted.
"""
)
def command(
    file: str = options.board_argument,
    header: options.Header = gathered(options.Header),
    auto: bool = option("--auto", "Play on the terminal without keys."),
    speed: float | None = options.speed_option("Steps a second, with --auto or -o."),
    matrices: bool = option("--matrices", "List the matrix after every press."),
    why: bool = option(
        "--why-always-solvable",
        "Show on this board why all bulbs can always be toggled (instead of the steps).",
    ),
    output: str | None = option("-o, --output OUT", "Write an animation: .svg, .gif or .apng."),
    theme: ThemeName = options.theme_option("The colours of the animation."),
    coords: Coordinates = options.coords_option,
    as_json: bool = options.json_option,
) -> int:
    """Solve A s = b over GF(2) for the board in FILE ("-": standard input), and show every step."""
    from ponder.find.linear.row_reduction import row_reduction
    from ponder.model import render
    from ponder.pictures.elimination import MatrixFilm
    from ponder.pictures.pixels import write_images

    if sum([auto, matrices, why, as_json, output is not None]) > 1:
        ways = "--auto, --matrices, --why-always-solvable, --json and -o"
        raise click.UsageError(f"give only one of {ways}")
    if auto and not drawn_over(sys.stdout):
        raise click.UsageError("--auto needs a terminal, and standard output is not one")
    if output is not None:
        form = options.format_of(output, FORMATS)
        options.check_file(output)
    board = header.read(file)
    if board.graph.size > MOST_BULBS:
        raise BoardError(
            f"{board.graph.size:,} bulbs are too many to show step by step (at most {MOST_BULBS}); "
            "`ponder show --presses` solves large boards",
            board.name,
        )
    found = row_reduction(board)
    if output is not None:
        film = MatrixFilm(found, board, speed)
        with packed_file(output) as out:
            if form == "svg":
                out.write(film.document(theme).encode())
            else:
                write_images(out, film.images(theme), film.seconds, form)
        return 0
    if as_json:
        click.echo(json.dumps(_content(found, board)))
        return 0
    say([f"{board.name}: {render.title(board)}", ""])
    if why:
        say(why_lines(found, board))
        return 0
    if auto or (not matrices and drawn_over(sys.stdout) and sys.stdin.isatty() and file != "-"):
        show(found, board, coords, speed or 3.0 if auto else None)
    else:
        say(listing(found, board, coords, matrices))
    say(reading(found, board, coords))
    return 0


def _content(found: RowReduction, board: Board) -> Json:
    import numpy as np

    from ponder.find.linear.row_reduction import even_patterns

    label = board.graph.labels

    def bulbs(bits: object) -> object:
        return None if bits is None else label(np.flatnonzero(np.asarray(bits)))

    def rows(bits: object) -> list[str]:
        return ["".join("01"[bit] for bit in row) for row in np.asarray(bits).tolist()]

    even = even_patterns(board.graph, found.quiet_patterns)
    return {
        "schema": "ponder.elimination/1",
        "board": {"sha256": board.sha256, "bulbs": board.graph.size},
        "bulbs": label(np.arange(board.graph.size)),
        "matrix": rows(found.matrix),
        "change": rows([found.change])[0],
        "steps": [asdict(step) for step in found.steps],
        "pivots": [list(pivot) for pivot in found.pivots],
        "free": list(found.free),
        "reduced": rows(found.reduced),
        "press_set": bulbs(found.press_set),
        "odd_witness": bulbs(found.odd_witness),
        "quiet_patterns": [bulbs(quiet) for quiet in found.quiet_patterns],
        "even": [{"bulbs": int(x.bulbs.size), "edges": x.edges} for x in even],
    }


def matrix_lines(frame: Frame, paint: Paint | None = None, plain: bool = False) -> list[str]:
    """Return A | b as lines below marks of presses (v a pivot, o free); `plain`: in ASCII signs."""
    from ponder.model.render import no_paint

    paint = paint or no_paint
    count, zero = len(frame.rows), "." if plain else "·"
    pivots, known = set(frame.pivots), {column: "v" for _, column in frame.pivots}
    known |= dict.fromkeys(frame.free, "o")
    space = " " if count <= SPACED else ""
    width = len(str(count)) + 1
    above = space.join(known.get(column, " ") for column in range(count))
    lines = [f"{'':{width}} {above}".rstrip()]
    for row, bits in enumerate(frame.rows.tolist()):
        signs = []
        for column, bit in enumerate(bits):
            sign = "1" if bit else zero
            in_hand = column == frame.column and column < count
            role: Role = "marked" if (row, column) in pivots else "good" if in_hand else "plain"
            if not bit and not in_hand:
                role = "unlit"
            signs.append(paint(sign, role))
        head = f"{row + 1:{width}}"
        if row == frame.source or row in frame.targets:
            head = paint(head, "lit" if row == frame.source else "marked")
        lines.append(f"{head} {space.join(signs[:-1])} | {signs[-1]}")
    return lines


def listing(found: RowReduction, board: Board, coords: Coordinates, matrices: bool) -> list[str]:
    """Return the elimination, a line a press; `matrices`: with what each leaves."""
    from ponder.model import render
    from ponder.pictures.elimination import frames_of

    plain = ascii_only()
    frames = list(frames_of(found, board, whole_stages=True, coords=coords))
    lines = [frames[0].words, "", *matrix_lines(frames[0], plain=plain)[1:], ""]
    for frame in frames[1:-1]:
        first, *more = render.wrapped(frame.words.split(" "), indent="    ")
        lines += [first.strip(), *more]
        if matrices:
            lines += ["", *matrix_lines(frame, plain=plain), ""]
    return lines if matrices else [*lines, "", *matrix_lines(frames[-1], plain=plain), ""]


def reading(found: RowReduction, board: Board, coords: Coordinates) -> list[str]:
    """Return what is read off at the end: the press sets, or why there is none."""
    import numpy as np

    from ponder.check.evidence.odd_witness import OddWitness
    from ponder.model import render
    from ponder.pictures.elimination import last_words

    def picture(marked: Bits) -> list[str]:
        return ["", *drawn(board, marked=marked), ""]

    witness, presses = found.odd_witness, found.press_set
    lines = [last_words(found), ""]
    if witness is not None:
        bulbs = np.flatnonzero(witness)
        lines += [f"it is the sum of the equations of {pluralise(bulbs.size, 'bulb')}:"]
        lines += render.wrapped(OddWitness(bulbs).sentence(board).split(" "))
        lines += picture(witness)
    elif presses is not None:
        without = ", without free presses" if len(found.free) else ""
        pressed = pluralise(int(presses.sum()), "bulb")
        lines += [f"the press set{without}: {pressed}", *picture(presses)]
    for number, quiet in enumerate(found.quiet_patterns[:SHOWN], 1):
        free = render.label_text(board, board.graph.label(found.free[number - 1]), coords)
        what = f"quiet pattern {number}, of the free press {free}"
        lines += [
            f"{what}: {pluralise(int(quiet.sum()), 'bulb')}, changes nothing",
            *picture(quiet),
        ]
    if len(found.free) > SHOWN:
        lines += [f"and {len(found.free) - SHOWN} more quiet patterns (--json has them all)", ""]
    return lines[:-1]


def why_lines(found: RowReduction, board: Board) -> list[str]:
    """Return why all bulbs can be toggled, told of the board's own quiet patterns (theory §8.2)."""
    import numpy as np

    from ponder.find.linear.row_reduction import even_patterns, reduce_rows
    from ponder.model.board import Board

    lines = ["Why the boards all lit and all unlit always have a press set", ""]
    lines += _told(
        "A is symmetric, with ones on its diagonal. A board has a press set unless some quiet "
        "pattern has an odd number of the bulbs that must change. Here all bulbs must, or none: "
        "so every quiet pattern must have an even number of bulbs. Count the ones of A in the "
        "rows and columns of a pattern. Row by row: each of its bulbs is toggled by an even "
        "number of its presses, since pressing them all changes nothing. By symmetry: one on the "
        "diagonal for each bulb, and two for each pair of neighbours in it."
    )
    lines.append("")
    for number, even in enumerate(even_patterns(board.graph, found.quiet_patterns), 1):
        bulbs, total = even.bulbs.size, int(even.in_row.sum())
        many = bulbs > 12
        rows = f"{bulbs} even numbers" if many else " + ".join(map(str, even.in_row.tolist()))
        lines += _told(
            f"pattern {number}: {rows} = {total} = {bulbs} + 2·{even.edges}, so {bulbs} is even"
        )
    none = "This board has no quiet pattern: every state of it has one press set."
    lines.append("Sums of even patterns are even." if len(found.free) else none)
    every = np.ones(board.graph.size, dtype=np.bool_)
    presses = reduce_rows(found.matrix, every).press_set
    assert presses is not None
    lines += ["", f"{pluralise(int(presses.sum()), 'bulb')} whose presses toggle every bulb:", ""]
    dark = Board(board.graph, ~every, every, board.rule, board.name)
    return [*lines, *drawn(dark, marked=presses)]


def _told(text: str) -> list[str]:
    from ponder.model import render

    return list(render.wrapped(text.split(" "), indent=""))


MOST_KEY = 32  # bytes of a key at most: an arrow is an escape sequence
ASIDE, BACK = "\x1b[?1049h", "\x1b[?1049l"  # to the terminal's second screen and back

KEYS = {
    " ": 1, "\r": 1, "\n": 1, "l": 1, "\x1b[C": 1, "\x1bOC": 1,
    "h": -1, "\x7f": -1, "\x1b[D": -1, "\x1bOD": -1,
}  # fmt: skip
PRESSES = {
    "j": 1, "\x1b[B": 1, "\x1bOB": 1, "\x1b[6~": 1,
    "k": -1, "\x1b[A": -1, "\x1bOA": -1, "\x1b[5~": -1,
}  # fmt: skip
ENDS = {"e": -1, "\x1b[F": -1, "\x1bOF": -1, "\x1b[4~": -1, "\x1b[H": 0, "\x1bOH": 0, "\x1b[1~": 0}
QUIT = {"q", "Q", "\x1b", ""}

HELP = "space on   ← back   ↓ ↑ a press on, back   e to the end   q done"


def show(found: RowReduction, board: Board, coords: Coordinates, speed: float | None) -> None:
    """Show the steps until `q`; with a `speed` in steps a second by themselves, to the end."""
    from ponder.cli.answer import HIDE, SHOW
    from ponder.pictures.elimination import frames_of

    frames = list(frames_of(found, board, coords=coords))
    out = sys.stdout
    try:
        out.write(ASIDE + HIDE)
        if speed is None:
            with _typed() as key:
                _by_keys(frames, key)
        else:
            for frame in frames:
                _put(frame, "")
                time.sleep(1 / speed)
    finally:
        out.write(SHOW + BACK)
        out.flush()


def _by_keys(frames: list[Frame], next_key: Callable[[], str]) -> None:
    at = 0
    while True:
        _put(frames[at], f"{at} of {len(frames) - 1}   {HELP}")
        key = next_key()
        if key in QUIT or (key in KEYS and KEYS[key] > 0 and at == len(frames) - 1):
            return
        if key in KEYS:
            at = max(0, at + KEYS[key])
        elif key in PRESSES:
            at = _next_press(frames, at, PRESSES[key])
        elif key in ENDS:
            at = ENDS[key] % len(frames)


def _next_press(frames: list[Frame], at: int, way: int) -> int:
    """Return the last frame of the next press, or of the one before."""
    last = len(frames) - 1
    ends = [k for k in range(last) if frames[k].column != frames[k + 1].column] + [last]
    beyond = [k for k in ends[::way] if (k - at) * way > 0]
    return beyond[0] if beyond else at


def _put(frame: Frame, below: str) -> None:
    """Draw a frame over the one before; of a tall matrix, the lines around those in hand."""
    columns, height = shutil.get_terminal_size()
    lines = matrix_lines(frame, painter(), ascii_only())
    room = max(3, height - 4)
    if len(lines) > room:
        middle = (frame.targets or (frame.source or 0,))[0]
        first = max(1, min(len(lines) - room + 1, middle + 1 - room // 2))
        lines = [lines[0], *lines[first : first + room - 1]]
    shown = [*lines, "", frame.words[:columns], below[:columns]]
    sys.stdout.write("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in shown[:-1]))
    sys.stdout.write(f"{shown[-1]}\x1b[K\x1b[J")
    sys.stdout.flush()


@contextmanager
def _typed() -> Iterator[Callable[[], str]]:
    """Give a function that waits for the next key and returns it; "" when nobody types any more."""
    # The terminal is told once not to wait for Enter and not to echo: no key is lost between two.
    try:
        import termios
        import tty
    except ImportError:
        yield click.getchar
        return
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number, termios.TCSANOW)
        yield lambda: os.read(number, MOST_KEY).decode("utf-8", "replace")
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
