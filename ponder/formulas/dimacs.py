"""DIMACS CNF: a formula out.

    c ponder 1.0: …                     what it is; the caller's lines: board, encoding, options
    c family press 1..6400: ..            the meaning of every variable family
    c group 1..80: one press a step      which clauses say what
    c varname 17 press(3,4)@7           the full variable map, on request
    p cnf VARIABLES CLAUSES
    1 -2 0

A block of clauses is formatted by one `%` over a repeated format string, about three million
ternary clauses a second; memory is that of a block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from ponder.formulas.cnf import Cnf
from ponder.system.errors import PonderError
from ponder.system.version import __version__


def write(
    formula: Cnf, file: IO[bytes], comments: Sequence[str] = (), *, names: bool = False
) -> None:
    """Write a formula; `names` adds the full variable map. The same input gives the same bytes.

    Raises PonderError if the formula holds exactly-k constraints, which only OPB can say.

    >>> import io
    >>> from ponder.formulas.cnf import Family
    >>> formula, file = Cnf("toy"), io.BytesIO()
    >>> _ = formula.allot(1, Family("x", "x: on", 2, lambda i, _: f"x{i}"))
    >>> write(formula.extended("one", [[1, -2]]), file)
    >>> file.getvalue().splitlines()[-2:]
    [b'p cnf 2 1', b'1 -2 0']
    """
    if "exactly" in formula.kinds:
        raise PonderError("card=native needs OPB: name the file .opb, or choose another card=")
    for lines in header(formula, comments, names=names):
        file.write(lines)
    size = formula.size
    file.write(b"p cnf %d %d\n" % (size.variables, size.clauses))
    for chunk in body(formula):
        file.write(chunk)


def header(formula: Cnf, comments: Sequence[str] = (), *, names: bool = False) -> Iterator[bytes]:
    """Yield the comment lines."""
    for line in described(formula, comments):
        yield f"c {line}\n".encode()
    if names:
        for variable, name in formula.names():
            yield f"c varname {variable} {name}\n".encode()


def described(formula: Cnf, comments: Sequence[str] = ()) -> Iterator[str]:
    """Yield, one line each, what a formula is and what its families and groups mean."""
    yield f"ponder {__version__}: {formula.title}"
    yield from (" ".join(comment.split()) for comment in comments)
    for family in formula.families:
        if family.width and family.copies:
            last = family.first + (family.copies - 1) * family.stride + family.width - 1
            gaps = family.copies > 1 and family.width < family.stride
            gaps_text = f" ({family.width} of every {family.stride})" if gaps else ""
            yield f"family {family.name} {family.first}..{last}{gaps_text}: {family.meaning}"
    first = 1
    for group in formula.groups:
        kind = "" if group.kind == "clause" else f" (exactly {group.bound})"
        yield f"group {first}..{first + group.clauses - 1}: {group.label}{kind}"
        first += group.clauses


def body(formula: Cnf) -> Iterator[bytes]:
    """Yield the constraint lines, a block at a time."""
    for _, block in formula.streamed():
        line = "%d " * block.shape[1] + "0\n"
        text: str = line * len(block) % tuple(block.reshape(-1).tolist())
        yield text.encode()
