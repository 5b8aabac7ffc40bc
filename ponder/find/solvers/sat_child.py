"""A solver of python-sat: in a child process, which can be killed, or in slices of conflicts here.

CaDiCaL inside python-sat holds the interpreter's lock while it solves, so that no timer and no
Ctrl-C gets through: a child (`serve`) can be killed. Where it works in its caller's process (small
formulas, browsers), it solves in slices of conflicts. Imports no numpy: 40 ms for python-sat.
"""

from __future__ import annotations

import os
import tempfile
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from pysat.solvers import Cadical195, Solver, pysolvers

from ponder.system.machine import deferred_signals

if TYPE_CHECKING:
    from ponder.system.child_program import Parent

SLICE = 0.2  # seconds between two looks at the clock of a solver that cannot be killed


def serve(parent: Parent) -> None:
    """Make one solver and call its methods as the parent asks, until it ends."""
    requests = parent.requests()
    solver = PySatSolver(*next(requests))
    for name, *arguments in requests:
        answer = getattr(solver, name)(*arguments)
        if name == "solve":
            parent.reply(answer)


class PySatSolver:
    """A solver of python-sat, by name.

    `proof`: whether it writes one: LRAT if it is CaDiCaL 1.9.5, else DRAT.
    """

    def __init__(self, name: str, proof: bool, configure: dict[str, int]) -> None:
        self.lrat: bool = proof and name == "cadical195"
        self.drat: bool = proof and not self.lrat
        self.refuted: bool = False  # by an empty clause: solvers differ in how they take one
        self.anything: bool = False  # some solvers crash when they have no clause at all
        self.solver: Any = Solver(name, **({"with_proof": True} if self.drat else {}))
        if self.lrat:  # python-sat has no word for that; it must come before any clause
            cadical = self.solver.solver
            cadical.configure({"lrat": 1, "binary": 0})
            cadical.prfile = tempfile.TemporaryFile()  # noqa: SIM115 (the solver closes it)
            cadical.prfp = pysolvers.cadical195_tracepr(cadical.cadical, cadical.prfile)
        if configure:
            self.solver.configure(configure)

    def close(self) -> None:
        """End the solver: Ctrl-C waits, since python-sat would free it a second time."""
        with deferred_signals():
            self.solver.delete()

    def add(self, file: str) -> None:
        """Add the clauses in a file of 32-bit integers, each ended by a 0; remove the file."""
        clause: list[int] = []
        with open(file, "rb") as literals:
            while data := literals.read(1 << 16):
                for literal in array("i", data):
                    if literal:
                        clause.append(literal)
                    elif clause:
                        self.solver.add_clause(clause)
                        self.anything, clause = True, []
                    else:
                        self.refuted = True
        os.unlink(file)

    def phases(self, literals: list[int]) -> None:
        """Prefer these literals where a variable is decided."""
        with suppress(NotImplementedError):
            self.solver.set_phases(literals)

    def solve(
        self,
        proof_file: str,
        ended: Callable[[], object] | None = None,
        conflicts: int | None = None,
    ) -> list[int] | Literal[False] | None:
        """Return the true literals of a model, False (the proof goes to the file), or None.

        With `ended` it solves in slices until that is true, for so many `conflicts` at most.
        """
        satisfiable: bool | None = not self.refuted
        if self.anything and not self.refuted:
            satisfiable = (
                self.solver.solve() if ended is None else self._in_slices(ended, conflicts)
            )
        if satisfiable:
            model = (self.solver.get_model() if self.anything else None) or ()
            return [literal for literal in model if literal > 0]
        if satisfiable is None:
            return None
        with open(proof_file, "wb") as out:
            if self.lrat:
                cadical = self.solver.solver
                pysolvers.flushpr(cadical.prfp)
                cadical.prfile.seek(0)
                while data := cadical.prfile.read(1 << 20):
                    out.write(data)
            elif self.drat and not self.refuted:
                out.writelines(f"{step}\n".encode() for step in self.solver.get_proof() or ())
        return False

    def _in_slices(self, ended: Callable[[], object], most: int | None) -> bool | None:
        """Solve in slices of conflicts that take about SLICE seconds; None when it is to end."""
        conflicts, left = 500.0, float("inf") if most is None else most
        while left > 0 and not ended():
            begun = time.monotonic()
            slice_ = int(min(conflicts, left))
            self.solver.conf_budget(slice_)
            satisfiable = self._limited()
            if satisfiable is not None:
                return satisfiable
            left -= slice_
            took = time.monotonic() - begun
            conflicts = max(100.0, conflicts * min(2.0, max(0.1, SLICE / max(took, 1e-3))))
        return None

    def _limited(self) -> bool | None:
        """Solve within the budget. Ctrl-C waits for its end: python-sat would jump out of it."""
        solver: Any = self.solver.solver
        if not isinstance(solver, Cadical195):
            answer: bool | None = self.solver.solve_limited(expect_interrupt=True)
            return answer
        status: int = pysolvers.cadical195_solve_lim(solver.cadical, [], 0)  # 0: no handler
        solver.status = None if status == 0 else status > 0
        solver.prev_assumps = []
        return None if status == 0 else status > 0
