"""A board: the graph of its bulbs, which of them are lit, the rule for presses, and the goal.

It is named by a SHA-256 of everything that makes it this puzzle, and of nothing else
(docs/formats.md, "The name of a board"): O(cells), 20 ms for 4000 × 4000, or O(nodes + edges).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ponder.model.arguments import grid_of_bits, maker_for
from ponder.model.edge_graph import EdgeGraph, graph_given
from ponder.model.graph import CrossGraph, Graph, GridGraph
from ponder.model.presets import PUZZLES, Puzzle, puzzle_named
from ponder.model.wired_graph import WiringGraph, board_graph
from ponder.system.errors import BadArgument, BoardError, quoted, unknown
from ponder.system.printable import printable, shown
from ponder.system.types import Bits, Cell, Label, Place, distinct

Rule: TypeAlias = Literal["unlit", "lit", "any"]
RULES: tuple[Rule, ...] = get_args(Rule)
STATES = ("lit", "unlit")  # the states all of whose bulbs are alike
GOALS = (*STATES, "pressed")  # the goals by name
States: TypeAlias = "str | Iterable[Label] | NDArray[np.bool_]"  # a word, labels, or bits
GraphLike: TypeAlias = Any  # what `graph_given` reads
Buttons: TypeAlias = (
    "Sequence[Iterable[int | str]] | Mapping[str, Iterable[int | str]] | NDArray[Any]"
)

_ALSO_RULES = {"on": "lit", "off": "unlit", "free": "any", "none": "any", "all": "any"}
_ALSO_STATES = {"on": "lit", "all": "lit", "off": "unlit", "out": "unlit", "dark": "unlit"}

MOST_BULBS = 400_000_000  # beyond, nothing is built; about 2 GB of working arrays

EVEN_LINES = (
    "a row/column board where every press must have an even number of neighbours after it (goal "
    "lit under unlit, unlit under lit)"
)
"""What `Board.even_lines` asks for, in words."""


def unknown_rule(rule: object) -> str:
    """Return that this is no rule, and which may be meant."""
    return unknown("rule", rule, RULES, _ALSO_RULES)


def unknown_state(state: object, beside: str, role: str = "goal") -> str:
    """Return that this is no state, and which may be meant; `beside` says what else may stand."""
    return unknown(role, state, [*(GOALS if role == "goal" else STATES), beside], _ALSO_STATES)


@dataclass(frozen=True, eq=False)
class Board(Generic[Place]):
    """Bulbs, their state, and what is asked of them.

    `lit` and `goal` have one bit per bulb, in the numbering of `graph`. If it is `pressed`, each
    press is to be made exactly once, and `goal` is the state that this leads to.

    >>> board = Board.from_rows(["0011", "1101", "0110", "0001"])
    >>> board.graph.size, board.graph.pattern, board.rule, board.goal_name
    (16, 'cross', 'unlit', 'lit')
    """

    graph: Graph
    lit: Bits
    goal: Bits
    rule: Rule = "unlit"
    name: str = "board"
    pressed: bool = False

    def __new__(cls, *given: object, **named: object) -> Self:
        """Raise BoardError, which names the right constructor, for what is no graph."""
        graph = given[0] if given else named.get("graph")
        if (given or named) and not isinstance(graph, Graph):
            raise BoardError(f"Board(graph, lit, goal) is of a ponder Graph: {maker_for(graph)}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if not isinstance(self.pressed, bool | np.bool_):
            raise BadArgument(f"{quoted(self.pressed)} is neither True nor False", "pressed")
        if self.pressed:  # here, so that a board with other lights has another goal
            all_bulbs = np.ones(self.graph.presses, dtype=np.bool_)
            object.__setattr__(self, "goal", self.lit ^ self.graph.apply(all_bulbs))
        for field in (self.lit, self.goal):
            if getattr(field, "shape", None) != (self.graph.size,) or field.dtype != np.bool_:
                raise BoardError(f"a board of {self.graph.size} bulbs needs one bit for each")
        if not isinstance(self.rule, str) or self.rule not in RULES:
            raise BadArgument(unknown_rule(self.rule), "rule")

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[str],
        pattern: str | None = None,
        rule: Rule | None = None,
        goal: str | Sequence[str] | None = None,
        *,
        puzzle: str | None = None,
    ) -> Board[Cell]:
        """Make a grid board from strings of `1`, `0` and `-` (no bulb).

        `puzzle` names pattern, rule and goal together; without it they are cross, unlit, lit.
        `goal` is `lit`, `unlit`, `pressed`, or rows of the same shape. Raises BadArgument if the
        rows are no grid or a word is unknown.

        >>> Board.from_rows(["01", "1-"], "plus", goal=["11", "0-"]).goal.tolist()
        [True, True, False]
        """
        cells = _grid_of(rows)
        wanted = goal if goal is None or isinstance(goal, str) else _grid_of(goal, "goal")
        if isinstance(wanted, np.ndarray):
            if wanted.shape != cells.shape or ((wanted == "-") != (cells == "-")).any():
                raise BadArgument("the goal and the board differ in shape", "goal")
            wanted = wanted == "1"
        return cls.from_grid(cells == "1", pattern, rule, cells != "-", goal=wanted, puzzle=puzzle)

    @classmethod
    def from_grid(
        cls,
        lit: ArrayLike,
        pattern: str | None = None,
        rule: Rule | None = None,
        mask: ArrayLike | None = None,
        *,
        goal: str | ArrayLike | None = None,
        puzzle: str | None = None,
    ) -> Board[Cell]:
        """Make a grid board from an (R, C) array of zeros and ones.

        `mask` is 1 where there is a bulb; `goal` is `lit`, `unlit`, `pressed`, or an array of the
        same shape; `puzzle` names pattern, rule and goal together (else cross, unlit, lit). Raises
        BadArgument, with the name of the parameter, for anything else.

        >>> Board.from_grid([[1, 0], [0, 0]], puzzle="lights-out").rule
        'any'
        """
        preset = PUZZLES[0] if puzzle is None else puzzle_named(puzzle)
        pattern = preset.pattern or "cross" if pattern is None else pattern
        rule = preset.rule if rule is None else rule
        goal = preset.goal if goal is None else goal
        grid = grid_of_bits(lit, "lit")
        bulbs = None if mask is None else grid_of_bits(mask, "mask")
        if bulbs is not None and (bulbs.shape != grid.shape or not bulbs.any()):
            raise BadArgument("it has the board's shape, and at least one bulb", "mask")
        if not isinstance(pattern, str):
            raise BadArgument(f"{quoted(pattern)} is not the name of a pattern", "pattern")
        try:
            graph = board_graph(pattern, (grid.shape[0], grid.shape[1]), bulbs)
        except ValueError as error:
            raise BadArgument(str(error), "pattern") from None
        if isinstance(goal, str):
            target = None if goal == "pressed" else _lights(graph, goal, "goal", "a grid")
        else:
            wanted = grid_of_bits(goal, "goal")
            if wanted.shape != grid.shape:
                raise BadArgument("the goal and the board differ in shape", "goal")
            target = graph.from_grid(wanted)
        if not isinstance(rule, str) or rule not in RULES:
            raise BadArgument(unknown_rule(rule), "rule")
        if (reason := preset.misfit(graph)) is not None:
            raise BadArgument(reason, "puzzle")
        state = graph.from_grid(grid)
        pressed = target is None
        return Board(graph, state, state if target is None else target, rule, pressed=pressed)

    @classmethod
    def from_graph(
        cls,
        graph: GraphLike,
        lit: States = "unlit",
        rule: Rule = "unlit",
        *,
        goal: States = "lit",
    ) -> Board[int | str]:
        """Make a board whose bulbs are the vertices of a graph.

        Parameters
        ----------
        graph
            Pairs of vertices, (n, edges) with vertices 0 … n−1, a graph of networkx, or a
            symmetric adjacency matrix. Vertices are strings or whole numbers.
        lit, goal
            `lit` or `unlit` (all of them), the vertices that are lit, or an array of n bools.
            The goal may be `pressed`: each vertex once.

        Raises
        ------
        BoardError
            If the graph is malformed; BadArgument for the rest, with the name of the parameter.

        >>> board = Board.from_graph([("a", "b"), ("b", "c")], lit=["c"])
        >>> board, board.lit.tolist()
        (<Board graph, 1 of 3 lit, rule unlit, goal lit>, [False, False, True])
        """
        labels, edges = graph_given(graph)
        if labels != edges.names:
            why = "a vertex is called neither by a string nor by a whole number"
            raise BoardError(f"{why}: `networkx.convert_node_labels_to_integers` helps", "graph")
        if not labels:
            raise BoardError("a board needs at least one vertex", "graph")
        return _asked(edges, edges, lit, goal, rule)

    @classmethod
    def from_buttons(
        cls,
        buttons: Buttons,
        lights: int | Sequence[int | str] | None = None,
        lit: States = "unlit",
        rule: Rule = "unlit",
        *,
        goal: States = "lit",
        at: Sequence[int | str | None] | None = None,
    ) -> Board[int | str]:
        """Make a wiring: buttons, each of which toggles some lights.

        Parameters
        ----------
        buttons
            For each the lights that it toggles: a list of lists, a dictionary by the buttons'
            names, or an array of zeros and ones, (buttons, lights).
        lights
            How many, or their names; an array says how many.
        lit, goal
            `lit` or `unlit` (all of them), the lights that are lit, or an array of bools.
        at
            The light at which each button sits, or None: the rule is about this light. Buttons
            that are thereby a graph's vertices are numbered as the lights: see `remarks`.

        Raises
        ------
        BadArgument
            With the name of the parameter that is wrong.

        >>> Board.from_buttons([[0, 1], [1, 2], [2]], lights=3, rule="any").graph.presses
        3
        >>> Board.from_buttons({"red": ["a"], "blue": ["a", "b"]}, ["a", "b"]).graph.labels([0, 1])
        ['red', 'blue']
        """
        from ponder.model.wiring_files import wiring_given  # which makes boards

        graph, ends = wiring_given(buttons, lights, at)
        return _asked(graph, ends, lit, goal, rule)

    def to_text(self) -> str:
        """Return the board as the text of a file, which `ponder.parse_board` reads back.

        >>> print(Board.from_rows(["01", "1-"], "plus").to_text())
        pattern: plus
        rule: unlit
        goal: lit
        01
        1-
        <BLANKLINE>
        """
        from ponder.model.formats import board_text  # which makes boards

        return board_text(self)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same puzzle, whatever they are called: graph, states, and rule."""
        return isinstance(other, Board) and (self is other or self.sha256 == other.sha256)

    def __hash__(self) -> int:
        """Return a number that equal boards share."""
        return hash(self.sha256)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on how the board's text was read, for the person who wrote it."""
        return self.graph.remarks

    @cached_property
    def change(self) -> Bits:
        """b = lit + goal: the bulbs that must be toggled an odd number of times."""
        return self.lit ^ self.goal

    @property
    def odd_later(self) -> Bits | None:
        """t: whether a press of each bulb must have an odd number of neighbours pressed after it.

        None under the rule `any`: all orders are legal. (Theory §2.2: `unlit` t = 1 + goal, `lit` t
        = goal.)
        """
        match self.rule:
            case "unlit":
                return ~self.goal
            case "lit":
                return self.goal
            case _:
                return None

    @property
    def even_lines(self) -> bool:
        """Whether theory §4 applies: a row/column board where every t(v) = 0."""
        odd_later = self.odd_later
        return isinstance(self.graph, CrossGraph) and odd_later is not None and not odd_later.any()

    @property
    def full_lines(self) -> bool:
        """Whether this is a row/column board without holes."""
        return isinstance(self.graph, CrossGraph) and self.graph.mask is None

    @property
    def goal_name(self) -> str:
        """`lit`, `unlit`, `pressed`, or `grid` when the goal is mixed."""
        if self.pressed:
            return "pressed"
        return "lit" if self.goal.all() else "grid" if self.goal.any() else "unlit"

    @cached_property
    def sha256(self) -> str:
        """A name for this puzzle: pattern, shape, holes, state, rule, goal, however written."""
        import hashlib  # loads OpenSSL

        graph = self.graph
        if isinstance(graph, GridGraph):
            holes = b"" if graph.mask is None else np.packbits(graph.mask).data
            fields = [b"grid", _numbers(*graph.shape), holes]
        elif isinstance(graph, WiringGraph):
            fields = [b"wiring", _numbers(graph.size, graph.presses)]
            fields += [_called(graph.of_lights.names), _called(graph.names)]
            fields += [x.astype("<i8").tobytes() for x in (graph.at, graph.starts, graph.toggled)]
        else:
            assert isinstance(graph, EdgeGraph)
            edges = np.ascontiguousarray(graph.edges, dtype="<i8").reshape(-1).view(np.uint8).data
            names_of = _called(graph.names) if graph.named else b""
            fields = [b"graph", _numbers(graph.size), names_of, edges]
        words = [graph.pattern.encode(), self.rule.encode()]
        bits = [np.packbits(self.lit).data, np.packbits(self.goal).data]
        bits += [memoryview(b"pressed")] if self.pressed else []
        digest = hashlib.sha256()
        for field in (b"ponder.board/2", fields[0], *words, *fields[1:], *bits):
            digest.update(_numbers(len(field)))
            digest.update(field)
        return digest.hexdigest()

    def __str__(self) -> str:
        """Return what `ponder draw` prints."""
        return shown("board words", self) or repr(self)

    def __repr__(self) -> str:
        """Return one line about the board.

        >>> Board.from_rows(["01", "1-"], "plus")
        <Board 2×2 plus, 2 of 3 lit, rule unlit, goal lit>
        """
        sides = "×".join(map(str, getattr(self.graph, "shape", ())))
        lit = f"{np.count_nonzero(self.lit)} of {self.graph.size} lit"
        graph = f"{sides} {self.graph.pattern}".lstrip()
        return f"<Board {graph}, {lit}, rule {self.rule}, goal {self.goal_name}>"

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows; None for a board that is too large for one."""
        return shown("board", self)


@dataclass(frozen=True)
class BoardOptions:
    """Pattern, rule and goal that replace the file's; None leaves the file's. `puzzle` named them.

    The goal is asked for when the graph is known, and given as one bit per bulb; None: `pressed`.
    """

    pattern: str | None = None
    rule: str | None = None
    goal: Callable[[Graph], Bits | None] | None = None
    puzzle: Puzzle | None = None


def _asked(graph: Graph, lights: Graph, lit: States, goal: States, rule: Rule) -> Board[int | str]:
    """Return a board with given states of its lights, whose labels are those of `lights`."""
    state, pressed = _lights(lights, lit, "lit"), isinstance(goal, str) and goal == "pressed"
    target = state if pressed else _lights(lights, goal, "goal")
    return Board(graph, state, target, rule, pressed=pressed)


def _lights(graph: Graph, given: Any, parameter: str, beside: str = "a list of bulbs") -> Bits:
    """Return which bulbs of a graph are lit by a word, their labels, or bits."""
    if isinstance(given, str):
        if given not in STATES:
            role = "goal" if parameter == "goal" else "state"
            raise BadArgument(unknown_state(given, beside, role), parameter)
        return np.full(graph.size, given == "lit")
    if isinstance(given, np.ndarray) and given.dtype == np.bool_:
        if given.shape != (graph.size,):
            reason = (
                f"there must be {graph.size} bits, one for each bulb: its shape is {given.shape}"
            )
            raise BadArgument(reason, parameter)
        return given.copy()
    try:
        bulbs = graph.bulbs(given.tolist() if isinstance(given, np.ndarray) else list(given))
    except KeyError as error:
        raise BadArgument(f"there is no bulb {quoted(error.args[0])}", parameter) from None
    except TypeError:
        reason = f"{quoted(given)} is neither `lit`, `unlit` nor a list of bulbs"
        raise BadArgument(reason, parameter) from None
    if distinct(bulbs).size < bulbs.size:
        raise BadArgument("a bulb is listed twice; bits are an array of bools", parameter)
    return graph.set_of(bulbs)


def _grid_of(rows: Sequence[str], parameter: str = "rows") -> NDArray[np.str_]:
    if isinstance(rows, str):
        reason = "a list of rows, as ['0011', '1101']; `ponder.parse_board` reads a text"
        raise BadArgument(reason, parameter)
    texts = isinstance(rows, Sequence) and all(isinstance(row, str) for row in rows)
    if not texts or not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        raise BadArgument("a grid needs rows of one length, with at least one sign", parameter)
    cells = np.array([list(row) for row in rows])
    if not np.isin(cells, ["0", "1", "-"]).all():
        raise BadArgument("a grid has only the signs 1, 0 and -", parameter)
    return cells


def board_name(source: str) -> str:
    """Return the name of a board that was read from a file."""
    if source in ("board", "standard input"):
        return source
    return printable(Path(source).name.split(".")[0])


def _numbers(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, "little") for number in numbers)


def _called(labels: list[int | str]) -> bytes:
    """Return names as bytes, with what tells the number 7 from the string "7"."""
    texts = (f"s{label}" if isinstance(label, str) else f"i{label:x}" for label in labels)
    names = [text.encode("utf-8", "surrogatepass") for text in texts]
    return b"".join(_numbers(len(name)) + name for name in names)
