"""`docs/gallery.md`, `docs/shapes.md` and their pictures, made by the commands that the page shows.

    python -m tests.pictures.gallery            write them
    python -m tests.pictures.gallery FOLDER     write them elsewhere

A test makes them again and compares what they consist of. Where the address of the published site
is known, each picture is a link to the page there, with the picture's board.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from ponder.cli import run
from ponder.model.board import Board
from ponder.model.formats import parse_board
from ponder.model.graph import GridGraph
from ponder.model.shapes import SHAPES, Shape, sized_shape
from ponder.system.types import Bits, Ints
from tests.book.lines import broken

ROOT = Path(__file__).resolve().parents[2]

BOARDS: dict[str, str] = {
    "coset": "pattern: plus\n11111\n11001\n00000\n10100\n10010\n",
    "dead-end": "pattern: plus\ngoal: unlit\n111-000\n111-010\n111-000\n",
    "exhausted": "pattern: king\n1000\n0111\n1001\n1011\n0101\n1100\n",
    "line-count": "1011\n1101\n0110\n0001\n",
    "line-parities": "1001010\n1001100\n0100110\n1011110\n",
    "no-first-press": "pattern: king\n1010\n0100\n0111\n1101\n",
    "no-last-press": "pattern: king\n1011\n0111\n0011\n0010\ngoal:\n1111\n0001\n0100\n0001\n",
    "piece-count": (
        "pattern: plus\n11111111\n11011011\n10100101\n11011011\n11011011\n10100101\n11011001\n"
        "11111110\ngoal:\n01011010\n10100101\n01111110\n10111101\n10111101\n01111110\n10100111\n"
        "01011011\n"
    ),
}
"""Boards of kinds that no board in `instances/` shows, kept beside the pictures."""


@dataclass(frozen=True)
class Picture:
    """A picture of the gallery: its file, what it shows, and how it is made.

    `ask` is the command whose JSON is the RESULT, without which the board is drawn.
    """

    file: str
    title: str
    text: str
    board: str
    ask: str = ""
    options: str = ""

    @property
    def path(self) -> str:
        """The board's file, from the top of the repository."""
        if self.board in BOARDS:
            return f"docs/gallery/boards/{self.board}.txt"
        return f"instances/{self.board}"

    @property
    def commands(self) -> list[str]:
        """What a person types."""
        draw = f"ponder draw {self.path} {'answer.json ' if self.ask else ''}"
        asked = [f"ponder {self.ask.replace('FILE', self.path)} --json > answer.json"]
        options = f"{self.options} " if self.options else ""
        return [*(asked if self.ask else []), f"{draw}{options}-o {self.file}"]


SECTIONS: tuple[tuple[str, str, tuple[Picture, ...]], ...] = (
    (
        "Boards and presses",
        "A lit bulb is a full disc that glows, and an unlit one is a ring. A hole stays empty.",
        (
            Picture(
                "board.svg", "A board", "A board without a result has no words below it.",
                "cross-6x7-holes.txt",
            ),
            Picture(
                "goal.svg", "A goal", "Dashed rings mark the bulbs that must be lit in the end.",
                "goal-heart-6x7.txt",
            ),
            Picture(
                "press-set.svg", "A press set and its line bits",
                "Dots mark the presses of a lightest press set. On a row/column board, the squares "
                "in the margins show the parity of these presses in each line. A dotted bulb may "
                "be pressed when its two squares are alike, any other bulb when they differ.",
                "cross-4x7-order.txt", "", "--show presses",
            ),
            Picture(
                "counts.svg", "Press counts",
                "A numeral counts the presses of a bulb that is pressed twice or more.",
                "plus-10x10-no-order.txt", "solve FILE", "--show counts",
            ),
        ),
    ),
    (
        "Orders",
        "An order is drawn as a film or as numbers. The film rings the next press and flashes what "
        "it has toggled. The last frame is held.",
        (
            Picture(
                "order-4x4.svg", "Four presses", "The example of IBM's puzzle page.",
                "ibm-2023-04-example-4x4.txt", "order FILE",
            ),
            Picture(
                "order.svg", "An order, played",
                "This SVG needs no script, so that pages and notebooks can hold it.",
                "plus-5x5-order.txt", "order FILE",
            ),
            Picture(
                "order.gif", "With line bits", "This is a GIF; `-o order.apng` makes an APNG. "
                "The line bits are those of the presses left, so they run out as it plays.",
                "cross-4x7-order.txt", "order FILE", "--speed 2",
            ),
            Picture(
                "numbers.svg", "Numbers", "",
                "plus-10x10-order.txt", "order FILE", "--show numbers",
            ),
            Picture(
                "graph.svg", "A graph", "The nodes of a graph lie on a circle, in their order.",
                "graph-petersen.json", "order FILE", "--show numbers",
            ),
        ),
    ),
    (
        "Refusals",
        "One module, `pictures/marks.py`, decides what is marked, so the page of "
        "`ponder play` marks the same.",
        (
            Picture(
                "odd-component.svg", "odd-component",
                "Every stroke is a pair of neighbours in an odd component.",
                "plus-10x10-no-order.txt", "order FILE",
            ),
            Picture(
                "line-count.svg", "line-count",
                "The rows and the columns with odd numbers of presses are counted. This is the "
                "board of the four presses above, with its corner lit.",
                "line-count", "order FILE",
            ),
            Picture(
                "line-cut.svg", "line-cut",
                "The marked lines need more early presses than the others have room for.",
                "cross-6x6-no-order-cut.txt", "order FILE",
            ),
            Picture(
                "line-parities.svg", "line-parities",
                "These lines are odd in every press set, and too many to be matched.",
                "line-parities", "order FILE",
            ),
            Picture(
                "weighted-cuts.svg", "weighted-cuts",
                "These lines are over-full in every press set.",
                "cross-3x4-no-order.txt", "order FILE",
            ),
            Picture(
                "odd-witness.svg", "odd-witness",
                "The hatched bulbs are the witness. No press changes the parity of the lit ones.",
                "cross-5x5-no-solution.txt", "order FILE",
            ),
            Picture(
                "dead-end.svg", "dead-end",
                "In this piece of the board nothing can be pressed first, or nothing last.",
                "dead-end", "order FILE",
            ),
            Picture(
                "no-first-press.svg", "no-first-press",
                "None of the marked presses can be the first of them.",
                "no-first-press", "order FILE",
            ),
            Picture(
                "no-last-press.svg", "no-last-press",
                "None of the marked presses can be the last of them.",
                "no-last-press", "order FILE",
            ),
            Picture(
                "exhausted.svg", "exhausted",
                "All orders of this small component were searched.",
                "exhausted", "order FILE",
            ),
            Picture(
                "piece-count.svg", "piece-count",
                "The outlined groups need more earlier presses beside them than there are pairs of "
                "neighbours between them.",
                "piece-count", "order FILE",
            ),
            Picture(
                "coset.svg", "coset",
                "Several press sets were refuted one by one. The picture shows the first.",
                "coset", "order FILE",
            ),
            Picture(
                "sat-proof.svg", "sat-proof",
                "A formula without a model says nothing about a single bulb. The picture shows the "
                "presses that the formula is about, and the words say the rest. `randomised`, "
                "which is evidence and no proof, is drawn in the same way.",
                "plus-12x12-pairs.txt", "order FILE --method sat",
            ),
        ),
    ),
    (
        "Night and paper",
        "`--theme dark`, and `--theme print`: white discs are lit, black ones are not.",
        (
            Picture(
                "dark.svg", "Night", "",
                "cross-5x5-order.txt", "order FILE", "--show numbers --theme dark",
            ),
            Picture(
                "print.svg", "Paper", "",
                "cross-5x5-order.txt", "order FILE", "--show numbers --theme print",
            ),
            Picture(
                "print-refusal.svg", "A refusal on paper", "",
                "plus-10x10-no-order.txt", "order FILE", "--theme print",
            ),
        ),
    ),
)  # fmt: skip


def pictures() -> list[Picture]:
    """Return all pictures."""
    return [picture for _, _, group in SECTIONS for picture in group]


IMAGE = re.compile(r"(?:\[(?=!))?(!\[[^\]]*\]\([^)]*?gallery/([\w.-]+)\))(?:\]\([^)]*\))?")
"""A picture of the gallery in a Markdown text, inside a link or not."""


@cache
def fragments() -> dict[str, str]:
    """Return, by picture, the fragment with which the page opens its board; graphs have none."""
    boards = {x.file: parse_board((ROOT / x.path).read_bytes(), x.path) for x in pictures()}
    grids = {file: board for file, board in boards.items() if isinstance(board.graph, GridGraph)}
    return {file: fragment(board) for file, board in grids.items()}


def fragment(board: Board) -> str:
    """Return a grid's board as `ponder/page/static/link.js` writes it.

    >>> fragment(Board.from_rows(["10", "0-"], "plus"))
    '#1.2x2.plus.unlit.lit.g.E'
    """
    graph = board.graph
    assert isinstance(graph, GridGraph)
    (rows, columns), size = graph.shape, graph.shape[0] * graph.shape[1]

    def signs(where: Ints, bits: Bits) -> str:
        cells = np.zeros(size + -size % 24, dtype=np.bool_)  # base64 writes three octets in four
        cells[where] = bits
        return urlsafe_b64encode(np.packbits(cells).tobytes()).decode()[: -(-size // 6)]

    lit, goal = signs(graph.cells, board.lit), board.goal_name
    if goal == "grid":
        goal += f":{signs(graph.cells, board.goal)}"
    holes = "" if graph.mask is None else f".{signs(np.arange(size), ~graph.mask.ravel())}"
    pattern = graph.pattern.replace(" ", ":")
    return f"#1.{rows}x{columns}.{pattern}.{board.rule}.{goal}.{lit}{holes}"


def published() -> str | None:
    """Return the address of the page in the published site, once a maintainer has filled it in."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    site = project["urls"].get("Documentation")
    return site and f"{site.rstrip('/')}/play/"


def linked(text: str, page: str | None) -> str:
    """Return a Markdown text with its pictures of the gallery as links to the page, if any."""

    def link(found: re.Match[str]) -> str:
        known = page and fragments().get(found[2])
        return f"[{found[1]}]({page}{known})" if known else found[1]

    return IMAGE.sub(link, text)


def make(picture: Picture, folder: Path) -> Path:
    """Make one picture in a folder by its commands, in this process; return its file."""
    path = folder / picture.file
    answer = folder / f"{picture.file}.json"
    with chdir(ROOT):
        given = [picture.path]
        if picture.ask:
            with answer.open("w", encoding="utf-8") as out, redirect_stdout(out):
                _run(*shlex.split(picture.ask.replace("FILE", picture.path)), "--json")
            given.append(str(answer))
        _run("draw", *given, *shlex.split(picture.options), "-o", str(path))
    answer.unlink(missing_ok=True)
    return path


def _run(*arguments: str) -> None:
    code = run(list(arguments))
    if code != 0:
        raise SystemExit(f"ponder {shlex.join(arguments)}: exit code {code}")


def page_text(folder: Path) -> str:
    """Return the page; the pictures are in `folder`."""
    return broken(linked("\n".join(_page(folder)).rstrip() + "\n", published()))


def _page(folder: Path) -> Iterator[str]:
    yield "# Gallery\n"
    yield (
        "This page has one picture of each kind that `ponder draw` makes, with the commands that "
        "made it. `python -m tests.pictures.gallery` makes the whole page again, and a test "
        "compares.\n"
    )
    for title, text, group in SECTIONS:
        yield f"## {title}\n\n{text}\n"
        for picture in group:
            yield f"### {picture.title}\n"
            if picture.text:
                yield f"{picture.text}\n"
            yield f"![{_words(folder / picture.file, picture)}](gallery/{picture.file})\n"
            yield "```sh\n" + "\n".join(picture.commands) + "\n```\n"


def _words(path: Path, picture: Picture) -> str:
    """Return what a picture shows: the description that an SVG brings along."""
    if path.suffix != ".svg":
        return picture.title
    found = ElementTree.parse(path).getroot().findtext("{http://www.w3.org/2000/svg}desc")
    return (found or picture.title).replace("[", "(").replace("]", ")")


def shapes_page() -> str:
    """Return the page of the shapes."""
    return broken("\n".join(_shapes_page()).rstrip() + "\n")


def _shapes_page() -> Iterator[str]:
    yield "# Shapes\n"
    yield (
        "*Is there a board of hexagons, a cube, a Klein bottle?* A shape and its size stand "
        "wherever a command takes a board, as one word (`hex:4`) or as `--shape hex 4`. `ponder "
        "shapes` lists them. A press toggles its bulb and those next to it; all are dark at first, "
        "unless `--lit` says what is lit:\n"
    )
    command = "solve --shape cube 3 --puzzle lights-out --lit lit --quiet"
    with redirect_stdout(StringIO()) as said:
        _run(*command.split())
    yield f"```console\n$ ponder {command}\n{said.getvalue()}```\n"
    yield (
        'In Python, `ponder.shape("cube", 3, puzzle="lights-out")`. Random boards: `ponder '
        "generate cube --size 3`, `ponder compare --family hex:3..6`. The stickers of a cube are "
        "called as in Rubik's cube: U1 is the upper left one of the upper face.\n"
    )
    yield "| shape | size | what it is | |\n|---|---|---|---|"
    for each in SHAPES:
        word = sized_shape(each.key, *each.sides_of_example).word
        shown = f"![{word}](gallery/shapes/{each.key}.svg)"
        yield f"| `{each.key}` | {each.sides and f'`{each.sides}`'} | {each.summary} | {shown} |"
    yield (
        "\n`python -m tests.pictures.gallery` makes this page and its pictures, each by "
        "`ponder draw WORD --no-label -o FILE`.\n"
    )


def make_shape(each: Shape, folder: Path) -> Path:
    """Draw a shape in a folder; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{each.key}.svg"
    word = sized_shape(each.key, *each.sides_of_example).word
    _run("draw", word, "--no-label", "--cell", "26", "-o", str(path))
    return path


def main(folder: Path) -> None:
    """Write the boards, the pictures and the pages."""
    made = folder / "gallery"
    (made / "boards").mkdir(parents=True, exist_ok=True)
    for name, text in BOARDS.items():
        (made / "boards" / f"{name}.txt").write_text(text, encoding="utf-8")
    for picture in pictures():
        path = make(picture, made)
        sys.stderr.write(f"{path.stat().st_size:9,} {os.path.relpath(path)}\n")
    (folder / "gallery.md").write_text(page_text(made), encoding="utf-8")
    for each in SHAPES:
        make_shape(each, made / "shapes")
    (folder / "shapes.md").write_text(shapes_page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
