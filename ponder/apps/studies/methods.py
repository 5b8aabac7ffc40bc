"""The methods that `ponder compare` knows, by name, and how each is asked.

A method is a function `(board, options, timeout, seed) -> Result`, named by `module:function` and
imported where it runs; those of other programs join by that name. To add one, write it into
`ENTRIES`. A name that ends in `:` takes the rest as an argument (`sat:half_factor`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeAlias, cast

from ponder.check.result import Result
from ponder.model.board import Board
from ponder.model.input_errors import unknown
from ponder.system.errors import PonderError
from ponder.system.types import Json

Ask: TypeAlias = Callable[[Board, Json, "float | None", int], Result]

TRIALS = 20  # how often a greedy method tries unless told otherwise

_CP_SAT = "ortools.sat.python.cp_model"


@dataclass(frozen=True)
class Method:
    """A method with its options and its libraries, ready to be sent to a worker, asked there."""

    name: str
    call: str
    options: Json = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    summary: str = ""

    def ask(self, board: Board, timeout: float | None, seed: int) -> Result:
        """Ask about one board."""
        return _function(self.call)(board, self.options, timeout, seed)

    def warm_up(self) -> None:
        """Import what the method needs, so that its first run is timed without that."""
        _function(self.call)
        for module in self.imports:
            with suppress(ImportError):  # where it cannot do without, it says so when it is asked
                import_module(module)


def pipeline(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ask `ponder.order`: `method` (greedy unless named) with its options; or an `encoding`."""
    from ponder.find.order import order

    given = {"method": "greedy", **options}
    encoding = given.pop("encoding", None)
    if encoding is not None:
        from ponder.find.solvers.by_encoding import SolverSettings

        given["solver_settings"] = SolverSettings(encoding=str(encoding))
    return order(board, seed=seed, timeout=timeout, **cast("Any", given))


def fewest_presses(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ask `ponder.solve`: the fewest legal presses, repeats allowed."""
    from ponder.find.solve import solve

    return solve(board, seed=seed, timeout=timeout, **cast("Any", options))


_SUMMARY = {
    "random": "a random legal press at a time",
    "rounds": "rounds of independent legal presses",
    "fewest": "the legal press with the fewest neighbours left",
}

_ASKED = "ponder.apps.studies.methods:"

ENTRIES: tuple[Method, ...] = (
    *(
        Method(
            f"greedy-{variant}-{direction}",
            _ASKED + "pipeline",
            {"variant": variant, "direction": direction, "trials": TRIALS},
            summary=f"{summary}, {direction}",
        )
        for variant, summary in _SUMMARY.items()
        for direction in ("forwards", "backwards")
    ),
    *(
        Method(name, _ASKED + "pipeline", {"method": name.rstrip(":")}, imports, summary)
        for name, imports, summary in (
            ("auto", (_CP_SAT,), "ponder order: whatever answers"),
            ("lines", (_CP_SAT,), "the half factor of row/column boards"),
            ("spanning", (), "the algebraic test and the search it guides, any graph"),
            ("sat:", (), "a SAT encoding: sat:ENCODING"),
            ("cpsat:", (_CP_SAT,), "a CP-SAT encoding: cpsat:ENCODING"),
            ("asp:", ("clingo",), "clingo, whose no proves nothing: asp:count or asp:chain"),
        )
    ),
    Method(
        "solve",
        _ASKED + "fewest_presses",
        imports=(_CP_SAT,),
        summary="ponder solve: the fewest presses, repeats allowed",
    ),
)
"""The methods of this ponder; a name that ends in `:` takes the rest as an argument."""

GROUPS: dict[str, tuple[str, ...]] = {
    "greedy": tuple(e.name for e in ENTRIES if e.name.startswith("greedy-"))
}
DEFAULT = ("greedy-fewest-backwards", "auto")


def chosen(names: tuple[str, ...], trials: int = TRIALS) -> list[Method]:
    """Return the methods of these names (or groups), each once, in their order.

    Raises PonderError for a name that is unknown.

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
        options = dict(entry.options)
        if "trials" in options:
            options["trials"] = trials
        if argument:
            from ponder.encodings.registry import encoder
            from ponder.find.solvers.asp import demand_model

            asp = head == "asp:"
            options["encoding"] = demand_model(argument) if asp else encoder(argument).name
        return Method(name, entry.call, options, entry.imports)
    if ":" in name:
        _function(name)
        return Method(name, name)
    known = [*GROUPS, *(entry.name for entry in ENTRIES), "module:function"]
    raise PonderError(unknown("method", name, known))


@lru_cache(maxsize=256)
def _function(call: str) -> Ask:
    """Import the function that `module:function` names. Raises PonderError if there is none."""
    module, _, name = call.partition(":")
    try:
        found = getattr(import_module(module), name)
    except Exception as error:  # a stranger's module may raise anything while it is imported
        raise PonderError(f"method {call}: {error}") from None
    return cast("Ask", found)
