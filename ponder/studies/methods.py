"""The methods that `ponder compare` knows, by name, and how each is asked.

A method is a function `(board, options, timeout, seed) -> Result`, named by `module:function` and
imported where it runs; those of other programs join by that name. Names of our own have their
argument after a colon: `greedy:rounds:forwards`, `sat:half_factor`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeAlias, cast

from ponder.check.result import Result
from ponder.find.order import order
from ponder.find.ordering.greedy import DIRECTIONS, VARIANTS
from ponder.find.solve import solve
from ponder.find.solvers.asp import demand_model
from ponder.find.solvers.by_encoding import SolverSettings, encoder_for
from ponder.find.solvers.sat import check_solver
from ponder.model.board import Board
from ponder.system.errors import PonderError, unknown
from ponder.system.types import Json

Ask: TypeAlias = Callable[[Board, Json, "float | None", int], Result]

PartLimits: TypeAlias = "tuple[float | None, float | None, float | None]"
"""Seconds to encode, to solve, and to check an answer: None is no limit, 0 no check."""

TRIALS = 20  # how often a greedy method tries unless told otherwise
METHODS = {
    "auto": "ponder order: whatever answers",
    "greedy": "greedy:VARIANT:DIRECTION (fewest, random, rounds; backwards, forwards); greedy:all",
    "lines": "the half factor of row/column boards",
    "sat": "a SAT encoding, sat:ENCODING",
    "cpsat": "a CP-SAT encoding, cpsat:ENCODING",
    "asp": "clingo, whose no proves nothing: asp:count",
    "solve": "ponder solve: the fewest presses, repeats allowed",
}
DEFAULT = ("greedy", "auto")
IMPORTS = {"cpsat": "ortools.sat.python.cp_model", "asp": "clingo"}


@dataclass(frozen=True)
class Method:
    """A method with its options, ready to be sent to a worker and asked there."""

    name: str
    call: str
    options: Json = field(default_factory=dict)

    @property
    def encodes(self) -> bool:
        """Whether it makes a formula, with times and limits for encoding, solving and checking."""
        return self.options.get("method") in ("sat", "cpsat")

    def ask(self, board: Board, limits: PartLimits, seed: int) -> Result:
        """Ask about one board."""
        options = self.options | {"limits": limits} if self.encodes else self.options
        return _function(self.call)(board, options, self.timeout(limits), seed)

    def timeout(self, limits: PartLimits) -> float | None:
        """Return the seconds for its answer: those of all parts, if it has parts."""
        if not self.encodes:
            return limits[1]
        return None if None in limits else sum(x or 0.0 for x in limits)

    def warm_up(self) -> None:
        """Import what the method needs, so that its first run is timed without that."""
        _function(self.call)
        with suppress(ImportError):  # where it cannot do without, it says so when it is asked
            import_module(IMPORTS.get(self.name.partition(":")[0], "ponder"))


def by_order(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ask `ponder.order`: a method with its options; or an encoding, whose own answers count."""
    given: dict[str, Any] = dict(options)
    method = given["method"]
    solver = {key: given.pop(key) for key in ("encoding", "solver", "limits") if key in given}
    if solver:
        given["solver_settings"] = SolverSettings(**solver)
    result = order(board, seed=seed, timeout=timeout, **given)
    if solver and result.verdict != "unknown" and method not in result.method.split("+"):
        reason = f"{result.method} answered before {method} was asked"
        return Result("order", board, "unknown", f"before: {result.method}", reason=reason)
    return result


def by_solve(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ask `ponder.solve`: the fewest legal presses, repeats allowed."""
    return solve(board, seed=seed, timeout=timeout, **cast("Any", options))


def chosen(
    names: tuple[str, ...],
    trials: int = TRIALS,
    solvers: tuple[str, ...] = (),
    encodings: tuple[str, ...] = (),
) -> list[Method]:
    """Return the methods of these names, each once, in their order; then the solvers.

    `solvers` are names or commands with `{cnf}`, each asked with every one of the encodings. Raises
    PonderError for a name that is unknown, and for a command that is not there.

    >>> [method.name for method in chosen(("greedy:random", "auto", "auto"))]
    ['greedy:random', 'auto']
    """
    names = names or (("auto",) if solvers else DEFAULT)
    all_greedy = [f"greedy:{x}:{y}" for x in VARIANTS for y in DIRECTIONS]
    wanted = [word for name in names for word in (all_greedy if name == "greedy:all" else [name])]
    methods = [_method(name, trials) for name in dict.fromkeys(wanted)]
    for solver in solvers:
        check_solver(solver)
        for encoding in encodings or ("precedence",):
            coder = encoder_for(encoding, "sat")
            options: Json = {"method": "sat", "solver": solver, "encoding": coder.name}
            methods.append(Method(f"sat:{encoding} by {solver}", _OWN + "by_order", options))
    return methods


_OWN = "ponder.studies.methods:"


def greedy_ways(words: str) -> dict[str, Any]:
    """Return how greedy tries, by words such as `rounds:forwards`. Raises PonderError."""
    ways = {}
    for word in words.split(":") if words else ():
        if word not in (*VARIANTS, *DIRECTIONS):
            known = [*VARIANTS, *DIRECTIONS]
            raise PonderError(f"method greedy:{words}: {unknown('word', word, known)}")
        ways["variant" if word in VARIANTS else "direction"] = word
    return ways


def _method(name: str, trials: int) -> Method:
    head, _, argument = name.partition(":")
    if head == "greedy":
        label = name if trials == TRIALS else f"{name} trials={trials}"
        options: Json = {"method": head, "trials": trials, **greedy_ways(argument)}
        return Method(label, _OWN + "by_order", options)
    if head in ("sat", "cpsat", "asp"):
        if not argument:
            example = {"asp": "asp:count", "cpsat": "cpsat:cpsat_time"}.get(head, "sat:precedence")
            raise PonderError(f"method {name}: name the encoding, as in {example}")
        kind: Any = head
        encoding = demand_model(argument) if head == "asp" else encoder_for(argument, kind).name
        return Method(name, _OWN + "by_order", {"method": head, "encoding": encoding})
    if name == "solve":
        return Method(name, _OWN + "by_solve")
    if name in METHODS:
        return Method(name, _OWN + "by_order", {"method": name})
    if argument:
        _function(name)
        return Method(name, name)
    raise PonderError(unknown("method", name, [*METHODS, "module:function"]))


@lru_cache(maxsize=256)
def _function(call: str) -> Ask:
    """Import the function that `module:function` names. Raises PonderError if there is none."""
    module, _, name = call.partition(":")
    sys.path.insert(0, "")  # the current folder: `python -m ponder` has it, the command does not
    try:
        function = getattr(import_module(module), name)
    except Exception as error:  # a stranger's module may raise anything while it is imported
        raise PonderError(f"method {call}: {error}") from None
    finally:
        sys.path.remove("")
    return cast("Ask", function)
