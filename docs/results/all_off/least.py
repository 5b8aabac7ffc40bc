"""The fewest presses from all off to all on, n×n plus boards: numpy alone, no file of ponder.

    python least.py 39 61 65 79

For each n it goes through all press sets, finds the least number of presses and all press sets that
have it, checks each of these on the board, and compares them with all_off.csv.

Idea. Let S be the press sets, base + span of d quiet patterns. Take the bulbs in four *parts*, by
even and odd rows and columns. On a part P the presses depend on r_P < d bits, and the weights of
all 2^{r_P} forms are known by a Walsh-Hadamard transform. Let parts P and Q together fix a press
set, r_P + r_Q = d, and R and S as well. The *slack* of a form is what it has above the least weight
of its part. A press set of s presses more than the four least weights has a slack of t at most on P
and Q together, or of s − 1 − t at most on R and S. So all press sets of at most `least + s` presses
are found in two joins: of pairs of forms whose slacks add up to so little, each weighed on the
other two parts. s grows until there is one. This is a proof: a press set that is lighter would be
among the pairs.

Letters: n side, d nullity, r rank of a part, s and t as above.
Cost: 6 ns a form, and some 0.1 µs a pair. Memory: 1.5 GB for n = 79.
"""

from __future__ import annotations

import csv
import resource
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np

MOST_LIGHT = 1 << 24  # forms of a part that are listed, the lightest
DIGITS = 20  # of a block of the transform
FIRST_PAIRS = 1 << 16  # pairs before a press set is found; then twice as many, and so on


# ---------------------------------------------------------------------------------- press sets


def press_sets(n):
    """Return one press set and a basis of the quiet patterns, (n²,) and (d, n²), by light chasing.

    Presses of a row follow from the two rows above it. Every press is an affine function of those
    of the first row: a number whose bit k is set if press k of it counts, bit n for the constant.
    """
    above, row = [0] * n, [1 << k for k in range(n)]
    cells = []
    for _ in range(n):
        cells += row
        near = [
            above[c] ^ row[c] ^ (row[c - 1] if c else 0) ^ (row[c + 1] if c < n - 1 else 0)
            for c in range(n)
        ]
        above, row = row, [x ^ 1 << n for x in near]  # each bulb is to be lit
    pivots = {}  # equations "row n + 1 presses nothing", by their pivot, reduced
    for equation in row:
        for pivot, other in pivots.items():
            if equation >> pivot & 1:
                equation ^= other
        unknown = equation & ((1 << n) - 1)
        if not unknown:
            assert equation == 0, "from all off all on can be reached: a theorem"
            continue
        pivot = unknown.bit_length() - 1
        for key in pivots:
            if pivots[key] >> pivot & 1:
                pivots[key] ^= equation
        pivots[pivot] = equation
    free = [k for k in range(n) if k not in pivots]

    def solution(chosen, constant):
        bits = constant << n
        for k in chosen:
            bits |= 1 << k
        for pivot, equation in pivots.items():
            if (equation & ~(1 << pivot) & bits).bit_count() & 1:
                bits |= 1 << pivot
        return np.array([(cell & bits).bit_count() & 1 for cell in cells], dtype=bool)

    basis = [solution([k], 0) for k in free]
    return solution([], 1), np.array(basis, dtype=bool).reshape(len(free), n * n)


def lit_by(presses, n):
    """Return what presses light on a board that is all off."""
    grid = np.zeros((n + 2, n + 2), dtype=bool)
    grid[1:-1, 1:-1] = presses.reshape(n, n)
    lit = grid[1:-1, 1:-1] ^ grid[:-2, 1:-1] ^ grid[2:, 1:-1] ^ grid[1:-1, :-2] ^ grid[1:-1, 2:]
    return lit.ravel()


# ---------------------------------------------------------------------------------- linear algebra


def columns_of(basis):
    """Return for each bulb the patterns that contain it, as a number."""
    packed = np.packbits(basis, axis=0, bitorder="little").T
    return [int.from_bytes(column.tobytes(), "little") for column in packed]


def independent(bulbs, columns):
    """Return the first of some bulbs whose columns are independent."""
    pivots, chosen = {}, []
    for bulb in bulbs:
        rest = columns[bulb]
        while rest and rest.bit_length() in pivots:
            rest ^= pivots[rest.bit_length()]
        if rest:
            pivots[rest.bit_length()] = rest
            chosen.append(bulb)
    return chosen


def dual(basis, pivots):
    """Return the basis of the same span whose row i has a 1 at pivot i and 0 at the others."""
    rows = np.concatenate([basis[:, pivots], basis], axis=1)
    for i in range(len(pivots)):
        at = i + int(np.argmax(rows[i:, i]))
        rows[[i, at]] = rows[[at, i]]
        rows[np.flatnonzero(rows[:, i] & (np.arange(len(rows)) != i))] ^= rows[i]
    return rows[:, len(pivots) :]


# ---------------------------------------------------------------------------------- lists of parts


def transformed(table):
    """Return the Walsh-Hadamard transform of a table, read row by row (Pease 1968)."""
    for _ in range(2):
        count = len(table)
        for _ in range(count.bit_length() - 1):
            upper, lower = table[: count // 2], table[count // 2 :]
            paired = np.empty((count // 2, 2, table.shape[1]), dtype=table.dtype)
            np.add(upper, lower, out=paired[:, 0])
            np.subtract(upper, lower, out=paired[:, 1])
            table = paired.reshape(count, -1)
        table = np.ascontiguousarray(table.T)
    return table


def weight_blocks(base, basis):
    """Yield the weights of base + Σ x_i·basis_i in blocks, with the x of the first."""
    d = len(basis)
    digits = min(d, DIGITS)
    columns = np.zeros(base.size, dtype=np.int64)
    for i, vector in enumerate(basis):
        columns |= vector.astype(np.int64) << i
    inner, outer = columns & ((1 << digits) - 1), columns >> digits
    for block in range(1 << (d - digits)):
        odd = base ^ (np.bitwise_count(outer & block) & 1).astype(bool)
        signed = np.bincount(inner, 1 - 2.0 * odd, 1 << digits)
        table = signed.astype(np.int16).reshape(1 << (digits - digits // 2), -1)
        yield block << digits, (base.size - transformed(table).ravel()) >> 1


def lightest_forms(base, basis):
    """Return (bound, forms, weights): all forms lighter than a bound, the lightest first."""
    bound = base.size + 1
    forms, weights, held = [], [], 0
    for first, block in weight_blocks(base, basis):
        light = np.flatnonzero(block < bound)
        forms.append(first + light)
        weights.append(block[light])
        held += light.size
        if held > 2 * MOST_LIGHT:
            bound, forms, weights = cut(forms, weights, bound)
            held = forms[0].size
    bound, (forms,), (weights,) = cut(forms, weights, bound)
    order = np.argsort(weights, kind="stable")
    return bound, forms[order], weights[order]


def cut(forms, weights, bound):
    """Lower the bound until at most MOST_LIGHT forms are below it."""
    forms, weights = np.concatenate(forms), np.concatenate(weights)
    lighter = np.cumsum(np.bincount(weights, minlength=bound))
    bound = int(np.searchsorted(lighter, MOST_LIGHT, side="right"))
    kept = weights < bound
    return bound, [forms[kept]], [weights[kept]]


# ---------------------------------------------------------------------------------- joins


def words(bits):
    """Return bits in words of 64: (m, n) -> (m, n/64)."""
    filled = np.zeros((len(bits), -(-bits.shape[1] // 64) * 64), dtype=bool)
    filled[:, : bits.shape[1]] = bits
    return np.packbits(filled, axis=1).view(np.uint64)


def tables(vectors):
    """Return the sums of each eight vectors, words first: (r, w) -> (r/8, w, 256)."""
    padded = np.pad(vectors, ((0, -len(vectors) % 8), (0, 0)))
    eights = padded.reshape(len(padded) // 8, 8, padded.shape[1])
    sums = np.zeros((len(eights), eights.shape[2], 1), dtype=np.uint64)
    for i in range(8):
        sums = np.concatenate([sums, sums ^ eights[:, i, :, None]], axis=2)
    return sums


def combined(sums, forms):
    """Return the sums that the bits of forms choose: (w, m)."""
    chosen = np.zeros((sums.shape[1], forms.size), dtype=np.uint64)
    for i, table in enumerate(sums):
        chosen ^= table[:, forms >> 8 * i & 255]
    return chosen


class Join:
    """Two parts that fix the press sets: their lists, and what their forms press elsewhere."""

    def __init__(self, side, other, base, basis):
        (one, two), pivots = side, side[0][1] + side[1][1]
        rows = dual(basis, pivots)
        first = len(one[1])
        self.base, self.vectors = base, (rows[:first], rows[first:])  # each vanishes on the other
        self.lists = [
            lightest_forms(base[part[0]], own[:, part[0]])
            for part, own in zip(side, self.vectors, strict=True)
        ]
        self.minima = [int(weights[0]) for _, _, weights in self.lists]
        third = other[0][0]
        rest = np.concatenate([third, one[0], two[0]])
        self.outside = [
            (words(base[None, bulbs]), *(tables(words(v[:, bulbs])) for v in self.vectors))
            for bulbs in (third, np.delete(np.arange(base.size), rest))
        ]
        known = min(bound - least for (bound, _, _), least in zip(self.lists, self.minima))
        counts = [
            np.bincount(weights[weights < least + known] - least, minlength=known)
            for (_, _, weights), least in zip(self.lists, self.minima)
        ]
        self.pairs = np.append(0, np.cumsum(np.convolve(*counts)[:known]))  # of a slack below i

    def up_to(self, which, slack):
        """Return how many forms of a list have at most such a slack."""
        _, _, weights = self.lists[which]
        return int(np.searchsorted(weights, self.minima[which] + slack, side="right"))

    def search(self, slack, last, best):
        """Weigh all pairs of at most such a slack; `last`: least presses on the last part."""
        for spent in range(slack + 1):
            firsts, end = self.up_to(0, slack - spent), self.up_to(1, spent)
            for start in range(self.up_to(1, spent - 1), end, 1 << 9):
                seconds = np.arange(start, min(start + (1 << 9), end))
                step = (1 << 14) // seconds.size
                for at in range(0, firsts, step):
                    self.weigh((np.arange(at, min(at + step, firsts)), seconds), last, best)

    def weigh(self, block, last, best):
        """Weigh pairs of a block of both lists: on one more part, then the few that are left."""
        forms = [forms[places] for (_, forms, _), places in zip(self.lists, block)]
        own = [
            weights[places].astype(np.int32) for (_, _, weights), places in zip(self.lists, block)
        ]
        total = own[0][:, None] + own[1]
        base, *sums = self.outside[0]
        here, there = (combined(*both) for both in zip(sums, forms))
        for one, two in zip(here ^ base.T, there):
            total += np.bitwise_count(one[:, None] ^ two)
        left = np.nonzero(total <= best.weight - last)
        if not left[0].size:
            return
        total = total[left]
        base, *sums = self.outside[1]
        here, there = (combined(*both) for both in zip(sums, forms))
        for one, two in zip(here ^ base.T, there):
            total += np.bitwise_count(one[left[0]] ^ two[left[1]])
        for at in np.flatnonzero(total <= best.weight):
            presses = self.base.copy()
            for vectors, number, place in zip(self.vectors, forms, left):
                chosen = int(number[place[at]]) >> np.arange(len(vectors)) & 1
                presses ^= np.bitwise_xor.reduce(vectors[chosen == 1], axis=0)
            best.add(presses)


class Best:
    """The lightest press sets so far, of at most so many presses."""

    def __init__(self, weight):
        self.weight, self.members = weight, set()

    def add(self, presses):
        """Keep a press set if none is lighter."""
        weight = int(np.count_nonzero(presses))
        if weight < self.weight:
            self.weight, self.members = weight, set()
        if weight == self.weight:
            self.members.add(presses.tobytes())


def two_sides(n, basis):
    """Return two pairs of parts, each of which fixes the press sets, of small ranks."""
    rows, columns = np.divmod(np.arange(n * n), n)
    names = columns_of(basis)
    parts = []
    for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
        bulbs = np.flatnonzero((rows % 2 == a) & (columns % 2 == b))
        parts.append((bulbs, independent(bulbs.tolist(), names)))

    def fixes(i, j):
        both = parts[i][1] + parts[j][1]
        return len(both) == len(basis) == len(independent(both, names))

    pairs = [pair for pair in combinations(range(4), 2) if fixes(*pair)]
    choices = [(p, q) for p, q in combinations(pairs, 2) if not {*p} & {*q}]
    one, two = min(choices, key=lambda c: sum(1 << len(parts[i][1]) for p in c for i in p))
    return [parts[i] for i in one], [parts[i] for i in two]


def least(n):
    """Return the least number of presses, and all press sets that have it."""
    base, basis = press_sets(n)
    one, two = two_sides(n, basis)
    joins = [Join(one, two, base, basis), Join(two, one, base, basis)]
    floor = sum(sum(join.minima) for join in joins)
    ranks = [len(part[1]) for part in (*one, *two)]
    print(f"n = {n}: nullity {len(basis)}, ranks {ranks}, least weights", end=" ")
    print(f"{' + '.join(str(x) for join in joins for x in join.minima)} = {floor}", flush=True)
    slack, most = 0, FIRST_PAIRS
    while True:
        while (following := shared(joins, slack + 1))[0] <= most:
            slack += 1
        pairs, shares = shared(joins, slack) if slack else following
        if not slack:
            slack, (pairs, shares) = 1, following
        best = Best(floor + slack)
        for join, share, other in zip(joins, shares, joins[::-1], strict=True):
            join.search(share, other.minima[1], best)
        print(f"  {pairs:,} pairs: all press sets of at most {floor + slack} presses", flush=True)
        if best.members:
            return best.weight, [np.frombuffer(x, dtype=bool) for x in best.members]
        slack, most = slack + 1, 2 * max(pairs, most)


def shared(joins, slack):
    """Return how to share a slack so that the joins have the fewest pairs, and how many."""
    beyond = np.full(slack + 2, 1 << 60)  # pairs to which the lists do not go
    one, two = (np.append(join.pairs, beyond) for join in joins)
    costs = one[: slack + 2] + two[slack + 1 :: -1]
    at = int(np.argmin(costs))
    if costs[at] >= 1 << 60:
        sys.exit("the lists are too short")
    return int(costs[at]), (at - 1, slack - at)


def main():
    """Find, check, compare and tell."""
    with (Path(__file__).parent / "all_off.csv").open(encoding="utf-8") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        table = {int(line["n"]): line for line in lines}
    for n in map(int, sys.argv[1:]):
        start = time.process_time()
        weight, members = least(n)
        for presses in members:
            assert lit_by(presses, n).all(), "a press set leaves a bulb off"
            assert np.count_nonzero(presses) == weight
        published = int(table[n]["press_set"], 16)
        numbers = {int("".join("01"[int(bit)] for bit in presses), 2) for presses in members}
        same = weight == int(table[n]["presses"]) and len(members) == int(table[n]["press_sets"])
        same = same and published in numbers
        assert same, "all_off.csv says something else"
        seconds = time.process_time() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"  {weight} presses, {len(members)} press sets, as in all_off.csv;", end=" ")
        print(f"{seconds:.1f} s of CPU, {memory:.1f} GB", flush=True)


if __name__ == "__main__":
    main()
