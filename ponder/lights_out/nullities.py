"""The nullity of a board of any size, without its matrix where the pattern allows.

Idea. A plus board is a path times a path, a torus a ring times a ring: A = X⊗1 + 1⊗(Y + 1). The
kernel of such a sum has the dimension Σ deg gcd(p_i(x), q_j(x + 1)) over the invariant factors
p_i of X and q_j of Y (`paths`, `ring`). King boards are products, A = P⊗Q, and row/column boards
have a kernel that one sees. Other patterns are eliminated. Squares of plus boards and tori up to N
need one gcd of the degree b/4 for each odd b ≤ N + 1 (`squares`): with n + 1 = 2^e·b, or n = 2^e·b
on a torus, b odd, c = (b − 1)/2, all hangs on G = deg gcd(g_c(x), g_c(x + 1)).

A polynomial is a Python integer: bit i is the coefficient of x^i. x stands for the adjacency matrix
of a path of k bulbs or a ring, and with y a formal root, x = y + 1/y:

    f_k = (y^{k+1} + y^{−k−1}) / (y + 1/y)     the path of k bulbs       f_{k+1} = x f_k + f_{k−1}
                                               f_{2k} = f_k² + f_{k−1}²,  f_{2k+1} = x·f_k²
    g_c = Σ_{i=−c}^{c} y^i = f_c + f_{c−1}     f_{2c} = g_c²             g_{c+1} = x g_c + g_{c−1}

Halves. With z = x² + x, which x → x + 1 leaves alone, g = P(z) + x·Q(z), and gcd(g(x), g(x + 1)) =
gcd(P(z), Q(z)): two polynomials of half the degree.

Reference: theory §1.5, §8.4; Sutner 1989; Hunziker, Machiavelo, Park 2004.

Cost: one size O((m + n)²/64); a gcd of degree k O(k²/64), 3 ms at degree 10⁴; the squares to N
O(N³/2000): 0.7 s to 10⁴, 5 min to 10⁵.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ponder.find.linear.press_sets import kernel
from ponder.model.board import MOST_BULBS
from ponder.model.graph import Graph
from ponder.model.wired_graph import board_graph
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits

LARGEST = 10**7  # sides of a board up to which polynomials are formed

Size = tuple[int, int]


def nullity_of(pattern: str, size: Size, limits: Limits = NEVER) -> int:
    """Return the nullity of the full board of a pattern and a size, rows × columns.

    Raises PonderError for a pattern or size that there is not. Raises TimeUp.

    >>> nullity_of("plus", (23, 23)), nullity_of("plus", (4, 6)), nullity_of("torus-plus", (5, 5))
    (14, 0, 8)
    >>> nullity_of("king", (5, 6)), nullity_of("torus-king", (3, 3)), nullity_of("cross", (5, 5))
    (6, 8, 8)
    """
    rows, columns = checked(size)
    match pattern:
        case "plus":
            return degree(gcd(paths(rows, limits), shifted(paths(columns, limits)), limits))
        case "torus-plus":
            factors = [shifted(factor) for factor in ring(columns)]
            return sum(degree(gcd(p, q, limits)) for p in ring(rows) for q in factors)
        case "king" | "torus-king":  # A = P ⊗ Q, of the ranks of the two lines
            down, right = (
                int(side % 3 == 2) if pattern == "king" else _king_ring(side) for side in size
            )
            return rows * columns - (rows - down) * (columns - right)
        case "cross":  # {s_ij = r_i + c_j : the r_i and c_j are the sums of their lines} (§1.2)
            return (rows - 1) * (columns % 2) + (columns - 1) * (rows % 2)
    return kernel(full_graph(pattern, size), limits).nullity


def checked(size: Size) -> Size:
    """Return the size. Raises PonderError for one that is out of bounds."""
    if min(size) < 1:
        raise PonderError("a board has at least one row and one column")
    if max(size) > LARGEST:
        raise PonderError(f"a side of {max(size)} is too long; at most {LARGEST}")
    return size


def squares(pattern: str, top: int, limits: Limits = NEVER) -> Iterator[int]:
    """Yield the nullities of n × n for n = 1, …, top. Raises PonderError or TimeUp.

    For plus boards and their tori `halves` gives one gcd for each odd b ≤ top + 1.
    """
    checked((1, max(1, top)))
    if pattern not in ("plus", "torus-plus"):
        for n in range(1, top + 1):
            limits.check()
            yield nullity_of(pattern, (n, n), limits)
        return
    pairs = halves()
    shared: list[int] = []  # G for b = 1, 3, 5, …
    for n in range(1, top + 1):
        limits.check()
        longer = n + (pattern == "plus")
        while len(shared) <= longer // _twos(longer) // 2:
            shared.append(shared_degree(*next(pairs), limits))
        square: Callable[[int, int], int] = _square_plus if longer > n else _square_torus
        yield square(longer, shared[longer // _twos(longer) // 2])


def full_graph(pattern: str, size: Size) -> Graph:
    """Return a pattern's full board. Raises PonderError if there is none, or it is too large."""
    rows, columns = checked(size)
    if rows * columns > MOST_BULBS:
        raise PonderError(f"{rows} × {columns} bulbs are too many to eliminate")
    try:
        return board_graph(pattern, size)
    except ValueError as reason:
        raise PonderError(str(reason)) from None


def _king_ring(length: int) -> int:
    """Of a ring plus 1: y² + y + 1 divides y^n + 1 iff 3 divides n."""
    return 1 if length == 2 else 2 * (length % 3 == 0)


def _twos(number: int) -> int:
    """Return 2^e for number = 2^e·b with b odd."""
    return number & -number


def _square_plus(longer: int, shared: int) -> int:
    """Return the nullity of n × n, 2^{e+1}·G + 2·(2^e − 1)·[3 | b], from longer = n + 1 and G."""
    power = _twos(longer)
    return 2 * power * shared + 2 * (power - 1) * (longer % 3 == 0)


def _square_torus(side: int, shared: int) -> int:
    """Return the nullity of the n × n torus, n ≥ 3: 2^{e+2}·(G + [3 | b]), from n and G."""
    return 4 * _twos(side) * (shared + (side % 3 == 0))


# --------------------------------------------------------------------------------- polynomials


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

    By doubling, over GF(2): O(top), as squares only spread the digits. Its matrix plus 1 is
    singular iff x + 1 divides it, so for two bulbs more than a multiple of 3.

    >>> [bin(paths(k)) for k in range(4)]
    ['0b1', '0b10', '0b101', '0b1000']
    """
    before, now = 0, 1  # f_{k−1} and f_k, with k the digits of `top` that were read
    for digit in bin(top)[2:]:
        limits.check()
        smaller, square = spread(before, 1), spread(now, 1)
        before, now = smaller << 1, smaller ^ square  # f_{2k−1} and f_{2k}
        if digit == "1":
            before, now = now, square << 1  # f_{2k} and f_{2k+1}
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
