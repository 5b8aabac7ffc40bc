"""`ponder generate`: boards with known answers, graded by size, from a seed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from ponder.cli.options import (
    MOST,
    Finite,
    check_folder,
    gathered,
    json_option,
    option,
    quiet_option,
    seed_option,
)
from ponder.cli.terminal import Progress, say
from ponder.puzzle.board import Board
from ponder.puzzle.files import whole_file
from ponder.puzzle.formats import board_text
from ponder.puzzle.graph import GridGraph
from ponder.studies import sampling
from ponder.studies.generate import KnownAnswer, OnPattern, SizedFamily, known_answer
from ponder.studies.sampling import parse_sizes
from ponder.types import Json
from ponder.version import __version__

SCHEMA = "ponder.family/1"
MANIFEST = "manifest.json"

FAMILIES = {
    "balanced": ("density",),
    "unbalanced": ("by", "density"),
    "cut": ("by", "density"),
    "plus": ("pattern", "density"),
    "graph": ("edges", "degree", "density"),
}
"""The families, each with the options that it understands."""
EVEN = ("unbalanced", "cut")
"""The families that need even sides: their ranges of sizes go up in steps of 2."""


@dataclass(frozen=True)
class FamilyOptions:
    """What the boards of a family are like; None where nothing was said."""

    pattern: str | None = option(
        "--pattern", metavar="PATTERN", help="plus: another pattern.  [default: plus]"
    )
    by: int | None = option(
        "--by",
        type=int,
        metavar="K",
        help="unbalanced: odd rows less odd columns; cut: twice what the cut lacks.  [default: 2]",
    )
    density: float | None = option(
        "--density",
        type=Finite(0, 1),
        metavar="P",
        help="Share of the bulbs that is pressed.  [default: 0.5]",
    )
    edges: float | None = option(
        "--edges",
        type=Finite(0, 1),
        metavar="P",
        help="graph: probability of an edge.  [default: average degree 8]",
    )
    degree: int | None = option(
        "--degree", type=click.IntRange(min=0), metavar="D", help="graph: d-regular."
    )

    @property
    def given(self) -> dict[str, str]:
        """What was said, as words."""
        return {key: str(value) for key, value in asdict(self).items() if value is not None}

    def check(self, family: str) -> None:
        """UsageError for what a family has no use for."""
        for key in self.given:
            if key not in FAMILIES[family]:
                raise click.UsageError(f"--{key} does not apply to the family {family}")
        if self.edges is not None and self.degree is not None:
            raise click.UsageError("a random graph has --edges or a --degree, not both")

    def maker(self, family: str, shape: tuple[int, int]) -> SizedFamily:
        """Return what makes the boards of a size; PonderError when there are none."""
        density = sampling.DENSITY if self.density is None else self.density
        if family == "plus":
            return OnPattern(*shape, density=density, pattern=self.pattern or "plus")
        return sampling.Family(family, density, self.by, self.degree, self.edges).maker(shape)


@dataclass(frozen=True)
class Specimen:
    """One board of a family: how it is made, and what is known of it."""

    command: str
    size: str
    seed: int
    board: Board
    answer: KnownAnswer

    @property
    def is_graph(self) -> bool:
        """Whether the board is a graph, whose file is JSON and has no room for comments."""
        return not isinstance(self.board.graph, GridGraph)

    @property
    def file(self) -> str:
        """The name of the board's file."""
        return self.board.name + (".json" if self.is_graph else ".txt")

    @property
    def text(self) -> str:
        """The board's file; a grid's opens with how it is made and what is known of it."""
        if self.is_graph:
            return board_text(self.board)
        claim = f"# claim: {self.answer.claim}\n" if self.answer.claim else ""
        return f"# {self.command}\n# answer: {self.answer.text}\n{claim}{board_text(self.board)}"

    @property
    def entry(self) -> Json:
        """The board's entry in the manifest."""
        return {
            "file": self.file,
            "sha256": self.board.sha256,
            "size": self.size,
            "bulbs": self.board.graph.size,
            "seed": self.seed,
            "answer": self.answer.text,
            **asdict(self.answer),
            "command": self.command,
        }


@dataclass(frozen=True)
class Series:
    """Boards of a family in one size or several, with consecutive seeds."""

    family: str
    options: FamilyOptions
    sizes: dict[str, SizedFamily]
    """What makes the boards of each size, by its name; all were checked when they were made."""
    first_seed: int
    count: int
    timeout: float

    @classmethod
    def of(
        cls, family: str, sizes: str, options: FamilyOptions, seed: int, count: int, timeout: float
    ) -> Series:
        """Return the boards that the words ask for.

        UsageError or PonderError where one of the sizes or options is not possible.
        """
        options.check(family)
        if not sizes:
            raise click.UsageError("no --size is given")
        shapes = parse_sizes(sizes, 2 if family in EVEN else 1)
        if family == "graph" and ("x" in sizes or "×" in sizes):
            raise click.UsageError("a graph has a number of nodes, not rows and columns")
        if seed + count > 2**63:
            raise click.UsageError("--seed and --count together are too large")
        makers = {
            str(shape[0]) if family == "graph" else "x".join(map(str, shape)): options.maker(
                family, shape
            )
            for shape in shapes
        }
        return cls(family, options, makers, seed, count, timeout)

    def __len__(self) -> int:
        return len(self.sizes) * self.count

    def specimens(self, progress: Callable[[str], None]) -> Iterator[Specimen]:
        """Make the boards, one by one, with their answers."""
        for size, maker in self.sizes.items():
            for seed in range(self.first_seed, self.first_seed + self.count):
                progress(f"{self.family} {size}, seed {seed}")
                board = maker.board(seed)
                answer = _answer(maker, board, self.timeout)
                yield Specimen(self._command(size, seed), size, seed, board, answer)

    def _command(self, size: str, seed: int) -> str:
        """Return the command that makes one of the boards."""
        words = ["ponder", "generate", self.family, "--size", size]
        words += [word for key, value in self.options.given.items() for word in (f"--{key}", value)]
        return shlex.join([*words, "--seed", str(seed)])


@click.command(
    "generate",
    epilog=f"""\b
Families:
  balanced     row/column boards that have an order
  unbalanced   row/column boards with K more odd rows than odd columns: no order (line-count)
  cut          row/column boards where those counts agree: no order all the same (line-cut)
  plus         random presses on plus boards, or on those of another --pattern
  graph        random presses on random graphs, G(n, p) by --edges or d-regular by --degree

\b
Examples:
  ponder generate balanced --size 24 --seed 7 > board.txt
  ponder generate cut --size 4..24 --count 3 -o cuts          a graded set, with {MANIFEST}
  ponder generate unbalanced --size 4 6 8 12x20 --by -4 -o unbalanced
  ponder generate plus --size 10 --pattern king --count 20 -o kings
  ponder generate graph --size 20..60..10 --degree 6 -o sextic

\b
The same options make the same boards; only an answer may be "unknown" on a slower machine. The
boards of --count N have the seeds S, S + 1, …, S + N - 1. `ponder formulas` makes a graded set of
formulas of such boards, with proofs.
""",
)
@click.argument("family", metavar="FAMILY", type=click.Choice(list(FAMILIES)))
@click.argument("more", metavar="", nargs=-1)
@click.option(
    "--size",
    "sizes",
    metavar="SIZE…",
    multiple=True,
    help="N (an N×N board, a graph of N nodes), RxC, or a range N..M or N..M..STEP; several, with "
    "blanks or commas.",
)
@gathered("options", FamilyOptions)
@click.option(
    "--count",
    type=click.IntRange(1, MOST),
    default=1,
    show_default=True,
    metavar="N",
    help="Boards of each size.",
)
@seed_option
@click.option(
    "--timeout",
    type=Finite(0, MOST),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for each board's answer; beyond it, only what is known by construction.",
)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="FOLDER",
    help=f"Write the boards and {MANIFEST} there; '-' writes one board to standard output.",
)
@json_option
@quiet_option
def command(
    family: str,
    more: tuple[str, ...],
    sizes: tuple[str, ...],
    options: FamilyOptions,
    count: int,
    seed: int,
    timeout: float,
    output: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """Make boards of a FAMILY whose answers are known, in one size or several.

    A board's file opens with the command that makes it and with its answer; the manifest in the
    folder, and --json, list the answers of all. Graphs are JSON without comments.
    """
    series = Series.of(family, ",".join((*sizes, *more)), options, seed, count, timeout)
    folder = None if output == "-" else Path(output)
    if folder is not None:
        check_folder(output)
    elif len(series) > 1 and not as_json:
        raise click.UsageError("more than one board: name a folder for them with -o")
    entries: list[Json] = []
    with Progress(quiet) as progress:
        for specimen in series.specimens(progress.say):
            entry = specimen.entry
            if folder is not None:
                _write(folder / specimen.file, specimen.text)
            elif as_json:
                entry["text"] = specimen.text
            else:
                _print(specimen, quiet)
            entries.append(entry)
    summary = _summary(family, options.given, entries)
    if folder is not None:
        _write(folder / MANIFEST, summary)
    if as_json:
        click.echo(summary, nl=False)
    elif folder is not None and not quiet:
        width = max(len(str(entry["file"])) for entry in entries)
        say(f"{entry['file']!s:<{width}}  {entry['answer']}" for entry in entries)
    return 0


def _print(specimen: Specimen, quiet: bool) -> None:
    """Print a board; the answer of a graph, whose file has no comments, as a remark."""
    click.echo(specimen.text, nl=False)
    if specimen.is_graph and not quiet:
        with suppress(OSError):
            click.echo(f"answer: {specimen.answer.text}", err=True)


def _answer(kind: SizedFamily, board: Board, timeout: float) -> KnownAnswer:
    """Return what `order` says in the time, or else what is known by construction."""
    planted = kind.planted
    answer = known_answer(board, timeout) if timeout else planted
    if answer.verdict == "unknown":
        return planted
    if planted.verdict != "unknown" and (answer.verdict, answer.kind) != (
        planted.verdict,
        planted.kind,
    ):
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
