"""Polynomials over GF(2), as Python integers: bit i is the coefficient of x^i.

Idea. A path of k bulbs, and a ring, have few invariant factors over GF(2)[x] (x stands for the
adjacency matrix), and these are the polynomials of this file. With y a formal root, x = y + 1/y:

    f_k = (y^{k+1} + y^{−k−1}) / (y + 1/y)     the path of k bulbs       f_{k+1} = x f_k + f_{k−1}
    g_c = Σ_{i=−c}^{c} y^i = f_c + f_{c−1}     f_{2c} = g_c²             g_{c+1} = x g_c + g_{c−1}

Halves. With z = x² + x, which x → x + 1 leaves alone, g = P(z) + x·Q(z), and gcd(g(x), g(x + 1)) =
gcd(P(z), Q(z)): two polynomials of half the degree.

Reference: theory §1.5, §8.4; Hunziker, Machiavelo, Park 2004.
Cost: a step of a recurrence O(k/64), all of f_k O(k²/64); a gcd of degree k O(k²/64), 3 ms at
degree 10⁴, a third of a second at 10⁵.
"""

from __future__ import annotations

from collections.abc import Iterator

from ponder.system.limits import NEVER, Limits


def degree(polynomial: int) -> int:
    """Return the degree, −1 for 0."""
    return polynomial.bit_length() - 1


def gcd(a: int, b: int, limits: Limits = NEVER) -> int:
    """Return the greatest common divisor. O(deg²/64)."""
    longer, shorter = a.bit_length(), b.bit_length()
    steps = 0
    while b:
        while longer >= shorter:
            a ^= b << (longer - shorter)
            longer = a.bit_length()
            steps += 1
        a, b, longer, shorter = b, a, shorter, longer
        if steps >= 4096:
            limits.check()
            steps = 0
    return a


def paths(top: int, limits: Limits = NEVER) -> int:
    """Return f_top: the polynomial of a path of `top` bulbs.

    Its matrix plus 1 is singular iff x + 1 divides it, so for two bulbs more than a multiple of 3.

    >>> [bin(paths(k)) for k in range(4)]
    ['0b1', '0b10', '0b101', '0b1000']
    """
    before, now = 0, 1
    for step in range(top):
        if step % 1024 == 0:
            limits.check()
        before, now = now, (now << 1) ^ before
    return now


def ring(bulbs: int) -> tuple[int, int]:
    """Return the two invariant factors of a ring of bulbs, the smaller one (a divisor) last.

    With bulbs = 2^e·b, b = 2c + 1: each pair y, 1/y of b-th roots of 1 other than 1 itself has two
    blocks of the size 2^e. At y = 1, x = (y + 1)²/y is a square, so there are two of the size
    2^{e−1}, and one of size 1 for e = 0. Neighbours are a set: a ring of two bulbs is a path, and
    one bulb has no neighbours.
    """
    if bulbs <= 2:
        return paths(bulbs), 1
    twos = (bulbs & -bulbs).bit_length() - 1
    half = ((bulbs >> twos) - 1) // 2
    g = paths(half) ^ (paths(half - 1) if half else 0)
    if twos == 0:
        return g << 1, g
    power = spread(g, twos) << (1 << (twos - 1))
    return power, power


def spread(polynomial: int, times: int) -> int:
    """Return polynomial^(2^times): over GF(2), squaring sends x to x²."""
    gap = "0" * ((1 << times) - 1)
    return int(gap.join(bin(polynomial)[2:]), 2)


def shifted(polynomial: int) -> int:
    """Return the polynomial with x + 1 in place of x, by halves; O(deg·log(deg))."""
    length = max(1, polynomial.bit_length())
    width = 1 << (length - 1).bit_length()
    # (low + x^h·high)(x + 1) = low(x + 1) + (x^h + 1)·high(x + 1) for h a power of two: at every
    # width h the lower half of each block of 2h bits takes in the upper one.
    h = 1
    while h < width:
        block = ((1 << h) - 1) << h
        mask = block
        reach = 2 * h
        while reach < width:
            mask |= mask << reach
            reach *= 2
        polynomial ^= (polynomial & mask) >> h
        h *= 2
    return polynomial


def halves() -> Iterator[tuple[int, int]]:
    """Yield (P, Q) with g_c = P(z) + x·Q(z), z = x² + x, for c = 0, 1, 2, … without end."""
    p_before, q_before = 1, 0  # g_{−1} = g_0, as y^{1/2} + y^{−1/2} is symmetric
    p, q = 1, 0
    while True:
        yield p, q
        p, q, p_before, q_before = (q << 1) ^ p_before, p ^ q ^ q_before, p, q


def shared_degree(p: int, q: int, limits: Limits = NEVER) -> int:
    """Return deg gcd(g(x), g(x + 1)) for g = P(z) + x·Q(z), always even."""
    return 2 * degree(gcd(p, q, limits))
