"""The boards of a study: drawn from a family by number, or read from files.

Idea. A drawn board is named, not stored: (family, size, index) and the family's seed fix every
random choice, so that a worker draws the board itself, in whatever process, on whatever machine,
and in whatever order. The seed of a board is the entropy [seed, rows, columns, index, CRC-32 of
the pattern] of numpy's `SeedSequence`, which keeps neighbours independent.

As in `ponder.generate`, a board is made backwards: first a press set with the wanted property,
then the board that it solves. So every drawn board is solvable where repeats are allowed.

A file is read by whoever plans the study, because a worker on another machine has no such file;
its bytes travel.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from ponder.board import Board
from ponder.errors import BoardError, PonderError
from ponder.formats import parse_board, read_bytes
from ponder.generate import balance as balanced
from ponder.generate import board_solved_by
from ponder.graph import Bits, GridGraph, grid_graph

Balance: TypeAlias = Literal["any", "balanced", "unbalanced"]
BALANCES: tuple[Balance, ...] = get_args(Balance)
Shape: TypeAlias = tuple[int, int]

DENSITY = 0.5
BOARDS = 100
"""Boards of each size unless told otherwise."""
MOST_DRAWS = 10_000
"""How many press sets are drawn for one board of the wanted balance before giving up."""
MOST_SIZES = 10_000
ENDINGS = (".txt", ".json", ".board")
"""What is taken for a board in a folder, also with .gz, .bz2 or .xz behind it."""


@dataclass(frozen=True)
class Family:
    """Boards of one pattern whose press sets are random bits.

    `density`  the share of the bulbs in the press set
    `balance`  row/column boards only: as many odd rows as odd columns (`balanced`), not as many
               (`unbalanced`: these have no order), or whatever comes (`any`)

    >>> family = Family("cross", balance="balanced", seed=7)
    >>> family.label
    'cross balance=balanced seed=7'
    >>> family.draw((4, 4), 0).sha256 == family.draw((4, 4), 0).sha256
    True
    """

    pattern: str
    density: float = DENSITY
    balance: Balance = "any"
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.density <= 1:
            raise PonderError(f"the density {self.density:g} is no number from 0 to 1")
        if self.balance not in BALANCES:
            raise PonderError(f"unknown balance {self.balance!r}; known: {', '.join(BALANCES)}")
        if self.seed < 0:
            raise PonderError(f"the seed {self.seed} is negative")
        try:
            grid_graph(self.pattern, (1, 1))
        except (ValueError, IndexError) as error:
            raise PonderError(f"--family: {error}") from None
        if self.balance != "any" and self.pattern != "cross":
            raise PonderError(
                f"the balance of rows and columns is a property of cross boards, not of "
                f"{self.pattern}"
            )

    @property
    def label(self) -> str:
        """The family in words: its pattern, and what differs from the default."""
        words = [self.pattern]
        if self.density != DENSITY:
            words.append(f"density={self.density:g}")
        if self.balance != "any":
            words.append(f"balance={self.balance}")
        if self.seed:
            words.append(f"seed={self.seed}")
        return " ".join(words)

    def draw(self, shape: Shape, index: int) -> Board:
        """Return the board of this size and index; PonderError where none has the balance."""
        entropy = [self.seed, *shape, index, zlib.crc32(self.pattern.encode())]
        rng = np.random.default_rng(entropy)
        presses = self._presses(shape, rng)
        name = f"{self.pattern.split()[0]}-{shape[0]}x{shape[1]}-{index}"
        return board_solved_by(presses.reshape(-1), _graph(self.pattern, shape), name)

    def _presses(self, shape: Shape, rng: np.random.Generator) -> Bits:
        def draw() -> Bits:
            return np.asarray(rng.random(shape) < self.density)

        match self.balance:
            case "any":
                return draw()
            case "balanced":
                return balanced(draw(), rng)
        for _ in range(MOST_DRAWS):
            presses = draw()
            odd = (np.count_nonzero(np.bitwise_xor.reduce(presses, axis=k)) for k in (0, 1))
            if len(set(odd)) == 2:
                return presses
        raise PonderError(
            f"no unbalanced {shape[0]}×{shape[1]} board came up at the density {self.density:g}"
        )


@lru_cache(maxsize=256)
def _graph(pattern: str, shape: Shape) -> GridGraph:
    """Return the graph of a size, shared by its boards with all that is derived from it."""
    return grid_graph(pattern, shape)


@dataclass(frozen=True)
class Drawn:
    """A board named by its family, size and index."""

    family: Family
    shape: Shape
    index: int

    @property
    def stratum(self) -> str:
        """The family's label."""
        return self.family.label

    @property
    def name(self) -> str:
        """The index, in a form that sorts."""
        return f"{self.index:06d}"

    def board(self) -> Board:
        """Draw the board."""
        return self.family.draw(self.shape, self.index)


@dataclass(frozen=True)
class Filed:
    """A board file that has been read: its name, its content, and what replaces its header."""

    stratum: str
    name: str
    data: bytes
    pattern: str | None = None
    rule: str | None = None

    def board(self) -> Board:
        """Parse the content; BoardError when it is no board."""
        return parse_board(self.data, self.name, pattern=self.pattern, rule=self.rule)


Item: TypeAlias = Drawn | Filed


@dataclass(frozen=True)
class Draws:
    """`boards` boards of each size of a family."""

    family: Family
    sizes: tuple[Shape, ...]
    boards: int

    def __len__(self) -> int:
        return len(self.sizes) * self.boards


@dataclass(frozen=True)
class Files:
    """Board files, read one by one; BoardError for one that cannot be read is kept, not raised."""

    paths: tuple[Path, ...]
    pattern: str | None = None
    rule: str | None = None

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[Filed | BoardError]:
        words = [f"as {word}" for word in (self.pattern, self.rule) if word is not None]
        for path in self.paths:
            try:
                data, name = read_bytes(path)
            except BoardError as error:
                yield error
                continue
            stratum = " ".join([f"files in {path.parent}", *words])
            yield Filed(stratum, name, data, self.pattern, self.rule)


Source: TypeAlias = Draws | Files


def size_label(board: Board) -> str:
    """Return the size of a board in a table: `24×24`, or `12 bulbs` of a graph.

    >>> size_label(Board.from_rows(["010", "111"]))
    '2×3'
    """
    graph = board.graph
    if isinstance(graph, GridGraph):
        return f"{graph.shape[0]}×{graph.shape[1]}"
    return f"{graph.size} bulb{'' if graph.size == 1 else 's'}"


def parse_sizes(text: str) -> tuple[Shape, ...]:
    """Return the sizes that a list names: `24`, `3x5`, `4..40`, `4..40..2`, joined by commas.

    >>> parse_sizes("3x5,8..12..2")
    ((3, 5), (8, 8), (10, 10), (12, 12))
    """
    sizes: list[Shape] = []
    for word in text.split(","):
        match = re.fullmatch(
            r"\s*(\d{1,6})(?:[x×](\d{1,6})|\.\.(\d{1,6})(?:\.\.(\d{1,6}))?)?\s*", word
        )
        if match is None:
            raise PonderError(
                f"{word.strip()!r} is no size: write 24, 3x5, 4..40, or 4..40..2 (steps of 2)"
            )
        first, columns, last, step = (None if x is None else int(x) for x in match.groups())
        if first is None or 0 in (first, columns, step):
            raise PonderError(f"the size {word.strip()!r} has a zero in it")
        if columns is not None:
            sizes.append((first, columns))
            continue
        if last is not None and last < first:
            raise PonderError(f"the sizes {word.strip()!r} run backwards")
        sides = range(first, (first if last is None else last) + 1, step or 1)
        if len(sides) + len(sizes) > MOST_SIZES:
            raise PonderError(f"more than {MOST_SIZES:,} sizes")
        sizes += [(n, n) for n in sides]
    return tuple(dict.fromkeys(sizes))


def parse_family(
    text: str, sizes: str | None, density: float, balance: Balance, boards: int, seed: int
) -> Draws:
    """Return the boards that `PATTERN[:SIZES][:KEY=VALUE]…` names; the arguments are defaults.

    Keys: density, balance, boards, seed.

    >>> draws = parse_family("plus:4..6:boards=3:seed=5", None, 0.5, "any", 100, 0)
    >>> draws.family.label, len(draws)
    ('plus seed=5', 9)
    """
    pattern, *words = (word.strip() for word in text.split(":"))
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            key, value = "sizes", word
        if key not in ("sizes", "density", "balance", "boards", "seed"):
            raise PonderError(
                f"--family {text!r}: unknown key {key!r}; known: density, balance, boards, seed"
            )
        if key in given:
            raise PonderError(f"--family {text!r}: {key} is given twice")
        given[key] = value
    try:
        density = float(given.get("density", density))
        boards, seed = int(given.get("boards", boards)), int(given.get("seed", seed))
    except ValueError as error:
        raise PonderError(f"--family {text!r}: {error}") from None
    named = given.get("sizes", sizes)
    if named is None:
        raise PonderError(f"--family {text!r}: no size; write --family {pattern}:4..10, or --size")
    if boards < 1:
        raise PonderError(f"--family {text!r}: the number of boards must be at least 1")
    chosen: Balance = given.get("balance", balance)  # type: ignore[assignment]  # checked there
    return Draws(Family(pattern, density, chosen, seed), parse_sizes(named), boards)


def find_files(places: list[str], pattern: str | None, rule: str | None) -> Files:
    """Return the files that are named, and the board files in folders (and theirs), sorted.

    BoardError for a folder without any.
    """
    found: list[Path] = []
    for place in places:
        path = Path(place)
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(p for p in path.rglob("*") if p.is_file() and _looks_like_a_board(p))
        if not inside:
            raise BoardError(f"no boards in this folder (files {', '.join(ENDINGS)})", place)
        found += inside
    return Files(tuple(dict.fromkeys(found)), pattern, rule)


def _looks_like_a_board(path: Path) -> bool:
    packed = path.suffix in (".gz", ".bz2", ".xz")
    ending = Path(path.stem).suffix if packed else path.suffix
    return ending in ENDINGS and not path.name.startswith(".")
