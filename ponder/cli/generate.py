"""`ponder generate`: boards with known answers, graded by size, from a seed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path

import click

from ponder.cli import params
from ponder.cli.output import MANIFEST, Progress, listed_in, say
from ponder.model.files import whole_file
from ponder.model.formats import board_text
from ponder.model.graph import NAMED, GridGraph
from ponder.model.presets import GRADES, OFFERED, puzzle_named
from ponder.model.shapes import SHAPES_BY_NAME
from ponder.studies.boards_to_play import PuzzleFamily
from ponder.studies.families import DENSITY, OPTIONS, Family, KnownAnswer, known_answer
from ponder.studies.sampling import drawn, parse_sizes
from ponder.system.types import Json
from ponder.system.version import __version__

SCHEMA = "ponder.family/1"
FAMILIES = ["balanced", "unbalanced", "cut", *NAMED, "graph", "play", *SHAPES_BY_NAME]


@params.command(
    f"""
Families:
  balanced     row/column boards that have an order
  unbalanced   row/column boards with K more odd rows than odd columns: no order (cut of all lines)
  cut          row/column boards where those counts agree, and still no order (cut)
  plus         random presses on plus boards, or on those of another --pattern
  cross, …     the same of another pattern by name
  graph        random presses on random graphs, G(n, p) by --edges or d-regular by --degree
  hex, cube, … random presses on a shape, one of `ponder draw --list`
  play         boards to play, as the page makes them, by --puzzle and --difficulty. They are
               graded by the share of random legal plays of the press set that get stuck (easy to
               20 %, medium to 40 %, hard to 60 %; of cards to 50 %, 70 %, 85 %), and where any bulb
               may be pressed by the fewest presses per bulb (to 20 %, 28 %, 36 %)

Examples:
  ponder generate balanced --size 24 --seed 7 > board.txt
  ponder generate cut --size 4..24 --count 3 -o cuts          a graded set, with {MANIFEST}
  ponder generate unbalanced --size 4,6,8,12x20 --by -4 -o unbalanced
  ponder generate plus --size 10 --pattern king --count 20 -o kings
  ponder generate graph --size 20..60..10 --degree 6 -o sextic
  ponder generate --difficulty hard --puzzle lights-out --seed 7

The same options make the same boards; only an answer may be "unknown" on a slower machine. The
boards of --count N have the seeds S, S + 1, …, S + N - 1. `ponder export` makes formulas of them.
"""
)
@click.argument("family", metavar="[FAMILY]", type=click.Choice(FAMILIES), default="play")
@click.option("--size", "sizes", metavar="SIZES", help="N, RxC, N..M or N..M..STEP, by commas.")
@click.option("--pattern", metavar="PATTERN", default="plus", help="plus: another pattern.")
@click.option(
    "--by", metavar="K", type=int, help="unbalanced, cut: odd rows minus odd columns, even."
)
@click.option("--density", type=params.SHARE, default=DENSITY, help="Share of the bulbs pressed.")
@click.option("--edges", metavar="P", type=params.SHARE, help="graph: probability of an edge.")
@click.option("--degree", metavar="D", type=click.IntRange(0), help="graph: d-regular.")
@click.option("--puzzle", metavar="NAME", help=f"play: one of {', '.join(OFFERED)}.")
@click.option("--difficulty", type=click.Choice(GRADES), default="medium", help="play: how hard.")
@click.option("--count", metavar="N", type=params.COUNT, default=1, help="Boards of each size.")
@params.seed_option
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0, params.MOST),
    default=10.0,
    help="For each board's answer; beyond it, only what is known by construction.",
)
@click.option("-o", "--output", metavar="FOLDER", help=f"Write the boards and {MANIFEST} there.")
@params.json_option
@params.quiet(help="No progress, and no list of the files.")
def command(
    family: str,
    sizes: str | None,
    pattern: str,
    by: int | None,
    density: float,
    edges: float | None,
    degree: int | None,
    puzzle: str | None,
    difficulty: str,
    count: int,
    seed: int,
    timeout: float,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Make boards of a FAMILY whose answers are known, in one size or several.

    A board's file opens with the command that makes it and with its answer; the manifest in the
    folder, and --json, list the answers of all. Graphs are JSON without comments.
    """
    if seed + count > 2**63:
        raise click.UsageError("--seed and --count together are too large")
    known = {"play": ("puzzle", "difficulty"), "plus": ("pattern", "density")}.get(
        family, ("density", *OPTIONS.get(family, ()))
    )
    keys = {"pattern", "by", "density", "edges", "degree", "puzzle", "difficulty"}
    params.refuse(
        keys - {*known}, f"is no option of the family {family}, which has --{', --'.join(known)}"
    )
    specimens: Iterator[tuple[tuple[int, int], int, PuzzleFamily | Family]]
    if family == "play":
        chosen = puzzle_named(puzzle or OFFERED[0], offered=True)
        usual, seeds = chosen.sizes[GRADES.index(difficulty)], range(seed, seed + count)
        shapes = parse_sizes(sizes or str(usual), shape=chosen.shape)
        specimens = ((x, n, PuzzleFamily(chosen, *x, difficulty)) for x in shapes for n in seeds)
        total = len(shapes) * count
        words: dict[str, object] = {"puzzle": chosen.key, "difficulty": difficulty}
    else:
        kind = pattern if family == "plus" else family
        boards = drawn(Family(kind, density, by, degree, edges), sizes, count, seed)
        specimens, total = ((x.shape, x.seed, x.family) for x in boards), len(boards)
        words = {"by": by, "edges": edges, "degree": degree}
        words |= {"density": None if density == DENSITY else density}
        words |= {"pattern": None if kind in (family, "plus") else pattern}
    if output is None and total > 1 and not as_json:
        raise click.UsageError("more than one board: name a folder for them with -o")
    head: Json = {"schema": SCHEMA, "family": family}
    before = {} if output is None else listed_in(output, head, "boards")
    named = [(f"--{key}", str(value)) for key, value in words.items() if value is not None]
    entries: list[Json] = []
    with Progress(quiet) as progress:
        for shape, number, maker in specimens:
            size = str(shape[0]) if family == "graph" else "x".join(map(str, shape))
            progress.say(f"{family} {size}, seed {number}")
            line = ["ponder", "generate", family, "--size", size, *chain(*named)]
            line += ["--seed", str(number)]
            entry, text = _specimen(maker, shape, number, timeout, shlex.join(line))
            if output is not None:
                _write(Path(output, str(entry["file"])), text)
            elif as_json:
                entry["text"] = text
            else:
                click.echo(text, nl=False)
            entries.append({"size": size, "seed": number, **entry})
    head["version"] = __version__
    if output is not None:
        listed = [*(before | {entry["file"]: entry for entry in entries}).values()]
        _write(Path(output, MANIFEST), json.dumps({**head, "boards": listed}, indent=1) + "\n")
    if as_json:
        click.echo(json.dumps({**head, "boards": entries}, indent=1))
    elif output is not None and not quiet:
        say(f"{entry['file']!s:<40}  {entry['answer']}" for entry in entries)
    return 0


def _specimen(
    family: PuzzleFamily | Family, shape: tuple[int, int], seed: int, timeout: float, line: str
) -> tuple[Json, str]:
    """Make a board; return its entry in the manifest, and its file."""
    grade, graded, planted = "", Json(), KnownAnswer("solved")
    if isinstance(family, PuzzleFamily):
        played = family.played(seed)
        board, grade = played.board, f"# grade: {played.sentence}\n"
        graded = {key: getattr(played, key) for key in ("grade", "measure", "percent")}
    else:
        board, planted = family.draw(shape, seed), family.planted
    answer = known_answer(board, timeout) if timeout else planted
    answer = planted if answer.verdict == "unknown" else answer
    text, ending = board_text(board), ".json"
    if isinstance(board.graph, GridGraph):
        claim = f"# claim: {answer.claim}\n" if answer.claim else ""
        text, ending = f"# {line}\n{grade}# answer: {answer.text}\n{claim}{text}", ".txt"
    entry: Json = {"file": board.name + ending, "sha256": board.sha256}
    entry |= {"bulbs": board.graph.size, "answer": answer.text, **asdict(answer)}
    return {**entry, **graded, "command": line}, text


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(text)
