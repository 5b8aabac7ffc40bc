"""A whole coset in blocks: the weight of every press set, of which only the light ones are kept.

Idea (theory §7.10). Member x of s₀ + ker A presses (n − W(x))/2 bulbs, where W is the
Walsh-Hadamard transform of F(τ) = Σ_{v of type τ} (−1)^s₀(v). Its coordinates are cut in three,
x = (block, column, row), τ likewise, and one block, a table of 2^12 rows and 2^11 columns, is
transformed at a time. *Fixing the block* multiplies F by (−1)^⟨block, τ_b⟩. *The columns* need no
transform: row τ_r gets ± the Walsh function of τ_c for each nonzero value of F. *The rows* take two
passes of six levels over pieces that stay in the cache; of each piece of the second pass the light
members are picked. Blocks are shared among as many threads as there are processors; the thread that
asks waits, and hears limits and Ctrl-C.

Letters: s₀, d, x, τ, W as in `coset`; n bulbs.
Cost: 2.5 ns a member (2^24 in 0.04 s, 2^32 in 11 s, of one processor), 10 MB for each thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import erfc, sqrt
from threading import Event, Lock

import numpy as np
from numpy.typing import NDArray

from ponder.find.search.context import Progress, silent
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.machine import cores
from ponder.system.types import Ints, indices

MOST_NULLITY = 62  # a member's number and its weight share 64 bits
SECONDS = 2.5e-9  # for each member, on one processor
_ROWS, _COLUMNS = 12, 11  # binary digits of the row and the column
_GUESSED = 24  # in larger cosets a first bound is guessed: sorting what it leaves out takes longer
_LISTENING = 0.05  # seconds between two looks at the clock while threads compute
_SMALLEST = 1 << 30  # no bound on a weight

Table = NDArray[np.signedinteger]


@dataclass(frozen=True, eq=False)
class CosetTransform:
    """The n = `size` bulbs of a coset by their `types`, which differ, and their F, `sums`."""

    types: Ints
    sums: Ints
    nullity: int
    size: int

    @classmethod
    def of(cls, of_bulbs: Ints, pressed: NDArray[np.bool_], nullity: int) -> CosetTransform:
        """Return the transform for the type of every bulb and a press set. Both (n,)."""
        if nullity + int(pressed.size).bit_length() > MOST_NULLITY:
            raise ValueError(f"2^{nullity} press sets cannot be numbered")
        different, place = np.unique(of_bulbs, return_inverse=True)
        signs = np.where(pressed, -1.0, 1.0)
        sums = np.bincount(indices(place), weights=signs, minlength=different.size).astype(np.int64)
        kept = sums != 0
        return cls(different[kept], sums[kept], nullity, int(pressed.size))

    # ------------------------------------------------------------------------------ what is asked

    def lightest(
        self, keep: int = 1, limits: Limits = NEVER, progress: Progress = silent
    ) -> Lightest:
        """Return the least weight, how many members have it, and the first of them by number.

        When time is up, and on KeyboardInterrupt, it covers the blocks so far; `complete` says so.
        """
        found = Lightest(_SMALLEST, 0, np.empty(0, dtype=np.int64), complete=False)
        lock = Lock()

        def light(piece: _Piece) -> None:
            nonlocal found
            weight = (self.size - int(piece.values.max())) >> 1
            if weight <= found.weight:
                chosen = np.flatnonzero(piece.values == self.size - 2 * weight)
                members = piece.members(chosen)
                with lock:
                    found = found.with_more(weight, members, keep)

        def say(share: str) -> None:
            progress(f"{share}: the lightest has {found.weight} presses")

        with suppress(KeyboardInterrupt, TimeUp):
            self._over_pieces(light, limits, say)
            return replace(found, complete=True)
        return found

    def lighter(
        self,
        bound: int,
        most: int,
        limits: Limits = NEVER,
        progress: Progress = silent,
        least: int = 0,
    ) -> Lighter:
        """Return all members of `least` presses to fewer than `bound`, the lightest first.

        Where they are more than `most`, the bound is lowered until they are not; in large cosets
        it starts where about `most` are expected, and that may leave fewer. Raises TimeUp.
        """

        def pick(piece: _Piece) -> None:
            low = self.size - 2 * shelf.bound + 2  # the parity of W is that of n
            if int(piece.values.max()) >= low:
                light = piece.values >= low
                if least:
                    light &= piece.values <= self.size - 2 * least
                chosen = np.flatnonzero(light)
                values = piece.values.flat[chosen].astype(np.int64)  # n may be more than 16 bits
                shelf.add(piece.members(chosen), (self.size - values) >> 1)

        below = min(bound, self.size + 1)
        first = self.expected(least, most) if self.nullity > _GUESSED else below
        for start in (first, below):
            shelf = _Shelf(self.nullity, min(start, below), most)
            self._over_pieces(pick, limits, progress)
            found = shelf.result()
            if found.bound == below or found.members.size >= most // 8:
                break
        return found

    def expected(self, least: int, most: int) -> int:
        """Return a weight below which about `most` members lie that have at least `least`.

        By the normal distribution with their mean and variance: Σ F(τ)² over τ ≠ 0, over 4.
        """
        others = self.types != 0
        mean = (self.size - int(self.sums[~others].sum())) / 2
        spread = max(1e-9, sqrt(float((self.sums[others] ** 2).sum()) / 2))

        def share(weight: int) -> float:
            return erfc((mean - weight) / spread) / 2

        enough, weight = share(least) + most / 2.0**self.nullity, max(0, least)
        while weight <= self.size and share(weight) < enough:
            weight += 1
        return max(weight + 1, least + 2)  # weights may all have one parity

    # -------------------------------------------------------------------------------- the blocks

    def _over_pieces(
        self, visit: Callable[[_Piece], None], limits: Limits, progress: Progress
    ) -> None:
        """Visit the pieces of all blocks. Raises TimeUp, and whatever a thread raises."""
        layout = _Layout.of(self)
        blocks = 1 << layout.block
        workers = min(cores(), blocks)

        def say(done: int) -> None:
            if done < blocks:
                progress(f"2^{self.nullity} press sets, {done / blocks:.0%} looked at")

        if workers == 1:
            scratch = _Scratch(layout)
            for block in range(blocks):
                for piece in scratch.pieces(block):
                    limits.check()
                    visit(piece)
                say(block + 1)
            return
        todo = iter(range(blocks))
        stop, lock = Event(), Lock()
        done = 0

        def work() -> None:
            nonlocal done
            scratch = _Scratch(layout)
            while True:
                with lock:
                    block = next(todo, None)
                if block is None:
                    return
                for piece in scratch.pieces(block):
                    if stop.is_set():
                        return
                    visit(piece)
                with lock:
                    done += 1

        with ThreadPoolExecutor(workers, "transform") as pool:
            threads: set[Future[None]] = {pool.submit(work) for _ in range(workers)}
            said = 0
            try:
                while threads:
                    limits.check()
                    ended, threads = wait(threads, _LISTENING)
                    for thread in ended:
                        thread.result()
                    if said < 100 * done // blocks:
                        said = 100 * done // blocks
                        say(done)
            finally:
                stop.set()


def estimated(nullity: int) -> float:
    """Return about how many seconds all 2^nullity weights take on this machine."""
    return SECONDS * 2.0 ** min(nullity, 1000) / cores()


@dataclass(frozen=True, eq=False)
class Lightest:
    """The least weight in a coset, how many members have it, and the first of them by number."""

    weight: int
    count: int
    members: Ints
    complete: bool

    def with_more(self, weight: int, members: Ints, keep: int) -> Lightest:
        """Return this with other members: of the lightest the first are kept."""
        if weight > self.weight:
            return self
        before = self if weight == self.weight else Lightest(weight, 0, members[:0], False)
        kept = np.sort(np.concatenate([before.members, members]))[:keep]
        return Lightest(weight, before.count + members.size, kept, False)


@dataclass(frozen=True, eq=False)
class Lighter:
    """All members of weight below `bound`: numbers and weights, the lightest first."""

    bound: int
    members: Ints
    weights: Ints


def lightest_first(members: Ints, weights: Ints, nullity: int) -> tuple[Ints, Ints]:
    """Return members and weights sorted, those of equal weight by number: in one key of 62 bits."""
    keys = np.sort(weights << nullity | members)
    return keys & ((1 << nullity) - 1), keys >> nullity


@dataclass
class _Shelf:
    """Light members on their way: when they are too many, the bound sinks."""

    nullity: int
    bound: int
    most: int
    members: list[Ints] = field(default_factory=list)
    weights: list[Ints] = field(default_factory=list)
    held: int = 0
    lock: Lock = field(default_factory=Lock)

    def add(self, members: Ints, weights: Table) -> None:
        """Keep members, and lower the bound where they are twice too many."""
        with self.lock:
            self.members.append(members)
            self.weights.append(weights.astype(np.int64))
            self.held += members.size
            if self.held > 2 * self.most:
                self._settle()

    def _settle(self) -> tuple[Ints, Ints]:
        """Sort all members, and drop the heaviest until they are few enough."""
        members = np.concatenate([*self.members, np.empty(0, dtype=np.int64)])
        weights = np.concatenate([*self.weights, np.empty(0, dtype=np.int64)])
        members, weights = lightest_first(members, weights, self.nullity)
        if members.size > self.most:
            self.bound = min(self.bound, int(weights[self.most]))
        kept = int(np.searchsorted(weights, self.bound))
        members, weights = members[:kept], weights[:kept]
        self.members, self.weights, self.held = [members], [weights], kept
        return members, weights

    def result(self) -> Lighter:
        members, weights = self._settle()
        return Lighter(self.bound, members, weights)


@dataclass(frozen=True, eq=False)
class _Layout:
    """How the coordinates are cut, and where in the table each type lies.

    `rows` and `columns` are places, one for each of the `points`; `points` names the point of
    each type; `rounds` are points with rows of their own, so that one gather adds them all.
    """

    transform: CosetTransform
    block: int
    column: int
    row: int
    points: Ints
    rows: Ints
    columns: Ints
    rounds: list[Ints]
    walsh: Table

    @classmethod
    def of(cls, transform: CosetTransform) -> _Layout:
        d = transform.nullity
        column = min(_COLUMNS, d // 2)
        row = min(_ROWS, d - column)
        inner, points = np.unique(
            transform.types & ((1 << (row + column)) - 1), return_inverse=True
        )
        rows = inner & ((1 << row) - 1)
        order = np.argsort(rows, kind="stable")
        first = np.searchsorted(rows[order], rows[order])
        turn = np.empty(rows.size, dtype=np.int64)
        turn[order] = np.arange(rows.size) - first
        rounds = [np.flatnonzero(turn == k) for k in range(int(turn.max(initial=-1)) + 1)]
        wide = int(np.abs(transform.sums).sum()) > np.iinfo(np.int16).max
        walsh = np.ones((1, 1), dtype=np.int32 if wide else np.int16)
        for _ in range(column):
            walsh = np.block([[walsh, walsh], [walsh, -walsh]])
        return cls(
            transform, d - row - column, column, row, points, rows, inner >> row, rounds, walsh
        )


class _Scratch:
    """The memory of one thread, in which it transforms blocks."""

    def __init__(self, layout: _Layout) -> None:
        self.layout = layout
        self.low = layout.row // 2  # digits of the row that the first pass takes
        self.high = layout.row - self.low
        width, kind = 1 << layout.column, layout.walsh.dtype
        self._table = np.zeros((1 << self.high, 1 << self.low, width), dtype=kind)
        self._one, self._two = (np.empty((1 << self.high, width), dtype=kind) for _ in range(2))

    def pieces(self, block: int) -> Iterator[_Piece]:
        """Transform one block, and yield the values piece by piece; each is soon overwritten."""
        self._fill(block)
        for piece in self._table:
            self._transformed(piece, piece)
        layout = self.layout
        first = block << (layout.column + layout.row)
        for low in range(1 << self.low):
            values = self._transformed(self._table[:, low], None)
            yield _Piece(values, first, low, self.low, layout.row)

    def _fill(self, block: int) -> None:
        """Put F with the signs of the block into the table, its columns transformed already."""
        layout = self.layout
        transform = layout.transform
        above = (transform.types >> (layout.row + layout.column)) & block
        signs = 1 - 2 * (np.bitwise_count(above) & 1).astype(np.int64)
        sums = np.bincount(
            indices(layout.points), weights=signs * transform.sums, minlength=layout.rows.size
        ).astype(layout.walsh.dtype)
        table = self._table.reshape(1 << layout.row, -1)
        table.fill(0)
        for points in layout.rounds:
            table[layout.rows[points]] += layout.walsh[layout.columns[points]] * sums[points, None]

    def _transformed(self, source: Table, target: Table | None) -> Table:
        """Transform the first axis of an array of rows; into `target`, if there is one."""
        count = len(source)
        step, one, two = 1, self._one[:count], self._two[:count]
        if count == 1:
            return source
        while step < count:
            last = 2 * step == count and target is not None
            out = target if last and target is not None and step > 1 else one
            pairs = source.reshape(count // (2 * step), 2, step, -1)
            sums = out.reshape(pairs.shape)
            np.add(pairs[:, 0], pairs[:, 1], out=sums[:, 0])
            np.subtract(pairs[:, 0], pairs[:, 1], out=sums[:, 1])
            source, one, two = out, two, one
            step *= 2
        if target is not None and source is not target:
            target[:] = source
        return source


@dataclass(frozen=True, eq=False)
class _Piece:
    """W of the members with one block and one low half of the row. (high, column)."""

    values: Table
    first: int
    low: int
    digits: int
    row: int

    def members(self, chosen: Ints) -> Ints:
        """Return the numbers of the members at some places of the table, read row by row."""
        high, column = np.divmod(chosen, self.values.shape[1])
        return np.asarray(self.first | (column << self.row) | (high << self.digits) | self.low)
