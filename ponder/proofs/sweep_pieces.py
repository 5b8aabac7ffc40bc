"""The pieces of the sweep over a board: numbers modulo M, those that are 0, increments, a cell.

A number N is M literals N_0 … N_{M−1} of which exactly one is true; "N = v" is N_v, and v is taken
modulo M. For M = 2 one variable is enough: N_1 is its positive literal and N_0 its negative, so
"exactly one" holds by itself, and the same clause is never written twice (`Piece`).

    increment  N = B + x       N_v ↔ (x ? B_{v−1} : B_v)                      4·M clauses
    sum        N = B + C       N_{a+c} ∨ ¬B_a ∨ ¬C_c,   ¬N_v ∨ ¬C_c ∨ B_{v−c}    2·M² clauses

Theory §6.6; letters as in `ponder.proofs.double_counting`. Cost: a cell has 2·M³ lemmas.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from ponder.proofs.lemma_templates import Clause, Format, Piece, Template

Number = tuple[int, ...]
"""N_0 … N_{M−1}."""


def width(modulus: int) -> int:
    """Return how many variables a number takes."""
    return 1 if modulus == 2 else modulus


def number(first: int, modulus: int) -> Number:
    """Return the literals of the number whose variables begin at `first`."""
    return (-first, first) if modulus == 2 else tuple(range(first, first + modulus))


def new_number(piece: Piece, modulus: int) -> Number:
    """Return a number of variables of a piece."""
    return number(piece.variables(width(modulus))[0], modulus)


def exactly_one(one: Number) -> list[Clause]:
    """Return the clauses "exactly one": at least one first, then the pairs; none for M = 2."""
    if len(one) == 2:
        return []
    return [one, *((-a, -b) for a, b in combinations(one, 2))]


def increment_clauses(made: Number, base: Number, x: int) -> list[Clause]:
    """Return the definition of N = B + x: up if x, up if not x, down if x, down if not x.

    M of each kind, by v; for M = 2 downwards is the same as upwards, and left out.
    """
    values = range(len(made))
    up: list[Clause] = [(made[v], -x, -base[v - 1]) for v in values]
    up += [(made[v], x, -base[v]) for v in values]
    down: list[Clause] = [(-made[v], -x, base[v - 1]) for v in values]
    down += [(-made[v], x, base[v]) for v in values]
    return up if len(made) == 2 else up + down


def sum_down(made: Number, base: Number, added: Number) -> list[Clause]:
    """Return ¬N_v ∨ ¬C_c ∨ B_{v−c} for N = B + C, by v and then c."""
    every = range(len(made))
    return [(-made[v], -added[c], base[(v - c) % len(made)]) for v in every for c in every]


def sum_up(made: Number, base: Number, added: Number) -> list[Clause]:
    """Return N_{b+c} ∨ ¬B_b ∨ ¬C_c for N = B + C, by b and then c."""
    every = range(len(made))
    return [(made[(b + c) % len(made)], -base[b], -added[c]) for b in every for c in every]


def zero_units(zero: Number) -> list[Clause]:
    """Return the units that say that a number is 0: first "= 0", unless that is all."""
    return list(dict.fromkeys([(zero[0],), *((-x,) for x in zero[1:])]))


@lru_cache(maxsize=64)
def zero_number(modulus: int, form: Format, one: bool) -> Template:
    """A new number that is 0; kept: its units (the first says = 0), with `one` exactly one."""
    piece = Piece()
    piece.given()
    zero = new_number(piece, modulus)
    units = [piece.define(clause) for clause in zero_units(zero)]
    only = [piece.lemma(clause) for clause in exactly_one(zero)] if one else []
    return Template(piece, form, [], units=units, one=only)


@lru_cache(maxsize=64)
def zero_sum(modulus: int, form: Format) -> Template:
    """0 = 0 + 0, for three numbers N, B, C given with their units; kept: `sum_down`."""
    piece = Piece()
    three = [new_number(piece, modulus) for _ in range(3)]
    piece.given(*(unit for zero in three for unit in zero_units(zero)))
    return Template(piece, form, [], down=[piece.lemma(c) for c in sum_down(*three)])


@lru_cache(maxsize=64)
def row_start(modulus: int, form: Format) -> Template:
    """The lemma for column 0: P_0 above, Q_0 and P_0 are 0, given with their units.

    Those of P_0 above go, and those of Q_0 but "Q_0 = 0".
    """
    piece = Piece()
    above, row, here = (new_number(piece, modulus) for _ in range(3))
    given = piece.given(*(unit for zero in (above, row, here) for unit in zero_units(zero)))
    sums = [piece.lemma(clause) for clause in sum_up(here, above, row)]
    units = len(zero_units(above))
    gone = [*range(given, given + units), *range(given + units + 1, given + 2 * units)]
    return Template(piece, form, gone, sums=sums)


@lru_cache(maxsize=64)
def increment(modulus: int, form: Format, one: bool) -> Template:
    """N = B + x; with `one` exactly one of N, from that of B, of which "at least one" stays.

    Kept: the definition, by kind and v, with `one` upwards only; "exactly one".
    """
    piece = Piece()
    (x,) = piece.variables(1)
    base = new_number(piece, modulus)
    given = exactly_one(base) if one else []
    first = piece.given(*given)
    made = new_number(piece, modulus)
    definition = [piece.define(c) for c in increment_clauses(made, base, x)]
    gone = list(range(first + 1, first + len(given)))
    only = piece.by_cases(exactly_one(made) if one else [], x, gone)
    if one:
        definition, down = definition[: 2 * modulus], definition[2 * modulus :]
        gone += down
    return Template(piece, form, gone, definition=definition, one=only)


@lru_cache(maxsize=64)
def free_link(modulus: int, form: Format) -> Template:
    """What N = B + x is by x, for B = 0: kept x ∨ N = 0 and ¬x ∨ N = 1; the unit "B = 0" goes."""
    piece = Piece()
    (x,) = piece.variables(1)
    base, made = new_number(piece, modulus), new_number(piece, modulus)
    piece.given(*increment_clauses(made, base, x)[: 2 * modulus])
    unit = piece.given((base[0],))
    links = [piece.lemma((made[0], x)), piece.lemma((made[1], -x))]
    return Template(piece, form, [unit], links=links)


@lru_cache(maxsize=64)
def cell(modulus: int, form: Format, pressed: bool) -> Template:
    """P_c^r and the lemma for a cell.

    Inputs: P_{c−1}^{r−1}, P_c^{r−1}, P_{c−1}^r, S_c^{r−1}, Q_{c−1}, and where there is a press
    S_c^r, Q_c and x. Given: `sum_down` of P_c^{r−1}; the lemma for c − 1; exactly one of S_c^r;
    pressed: at least one of S_c^{r−1}, the definitions of S_c^r upwards and of Q_c.
    Kept: `sum_down` of P_c^r, the lemma for c.
    """
    piece = Piece()
    left_above, above, left, column, row = (new_number(piece, modulus) for _ in range(5))
    column_now, row_now, x = column, row, 0
    if pressed:
        column_now, row_now = (new_number(piece, modulus) for _ in range(2))
        (x,) = piece.variables(1)
    given = [*sum_down(above, left_above, column), *sum_up(left, left_above, row)]
    first = piece.given(*given)
    only = piece.given(*exactly_one(column_now))
    at_least = counted = only
    if pressed:
        at_least = piece.given(*exactly_one(column)[:1])
        counted = piece.given(*increment_clauses(column_now, column, x)[: 2 * modulus])
        piece.given(*increment_clauses(row_now, row, x))
    last = piece.givens + 1
    here = new_number(piece, modulus)
    up = [piece.define(c) for c in sum_up(here, left, column_now)]  # define P_c^r
    down = [piece.define(c) for c in sum_down(here, left, column_now)]
    names = _CellNames(modulus, first, up, at_least, counted if pressed else 0)
    cases: list[int] = []
    sums = []
    for a in range(modulus):  # the lemma, case by case: P_c^{r−1} = a, Q_c^r = b, S_c^{r−1} = s
        for b in range(modulus):
            claim = (here[(a + b) % modulus], -above[a], -row_now[b])
            without: list[int] = []  # by s, that the claim holds if S_c^{r−1} = s
            for s in range(modulus):
                case = claim if s == modulus - 1 else (*claim, -column[s])
                if pressed:
                    hints = names.chain(a, b, s, 1, without)
                    cases.append(piece.by_hints((*case, -x), hints))
                    hints = [cases[-1], *names.chain(a, b, s, 0, without)]
                else:
                    hints = names.chain(a, b, s, None, without)
                without.append(piece.by_hints(case, hints))
            sums.append(without.pop())
            cases += without
    gone = [*range(first, only), *(range(at_least, last) if pressed else ()), *up, *cases]
    return Template(piece, form, gone, down=down, sums=sums)


@dataclass(frozen=True)
class _CellNames:
    """Where a cell's clauses are; S_c^r's definition upwards is `counted`, then comes Q_c's."""

    modulus: int
    first: int
    up: list[int]
    at_least: int
    counted: int

    def chain(self, a: int, b: int, s: int, x: int | None, without: list[int]) -> list[int]:
        """Return the hints if P_c^{r−1} = a, Q_c = b, S_c^{r−1} = s and the press is x, if any.

        The last s is what is left when the claim was proved `without` the others.
        """
        m, first = self.modulus, self.first
        hints = list(without) if s == m - 1 else []
        if hints and m > 2:
            hints.append(self.at_least)
        hints.append(first + a * m + s)  # P_{c−1}^{r−1} = a − s
        added = x or 0
        if x is not None:
            low = self.counted + (0 if x else m)
            hints.append(low + (s + added) % m)  # S_c^r = s + x
            # Q_{c−1} = b − x; for M = 2 down is up
            hints.append(low + 2 * m + ((b + 1) % m if m == 2 else 2 * m + b))
        p, q = (a - s) % m, (b - added) % m
        hints.append(first + m * m + p * m + q)  # P_{c−1}^r = p + q
        hints.append(self.up[(p + q) % m * m + (s + added) % m])
        return hints
