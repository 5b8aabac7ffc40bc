"""VeriPB proofs that are sums: constraints of a formula times whole numbers, added up.

    pseudo-Boolean proof version 2.0
    f 8                                 the formula's inequalities; an equality counts as two
    pol 1 3 + 6 2 * +                   the first one, and the third, and twice the sixth
    pol 9 x4 + ~x5 2 * +                x4 ≥ 0 and ¬x5 ≥ 0 may be added at any time
    pol 2 4 + s                         no coefficient need be larger than the bound
    output NONE
    conclusion UNSAT : 10               the tenth constraint can not be satisfied: 0 ≥ 1, say
    end pseudo-Boolean proof

The k-th constraint, if all are equalities, is the inequalities 2k − 1 (≥) and 2k (≤); each `pol`
line is the next number. In version 3.0 (which `ponder.check.cutting_planes` reads too) every line
ends in a semicolon. The formally verified checker CakePB reads version 2.0.

Reference. S. Gocht, J. Nordström, "Certifying parity reasoning efficiently using pseudo-Boolean
proofs", AAAI 2021; B. Bogaerts, S. Gocht, C. McCreesh, J. Nordström, "Certified dominance and
symmetry breaking for combinatorial optimisation", JAIR 2023.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO


class Sum:
    """A sum of constraints and of literals that are at least 0, each taken some number of times.

    >>> total = Sum()
    >>> total.add(3)
    >>> total.add(1, 2)
    >>> total.literal(-4)
    >>> str(total)
    'pol 3 1 2 * + ~x4 +'
    """

    def __init__(self) -> None:
        self._words: list[str] = []

    def add(self, constraint: int, times: int = 1) -> None:
        """Add a constraint, by its number; nothing when it is taken 0 times."""
        self._put(str(constraint), times)

    def literal(self, literal: int, times: int = 1) -> None:
        """Add "this literal is at least 0", signed as in DIMACS."""
        self._put(f"x{literal}" if literal > 0 else f"~x{-literal}", times)

    def literals(self, literals: Iterable[int]) -> None:
        """Add "this literal is at least 0" for many of them."""
        for literal in literals:
            self.literal(literal)

    def saturate(self) -> None:
        """Make no coefficient of the sum so far larger than its bound, all literals positive.

        >>> total = Sum()
        >>> total.add(3)
        >>> total.saturate()
        >>> str(total)
        'pol 3 s'
        """
        self._words.append("s")

    def _put(self, word: str, times: int) -> None:
        if times < 0:
            raise ValueError("an inequality may not be turned round")
        if not times:
            return
        first = not self._words
        self._words += [word] if times == 1 else [word, str(times), "*"]
        if not first:
            self._words.append("+")

    def __str__(self) -> str:
        return f"pol {' '.join(self._words)}"


def proof_lines(
    inequalities: int, sums: Sequence[Sum], remarks: Sequence[str] = ()
) -> Iterator[bytes]:
    """Yield the lines of the proof whose last sum can not be satisfied.

    >>> total = Sum()
    >>> total.add(1)
    >>> [line.decode().strip() for line in proof_lines(2, [total])][1:-1]
    ['f 2', 'pol 1', 'output NONE', 'conclusion UNSAT : 3']
    """
    yield b"pseudo-Boolean proof version 2.0\n"
    for text in (*(f"* {remark}" for remark in remarks), f"f {inequalities}", *sums):
        yield f"{text}\n".encode()
    yield b"output NONE\n"
    yield f"conclusion UNSAT : {inequalities + len(sums)}\n".encode()
    yield b"end pseudo-Boolean proof\n"


@dataclass(frozen=True, eq=False)
class VeriPbProof:
    """A pseudo-Boolean formula and its refutation by sums of its constraints.

    `write_formula`  writes the formula, as OPB
    `inequalities`   how many it has; an equality counts as two
    `sums`           the last of them can not be satisfied
    """

    write_formula: Callable[[IO[bytes]], None]
    inequalities: int
    sums: tuple[Sum, ...]
    remarks: tuple[str, ...] = ()

    def write_proof(self, file: IO[bytes]) -> None:
        """Write the proof, in the format of VeriPB."""
        file.writelines(proof_lines(self.inequalities, self.sums, self.remarks))
