"""Do counts over pieces explain the obstructions?

    python -m tests.results.obstructions_by_pieces -o docs/results/obstructions

All 2-connected graphs of a size, or the regular ones of a degree, by `geng` of nauty, and every T
with |T| ≡ |E|, up to the automorphisms of the graph. As in `tests.results.obstructions` a T is
oriented, explained by the lack of a source or a sink, or obstructed. Of the obstructed ones
`one_end` have a single vertex that may be the source, which alone may be the sink as well. `half`
are refused by some count over disjoint pieces of at most half of the vertices (theory §3.9),
`proper` by pieces of any size but the whole graph: not as a search finds them, but by the best of
all families of pieces. The rest needs another reason, or all orders. All T of a graph are looked at
together. `kinds` counts the certificates by which `ponder.orient` refuses the obstructed T, each
checked; of all graphs of 8 vertices it is not asked.

Letters. in(P), out(P): the fewest wrong vertices of an order of the piece P. A family that leaves
the set U uncovered refuses T iff Σ (in(P) + |E(P)|) + |E(U)| > |E|, for |E| less what lies within
pieces and U is the number of edges between them.

Cost. O(3^n) sums of vectors with 2^n entries a graph.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ponder.model.graph_files import parse_graph
from tests import brute
from tests.results import Table, obstructions
from tests.results.obstructions import (
    EVERY_ONE,
    Graph,
    possible_of_sets,
    refused,
    up_to_symmetry,
)

COMMAND = "python -m tests.results.obstructions_by_pieces -o docs/results/obstructions"
COLUMNS = (
    "degree", "vertices", "graphs", "with_obstructions", "parities", "oriented", "explained",
    "obstructed", "one_end", "half", "proper", "kinds",
)  # fmt: skip
SIZES: tuple[tuple[int | str, int], ...] = (
    *(("any", size) for size in (5, 6, 7, 8)),
    *((3, size) for size in (4, 6, 8, 10)),
    *((4, size) for size in (5, 6, 7, 8, 9, 10)),
)
NEVER = 99
"""More wrong vertices than there are: no order has only such as may be wrong."""

Wrong = npt.NDArray[np.int16]


def graphs(degree: int | str, size: int) -> Iterator[Graph]:
    """Yield the 2-connected graphs of a degree and a size, one of each isomorphism class."""
    if degree == "any":
        yield from obstructions.graphs(size)
        return
    geng = shutil.which("geng") or shutil.which("nauty-geng")
    assert geng is not None, "geng, of nauty, is not installed"
    command = [geng, "-Cq", f"-d{degree}", f"-D{degree}", str(size)]
    words = subprocess.run(command, capture_output=True, text=True, check=True)
    for word in words.stdout.split():
        yield word, brute.masks(size, parse_graph(word.encode()).edges.tolist())


def fewest_wrong(near: Sequence[int], built: Sequence[int], piece: int) -> tuple[Wrong, Wrong]:
    """Return in(P) and out(P) for every T, from the T of the orders of each set of vertices."""
    size = len(near)
    every = np.arange(1 << size)
    wrong = np.full(1 << size, NEVER, dtype=np.int16)
    wrong[[t for t in range(1 << size) if built[piece] >> t & 1]] = 0
    leaving = 0
    for v in range(size):
        out = (near[v] & ~piece).bit_count()
        if piece >> v & 1 and out:  # v may be wrong
            wrong = np.minimum(wrong, wrong[every ^ (1 << v)] + 1)
            leaving |= (out & 1) << v
    return wrong[(every ^ leaving) & piece], wrong[every & piece]


def refused_by_pieces(
    near: Sequence[int], built: Sequence[int], most: int
) -> npt.NDArray[np.bool_]:
    """Return for every T whether some family of pieces of at most so many vertices refuses it."""
    size = len(near)
    sets = range(1 << size)
    edges = [
        sum((near[v] & some).bit_count() for v in range(size) if some >> v & 1) // 2
        for some in sets
    ]
    refused = np.zeros(1 << size, dtype=np.bool_)
    pieces = [some for some in sets if 0 < some.bit_count() <= most]
    both = {some: fewest_wrong(near, built, some) for some in pieces}
    for way in (0, 1):  # edges that lead in, edges that lead out
        worth = {some: both[some][way] + edges[some] for some in pieces}
        best: list[Wrong] = [np.zeros(1 << size, dtype=np.int16)]
        for covered in sets[1:]:
            lowest = covered & -covered
            rest = covered ^ lowest
            value = np.full(1 << size, -1, dtype=np.int16)
            other = rest
            while True:  # the piece that holds the lowest vertex, without it
                piece = lowest | other
                if piece in worth:
                    value = np.maximum(value, worth[piece] + best[covered ^ piece])
                if other == 0:
                    break
                other = (other - 1) & rest
            best.append(np.minimum(value, NEVER))
            refused |= value + edges[sets[-1] ^ covered] > edges[-1]
    return refused


def line(degree: int | str, size: int) -> Sequence[object]:
    """Go through all graphs of a degree and a size."""
    count = having = parities = oriented = explained = obstructed = one_end = half = proper = 0
    kinds_of = Counter[str]()
    for _, near in graphs(degree, size):
        count += 1
        built, full = possible_of_sets(near), (1 << size) - 1
        able = built[-1]
        edges = sum(some.bit_count() for some in near) // 2
        sources = sum((some.bit_count() & 1) << v for v, some in enumerate(near))
        fair = [t for t in range(1 << size) if (t.bit_count() + edges) % 2 == 0]
        kinds = up_to_symmetry(near, fair)
        no_end = [t for t in kinds if t in (full, full ^ sources)]
        wrong = [t for t in kinds if not able >> t & 1 and t not in no_end]
        parities, explained = parities + len(kinds), explained + len(no_end)
        oriented += len(kinds) - len(no_end) - len(wrong)
        obstructed, having = obstructed + len(wrong), having + bool(wrong)
        one_end += sum((full & ~(t & (t ^ sources))).bit_count() == 1 for t in wrong)
        if wrong:
            small = refused_by_pieces(near, built, size // 2)
            large = refused_by_pieces(near, built, size - 1)
            assert not any(able >> t & 1 for t in np.flatnonzero(small | large).tolist())
            half += int(small[wrong].sum())
            proper += int(large[wrong].sum())
        if degree != "any" or size <= EVERY_ONE:
            kinds_of.update(refused(near, t) for t in wrong)
    assert "" not in kinds_of
    named = "; ".join(f"{kind} {number}" for kind, number in sorted(kinds_of.items()))
    return count, having, parities, oriented, explained, obstructed, one_end, half, proper, named


def table(sizes: Sequence[tuple[int | str, int]], file: Path | None = None) -> Table:
    """Return the table of these degrees and numbers of vertices."""
    made = Table(COMMAND, COLUMNS, 2, file)
    made.fill(list(sizes), line)
    return made


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=Path, required=True, help="the folder")
    asked = parser.parse_args()
    table(SIZES, asked.o / "by-pieces.csv")
