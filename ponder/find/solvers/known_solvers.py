"""The SAT solvers that are known by name, what their proofs are worth, and commands for others.

Solvers are python-sat's (by name), programs on the PATH (`cadical`, `kissat`, `cryptominisat5`,
`minisat`), or any command with `{cnf}` in it. The table says whose proofs checkers accept, or why
not.
"""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass, field
from typing import Final

from ponder.system.errors import PonderError, SolverError, meant

DEFAULT_SOLVER: Final = "cadical195"
_NONE: Final = "it writes no proofs"


@dataclass(frozen=True)
class PySolver:
    """A solver of python-sat."""

    no_proof: str | None = None  # why its proofs are refused; None when they are accepted
    seed: str | None = None  # its option for the seed; None when it is deterministic
    focused: dict[str, int] = field(default_factory=dict)  # options for short restarts throughout
    once: bool = False  # it answers once and takes no clause afterwards


PYSAT_SOLVERS: Final[dict[str, PySolver]] = {
    "cadical103": PySolver(),
    "cadical153": PySolver(seed="seed"),
    "cadical195": PySolver(seed="seed", focused={"stabilize": 0, "walk": 0}),
    "cadical300": PySolver(seed="seed"),
    "ergo": PySolver(),
    "gluecard3": PySolver(),
    "gluecard4": PySolver(),
    "glucose3": PySolver(),
    "glucose4": PySolver(),
    "glucose42": PySolver(seed="rnd-seed"),
    "kissat404": PySolver(no_proof=_NONE, once=True),
    "lingeling": PySolver(),
    "maplechrono": PySolver(),
    "maplecm": PySolver(),
    "maplesat": PySolver(no_proof="checkers reject most of its proofs"),
    "mergesat3": PySolver(no_proof=_NONE),
    "minicard": PySolver(no_proof=_NONE),
    "minisat22": PySolver(no_proof=_NONE),
    "minisat-gh": PySolver(no_proof=_NONE),
}

LRAT_SOLVERS: Final = ("cadical195",)  # they write LRAT when told to (`sat_child.py`)
SLICED_SOLVERS: Final = ("cadical195",)  # in slices of conflicts, where none can be killed

COMMANDS: Final[dict[str, str]] = {
    "cadical": "cadical -q --no-binary --seed={seed} {cnf} {proof}",
    "cryptominisat5": "cryptominisat5 --verb=0 --random={seed} {cnf}",
    "kissat": "kissat -q --no-binary --seed={seed} {cnf} {proof}",
    "minisat": "minisat -verb=0 {cnf} {model}",
}
"""`{model}` is a file that the solver writes its answer to; else standard output is the answer."""

PROOF_SOLVERS: Final[dict[str, str | None]] = {
    **{name: solver.no_proof for name, solver in PYSAT_SOLVERS.items()},
    "cadical": None,
    "kissat": None,
    "cryptominisat5": "it writes FRAT, not DRAT",
    "minisat": _NONE,
}
"""For every solver with a name: None where its proofs are accepted, or why they are refused."""


def command_words(solver: str, proof: bool) -> list[str]:
    """Return a command's words, the program's whole path first, to be filled in by the caller.

    Raises PonderError if it cannot be run as asked, and SolverError if there is no such program.

    >>> command_words("sort {cnf}", proof=False)[1:]
    ['{cnf}']
    >>> command_words("sort", proof=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ponder.system.errors.PonderError: unknown solver 'sort': neither a command with {cnf} nor ...
    """
    check_proof_support(solver, proof)
    template = COMMANDS.get(solver, solver)
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise PonderError(f"the solver command {template!r} cannot be read: {error}") from None
    if not any("{cnf}" in word for word in words):
        known = ", ".join(sorted(PROOF_SOLVERS))
        raise PonderError(
            f"unknown solver {solver!r}: neither a command with {{cnf}} nor one of {known}"
            + meant(solver, PROOF_SOLVERS)
        )
    if not proof:
        words = [word for word in words if "{proof}" not in word]
    elif not any("{proof}" in word for word in words):
        raise PonderError(f"the solver command {template!r} has no {{proof}} for the proof's file")
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise SolverError(f"the solver {words[0]!r} is not on the PATH or cannot be executed")
    return [os.path.abspath(program), *words[1:]]


def proof_support(solver: str) -> str | None:
    """Return None when proofs can be had from a solver or a command, or why not."""
    if solver in PROOF_SOLVERS:
        return PROOF_SOLVERS[solver]
    return None if "{proof}" in solver else "the command has no {proof} for the proof's file"


def check_proof_support(solver: str, proof: bool) -> None:
    """Raises PonderError if a proof is wanted of a solver whose proofs are refused."""
    reason = PROOF_SOLVERS.get(solver)
    if proof and reason is not None:
        good = ", ".join(sorted(name for name, why in PROOF_SOLVERS.items() if why is None))
        raise PonderError(f"there is no proof from {solver}: {reason}; use one of {good}")
