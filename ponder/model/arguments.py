"""What callers of the library hand over, made sure of: bits, press sets, whole numbers, words.

Each function returns the value in the type that the code behind it relies on, or raises BadArgument
with the name of the parameter, before anything is done with it. O(size of the value).
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Number
from os import PathLike
from typing import Any

import numpy as np

from ponder.model.graph import Graph, GridGraph
from ponder.system.errors import BadArgument, BoardError, quoted, unknown
from ponder.system.types import Bits, Ints

MOST_SEED = (1 << 63) - 1


def need_board(value: Any) -> None:
    """Raise BoardError, with a hint at how to make a board, for anything else."""
    if not hasattr(value, "graph") or not hasattr(value, "goal"):
        raise BoardError(f"this is of type {type(value).__name__}, not a Board: {maker_for(value)}")


def maker_for(value: Any) -> str:
    """Return a hint at the function that makes a board from such a value.

    >>> maker_for(np.zeros((2, 2)))
    '`Board.from_grid` takes an array'
    """
    first = value[0] if isinstance(value, list) and value else None
    if isinstance(value, str | bytes | PathLike):
        return "`ponder.read` takes the name of a file, `ponder.parse_board` a text"
    if isinstance(first, str):
        return "`Board.from_rows` takes rows of text"
    if isinstance(value, tuple) or isinstance(first, tuple) or hasattr(value, "nodes"):
        return "`Board.from_graph` takes a graph"
    if isinstance(value, list) or hasattr(value, "dtype"):
        return "`Board.from_grid` takes an array"
    return "`ponder.read`, `Board.from_rows`, `from_grid`, `from_graph` or `from_buttons` makes one"


def one_of(value: Any, known: Iterable[str], parameter: str) -> None:
    """Raise BadArgument, with what may be meant, for a word that is none of those known."""
    words = list(known)
    if not isinstance(value, str) or value not in words:
        raise BadArgument(unknown(parameter, value, words), parameter)


def whole_number(value: Any, parameter: str, most: int | None = None) -> int:
    """Return a whole number from 0 to `most`; no truth value is one.

    >>> whole_number(3, "seed")
    3
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise BadArgument(f"{quoted(value)} is not a whole number from 0 on", parameter)
    if most is not None and value > most:
        raise BadArgument(f"{quoted(value)} is more than {most}", parameter)
    return int(value)


def grid_of_bits(value: Any, parameter: str) -> Bits:
    """Return a table of zeros and ones, (R, C) with at least one cell, as bits.

    >>> grid_of_bits([[0, 1], [1.0, False]], "lit").tolist()
    [[False, True], [True, False]]
    """
    try:
        grid = np.asarray(value)
    except ValueError:
        raise BadArgument("its rows differ in length", parameter) from None
    if grid.ndim != 2 or not grid.size:
        shape = f"this is of shape {grid.shape}" if grid.shape else f"{quoted(value)} has none"
        raise BadArgument(f"a grid has rows and columns: {shape}", parameter)
    if grid.dtype.kind in "biuf":
        right = (grid == 0) | (grid == 1)
    else:  # objects, as in a table whose columns differ in type
        is_bit = np.frompyfunc(lambda x: isinstance(x, Number | np.bool_) and x in (0, 1), 1, 1)
        right = is_bit(grid).astype(np.bool_)
    if not right.all():
        raise BadArgument(f"{quoted(grid[~right].tolist()[0])} is neither 0 nor 1", parameter)
    return grid.astype(np.bool_)


def press_set_of(graph: Graph, value: Any, parameter: str = "press_set") -> Ints:
    """Return the bulbs of a press set: as for `presses_of`, or an array of bits of any type.

    An array of zeros and ones alone, of more than two, is bits: one for each bulb, or a grid of
    them.

    >>> from ponder.model.graph import grid_graph
    >>> graph = grid_graph("plus", (2, 2), np.array([[1, 1], [1, 0]]) > 0)
    >>> [press_set_of(graph, x).tolist() for x in ([2, 0], [(1, 0)], np.array([1, 0, 1]) > 0)]
    [[2, 0], [2], [0, 2]]
    """
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise BadArgument(f"{quoted(value)} is not a list of bulbs", parameter)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.size:
        shape = graph.shape if isinstance(graph, GridGraph) else (graph.presses,)
        truths = value.dtype == np.bool_
        bits = truths or (value.size > 2 and bool(np.isin(value, (0, 1)).all()))
        if bits and value.shape == shape:
            grid = value.astype(np.bool_)
            return np.flatnonzero(graph.from_grid(grid) if isinstance(graph, GridGraph) else grid)
        if bits and value.shape == (graph.presses,):
            return np.flatnonzero(value)
        if bits and (truths or value.shape[1:] != (2,)):  # pairs may be places
            reason = f"there must be {graph.presses} bits, one for each bulb, or shape {shape}"
            raise BadArgument(f"{reason}: these zeros and ones have shape {value.shape}", parameter)
    return presses_of(graph, value, parameter)


def presses_of(graph: Graph, value: Iterable[Any], parameter: str = "presses") -> Ints:
    """Return presses in their order: a list of labels, or numbers of bulbs, counted from 0.

    Whole numbers count the bulbs in an array, as in `Result.presses`, and on a grid. In a list they
    name vertices of a graph, as in `Result.places`.

    >>> from ponder.model.edge_graph import EdgeGraph
    >>> graph = EdgeGraph(2, [(0, 1)], [1, 2])
    >>> presses_of(graph, [2, 1]).tolist(), presses_of(graph, np.array([1, 0])).tolist()
    ([1, 0], [1, 0])
    """
    by_number = isinstance(value, np.ndarray) or isinstance(graph, GridGraph)
    try:
        given = value if isinstance(value, np.ndarray) else list(value)
        if not len(given):
            return np.zeros(0, dtype=np.int64)
        numbers = np.asarray(given)
        if by_number and numbers.ndim == 1 and numbers.dtype.kind in "iu":
            outside = (numbers < 0) | (numbers >= graph.presses)
            if outside.any():
                raise KeyError(int(numbers[int(np.argmax(outside))]))
            return numbers.astype(np.int64)
        labels = given.tolist() if isinstance(given, np.ndarray) else given
        if any(isinstance(label, bool) for label in labels):
            raise KeyError(labels[0])
        return graph.bulbs(labels)
    except KeyError as error:
        raise BadArgument(f"there is no bulb {quoted(error.args[0])}", parameter) from None
    except (TypeError, ValueError, OverflowError):
        raise BadArgument("it must be a list of bulbs: numbers or labels", parameter) from None
