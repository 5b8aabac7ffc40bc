"""The nullity of a board of any size, without its matrix where the pattern allows.

Idea. A plus board is a path times a path, a torus a ring times a ring: A = X⊗1 + 1⊗(Y + 1). The
kernel of such a sum has the dimension Σ deg gcd(p_i(x), q_j(x + 1)) over the invariant factors
p_i of X and q_j of Y (`polynomials`). King boards are products, A = P⊗Q, and row/column boards have
a kernel that one sees. Other patterns are eliminated. Squares of plus boards and tori up to N need
one gcd of the degree b/4 for each odd b ≤ N + 1 (`squares`): with n + 1 = 2^e·b, or n = 2^e·b on a
torus, b odd, c = (b − 1)/2, all hangs on G = deg gcd(g_c(x), g_c(x + 1)).

Reference: theory §1.5, §8.4; Sutner 1989; Hunziker, Machiavelo, Park 2004.

Cost: one size O((m + n)²/64); the squares to N O(N³/2000): 0.7 s to 10⁴, 5 min to 10⁵.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from ponder.find.linear.press_sets import kernel
from ponder.lights_out import polynomials
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
            return _plus(size, limits)
        case "torus-plus":
            return _torus_plus(size, limits)
        case "king" | "torus-king":  # A = P ⊗ Q, of the ranks of the two lines
            line = _king_path if pattern == "king" else _king_ring
            return rows * columns - (rows - line(rows)) * (columns - line(columns))
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

    For plus boards and their tori `polynomials.halves` gives one gcd for each odd b ≤ top + 1.
    """
    checked((1, max(1, top)))
    if pattern not in ("plus", "torus-plus"):
        for n in range(1, top + 1):
            limits.check()
            yield nullity_of(pattern, (n, n), limits)
        return
    halves = polynomials.halves()
    shared: list[int] = []  # G for b = 1, 3, 5, …
    for n in range(1, top + 1):
        limits.check()
        longer = n + (pattern == "plus")
        while len(shared) <= longer // _twos(longer) // 2:
            shared.append(polynomials.shared_degree(*next(halves), limits))
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


def _king_path(length: int) -> int:
    return int(length % 3 == 2)


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


def _shared(odd: int, limits: Limits) -> int:
    """Return G for an odd b."""
    p, q = next(islice(polynomials.halves(), odd // 2, None))
    return polynomials.shared_degree(p, q, limits)


def _plus(size: Size, limits: Limits) -> int:
    rows, columns = size
    if rows == columns:
        return _square_plus(rows + 1, _shared((rows + 1) // _twos(rows + 1), limits))
    down = polynomials.paths(rows, limits)
    right = polynomials.shifted(polynomials.paths(columns, limits))
    return polynomials.degree(polynomials.gcd(down, right, limits))


def _torus_plus(size: Size, limits: Limits) -> int:
    rows, columns = size
    if rows == columns and rows > 2:
        return _square_torus(rows, _shared(rows // _twos(rows), limits))
    down = polynomials.ring(rows)
    right = [polynomials.shifted(factor) for factor in polynomials.ring(columns)]
    return sum(
        polynomials.degree(polynomials.gcd(p, q, limits)) for p in down for q in right
    )  # a factor 1 shares nothing
