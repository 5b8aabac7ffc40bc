"""DIMACS read back, as a checker from outside reads it: for files that ponder has written."""

from __future__ import annotations

from pathlib import Path

from ponder.find.solvers.clause_arrays import Formula


def parse(data: bytes) -> tuple[int, list[list[int]], list[list[int]]]:
    """Return the variables, the clauses and the XORs; AssertionError for what is not DIMACS.

    >>> parse(b"c hello\\np cnf 2 2\\n1 -2 0\\nx1 2 0\\n")
    (2, [[1, -2]], [[1, 2]])
    """
    lines = [line for line in data.decode("ascii").splitlines() if not line.startswith("c")]
    p, cnf, variables, stated = lines[0].split()
    assert (p, cnf) == ("p", "cnf")
    clauses: dict[bool, list[list[int]]] = {False: [], True: []}
    for line in lines[1:]:
        literals = [int(word) for word in line.removeprefix("x").split()]
        assert literals.pop() == 0
        assert all(0 < abs(literal) <= int(variables) for literal in literals)
        clauses[line.startswith("x")].append(literals)
    assert len(clauses[False]) + len(clauses[True]) == int(stated)
    return int(variables), clauses[False], clauses[True]


def formula_of(path: Path | str) -> Formula:
    """Return the formula in a file, of clauses alone."""
    variables, clauses, xors = parse(Path(path).read_bytes())
    assert not xors
    return Formula.from_clauses(variables, clauses)
