"""python-sat's solvers, in a child process: what `ponder.find.solvers.sat.Session` calls there.

CaDiCaL inside python-sat holds the interpreter's lock for as long as it solves, so that no timer
and no Ctrl-C gets through, and some solvers abort on an error: a child can be killed. Where there
is none (`sat.SolverHere`), CaDiCaL works in slices. A request is the name of a method of
`Solvers` with its arguments. No numpy is loaded: 40 ms for python-sat.
"""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from pysat.solvers import Cadical195, Solver, pysolvers

if TYPE_CHECKING:
    from ponder.system.child_program import Parent

SLICE = 0.2  # seconds between two looks at the clock of a solver that cannot be killed


def serve(parent: Parent) -> None:
    """Do what the parent asks until it ends."""
    solvers = Solvers(parent.reply)
    for name, *arguments in parent.requests():
        getattr(solvers, name)(*arguments)


class Solvers:
    """One solver after the other."""

    def __init__(self, reply: Callable[[str], None]) -> None:
        self.reply = reply
        self.solver: Any = None

    def new(self, solver: str, proof: bool, lrat: bool, configure: dict[str, int]) -> None:
        """Forget everything; begin with another solver. With `lrat` it writes its proof itself."""
        if self.solver is not None:
            self.solver.delete()
        self.proof: bool = proof
        self.lrat: bool = lrat
        self.refuted: bool = False  # by an empty clause; solvers differ in what they make of one
        self.anything: bool = False  # some solvers crash when they have no clause at all
        self.solver = Solver(solver, **({"with_proof": True} if proof and not lrat else {}))
        if lrat:
            trace_lrat(self.solver.solver)
        if configure:
            self.solver.configure(configure)

    def add(self, file: str) -> None:
        """Add the clauses in a file of 32-bit integers, each ended by a 0; remove the file."""
        added, empty = add_clauses(file, self.solver.add_clause)
        self.refuted |= empty
        self.anything |= added

    def phases(self, literals: list[int]) -> None:
        """Prefer these literals where a variable is decided."""
        with suppress(NotImplementedError):
            self.solver.set_phases(literals)

    def solve(
        self,
        nvars: int,
        file: str,
        more: Callable[[], bool] | None = None,
        conflicts: int | None = None,
    ) -> None:
        """Answer as solvers do; a proof goes to the file. `more` is asked now and then: go on?"""
        satisfiable: bool | None = not self.refuted
        if self.anything and not self.refuted:
            satisfiable = self.solver.solve() if more is None else self._in_slices(more, conflicts)
        if satisfiable is None:
            self.reply("s UNKNOWN\n")
        elif satisfiable:
            model = self.solver.get_model() if self.anything else None
            self.reply("s SATISFIABLE\n" + model_line(nvars, model))
        else:
            if self.lrat:
                write_lrat(self.solver.solver, file)
            elif self.proof:
                lines = [] if self.refuted else self.solver.get_proof() or []
                with open(file, "w", encoding="ascii") as out:
                    out.writelines(f"{step}\n" for step in lines)
            self.reply("s UNSATISFIABLE\n")

    def _in_slices(self, more: Callable[[], bool], most: int | None) -> bool | None:
        """Solve in slices of conflicts that take about SLICE seconds; None when it is to end."""
        conflicts, left = 500.0, float("inf") if most is None else most
        while left > 0 and more():
            begun = time.monotonic()
            slice_ = int(min(conflicts, left))
            self.solver.conf_budget(slice_)
            found = self._limited()
            if found is not None:
                return found
            left -= slice_
            took = time.monotonic() - begun
            conflicts = max(100.0, conflicts * min(2.0, max(0.1, SLICE / max(took, 1e-3))))
        return None

    def _limited(self) -> bool | None:
        """Solve within the budget. Ctrl-C waits for its end: python-sat would jump out of it."""
        solver = self.solver.solver
        if not isinstance(solver, Cadical195):
            return cast("bool | None", self.solver.solve_limited(expect_interrupt=True))
        # the 0 says that no handler of its own is wanted
        status: int = pysolvers.cadical195_solve_lim(solver.cadical, [], 0)
        found: bool | None
        found = solver.status = None if status == 0 else status > 0
        solver.prev_assumps = []
        return found


def trace_lrat(cadical: Any) -> None:
    """Make a solver write LRAT, which python-sat has no word for, before its proof begins."""
    import tempfile

    cadical.configure({"lrat": 1, "binary": 0})
    cadical.prfile = tempfile.TemporaryFile()  # noqa: SIM115 (the solver's, which closes it)
    cadical.prfp = pysolvers.cadical195_tracepr(cadical.cadical, cadical.prfile)


def write_lrat(cadical: Any, path: str) -> None:
    """Write the proof to a file."""
    import shutil

    pysolvers.flushpr(cadical.prfp)
    cadical.prfile.seek(0)
    with open(path, "wb") as file:
        shutil.copyfileobj(cadical.prfile, file)


def add_clauses(path: str, add: Callable[[list[int]], object]) -> tuple[bool, bool]:
    """Add the clauses of a file; tell whether there was one, and whether one was empty."""
    added = empty = False
    carry: list[int] = []
    with open(path, "rb") as file:
        while data := file.read(1 << 16):
            flat = carry + array("i", data).tolist()
            start = 0
            for _ in range(flat.count(0)):
                end = flat.index(0, start)
                if start == end:
                    empty = True
                else:
                    add(flat[start:end])
                    added = True
                start = end + 1
            carry = flat[start:]
    os.unlink(path)
    return added, empty


def model_line(nvars: int, model: list[int] | None) -> str:
    """Return the model as a `v` line. A variable that the solver never saw is made false."""
    literals = list(range(0, -nvars - 1, -1))
    for literal in model or ():
        if 0 < literal <= nvars:
            literals[literal] = literal
    return " ".join(["v", *map(str, literals[1:]), "0\n"])
