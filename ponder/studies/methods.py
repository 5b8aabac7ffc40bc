"""The methods that `ponder compare` knows, by name, and how each is asked.

Every method is a function `(board, options, timeout, seed) -> Result`, named by `module:function`
and imported where it runs. Methods of other programs join a comparison by that name:
`my.package:my_function`.

A method whose technique is not part of this ponder stays in the list and says so (`missing`):
it can be asked for, and is refused in one clear line; it is never left out in silence.

To add one, write its `Entry` in `ENTRIES`. A name that ends in `:` takes the rest as an argument
(`sat:half_factor`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeAlias, cast

from ponder.errors import PonderError
from ponder.puzzle.board import Board
from ponder.puzzle.input_errors import unknown
from ponder.puzzle.result import Result
from ponder.types import Json

Ask: TypeAlias = Callable[[Board, Json, "float | None", int], Result]

TRIALS = 20
"""How often a greedy method tries unless told otherwise."""

_FLOW = "ortools.graph.python.max_flow"
_CP_SAT = "ortools.sat.python.cp_model"


@dataclass(frozen=True)
class Method:
    """A method with its options, ready to be sent to a worker and asked there."""

    name: str
    call: str
    options: Json = field(default_factory=dict)
    imports: tuple[str, ...] = ()

    def ask(self, board: Board, timeout: float | None, seed: int) -> Result:
        """Ask about one board."""
        return _function(self.call)(board, self.options, timeout, seed)

    def warm_up(self) -> None:
        """Import what the method needs, so that its first run is timed without that."""
        _function(self.call)
        for module in self.imports:
            import_module(module)


@dataclass(frozen=True)
class Entry:
    """A method of this ponder: `options` go to its function, `imports` are its libraries."""

    name: str
    summary: str
    call: str
    options: Json = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    needs: Callable[[], str | None] = lambda: None

    @property
    def missing(self) -> str | None:
        """Why the method cannot be asked, or None when it can."""
        return self.needs()


# ----------------------------------------------------------------------- how they are asked


def greedy(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ask greedy: options `variant`, `direction`, `trials`.

    >>> greedy(Board.from_rows(["01", "10"]), {"trials": 5}, None, 0).count
    2
    """
    from ponder.pipeline.order import order

    return order(board, method="greedy", seed=seed, timeout=timeout, **cast("Any", options))


def pipeline(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ask `ponder.order`: options `method`, and `encoding` for those that have several.

    >>> pipeline(Board.from_rows(["01", "10"]), {"method": "auto"}, None, 0).verdict
    'solved'
    """
    from ponder.pipeline.order import order

    given = dict(options)
    encoding = given.pop("encoding", None)
    if encoding is not None:
        from ponder.solvers.by_encoding import Recipe

        given["recipe"] = Recipe(encoding=str(encoding))
    return order(board, seed=seed, timeout=timeout, **cast("Any", given))


def fewest_presses(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ask `ponder.solve`: the fewest legal presses, repeats allowed.

    >>> fewest_presses(Board.from_rows(["01", "10"]), {}, None, 0).lower_bound
    2
    """
    import ponder

    solve = cast("Any", ponder).solve
    return cast("Result", solve(board, seed=seed, timeout=timeout, **cast("Any", options)))


# ------------------------------------------------------------------------------ the registry


def _in_pipeline(method: str) -> Callable[[], str | None]:
    def missing() -> str | None:
        from ponder.pipeline.one_press_set import METHODS

        return None if method in METHODS else f"this ponder has no method {method!r}"

    return missing


def _has_solve() -> str | None:
    import ponder

    return None if hasattr(ponder, "solve") else "this ponder has no `solve`"


_SUMMARY = {
    "random": "a random legal press at a time",
    "rounds": "rounds of independent legal presses",
    "fewest": "the legal press with the fewest neighbours left",
}

ENTRIES: tuple[Entry, ...] = (
    *(
        Entry(
            f"greedy-{variant}-{direction}",
            f"{_SUMMARY[variant]}, {direction}",
            "ponder.studies.methods:greedy",
            {"variant": variant, "direction": direction, "trials": TRIALS},
        )
        for variant in _SUMMARY
        for direction in ("forwards", "backwards")
    ),
    Entry(
        "auto",
        "ponder order: whatever answers",
        "ponder.studies.methods:pipeline",
        {"method": "auto"},
        (_FLOW, _CP_SAT),
    ),
    Entry(
        "lines",
        "the half factor of row/column boards",
        "ponder.studies.methods:pipeline",
        {"method": "lines"},
        (_FLOW, _CP_SAT),
    ),
    Entry(
        "spanning",
        "the algebraic test and the search it guides, any graph",
        "ponder.studies.methods:pipeline",
        {"method": "spanning"},
        needs=_in_pipeline("spanning"),
    ),
    Entry(
        "sat:",
        "a SAT encoding: sat:ENCODING",
        "ponder.studies.methods:pipeline",
        {"method": "sat"},
        needs=_in_pipeline("sat"),
    ),
    Entry(
        "cpsat:",
        "a CP-SAT encoding: cpsat:ENCODING",
        "ponder.studies.methods:pipeline",
        {"method": "cpsat"},
        (_CP_SAT,),
        needs=_in_pipeline("cpsat"),
    ),
    Entry(
        "solve",
        "ponder solve: the fewest presses, repeats allowed",
        "ponder.studies.methods:fewest_presses",
        {},
        (_FLOW, _CP_SAT),
        needs=_has_solve,
    ),
)

GROUPS: dict[str, tuple[str, ...]] = {
    "greedy": tuple(e.name for e in ENTRIES if e.name.startswith("greedy-")),
}
DEFAULT = ("greedy-fewest-backwards", "auto")


def chosen(names: tuple[str, ...], trials: int = TRIALS) -> list[Method]:
    """Return the methods of these names (or groups), each once, in their order.

    PonderError for a name that is unknown or whose method is not available.

    >>> [method.name for method in chosen(("greedy-random-forwards", "auto"))]
    ['greedy-random-forwards', 'auto']
    """
    wanted = [member for name in names or DEFAULT for member in GROUPS.get(name, (name,))]
    return [_method(name, trials) for name in dict.fromkeys(wanted)]


def _method(name: str, trials: int) -> Method:
    for entry in ENTRIES:
        head, argument = entry.name, ""
        if head.endswith(":") and name.startswith(head) and name != head:
            argument = name.removeprefix(head)
        elif name != head:
            continue
        elif head.endswith(":"):
            raise PonderError(f"method {name}: name the encoding, as in {name}precedence")
        if entry.missing is not None:
            raise PonderError(f"method {name} is not available: {entry.missing}")
        options = dict(entry.options)
        if "trials" in options:
            options["trials"] = trials
        if argument:
            from ponder.encodings.registry import encoder

            options["encoding"] = encoder(argument).name
        return Method(name, entry.call, options, entry.imports)
    if ":" in name:
        _function(name)
        return Method(name, name)
    known = [*GROUPS, *(entry.name for entry in ENTRIES), "module:function"]
    raise PonderError(unknown("method", name, known))


@lru_cache(maxsize=256)
def _function(call: str) -> Ask:
    """Import the function that `module:function` names; PonderError when there is none."""
    module, _, name = call.partition(":")
    try:
        found = getattr(import_module(module), name)
    except Exception as error:  # a stranger's module may raise anything while it is imported
        raise PonderError(f"method {call}: {error}") from None
    return cast("Ask", found)
