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
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ponder.check.result import Result
from ponder.model.board import Board
from ponder.system.errors import PonderError, unknown
from ponder.system.limits import Limits
from ponder.system.types import Json

if TYPE_CHECKING:
    from ponder.find.ordering.greedy import Trials

Ask: TypeAlias = Callable[[Board, Json, "float | None", int], Result]

BEFORE = "before: "  # begins the method of a result whose own method was not asked
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
    """Ask `ponder.order`: `method` (greedy unless named) with its options; or an `encoding`.

    With `alone`, answers of stages before the method are not counted as its own.
    """
    from ponder.find.context import SolveSession, is_own
    from ponder.find.order import order, order_question
    from ponder.studies.sampling import Oriented

    given: dict[str, Any] = {"method": "greedy", **options}
    solver = {key: given.pop(key) for key in ("encoding", "solver") if key in given}
    alone = given.pop("alone", False)
    if solver:
        from ponder.find.solvers.by_encoding import SolverSettings

        given["solver_settings"] = SolverSettings(**solver)
    if isinstance(board, Oriented):
        limits, trials = Limits.of(timeout), _trials(given, seed)
        session = SolveSession(seed=seed, limits=limits, trials=trials, **given)
        return order_question(board.question.problem, board, session)
    result = order(board, seed=seed, timeout=timeout, **given)
    if alone and result.verdict != "unknown" and not is_own(given["method"], result.method):
        reason = f"{result.method} answered before {given['method']} was asked"
        return Result("order", board, "unknown", BEFORE + result.method, reason=reason)
    return result


def _trials(given: dict[str, Any], seed: int) -> Trials:
    """Return the trials of greedy, out of the options."""
    from ponder.find.ordering.greedy import Trials

    words = {key: given.pop(key) for key in ("variant", "direction") if key in given}
    return Trials(**{"variant": "fewest", "direction": "backwards", **words},
                  count=given.pop("trials", TRIALS), seed=seed)  # fmt: skip


def fewest_presses(board: Board, options: Json, timeout: float | None, seed: int) -> Result:
    """Ask `ponder.solve`: the fewest legal presses, repeats allowed."""
    from ponder.find.solve import solve
    from ponder.studies.sampling import Oriented

    if isinstance(board, Oriented):
        raise PonderError("the method solve is about boards, and this is an orientation")
    return solve(board, seed=seed, timeout=timeout, **cast("Any", options))


_SUMMARY = {
    "random": "a random legal press at a time",
    "rounds": "rounds of independent legal presses",
    "fewest": "the legal press with the fewest neighbours left",
}

_ASKED = "ponder.studies.methods:"

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


def chosen(
    names: tuple[str, ...],
    trials: int = TRIALS,
    solvers: tuple[str, ...] = (),
    encodings: tuple[str, ...] = (),
) -> list[Method]:
    """Return the methods of these names (or groups), each once, in their order; then the solvers.

    `solvers` are names or commands with `{cnf}`, each asked with every one of the encodings. Raises
    PonderError for a name that is unknown, and for a command that cannot be run.

    >>> [method.name for method in chosen(("greedy-random-forwards", "auto"))]
    ['greedy-random-forwards', 'auto']
    """
    names = names or (("auto",) if solvers else DEFAULT)
    wanted = [member for name in names for member in GROUPS.get(name, (name,))]
    own = [_own_solver(solver, each) for solver in solvers for each in encodings or ("precedence",)]
    return [*(_method(name, trials) for name in dict.fromkeys(wanted)), *own]


def _own_solver(solver: str, encoding: str) -> Method:
    """Return the method that gives an encoding's formulas to a solver of the caller's."""
    from ponder.encodings.registry import encoder
    from ponder.find.solvers.known_solvers import check_solver
    from ponder.formulas.encoder import Encoder

    if not isinstance(encoder(encoding), Encoder):
        raise PonderError(f"--encoding: {encoding} makes CP-SAT models, no formulas for a solver")
    check_solver(solver)
    options: Json = {"method": "sat", "encoding": encoding, "solver": solver, "alone": True}
    return Method(f"sat:{encoding} by {solver}", _ASKED + "pipeline", options)


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
            options |= {"alone": True} if asp else {}
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
