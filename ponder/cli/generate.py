"""`ponder generate`: boards with known answers, graded by size, from a seed."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import Progress, say
from ponder.model.files import whole_file
from ponder.model.presets import GRADES, NAMES, puzzle_named
from ponder.model.shapes import SHAPES_BY_NAME
from ponder.system.errors import quoted
from ponder.system.version import __version__

if TYPE_CHECKING:
    from ponder.model.board import Board
    from ponder.studies.generate import KnownAnswer, SizedFamily
    from ponder.system.types import Json

SCHEMA = "ponder.family/1"
MANIFEST = "manifest.json"

FAMILIES: dict[str, tuple[str, ...]] = {
    "balanced": ("density",),
    "unbalanced": ("by", "density"),
    "cut": ("by", "density"),
    "plus": ("pattern", "density"),
    "graph": ("edges", "degree", "density"),
    "play": ("puzzle", "difficulty"),
    **dict.fromkeys(SHAPES_BY_NAME, ("density",)),
}
"""The families, each with the options that it understands."""
EVEN = ("unbalanced", "cut")  # families of even sides: their ranges of sizes have steps of 2


@dataclass(frozen=True)
class FamilyOptions:
    """What the boards of a family are like; None where nothing was said."""

    pattern: str | None = option("--pattern PATTERN", "plus: another pattern.  [default: plus]")
    by: int | None = option(
        "--by K",
        "unbalanced: odd rows less odd columns; cut: twice what the cut lacks.  [default: 2]",
        type=int,
    )
    density: float | None = option(
        "--density P", "Share of the bulbs that is pressed.  [default: 0.5]", type=options.SHARE
    )
    edges: float | None = option(
        "--edges P",
        "graph: probability of an edge.  [default: average degree 8]",
        type=options.SHARE,
    )
    degree: int | None = option("--degree D", "graph: d-regular.", type=options.Whole(min=0))
    puzzle: str | None = option(
        "--puzzle NAME", f"play: which puzzle, of {', '.join(NAMES)}.  [default: the first]"
    )
    difficulty: str | None = option(
        "--difficulty GRADE", "play: how hard.  [default: medium]", choices=GRADES
    )

    @property
    def given(self) -> dict[str, str]:
        """What was said, as words."""
        return {key: str(value) for key, value in asdict(self).items() if value is not None}

    def makers(self, family: str, sizes: str, seeds_to: int) -> dict[str, SizedFamily]:
        """Return what makes the boards of each size, by name. Raises PonderError, UsageError."""
        from ponder.studies import sampling
        from ponder.studies.generate import OnPattern
        from ponder.studies.sampling import parse_sizes

        for key in self.given:
            if key not in FAMILIES[family]:
                raise click.UsageError(f"--{key} does not apply to the family {family}")
        if self.edges is not None and self.degree is not None:
            raise click.UsageError("a random graph has --edges or a --degree, not both")
        if family == "play":
            from ponder.studies.boards_to_play import PuzzleFamily

            puzzle, grade = puzzle_named(self.puzzle or NAMES[0]), self.difficulty or "medium"
            usual = str(puzzle.sizes[GRADES.index(grade)])
            shapes = parse_sizes(sizes or usual, 1)
            return {f"{r}x{c}": PuzzleFamily(puzzle, r, c, grade) for r, c in shapes}
        if not sizes and family in SHAPES_BY_NAME and not SHAPES_BY_NAME[family].sides:
            sizes = "1"
        if not sizes:
            raise click.UsageError("--size is missing")
        shapes = parse_sizes(sizes, 2 if family in EVEN else 1)
        if family == "graph" and ("x" in sizes or "×" in sizes):
            raise click.UsageError("a graph has a number of nodes, not rows and columns")
        if seeds_to > 2**63:
            raise click.UsageError("--seed and --count together are too large")
        density = sampling.DENSITY if self.density is None else self.density
        found: dict[str, SizedFamily] = {}
        for shape in shapes:
            name = str(shape[0]) if family == "graph" else "x".join(map(str, shape))
            if family == "plus":
                found[name] = OnPattern(*shape, density=density, pattern=self.pattern or "plus")
            else:
                kind = sampling.Family(family, density, self.by, self.degree, self.edges)
                found[name] = kind.maker(shape)
        return found


@options.command(
    f"""
Families:
  balanced     row/column boards that have an order
  unbalanced   row/column boards with K more odd rows than odd columns: no order (line-count)
  cut          row/column boards where those counts agree, and still no order (line-cut)
  plus         random presses on plus boards, or on those of another --pattern
  graph        random presses on random graphs, G(n, p) by --edges or d-regular by --degree
  hex, cube, … random presses on a shape, one of `ponder shapes`
  play         boards to play, as the page makes them; needs no name beside --difficulty, --puzzle
               or --daily. They are graded by the share of random legal plays of the press set that
               get stuck (easy to 20 %, medium to 40 %, hard to 60 %), and where any bulb may be
               pressed by the fewest presses per bulb (to 20 %, 28 %, 36 %)

Examples:
  ponder generate balanced --size 24 --seed 7 > board.txt
  ponder generate cut --size 4..24 --count 3 -o cuts          a graded set, with {MANIFEST}
  ponder generate unbalanced --size 4 6 8 12x20 --by -4 -o unbalanced
  ponder generate plus --size 10 --pattern king --count 20 -o kings
  ponder generate cube --size 3 > cube.json
  ponder generate graph --size 20..60..10 --degree 6 -o sextic
  ponder generate --difficulty hard --puzzle lights-out --seed 7
  ponder generate --daily 2026-11-22                          the same board for everybody

The same options make the same boards; only an answer may be "unknown" on a slower machine. The
boards of --count N have the seeds S, S + 1, …, S + N - 1.
"""
)
def command(
    family: str | None = argument("[FAMILY]", type=options.OneOf(list(FAMILIES))),
    more: tuple[str, ...] = argument("", nargs=-1, required=False),
    sizes: tuple[str, ...] = option(
        "--size SIZE…",
        "N (an N×N board, a graph of N nodes), RxC, or a range N..M or N..M..STEP; several, with "
        "blanks or commas.",
        multiple=True,
    ),
    wanted: FamilyOptions = gathered(FamilyOptions),
    count: int = option("--count N", "Boards of each size.", type=options.COUNT, default=1),
    seed: int = options.seed_option,
    day: str | None = option(
        "--daily DATE", "play: the board of a date (UTC), such as 2026-11-22."
    ),
    timeout: float = option(
        "--timeout SECONDS",
        "Time for each board's answer; beyond it, only what is known by construction.",
        type=options.Finite(0, options.MOST),
        default=10.0,
    ),
    output: str = option(
        "-o, --output FOLDER",
        f"Write the boards and {MANIFEST} there; '-' writes one board to standard output.",
        default="-",
        show_default=False,
    ),
    as_json: bool = options.json_option,
    quiet: bool = options.quiet_option,
) -> int:
    """Make boards of a FAMILY whose answers are known, in one size or several.

    A board's file opens with the command that makes it and with its answer; the manifest in the
    folder, and --json, list the answers of all. Graphs are JSON without comments.
    """
    if day is not None:
        if family not in (None, "play") or wanted.given or sizes or more or seed or count > 1:
            raise click.UsageError("--daily names one board: give nothing else that names one")
        wanted, sizes, seed = _daily(day, wanted)
    elif family is None and not (wanted.difficulty or wanted.puzzle):
        raise click.UsageError("name a FAMILY, a --difficulty or a --daily date")
    family = family or "play"
    makers = wanted.makers(family, ",".join((*sizes, *more)), seed + count)
    folder = None if output == "-" else Path(output)
    if folder is not None:
        options.check_folder(output)
    elif len(makers) * count > 1 and not as_json:
        raise click.UsageError("more than one board: name a folder for them with -o")
    entries: list[Json] = []
    with Progress(quiet) as progress:
        for size, maker in makers.items():
            for number in range(seed, seed + count):
                progress.say(f"{family} {size}, seed {number}")
                entry, text = _specimen(family, wanted, size, maker, number, timeout)
                entries.append(entry)
                if folder is not None:
                    _write(folder / str(entry["file"]), text)
                elif as_json:
                    entry["text"] = text
                else:
                    click.echo(text, nl=False)
                    if text.startswith("{") and not quiet:  # its file has no room for comments
                        with suppress(OSError):
                            click.echo(f"answer: {entry['answer']}", err=True)
    summary = _summary(family, wanted.given, entries)
    if folder is not None:
        _write(folder / MANIFEST, summary)
    if as_json:
        click.echo(summary, nl=False)
    elif folder is not None and not quiet:
        width = max(len(str(entry["file"])) for entry in entries)
        say(f"{entry['file']!s:<{width}}  {entry['answer']}" for entry in entries)
    return 0


def _daily(day: str, wanted: FamilyOptions) -> tuple[FamilyOptions, tuple[str, ...], int]:
    """Return the options, the size and the seed of the board of a date. Raises UsageError."""
    from datetime import date

    from ponder.studies.boards_to_play import daily

    try:
        made, seed = daily(date.fromisoformat(day))
    except ValueError:
        raise click.UsageError(f"{quoted(day)} is not a date such as 2026-11-22") from None
    same = replace(wanted, puzzle=made.puzzle.key, difficulty=made.grade)
    return same, (f"{made.rows}x{made.columns}",), seed


def _specimen(
    family: str, wanted: FamilyOptions, size: str, maker: SizedFamily, seed: int, timeout: float
) -> tuple[Json, str]:
    """Make a board; return its entry in the manifest, and its file."""
    from ponder.model.formats import board_text
    from ponder.model.graph import GridGraph

    board = maker.board(seed)
    answer = _answer(maker, board, timeout)
    words = [word for key, value in wanted.given.items() for word in (f"--{key}", value)]
    words = ["ponder", "generate", family, "--size", size, *words, "--seed", str(seed)]
    line, text, ending = shlex.join(words), board_text(board), ".json"
    if isinstance(board.graph, GridGraph):
        claim = f"# claim: {answer.claim}\n" if answer.claim else ""
        grade = f"# grade: {graded}\n" if (graded := maker.grade_of(seed)) else ""
        text, ending = f"# {line}\n{grade}# answer: {answer.text}\n{claim}{text}", ".txt"
    entry = {
        "file": board.name + ending,
        "sha256": board.sha256,
        "size": size,
        "bulbs": board.graph.size,
        "seed": seed,
        "answer": answer.text,
        **asdict(answer),
        "command": line,
    }
    return entry, text


def _answer(kind: SizedFamily, board: Board, timeout: float) -> KnownAnswer:
    """Return what `order` says in the time, or else what is known by construction."""
    from ponder.studies.generate import known_answer

    planted = kind.planted
    answer = known_answer(board, timeout) if timeout else planted
    if answer.verdict == "unknown":
        return planted
    found, known = ((x.verdict, x.kind) for x in (answer, planted))
    if planted.verdict != "unknown" and found != known:
        raise RuntimeError(f"internal error: {board.name} has {answer.text}, not {planted.text}")
    return answer


def _summary(family: str, given: dict[str, str], entries: list[Json]) -> str:
    """Return the manifest, a line for every board."""
    head = {"schema": SCHEMA, "family": family, "options": given, "version": __version__}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items()]
    boards = ",\n".join(f"    {json.dumps(entry)}" for entry in entries)
    return "{\n" + "".join(lines) + '  "boards": [\n' + boards + "\n  ]\n}\n"


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all, and its folder if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(text)
