"""The row reduction: its steps replayed, what is read off, and how the command shows it."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ponder
from ponder.find.linear import gf2
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.linear.row_reduction import RowReduction, row_reduction
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.pictures.elimination import frames_of
from tests.boards import bits_of, instance, random_edges
from tests.commands import ROOT, here

NAMES = ["plus-5x5-order", "plus-5x5-no-solution", "cross-3x4-no-order", "graph-petersen"]


def file_of(name: str) -> str:
    (file,) = ROOT.glob(f"instances/{name}.*")
    return str(file)


def written_out(board: Board) -> list[list[int]]:
    """A | b by pressing every bulb in turn, as lists."""
    size = board.graph.size
    columns = [board.graph.apply(bits_of(1 << v, size)).astype(int).tolist() for v in range(size)]
    return [[column[row] for column in columns] + [int(board.change[row])] for row in range(size)]


def replayed(rows: list[list[int]], reduction: RowReduction) -> list[list[int]]:
    """The steps, played on a fresh matrix by hand."""
    rows = [list(row) for row in rows]
    for step in reduction.steps:
        if step.kind == "swap":
            rows[step.source], rows[step.target] = rows[step.target], rows[step.source]
        else:
            added = zip(rows[step.target], rows[step.source], strict=True)
            rows[step.target] = [(x + y) % 2 for x, y in added]
    return rows


@pytest.mark.parametrize("name", NAMES)
def test_the_steps_reduce_a_fresh_matrix(name: str) -> None:
    board = ponder.read(file_of(name))
    reduction = row_reduction(board)
    rows = replayed(written_out(board), reduction)
    assert rows == reduction.reduced.astype(int).tolist()
    for row, column in reduction.pivots:
        assert [line[column] for line in rows] == [int(k == row) for k in range(len(rows))]
        assert not any(rows[row][:column])
    assert not any(any(row[:-1]) for row in rows[len(reduction.pivots) :])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.randoms(use_true_random=False), st.data())
def test_as_the_fast_linear_stage(size: int, random: object, data: st.DataObject) -> None:
    edges = random_edges(size, data.draw(st.sampled_from([0.2, 0.5, 0.8])), random)  # type: ignore[arg-type]
    lit = bits_of(data.draw(st.integers(0, 2**size - 1)), size)
    graph = EdgeGraph(size, list(edges))
    board = Board(graph, lit, np.ones(size, dtype=np.bool_))
    reduction, fast = row_reduction(board), press_sets(board)
    assert len(reduction.pivots) + len(reduction.free) == size
    assert isinstance(fast, PressSets) == (reduction.press_set is not None)
    if isinstance(fast, PressSets):
        assert reduction.odd_witness is None
        assert len(reduction.free) == fast.nullity
        ours = {(reduction.press_set ^ sums).tobytes() for sums in _sums(reduction.quiet_patterns)}
        assert ours == {member.tobytes() for member in fast.members()}
    else:
        witness = reduction.odd_witness
        assert witness is not None
        assert not graph.apply(witness).any()
        assert (witness & board.change).sum() % 2 == 1
    assert gf2.eliminate(gf2.pack(reduction.quiet_patterns), size).rank == len(reduction.free)
    assert not (reduction.quiet_patterns.sum(axis=1) % 2).any()


def _sums(basis: np.ndarray) -> list[np.ndarray]:
    sums = [np.zeros(basis.shape[1], dtype=np.bool_)]
    for quiet in basis:
        sums += [vector ^ quiet for vector in sums]
    return sums


def test_frames_by_press_and_by_step_end_alike() -> None:
    board = instance("plus-5x5-no-solution")
    result = row_reduction(board)
    by_step = list(frames_of(result, board))
    by_press = list(frames_of(result, board, whole_stages=True))
    assert len(by_press) == 25 + 2
    assert len(by_step) == len(result.steps) + 2 + sum(not stage.steps for stage in result.stages)
    for frames in (by_step, by_press):
        assert frames[-1].words == "equation 24 says 0 = 1: no press set"
        assert (frames[-1].rows == result.reduced).all()
        assert frames[-2].pivots == result.pivots
        assert frames[-2].free == result.free == (23, 24)


def test_animations(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from PIL import Image

    board = tmp_path / "board.txt"
    board.write_text("pattern: plus\n010\n101\n")
    result = row_reduction(ponder.read(board))
    for form in ("gif", "svg"):
        out = tmp_path / f"matrix.{form}"
        assert here(capsys, "eliminate", str(board), "-o", str(out))[0] == 0
        data = out.read_bytes()
        if form == "svg":
            tree = ElementTree.fromstring(data)
            space = "{http://www.w3.org/2000/svg}"
            title = tree.findtext(f"{space}title")
            assert title == "board: the row reduction of 6 equations"
            rows, ever = (np.column_stack([result.matrix, result.change]) for _ in range(2))
            for step in result.steps:
                step.apply(rows)
                ever |= rows
            assert len(tree.findall(f".//{space}animate")) >= ever.sum() - 6
        else:
            frames = getattr(Image.open(io.BytesIO(data)), "n_frames", 1)
            assert len(result.steps) < frames <= len(list(frames_of(result, ponder.read(board))))
