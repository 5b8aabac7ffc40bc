"""The child process that a SAT solver runs in: a program that `solver_process.py` starts.

    sat_child.py MEMORY FOLDER exec COMMAND …    becomes the command
    sat_child.py MEMORY FOLDER serve             runs python-sat's solvers as standard input says

Why a child: CaDiCaL inside python-sat holds the interpreter's lock for as long as it solves, so
that no timer and no Ctrl-C gets through, and some solvers abort the process on an error. A child
can be killed.

The child is the leader of its own process group. Before anything else it forks a *watchdog*, which
waits for the other end of standard input to be closed (by the parent, or by the kernel when the
parent is gone, however it died), removes FOLDER, where files are exchanged, and kills the group,
solver and grandchildren included. The watchdog also keeps the group's number in use until the
parent kills the group, so that the parent can never kill a stranger.

Commands, one JSON object a line: `new` (solver, seed, proof), `add` (a file of 32-bit integers:
clauses, each ended by a 0), `solve` (nvars, and the file for the proof). `solve` answers with `s`
and `v` lines, like any solver, and a line `c done`.

Started quickly: it imports neither numpy nor ponder (15 ms, and 40 ms for python-sat).
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from array import array
from collections.abc import Callable
from typing import Any, TextIO


def main() -> None:
    """Do what the arguments say."""
    memory, folder, mode, command = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    start_watchdog(folder)
    if memory:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if mode == "serve":
        # Solvers may print; only answers go to the parent.
        answers = os.fdopen(os.dup(1), "w", encoding="ascii")
        os.dup2(2, 1)
        serve(answers)
    else:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.execv(command[0], command)


def start_watchdog(folder: str) -> None:
    """Fork a process that ends all of it when standard input is closed at its other end."""
    if os.fork():
        return
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 1)  # else the parent would never see the end of the solver's output
    os.dup2(devnull, 2)
    poll = select.poll()
    poll.register(0, 0)  # no event but POLLHUP: what is written is for the solver's process
    while not poll.poll():
        pass
    import shutil  # 10 ms that a parent who lives never waits for

    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def serve(answers: TextIO) -> None:
    """Obey the commands on standard input until it ends."""
    from pysat.solvers import Solver

    solver: Any = None
    proof = False
    lrat = False
    refuted = False  # by an empty clause; solvers differ in what they make of one
    anything = False  # some solvers crash when they have no clause at all
    for line in sys.stdin:
        order = json.loads(line)
        match order["do"]:
            case "new":
                if solver is not None:
                    solver.delete()
                proof, refuted, anything = order["proof"], False, False
                lrat = order["lrat"]
                plain = lrat or not proof
                solver = Solver(order["solver"], **({} if plain else {"with_proof": True}))
                if lrat:
                    trace_lrat(solver.solver)
                if order["configure"]:
                    solver.configure(order["configure"])
            case "add":
                added, empty = add_clauses(order["file"], solver.add_clause)
                refuted |= empty
                anything |= added
            case "solve":
                satisfiable = not refuted
                if anything and not refuted:
                    satisfiable = solver.solve()
                if satisfiable is None:
                    answers.write("s UNKNOWN\n")
                elif satisfiable:
                    answers.write("s SATISFIABLE\n")
                    answers.write(
                        model_line(order["nvars"], solver.get_model() if anything else None)
                    )
                else:
                    if lrat:
                        write_lrat(solver.solver, order["file"])
                    elif proof:
                        lines = [] if refuted else solver.get_proof() or []
                        with open(order["file"], "w", encoding="ascii") as file:
                            file.writelines(f"{step}\n" for step in lines)
                    answers.write("s UNSATISFIABLE\n")
                answers.write("c done\n")
                answers.flush()


def trace_lrat(cadical: Any) -> None:
    """Make a solver, which is new, write its proof as LRAT text.

    python-sat has no word for that, and the format must be chosen before the proof begins.
    """
    import tempfile

    from pysat.solvers import pysolvers

    cadical.configure({"lrat": 1, "binary": 0})
    cadical.prfile = tempfile.TemporaryFile()  # noqa: SIM115 (the solver's, which closes it)
    cadical.prfp = pysolvers.cadical195_tracepr(cadical.cadical, cadical.prfile)


def write_lrat(cadical: Any, path: str) -> None:
    """Write the proof to a file."""
    import shutil

    from pysat.solvers import pysolvers

    pysolvers.flushpr(cadical.prfp)
    cadical.prfile.seek(0)
    with open(path, "wb") as file:
        shutil.copyfileobj(cadical.prfile, file)


def add_clauses(path: str, add: Callable[[list[int]], object]) -> tuple[bool, bool]:
    """Add the clauses of a file; tell whether there was one, and whether one was empty."""
    added = empty = False
    carry: list[int] = []
    with open(path, "rb") as file:
        while data := file.read(1 << 22):
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


if __name__ == "__main__":
    main()
