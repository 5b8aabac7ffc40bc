"""Which T has no acyclic orientation with odd out-degrees T, although every count allows one?

    python -m tests.results.obstructions -o docs/results/obstructions

All 2-connected graphs of a size (a graph has an orientation iff its blocks have, with parities that
the rest forces: theory §3.3), by `geng` of nauty, which must be installed; every T with |T| ≡ |E|,
up to the automorphisms of the graph. All T that a graph allows are found at once, set of vertices
by set of vertices, as a set with one bit for each T. A T is *explained* where no
vertex can be the source, deg(v) ≡ t(v), or none the sink, t(v) = 0; *obstructed* where it has no
orientation all the same. Each obstructed T is refused by `ponder.orient`, whose certificate is
checked; of 8 vertices and more one T of each graph.

Cost. Ten seconds of one core to 8 vertices, five minutes to 9.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from math import cos, pi, sin
from pathlib import Path

import ponder
from ponder.model.graph_files import parse_graph
from tests import brute
from tests.results import Table, picture

COMMAND = "python -m tests.results.obstructions -o docs/results/obstructions"
COLUMNS = (
    "vertices", "graphs", "with_obstructions", "parities", "oriented", "explained", "obstructed",
    "refused", "first",
)  # fmt: skip
WITHOUT_GENG = 5
"""Graphs of so many vertices are made here."""
EVERY_ONE = 7
"""Of graphs of so many vertices each obstructed T is refused by ponder."""

Graph = tuple[str, list[int]]
"""A name, in graph6, and the neighbours of every vertex as bits."""


def graphs(size: int) -> Iterator[Graph]:
    """Yield the connected graphs of a size, one of each isomorphism class."""
    if size > WITHOUT_GENG:
        geng = shutil.which("geng") or shutil.which("nauty-geng")
        assert geng is not None, "geng, of nauty, is not installed"
        words = subprocess.run([geng, "-Cq", str(size)], capture_output=True, text=True, check=True)
        for word in words.stdout.split():
            graph = parse_graph(word.encode())
            yield word, brute.masks(size, graph.edges.tolist())
        return
    pairs, seen = list(combinations(range(size), 2)), set()
    for chosen in product((0, 1), repeat=len(pairs)):
        edges = {pair for pair, there in zip(pairs, chosen, strict=True) if there}
        same = min(
            tuple(sorted(tuple(sorted((p[u], p[v]))) for u, v in edges))
            for p in permutations(range(size))
        )
        if same not in seen:
            seen.add(same)
            near = brute.masks(size, edges)
            if two_connected(near):
                bits = "".join(str(near[v] >> u & 1) for v in range(size) for u in range(v))
                cut = [bits[k : k + 6].ljust(6, "0") for k in range(0, len(bits), 6)]
                yield "".join(chr(63 + k) for k in (size, *(int(x, 2) for x in cut))), near


def two_connected(near: Sequence[int]) -> bool:
    """Whether the graph hangs together, and still does without any one vertex."""
    size = len(near)
    for without in [0, *(1 << v for v in range(size) if size > 2)]:
        rest = ((1 << size) - 1) & ~without
        seen = todo = rest & -rest
        while todo:
            v = (todo & -todo).bit_length() - 1
            todo &= todo - 1
            new = near[v] & rest & ~seen
            seen, todo = seen | new, todo | new
        if seen != rest:
            return False
    return True


def possible(near: Sequence[int]) -> int:
    """Return every T of an acyclic orientation, as a number with the bit 2^T for each."""
    return possible_of_sets(near)[-1]


def possible_of_sets(near: Sequence[int]) -> list[int]:
    """Return the same for the subgraph of each set of vertices, by the set's bits."""
    found = [0] * (1 << len(near))
    found[0] = 1
    for built, some in enumerate(found):
        for v, beside in enumerate(near):
            if not built >> v & 1:
                odd = (built & beside).bit_count() & 1
                found[built | 1 << v] |= some << (odd << v)
    return found


def automorphisms(near: Sequence[int]) -> list[list[int]]:
    """Return all permutations of the vertices that keep the edges."""
    size, found, image = len(near), [], [0] * len(near)

    def place(v: int, used: int) -> None:
        if v == size:
            found.append(image.copy())
            return
        for w in range(size):
            fits = not used >> w & 1 and near[v].bit_count() == near[w].bit_count()
            if fits and all(near[v] >> u & 1 == near[w] >> image[u] & 1 for u in range(v)):
                image[v] = w
                place(v + 1, used | 1 << w)

    place(0, 0)
    return found


def up_to_symmetry(near: Sequence[int], every: Sequence[int]) -> list[int]:
    """Return one T of each that automorphisms carry into each other."""
    symmetries, kept, seen = automorphisms(near), [], set()
    for some in every:
        if some not in seen:
            kept.append(some)
            members = [v for v in range(len(near)) if some >> v & 1]
            seen |= {sum(1 << image[v] for v in members) for image in symmetries}
    return kept


def refused(near: Sequence[int], chosen: int) -> str:
    """Return the kind of certificate, which holds, by which ponder refuses a T; or nothing."""
    size = len(near)
    edges = [(u, v) for u, v in combinations(range(size), 2) if near[u] >> v & 1]
    outcome = ponder.orient((size, edges), [v for v in range(size) if chosen >> v & 1])
    if not isinstance(outcome, ponder.Refusal):
        return ""
    outcome.verify()
    return str(outcome.certificate["kind"])


def line(size: int) -> Sequence[object]:
    """Go through all graphs of a size."""
    count = having = parities = oriented = explained = obstructed = checked = 0
    first = ""
    for name, near in graphs(size):
        count += 1
        able, full = possible(near), (1 << size) - 1
        edges = sum(some.bit_count() for some in near) // 2
        sources = sum((some.bit_count() & 1) << v for v, some in enumerate(near))
        fair = [t for t in range(1 << size) if (t.bit_count() + edges) % 2 == 0]
        kinds = up_to_symmetry(near, fair)
        no_end = [t for t in kinds if t in (full, full ^ sources)]
        assert not any(able >> t & 1 for t in no_end)
        wrong = [t for t in kinds if not able >> t & 1 and t not in no_end]
        parities, explained = parities + len(kinds), explained + len(no_end)
        oriented += len(kinds) - len(no_end) - len(wrong)
        obstructed, having = obstructed + len(wrong), having + bool(wrong)
        some = wrong if size <= EVERY_ONE else wrong[:1]
        assert all(refused(near, t) for t in some)
        checked += len(some)
        first = first or (name if wrong else "")
    return count, having, parities, oriented, explained, obstructed, checked, first


def table(sizes: Sequence[int], file: Path | None = None) -> Table:
    """Return the table of these numbers of vertices."""
    made = Table(COMMAND, COLUMNS, 1, file)
    made.fill([(size,) for size in sizes], line)
    return made


SMALLEST = (
    ("D~{", 0), ("EEhw", 0b101110), ("EElw", 0b1011), ("EQzO", 0b11110), ("EQzw", 0b1010),
    ("EQ~o", 0b101), ("ET~w", 0b11101), ("E]zg", 0b1000), ("E^~w", 0), ("E~~w", 1),
)  # fmt: skip
"""The graphs to 6 vertices that have obstructions, each with one."""


def draw(file: Path) -> None:
    """Draw the smallest graphs, each with an obstructed T in black."""
    with picture(file, (9.0, 4.0)) as figure:
        panels = figure.subplots(2, 5).reshape(-1)
        for panel, (word, chosen) in zip(panels, SMALLEST, strict=True):
            graph = parse_graph(word.encode())
            angles = [2 * pi * v / graph.size for v in range(graph.size)]
            across, up = [sin(a) for a in angles], [cos(a) for a in angles]
            for u, v in graph.edges.tolist():
                panel.plot([across[u], across[v]], [up[u], up[v]], color="0.5", linewidth=1)
            colours = ["black" if chosen >> v & 1 else "white" for v in range(graph.size)]
            panel.scatter(across, up, s=80, c=colours, edgecolors="black", zorder=2)
            panel.set(title=word, aspect="equal", xlim=(-1.25, 1.25), ylim=(-1.25, 1.25))
            panel.set_axis_off()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=Path, required=True, help="the folder")
    parser.add_argument("--upto", type=int, default=9, help="the most vertices")
    asked = parser.parse_args()
    table(range(2, asked.upto + 1), asked.o / "obstructions.csv")
    draw(asked.o / "obstructions.svg")
