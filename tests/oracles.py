"""Published or independently computed facts that the program is held against.

OEIS entries are cited by number; `own` means computed by a separate program.
"""

from __future__ import annotations

# A159257: nullity of the n × n plus board, n = 1 … 130
PLUS_NULLITY = [
    *(0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0, 0, 4, 0, 8, 2, 0, 16, 0, 0, 0, 14, 4, 0, 0, 0, 0),
    *(10, 20, 0, 20, 16, 4, 6, 0, 0, 0, 32, 0, 2, 0, 0, 4, 0, 0, 30, 0, 8, 8, 0, 0, 2, 4, 0),
    *(0, 0, 0, 22, 0, 40, 24, 0, 28, 42, 0, 32, 0, 8, 0, 14, 0, 0, 4, 0, 0, 2, 0, 64, 0, 0, 0),
    *(6, 12, 0, 0, 0, 0, 10, 0, 0, 20, 0, 4, 62, 0, 0, 20, 16, 0, 18, 0, 0, 4, 0, 0, 6, 0, 8),
    *(0, 0, 0, 2, 4, 0, 0, 0, 8, 46, 0, 0, 0, 80, 4, 50, 56, 0, 56, 56, 0),
]

# A165738: nullity of the n × n plus board on a torus, n = 1 … 90
TORUS_PLUS_NULLITY = [
    *(0, 0, 4, 0, 8, 8, 0, 0, 4, 16, 0, 16, 0, 0, 12, 0, 16, 8, 0, 32, 4, 0, 0, 32, 8, 0, 4),
    *(0, 0, 24, 40, 0, 44, 32, 8, 16, 0, 0, 4, 64, 0, 8, 0, 0, 12, 0, 0, 64, 0, 16, 20, 0, 0),
    *(8, 8, 0, 4, 0, 0, 48, 0, 80, 52, 0, 56, 88, 0, 64, 4, 16, 0, 32, 0, 0, 12, 0, 0, 8, 0),
    *(128, 4, 0, 0, 16, 24, 0, 4, 0, 0, 24),
]

# own: nullity of the n × n row/column board, n = 1 … 9
CROSS_NULLITY = [0, 0, 4, 0, 8, 0, 12, 0, 16]

# own: log2 of the number of solvable row/column boards, by shape
CROSS_SOLVABLE = {(3, 4): 9, (4, 5): 17, (5, 5): 17}

# A075464: fewest presses, in any order, for the all-ones problem on the n × n plus board; only
# the sizes whose nullity is at most 14
PLUS_ALL_ONES_FEWEST = dict(
    zip(
        [*range(1, 19), 20],
        [*(1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72, 105, 56, 117, 104, 147, 188), 224],
        strict=True,
    )
)

# IBM Ponder This, April 2023: |S| of the press set, by the board's size
IBM_PRESSES = {4: 4, 24: 280, 30: 429}


def plus_nullity_by_polynomials(n: int) -> int:
    """deg gcd(f_n(x), f_n(x+1)) over GF(2), f_0 = 1, f_1 = x, f_k = x·f_(k−1) + f_(k−2).

    The nullity of the n × n plus board (Sutner; Hunziker, Machiavelo, Park). Polynomials are
    integers: bit k is the coefficient of x^k.
    """

    def chain(x: int) -> int:
        before, current = 0, 1
        for _ in range(n):
            product = (current << 1) ^ (current if x & 1 else 0)
            before, current = current, product ^ before
        return current

    a, b = chain(0b10), chain(0b11)
    while b:
        while a.bit_length() >= b.bit_length():
            a ^= b << (a.bit_length() - b.bit_length())
        a, b = b, a
    return a.bit_length() - 1
