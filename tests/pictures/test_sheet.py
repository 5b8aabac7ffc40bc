"""Sheets: every board is on a page once, in its slot, and its solution on a page of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.cli import run
from ponder.model.board import Board
from ponder.pictures.scene import Scene
from ponder.pictures.shapes import Bulb, Words
from ponder.pictures.sheet import Layout, pages
from ponder.system.errors import BoardError

NO_ORDER = "1011\n1101\n0110\n0001\n"


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=9),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(("a4", "letter")),
)
def test_every_bulb_lies_on_its_page(
    shapes: list[tuple[int, int]], columns: int, rows: int, paper: str
) -> None:
    layout = Layout(paper, columns, rows)
    scenes = [Scene(Board.from_rows(["0" * width] * height)) for height, width in shapes]
    made = list(pages(scenes, "title", layout))
    assert len(made) == -(-len(shapes) // (columns * rows))
    assert len({page.cell for page in made}) == 1
    bulbs = [shape for page in made for shape in page.shapes if isinstance(shape, Bulb)]
    assert len(bulbs) == sum(height * width for height, width in shapes)
    for page in made:
        width, height = (side / page.cell for side in layout.size)
        inside = [shape for shape in page.shapes if isinstance(shape, Bulb)]
        assert all(0.5 < b.x < width - 0.5 and 0.5 < b.y < height - 0.5 for b in inside)
        places = [(b.x, b.y) for b in inside]
        assert len(set(places)) == len(places)
    numbers = [s.text for page in made for s in page.shapes if isinstance(s, Words)]
    assert [n for n in numbers if n.endswith(".")] == [f"{k + 1}." for k in range(len(shapes))]


def test_what_fits_no_slot_is_named() -> None:
    scene = Scene(Board.from_rows(["0" * 150]))
    with pytest.raises(BoardError, match="too large for a page of 3×2 boards"):
        list(pages([scene], "", Layout()))


def test_a_pdf_has_boards_and_solutions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("0011\n1101\n0110\n0001\n")
    (tmp_path / "b.txt").write_text(NO_ORDER)
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    out = tmp_path / "sheet.pdf"
    assert run(["sheet", *files, "-o", str(out), "--title", "A class", "--quiet"]) == 0
    data = out.read_bytes()
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) == 2
    assert run(["sheet", *files, "-o", str(out), "--no-solutions"]) == 0
    assert len(re.findall(rb"/Type\s*/Page\b", out.read_bytes())) == 1
    assert capsys.readouterr().out == ""


def test_an_svg_has_a_file_for_each_page(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text(NO_ORDER)
    run(["sheet", str(tmp_path / "b.txt"), "-o", str(tmp_path / "sheet.svg"), "--quiet"])
    first, second = (
        (tmp_path / f"sheet-{number}.svg").read_text(encoding="utf-8") for number in (1, 2)
    )
    assert first.count("<use") == second.count("<use") == 16
    assert "No order" in second
    assert "With repeats: 7 presses." in " ".join(re.findall(r">([^<>]+)</text>", second))
    assert "No order" not in first


def test_bad_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.txt").write_text(NO_ORDER)
    board = str(tmp_path / "b.txt")
    missing = str(tmp_path / "nothing.txt")
    for words in ([board, "-o", "a.png"], [board, missing, "-o", "a.pdf"], ["-o", "a.pdf"]):
        assert run(["sheet", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.glob("*.pdf"))
