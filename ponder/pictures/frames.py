"""Moving pictures: shapes with the frames that show them; the film of an order.

A press is aimed at and then made: first the bulb is ringed, in the state in which the rule lets it
be pressed; then what it toggles has changed, and flashes. Where there are many presses, or little
time for each, only the second is shown. The last frame is held.

Cost: O(presses · bulbs).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from ponder.check.replay import play
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.pictures.marks import line_bits
from ponder.pictures.scene import SIDE, Marks, Scene, cell_size, ring, square
from ponder.pictures.vocabulary import Circle, Shape
from ponder.system.errors import BoardError
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, bincount

SLOWEST, QUICKEST, WHOLE = 0.8, 0.04, 14.0  # seconds for a press at most, at least; for all
AIMED = 0.25  # seconds for a press from which on it is first aimed at
HELD = 3.0  # seconds that the last frame is held; the first one a third of that
MOVING_SIDE = 480  # pixels of the longer side of a board, in images
MOST_STATES = 60_000_000  # bulbs times presses of an animation, at most

TimedShape: TypeAlias = tuple[Shape, Bits]  # a shape, and for each frame whether it is shown


@dataclass(frozen=True, eq=False)
class Film:
    """A moving picture, independent of its file format.

    `shapes`   those behind first, each with the frames that show it
    `seconds`  how long each frame is shown
    `size`     width and height in cells, of `cell` pixels
    `title`, `description`   what it shows, for those who do not see it
    `tiled`    each shape but words lies in the cell around its middle, and these do not overlap
    """

    shapes: list[TimedShape]
    seconds: list[float]
    size: tuple[float, float]
    cell: int
    title: str
    description: str
    tiled: bool = False

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return round(self.size[0] * self.cell), round(self.size[1] * self.cell)


@dataclass(frozen=True, eq=False)
class Frame:
    """A moment of an order.

    `lit`      the state
    `presses`  how many were made
    `pressed`  the bulb that is ringed, if one is
    `toggled`  the bulbs that its press has changed, which flash
    `seconds`  how long it is shown
    `bits`     the line bits of the presses that are left: of rows, then columns; else empty
    """

    lit: Bits
    presses: int
    pressed: int | None
    toggled: Ints
    seconds: float
    bits: Bits


def frames_of(board: Board, presses: Ints, speed: float | None = None) -> Iterator[Frame]:
    """Yield an order's frames, `speed` presses a second. Raises BoardError for far too many.

    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> for frame in frames_of(board, np.array([0, 3]), speed=2):
    ...     print(frame.presses, frame.pressed, frame.toggled, frame.lit.astype(int).tolist())
    0 None [] [0, 0, 0, 0]
    0 0 [] [0, 0, 0, 0]
    1 0 [0 1 2] [1, 1, 1, 0]
    1 3 [] [1, 1, 1, 0]
    2 3 [1 2 3] [1, 0, 0, 1]
    2 None [] [1, 0, 0, 1]
    """
    graph = board.graph
    if graph.size * presses.size > MOST_STATES:
        raise BoardError(
            f"{presses.size:,} presses on {graph.size:,} bulbs are too many for an animation",
            board.name,
        )
    seconds = 1 / speed if speed else max(QUICKEST, min(SLOWEST, WHOLE / max(presses.size, 1)))
    lines = line_bits(board, bincount(presses, minlength=graph.size) % 2 == 1)
    bits = np.concatenate(lines or (np.zeros(0, np.bool_),))
    state, none = board.lit, np.zeros(0, dtype=np.int64)
    yield Frame(state, 0, None, none, max(seconds, HELD / 3), bits)
    for k, (bulb, after) in enumerate(zip(presses.tolist(), play(board, presses), strict=True), 1):
        if seconds >= AIMED:
            yield Frame(state, k - 1, bulb, none, 0.4 * seconds, bits)
        toggled, state = np.flatnonzero(state != after), after
        if lines is not None and isinstance(graph, GridGraph):
            bits = bits.copy()
            bits[[graph.rows[bulb], graph.shape[0] + graph.columns[bulb]]] ^= True
        yield Frame(state, k, bulb, toggled, seconds * (0.6 if seconds >= AIMED else 1.0), bits)
    yield Frame(state, presses.size, None, none, HELD, bits)


def order_film(
    board: Board,
    presses: Ints,
    side: int = SIDE,
    *,
    speed: float | None = None,
    cell: int | None = None,
    limits: Limits = NEVER,
) -> Film:
    """Return an order as a film, on a board of `side` pixels or with cells of `cell`.

    A bulb that changes is drawn twice, unlit below and lit above. Raises BoardError, TimeUp.
    """
    frames = list(limits.over(frames_of(board, presses, speed), 1))
    captions = [f"press {frame.presses} of {presses.size}" for frame in frames]
    if not board.pressed:
        lit = [np.count_nonzero(frame.lit) for frame in frames]
        captions = [f"{text}, {number} lit" for text, number in zip(captions, lit, strict=True)]
    marks: Marks = {"lines": []} if frames[0].bits.size else {}
    scene = Scene(board, marks, max(captions, key=len), cell=cell or cell_size(board, side))
    always = np.ones(len(frames), dtype=np.bool_)
    states = np.array([frame.lit for frame in frames])
    flashing, there = np.zeros_like(states), np.ones_like(states)
    ringed: dict[int, Bits] = {}
    for k, frame in enumerate(frames):
        if board.pressed:  # what is pressed is gone
            there[k, presses[: frame.presses]] = False
        flashing[k, frame.toggled] = True
        if frame.pressed is not None:
            ringed.setdefault(frame.pressed, ~always)[k] = True
    flashing &= there
    shapes: list[TimedShape] = [(shape, always) for shape in scene.under()]
    bulbs = list(scene.bulbs())
    for v in np.flatnonzero(flashing.any(axis=0)).tolist():
        shapes.append((Circle(bulbs[v].x, bulbs[v].y, 0.5, "flash"), flashing[:, v]))
    for bulb, lit_then, seen in zip(bulbs, states.T, there.T, strict=True):
        if not lit_then.all():
            shapes.append((replace(bulb, lit=False), seen))
        if (lit_then & seen).any():
            shapes.append((replace(bulb, lit=True), lit_then & seen))
    shapes += [(shape, always) for shape in scene.goal()]
    places = [at for side_places in scene.line_places() for at in side_places] if marks else []
    bits = np.array([frame.bits for frame in frames])
    for k, (x, y) in enumerate(places):
        for filled, shown in ((False, always), (True, bits[:, k])):
            shapes += [(shape, shown) for shape in square(x, y, filled=filled, marked=False)]
    shapes += [(ring(*scene.spot(bulb)), shown) for bulb, shown in ringed.items()]
    shapes += [(name, always) for name in scene.names()]
    for line in scene.words():
        for text in dict.fromkeys(captions):
            shown = np.array([caption == text for caption in captions])
            shapes.append((replace(line, text=text), shown))
    return Film(
        shapes,
        [frame.seconds for frame in frames],
        (scene.width, scene.height),
        scene.cell,
        scene.title,
        f"{pluralise(presses.size, 'press')}, played",
        tiled=isinstance(board.graph, GridGraph),
    )
