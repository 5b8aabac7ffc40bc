"""The SAT solvers known by name, which proofs they write, and commands for others.

Solvers are python-sat's (by name), programs on the PATH (`cadical`, `kissat`, `cryptominisat5`,
`minisat`), or any command with `{cnf}` in it. Any other name of python-sat passes through, without
proofs.
"""

from __future__ import annotations

import os
import shlex
import shutil
from typing import Final

from ponder.system.errors import PonderError, SolverError, meant

DEFAULT_SOLVER: Final = "cadical195"
_NONE: Final = "it writes no proofs"

PYSAT_SOLVERS: Final[dict[str, str | None]] = {
    "cadical195": None,
    "glucose4": None,
    "minisat22": _NONE,
}
"""Solvers of python-sat that take clauses after an answer; why there are no proofs, or None."""

COMMANDS: Final[dict[str, str]] = {
    "cadical": "cadical -q --no-binary --seed={seed} {cnf} {proof}",
    "cryptominisat5": "cryptominisat5 --verb=0 --random={seed} {cnf}",
    "kissat": "kissat -q --no-binary --seed={seed} {cnf} {proof}",
    "minisat": "minisat -verb=0 {cnf} {model}",
}
"""`{model}` is a file that the solver writes its answer to; else standard output is the answer."""


def is_pysat(solver: str) -> bool:
    """Whether python-sat knows a solver by this name.

    >>> is_pysat("cadical195"), is_pysat("cadical")
    (True, False)
    """
    if solver in PYSAT_SOLVERS:
        return True
    if solver in COMMANDS or "{" in solver:
        return False
    from pysat.solvers import SolverNames

    known = (names for names in vars(SolverNames).values() if isinstance(names, tuple))
    return any(solver in names for names in known)


def proof_support(solver: str) -> str | None:
    """Return None when proofs can be had from a solver or a command, or why not."""
    if solver in PYSAT_SOLVERS:
        return PYSAT_SOLVERS[solver]
    if "{proof}" in COMMANDS.get(solver, solver):
        return None
    return "the command has no {proof} for the proof's file" if "{" in solver else _NONE


def command_words(solver: str, proof: bool) -> list[str]:
    """Return a command's words, the program's whole path first; the caller fills in the fields.

    Raises PonderError if it cannot be run as asked, and SolverError if there is no such program.

    >>> command_words("sort {cnf}", proof=False)[1:]
    ['{cnf}']
    >>> command_words("sort", proof=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ponder.system.errors.PonderError: unknown solver 'sort': neither a command with {cnf} nor ...
    """
    template = COMMANDS.get(solver, solver)
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise PonderError(f"the solver command {template!r} cannot be read: {error}") from None
    if not any("{cnf}" in word for word in words):
        known = sorted({*PYSAT_SOLVERS, *COMMANDS})
        raise PonderError(
            f"unknown solver {solver!r}: neither a command with {{cnf}} nor one of "
            f"{', '.join(known)}{meant(solver, known)}"
        )
    if proof and (reason := proof_support(solver)) is not None:
        raise PonderError(f"there is no proof from {solver}: {reason}")
    if not proof:
        words = [word for word in words if "{proof}" not in word]
    program = shutil.which(words[0])
    if program is None:
        raise SolverError(f"the solver {words[0]!r} is not on the PATH or cannot be executed")
    return [os.path.abspath(program), *words[1:]]


def check_solver(solver: str) -> None:
    """Raise PonderError, or SolverError, if there is no such solver."""
    if not is_pysat(solver):
        command_words(solver, proof=False)
