"""The gallery is what its commands make, and shows every kind."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from ponder.model.formats import board_text, parse_board
from ponder.model.shapes import SHAPES
from tests.kinds import REFUTATIONS
from tests.pictures.gallery import (
    BOARDS,
    IMAGE,
    ROOT,
    Picture,
    fragments,
    linked,
    make,
    make_shape,
    page_text,
    pictures,
    shapes_page,
)

FOLDER = ROOT / "docs" / "gallery"


def structure(path: Path) -> object:
    """Return what a picture consists of: elements with their attributes' names and words."""
    if path.suffix == ".svg":
        root = ElementTree.parse(path).getroot()
        return [(x.tag, sorted(x.attrib), (x.text or "").strip()) for x in root.iter()]
    with Image.open(path) as image:
        frames = getattr(image, "n_frames", 1)
        return image.format, image.size, frames


@pytest.mark.parametrize("picture", pictures(), ids=lambda picture: picture.file)
def test_a_picture_is_up_to_date(picture: Picture, tmp_path: Path) -> None:
    made = make(picture, tmp_path)
    assert structure(made) == structure(FOLDER / picture.file)


def test_the_page_is_up_to_date() -> None:
    assert page_text(FOLDER) == (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    for name, board in BOARDS.items():
        assert (FOLDER / "boards" / f"{name}.txt").read_text(encoding="utf-8") == board


def test_the_page_of_shapes_is_up_to_date(tmp_path: Path) -> None:
    assert shapes_page() == (ROOT / "docs" / "shapes.md").read_text(encoding="utf-8")
    for each in SHAPES:
        made = make_shape(each, tmp_path)
        assert structure(made) == structure(FOLDER / "shapes" / made.name), each.key
    assert {path.stem for path in (FOLDER / "shapes").iterdir()} == {each.key for each in SHAPES}


def test_every_kind_is_shown_and_nothing_else_lies_there() -> None:
    shown = {Path(picture.file).stem for picture in pictures()}
    assert set(REFUTATIONS) - {"randomised", "states"} <= shown
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert files == {picture.file for picture in pictures()}
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 1_000_000


def test_a_picture_opens_the_page_with_its_board() -> None:
    """By the parser of links that people paste, which tests compare with the page's."""
    graphs = {picture.file for picture in pictures()} - set(fragments())
    assert graphs == {"graph.svg"}  # the page has no graphs
    for picture in pictures():
        if picture.file not in graphs:
            board = parse_board((ROOT / picture.path).read_bytes())
            assert board_text(parse_board(fragments()[picture.file])) == board_text(board)


def test_pictures_are_links_once_the_address_is_known() -> None:
    address = "https://example.org/ponder/play/"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linking = linked(readme, address)
    assert linking.count(f"]({address}#1.") == len(IMAGE.findall(readme)) == 2
    assert f"(docs/gallery/order-4x4.svg)]({address}{fragments()['order-4x4.svg']})" in linking
    assert linked(linking, address) == linking
    assert linked(linking, None) == linked(readme, None)
    assert "](https" not in linked("[![a graph](gallery/graph.svg)](https://example.org)", address)
