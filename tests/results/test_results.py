"""The files of `docs/results` are made again by their commands, with the same figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ponder.cli import run
from ponder.cli.most_moves import unpacked
from ponder.find.fewest.atlas import atlas_of
from ponder.find.order import order
from ponder.find.solve import solve
from ponder.lights_out.most_moves import most_moves
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.model.graph_files import parse_graph
from ponder.studies.competition import BUNDLES, Kind, bundle
from ponder.studies.formula_files import Manifest, hashes
from ponder.studies.formula_set import SET
from ponder.studies.sampling import Family
from tests import brute
from tests.bench import proof_sizes, solver_scaling
from tests.boards import edges_of, path_of, random_edges
from tests.oracles import PLUS_ALL_ONES_FEWEST
from tests.results import (
    RESULTS,
    Table,
    atlas,
    competition,
    dark_boards,
    hardness,
    obstructions,
    obstructions_by_pieces,
    orders,
    read,
    sampled_orders,
)
from tests.results.obstructions_by_pieces import NEVER
from tests.results.orderable_sets import (
    chances,
    count_of,
    joined,
    neighbour_masks,
    orderable_sets,
)

CUBIC = "precedence order=fill"
PAGE = (RESULTS / "README.md").read_text(encoding="utf-8")
"""The page that lists all results."""


def stands(made: Table, file: str) -> None:
    """Every line that was made stands in the published file, which the command in it makes."""
    published = (RESULTS / file).read_text(encoding="utf-8")
    assert published.splitlines()[0] == f"# {made.command}"
    lines = read(RESULTS / file)
    assert made.lines
    assert all(line in lines for line in made.lines)


# ---------------------------------------------------------------------------- exact tables


@pytest.mark.parametrize("bulbs", [10, pytest.param(18, marks=pytest.mark.deep)])
def test_the_atlas_is_made_again(bulbs: int) -> None:
    stands(atlas.table(bulbs), "atlas/atlas.csv")


@pytest.mark.parametrize("bulbs", [12, pytest.param(18, marks=pytest.mark.deep)])
def test_the_orders_are_made_again(bulbs: int) -> None:
    stands(orders.table(bulbs), "orders/orders.csv")


def test_sampled_orders_are_made_again() -> None:
    """One of the lines."""
    made = sampled_orders.line("plus", 6, sampled_orders.BOARDS)
    (line,) = (
        line
        for line in read(RESULTS / "orders" / "sampled.csv")
        if (line["pattern"], line["side"]) == ("plus", "6")
    )
    assert tuple(map(str, made)) == (line["with_order"], line["without"], line["open"])


@pytest.mark.parametrize("sides", [range(1, 7), pytest.param(range(7, 10), marks=pytest.mark.deep)])
def test_dark_boards_are_made_again(sides: Sequence[int]) -> None:
    stands(dark_boards.table(sides), "dark-boards/dark-boards.csv")


def test_obstructions_are_made_again() -> None:
    stands(obstructions.table(range(2, 6)), "obstructions/obstructions.csv")
    for line in read(RESULTS / "obstructions" / "obstructions.csv"):
        oriented, explained, obstructed = (
            int(line[key]) for key in ("oriented", "explained", "obstructed")
        )
        assert oriented + explained + obstructed == int(line["parities"])
        assert int(line["refused"]) >= int(line["with_obstructions"])
        if line["first"]:
            graph = parse_graph(line["first"].encode())
            assert graph.size == int(line["vertices"])


def test_the_page_has_the_counts_over_pieces() -> None:
    text = (RESULTS / "obstructions.md").read_text(encoding="utf-8")
    for line in read(RESULTS / "obstructions" / "by-pieces.csv"):
        keys = (
            "vertices",
            "graphs",
            "with_obstructions",
            "obstructed",
            "one_end",
            "half",
            "proper",
        )
        numbers = [int(line[key]) for key in keys]
        rest = numbers[3] - numbers[4] - numbers[6]
        cells = [line["degree"], *(f"{number:,}" for number in (*numbers, rest))]
        assert f"| {' | '.join(cells)} |" in text
        kinds = f"exhausted {line['obstructed']}" if numbers[3] else ""
        assert line["kinds"] == (
            "" if (line["degree"], line["vertices"]) == ("any", "8") else kinds
        )


def test_one_vertex_cannot_be_both_ends() -> None:
    """Degrees are even and T lacks one vertex: K5, and two triangles that share a vertex."""
    complete = list(combinations(range(5), 2))
    for edges in (complete, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)]):
        able = obstructions.possible(brute.masks(5, edges))
        assert not any(able >> (31 ^ 1 << v) & 1 for v in range(5))
        assert able


def test_counts_over_pieces_are_made_again() -> None:
    """Those of 5 vertices need no geng; in(P) and out(P) are those of all orders of a piece."""
    stands(obstructions_by_pieces.table([("any", 5)]), "obstructions/by-pieces.csv")
    near = brute.masks(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)])
    built = obstructions.possible_of_sets(near)
    for piece in range(1, 32):
        inside = [v for v in range(5) if piece >> v & 1]
        into, out = obstructions_by_pieces.fewest_wrong(near, built, piece)
        for chosen in range(32):
            fewest = [NEVER, NEVER]
            for backwards in permutations(inside):
                seen, wrong = 0, [0, 0]
                for v in backwards:
                    later, leaving = near[v] & seen, (near[v] & ~piece).bit_count()
                    for k, asked in enumerate((chosen >> v & 1 ^ leaving & 1, chosen >> v & 1)):
                        bad = (later.bit_count() ^ asked) & 1
                        wrong[k] += bad if leaving else NEVER * bad
                    seen |= 1 << v
                fewest = [min(a, b) for a, b in zip(fewest, wrong, strict=True)]
            assert [min(int(each[chosen]), NEVER) for each in (into, out)] == fewest


def test_an_obstruction_is_refused_and_the_counts_allow_it() -> None:
    """K₅ with T empty: any vertex may be the source, any the sink, and T needs two vertices."""
    near = brute.masks(5, combinations(range(5), 2))
    assert [t for t in range(32) if obstructions.possible(near) >> t & 1] == [
        t for t in range(32) if t.bit_count() == 2
    ]
    assert obstructions.refused(near, 0)
    assert not obstructions.refused(near, 3)
    for word, chosen in obstructions.SMALLEST:
        graph = parse_graph(word.encode())
        assert obstructions.refused(brute.masks(graph.size, graph.edges.tolist()), chosen)


def test_every_shape_to_25_bulbs_is_there() -> None:
    lines = read(RESULTS / "atlas" / "atlas.csv")
    assert len(lines) == len(atlas.names(25))
    assert {line["stuck"] for line in lines} == {"0"}
    assert len(read(RESULTS / "orders" / "orders.csv")) == len(orders.names(25))


def test_the_free_atlas_is_that_of_most_moves() -> None:
    """Most moves of plus squares, by another method."""
    lines = read(RESULTS / "atlas" / "atlas.csv")
    for side in range(1, 6):
        found = most_moves(grid_graph("plus", (side, side)))
        (line,) = (
            x
            for x in lines
            if (x["pattern"], x["rule"], x["rows"], x["columns"])
            == ("plus", "any", str(side), str(side))
        )
        assert found.lower == found.upper == int(line["largest"])


def test_hardest_boards_need_so_many() -> None:
    """By the search for one board, which knows nothing of the atlas."""
    for line in read(RESULTS / "atlas" / "atlas.csv"):
        rows, columns = int(line["rows"]), int(line["columns"])
        if line["rule"] != "unlit" or not 12 <= rows * columns <= 16 or rows == 1:
            continue
        graph = grid_graph(line["pattern"], (rows, columns))
        board = Board(
            graph, unpacked(line["hardest"], graph.size), np.ones(graph.size, np.bool_), "unlit"
        )
        found = solve(board)
        assert (found.count, found.optimal) == (int(line["largest"]), True)


def test_dark_boards_against_published() -> None:
    for line in read(RESULTS / "dark-boards" / "dark-boards.csv"):
        if line["pattern"] == "plus":
            wanted = str(PLUS_ALL_ONES_FEWEST[int(line["side"]) - 1])
            assert (line["free"], line["legal"], line["once"]) == (wanted,) * 3


# --------------------------------------------------------------------- how orders are counted


@pytest.mark.parametrize("seed", range(12))
def test_orderable_sets_and_chances_by_brute_force(seed: int) -> None:
    import random

    rng = random.Random(seed)
    size = rng.randint(1, 9)
    edges = random_edges(size, rng.uniform(0.2, 0.7), rng)
    near = [0] * size
    for u, v in edges:
        near[u] |= 1 << v
        near[v] |= 1 << u
    wanted = brute.orderable_sets(size, edges)
    sets = orderable_sets(near)
    found = [bool(int(sets[k >> 6]) >> (k & 63) & 1) for k in range(1 << size)]
    assert found == wanted.tolist()
    assert count_of(sets) == wanted.sum()
    assert (chances(near) > 0).tolist() == wanted.tolist()


def test_patterns_join_press_sets() -> None:
    """Of the boards of a shape, by asking the atlas's graph for every press set."""
    graph = grid_graph("plus", (2, 3))
    near = neighbour_masks(graph)
    assert near == [sum(1 << u for u in graph.neighbours(v).tolist()) for v in range(6)]
    assert edges_of(graph)
    sets = orderable_sets(near)
    quiet = [0b000101, 0b1100000000]
    wide = np.zeros(16, dtype=np.uint64)  # sets of ten bulbs, six of them known
    wide[0] = sets[0]
    held = {k for k in range(64) if int(sets[0]) >> k & 1}
    wanted = {s ^ a ^ b for s in held for a in (0, quiet[0]) for b in (0, quiet[1])}
    found = joined(wide, quiet)
    assert {k for k in range(1024) if int(found[k >> 6]) >> (k & 63) & 1} == wanted


def test_a_hardest_board_is_played() -> None:
    chart = atlas_of(Board.from_rows(["0000"] * 4))
    path = path_of(chart, chart.hardest)
    assert path is not None
    assert path.size == chart.largest == 16


# ----------------------------------------------------------------------------- the first study


FIRST_STUDY = {
    (line["family"], line["size"], line["method"]): line
    for line in read(RESULTS / "first-study" / "table.csv")
}


@pytest.mark.parametrize(("pattern", "side"), [("cross", 4), ("cross", 12), ("plus", 6)])
def test_the_first_study_is_made_again(pattern: str, side: int) -> None:
    """How many of its 200 boards have an order."""
    boards = (Family(pattern).draw((side, side), seed) for seed in range(200))
    solved = sum(order(board).verdict == "solved" for board in boards)
    assert FIRST_STUDY[pattern, f"{side}×{side}", "auto"]["solved"] == str(solved)


@pytest.mark.deep
@pytest.mark.parametrize("sizes", ["cross:4..5", "plus:4"])
def test_the_first_study_is_made_again_by_its_command(sizes: str, tmp_path: Path) -> None:
    """With what greedy made of the boards; all figures but the times."""
    table = tmp_path / "table.csv"
    words = "compare --boards 200 --method greedy --method auto --timeout 60 --quiet"
    arguments = [*words.split(), "--family", sizes, "--table", str(table)]
    assert run([*arguments, "--study", str(tmp_path / "again.study")]) == 0
    made = read(table)
    assert made
    for line in made:
        old = FIRST_STUDY[line["family"], line["size"], line["method"]]
        for key in ("runs", "boards", "solved", "troubles", "trials_median", "trials_90"):
            assert line[key] == old[key], (line["size"], line["method"], key)


# --------------------------------------------------------------------------------- the scaling


def test_the_scaling_says_what_is_known() -> None:
    """No solver contradicts the manifest; nothing was asked after a size that was too large."""
    known = Manifest.read(RESULTS / "formulas" / "manifest.json").formulas
    lines = read(RESULTS / "formulas" / "scaling.csv")
    assert len({line["solver"] for line in lines}) > 10
    for line in lines:
        assert line["verdict"] in ("LIMIT", known[line["formula"]]["answer"]), line
    given_up = {
        (line["solver"], line["family"], line["encoding"], int(line["size"]))
        for line in lines
        if line["verdict"] == "LIMIT" and line["formula"].count("-") == 2
    }
    for solver, family, encoding, size in given_up:
        series = (
            x
            for x in lines
            if (x["solver"], x["family"], x["encoding"]) == (solver, family, encoding)
        )
        assert all(int(x["size"]) <= size for x in series if x["formula"].count("-") == 2)


def test_the_description_has_the_figures() -> None:
    """The families, how many formulas of each, and the largest size that each solver decided."""
    text = (RESULTS / "formulas" / "description.md").read_text(encoding="utf-8")
    counts = Counter(recipe.family for recipe in SET)
    for family, count in counts.items():
        assert f"| `{family}` | {count} |" in text
    for encoding, count in Counter(recipe.encoding for recipe in SET).items():
        assert re.search(rf"^\| `{encoding}` \|.*\| {count} \|$", text, re.MULTILINE)
    listed = Manifest.read(RESULTS / "formulas" / "manifest.json").formulas.values()
    for ending in ("lrat", "pbp"):
        found = sum(any(name.endswith(ending) for name in hashes(entry)) for entry in listed)
        assert f"* {found} come with" in text
    refuted = sum(entry["answer"] == "UNSATISFIABLE" for entry in listed)
    assert (len(listed), refuted) == (70, 51)  # in words, in the title
    assert text.startswith(
        "# Orders of light presses: seventy formulas, of which fifty-one have no"
    )
    assert f"tells: {len(listed)} formulas, " in text
    assert f"Of the {refuted} unsatisfiable formulas" in text
    assert solver_scaling.largest(read(RESULTS / "formulas" / "scaling.csv")) in text


@pytest.mark.parametrize("kind", ["sat", "pb"])
def test_the_list_of_the_bundle_is_what_the_bundle_makes(kind: Kind, tmp_path: Path) -> None:
    """Every recipe is listed, the page shows the list, and a formula has the hash made now."""
    lines = read(RESULTS / "formulas" / f"competition-{kind}.csv")
    assert [line["name"] for line in lines] == competition.names(kind, 0)
    page = (RESULTS / "formulas" / "competition.md").read_text(encoding="utf-8")
    assert competition.markdown(lines) in page
    assert f"--competition {kind}` makes {len(lines)} formulas" in " ".join(page.split())
    band = sum(map(competition.in_band, lines))
    assert f"**{band} {'were' if kind == 'sat' else 'was'} seen in the band" in page
    few = [recipe for recipe in BUNDLES[kind] if recipe.name == "count-10-half_factor"]
    (made,) = bundle(kind, tmp_path, 0, recipes=few)
    (listed,) = (line for line in lines if line["name"] == made["name"])
    assert all(listed[key] == made[key] for key in competition.KEPT)
    if kind == "pb":
        return
    known = Manifest.read(RESULTS / "formulas" / "manifest.json").formulas
    for line in lines:
        assert line["answer"] in ("SATISFIABLE", "UNSATISFIABLE")
        name = line["name"].removeprefix("ponder-").removesuffix("-s0.cnf")
        for entry in known.values():
            if str(entry["name"]).replace("_", "-") == name:
                assert line["sha256"] == entry["body_sha256"]


def test_the_page_on_hardness_has_the_figures() -> None:
    """The table of the page is that of the runs; a formula is made again, and slopes are right."""
    table = Table(hardness.COMMAND, hardness.COLUMNS, 4, RESULTS / "formulas" / "hardness.csv")
    page = (RESULTS / "formulas" / "hardness.md").read_text(encoding="utf-8")
    assert hardness.summary(table) in page
    assert table.text == (RESULTS / "formulas" / "hardness.csv").read_text(encoding="utf-8")
    (line,) = (table.known[key] for key in table.known if key == ("cubic", CUBIC, "40", "1"))
    assert hardness.line("cubic", CUBIC, 40, 1)[:4] == (
        *(int(line[key]) for key in ("presses", "variables", "clauses")), "UNSATISFIABLE",
    )  # fmt: skip
    wanted = {"ring": "UNSATISFIABLE", "count": "UNSATISFIABLE", "balanced": "SATISFIABLE"}
    for line in table.lines:
        assert line["verdict"] in ("LIMIT", wanted.get(line["family"], line["verdict"]))
    assert hardness.slopes([(3, 0.1), (6, 0.8), (12, 6.4), (5, 0.0)]) is None
    assert hardness.slopes([(10, 0.02), (20, 0.2), (30, 2.0)]) == (4.1, 3.0)


# ------------------------------------------------------------------------------------ the page


def test_the_page_lists_every_file() -> None:
    for path in sorted(RESULTS.rglob("*.csv")):
        assert f"({path.relative_to(RESULTS).as_posix()})" in PAGE, path


def test_every_table_has_a_picture() -> None:
    for path in sorted(RESULTS.rglob("*.csv")):
        assert list(path.parent.glob("*.svg")), path


def test_what_the_page_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert len(links) > 10
    for link in links:
        assert (RESULTS / link).exists(), link


@pytest.mark.parametrize(
    "module", [atlas, orders, sampled_orders, dark_boards, obstructions, hardness]
)
def test_the_page_and_the_module_name_the_command(module: ModuleType) -> None:
    command = f"python -m {module.__name__} -o docs/results/"
    assert module.COMMAND.startswith(command)
    assert module.COMMAND in PAGE
    assert module.COMMAND in str(module.__doc__)


def test_a_table_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file, made = tmp_path / "t.csv", list[int]()

    def line(k: int) -> Sequence[object]:
        if k == 2 and not made.count(1) > 1:
            made.append(1)
            raise KeyboardInterrupt
        made.append(k)
        return (k * k,)

    table = Table("make it", ("k", "square"), 1, file)
    with pytest.raises(KeyboardInterrupt):
        table.fill([(k,) for k in (3, 1, 2)], line)
    assert read(file) == [{"k": "3", "square": "9"}, {"k": "1", "square": "1"}]
    again = Table("make it", ("k", "square"), 1, file)
    again.fill([(k,) for k in (1, 2, 3)], line)
    assert made == [3, 1, 1, 2]
    assert file.read_text() == "# make it\nk,square\n1,1\n2,4\n3,9\n"


@pytest.mark.parametrize("size", [4, 8, 24])
def test_our_proofs_are_as_long_as_published(size: int) -> None:
    (line,) = (
        line
        for line in read(RESULTS / "proof-sizes" / "sizes.csv")
        if (line["solver"], line["size"]) == (proof_sizes.OURS, str(size))
    )
    made = proof_sizes.ours(proof_sizes.board(size, 0), size, 0)
    assert [line["lemmas"], line["bytes"]] == [str(made[4]), str(made[5])]
