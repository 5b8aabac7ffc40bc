"""Where the bulbs of a board lie in a picture, in cells from its upper left corner.

On a grid a bulb lies in the middle of its cell. A graph's bulbs lie on a circle, in their order,
far enough apart for a disc and a name between any two of them. There is a margin on all sides,
wide enough for line bits where there are any.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sin

import numpy as np
from numpy.typing import NDArray

from ponder.errors import BoardError
from ponder.puzzle.board import Board
from ponder.puzzle.graph import GridGraph

MOST_DRAWN = 40_000
"""Bulbs of a board that is drawn, at most: on 200×200 a bulb has five pixels of a screen."""

MOST_NODES = 300
"""Nodes of a graph that is drawn, at most: more of them make a circle that shows nothing."""

NARROW, WIDE = 0.4, 0.9
"""Margins in cells, without line bits and with them."""

_APART = 1.35  # cells between the middles of neighbours on a circle


@dataclass(frozen=True, eq=False)
class Places:
    """Where things lie, in cells.

    `centres`   the middle of every bulb, (n, 2)
    `margin`    on all sides
    `width`, `height`   with the margins
    """

    centres: NDArray[np.float64]
    margin: float
    width: float
    height: float

    @classmethod
    def of(cls, board: Board, *, wide: bool = False) -> Places:
        """Lay a board out; BoardError for one that is too large to be looked at.

        >>> Places.of(Board.from_rows(["01", "10"])).centres.tolist()[1]
        [1.9, 0.9]
        """
        graph = board.graph
        if isinstance(graph, GridGraph):
            height, width = graph.shape
            if height * width > MOST_DRAWN:
                raise BoardError(
                    f"a board of {height}×{width} is too large for a picture "
                    f"(at most {MOST_DRAWN:,} cells)",
                    board.name,
                )
            margin = WIDE if wide else NARROW
            centres = np.stack([graph.columns, graph.rows], axis=1).astype(np.float64)
            centres += margin + 0.5
            return cls(centres, margin, width + 2 * margin, height + 2 * margin)
        if graph.size > MOST_NODES:
            raise BoardError(
                f"a graph of {graph.size:,} nodes is too large for a picture "
                f"(at most {MOST_NODES})",
                board.name,
            )
        radius = 0.0 if graph.size < 2 else max(1.0, _APART / (2 * sin(pi / graph.size)))
        middle = radius + 1.4
        turns = 2 * pi * np.arange(graph.size) / max(graph.size, 1)
        around = np.stack([np.sin(turns), -np.cos(turns)], axis=1)
        return cls(middle + radius * around, WIDE, 2 * middle, 2 * middle)
