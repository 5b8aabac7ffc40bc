"""Animations, read back: their frames replay the order, from pixels and from elements alike."""

from __future__ import annotations

import io
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import ponder
from ponder.find.linear.row_reduction import row_reduction
from ponder.pictures.elimination import matrix_film
from ponder.pictures.frames import MOVING_SIDE, frames_of, order_film
from ponder.pictures.pixels import film_images, write_images
from ponder.pictures.svg import film_svg
from ponder.pictures.vocabulary import Bulb
from ponder.system.errors import BoardError
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Ints
from tests.boards import INSTANCES
from tests.pictures import reading

BOARDS = (
    "plus-5x5-order.txt",
    "cross-4x7-order.txt",
    "cross-6x7-holes.txt",
    "torus-plus-6x6.txt",
    "goal-heart-6x7.txt",
    "lit-only-4x4.txt",
)


def ordered(name: str) -> tuple[ponder.Board, Ints]:
    board = ponder.read(INSTANCES / name)
    presses = ponder.order(board).presses
    assert presses is not None
    return board, presses


def written(board: ponder.Board, presses: Ints, theme: Any = "light", **more: Any) -> bytes:
    film, file = order_film(board, presses, MOVING_SIDE, **more), io.BytesIO()
    write_images(file, film_images(film, theme), film.seconds)
    return file.getvalue()


def replayed(board: ponder.Board, data: bytes, cell: int, theme: str = "light") -> list[int]:
    """Return the presses that the pixels of an animation show."""
    margin = 0.9 if board.even_lines else 0.4
    states = []
    for image, _ in reading.frames_of(data):
        places = reading.centres(board, image.size, cell, margin)
        states.append(reading.state_of(image, places, cell, theme))
    assert np.array_equal(states[0], board.lit)
    assert np.array_equal(states[-1], board.goal)
    return reading.presses_between(board, states)


@pytest.mark.parametrize(("theme", "cell"), [("light", 20), ("dark", 12), ("print", 13)])
@pytest.mark.parametrize("name", BOARDS)
def test_pixels_replay_the_order(name: str, theme: str, cell: int) -> None:
    board, presses = ordered(name)
    assert replayed(board, written(board, presses, theme, cell=cell), cell, theme) == list(presses)


@pytest.mark.parametrize("name", BOARDS)
def test_an_svg_replays_the_order(name: str) -> None:
    board, presses = ordered(name)
    states = reading.svg_states(film_svg(order_film(board, presses)), board)
    assert np.array_equal(states[0], board.lit)
    assert reading.presses_between(board, states) == presses.tolist()


def test_presses_that_repeat_are_played() -> None:
    board = ponder.read(INSTANCES / "plus-10x10-no-order.txt")
    presses = ponder.solve(board).presses
    assert presses is not None
    assert replayed(board, written(board, presses, cell=12), 12) == presses.tolist()


def test_frames_aim_press_flash_and_hold() -> None:
    board, presses = ordered("plus-5x5-order.txt")
    frames = list(frames_of(board, presses, speed=2))
    aimed, pressed = frames[1:-1:2], frames[2:-1:2]
    assert [frame.pressed for frame in aimed] == [frame.pressed for frame in pressed]
    assert not any(frame.toggled.size for frame in aimed)
    for frame in pressed:
        assert frame.pressed in frame.toggled
    assert sum(frame.seconds for frame in frames[1:-1]) == pytest.approx(presses.size / 2)
    assert len(list(frames_of(board, presses, speed=20))) == presses.size + 2
    root = ElementTree.fromstring(film_svg(order_film(board, presses, speed=2)))
    rings = [x for x in root.iter(f"{reading.SVG}circle") if x.get("r") == "18"]
    left = float(next(iter(root.iter(f"{reading.SVG}use"))).attrib["x"])
    # cells of 40 units, and a margin of 16
    aims = [f"{left + 40 * (v % 5):g} {36 + 40 * (v // 5)}" for v in presses.tolist()]
    assert [f"{x.attrib['cx']} {x.attrib['cy']}" for x in rings] == aims
    times = [reading.Track.from_animation(x[0]).starts[1] for x in rings]
    assert times == sorted(times)
    texts = [x.text for x in root.iter(f"{reading.SVG}text")]
    assert texts[0] == "press 0 of 10, 12 lit"
    assert len(texts) == 11


def test_line_bits_run_out() -> None:
    board, presses = ordered("cross-4x7-order.txt")
    *_, last = frames_of(board, presses)
    assert last.bits.size == 4 + 7
    assert not last.bits.any()


def test_a_graph_is_played() -> None:
    board, presses = ordered("graph-petersen.json")
    assert len(list(reading.frames_of(written(board, presses)))) == 2 * presses.size + 2
    assert "animate" in film_svg(order_film(board, presses))


def test_429_presses_stay_small() -> None:
    board, presses = ordered("ibm-2023-04-30x30.txt")
    text = film_svg(order_film(board, presses))
    assert len(text.encode()) <= 1_500_000
    states = reading.svg_states(text, board)
    assert reading.presses_between(board, states) == presses.tolist()


@pytest.mark.deep
def test_429_presses_stay_small_in_pixels() -> None:
    data = written(*ordered("ibm-2023-04-30x30.txt"))
    assert len(data) <= 3_500_000
    assert sum(1 for _ in reading.frames_of(data)) == 431


def test_what_is_far_too_large_is_refused_and_limits_are_heard() -> None:
    board, presses = ordered("plus-5x5-order.txt")
    with pytest.raises(BoardError, match="too many for an animation"):
        next(frames_of(board, np.zeros(3_000_000, dtype=np.int64)))
    with pytest.raises(BoardError, match="is too large"):
        film_images(order_film(board, np.tile(presses, 200), cell=200, speed=1))
    with pytest.raises(TimeUp):
        order_film(board, presses, limits=Limits(0))
    with pytest.raises(TimeUp):
        next(film_images(order_film(board, presses), limits=Limits(0)))


def test_a_row_reduction_is_a_film() -> None:
    board = ponder.read(INSTANCES / "plus-5x5-order.txt")
    film = matrix_film(row_reduction(board), board)
    root = ElementTree.fromstring(film_svg(film))
    assert len(list(root.iter(f"{reading.SVG}animate"))) > 100
    assert "rank 23" in (list(root.iter(f"{reading.SVG}text"))[-1].text or "")
    assert next(film_images(film)).size == film.pixels


def test_what_is_pressed_once_is_gone() -> None:
    board = ponder.Board.from_rows(["0110111"], puzzle="cards")
    presses = ponder.order(board).presses
    assert presses is not None
    frames, film = list(frames_of(board, presses)), order_film(board, presses)
    places = sorted({shape.x for shape, _ in film.shapes if isinstance(shape, Bulb)})
    assert len(places) == 7
    for k, frame in enumerate(frames):
        shown = [shape for shape, when in film.shapes if isinstance(shape, Bulb) and when[k]]
        left = sorted(set(range(7)) - set(presses[: frame.presses].tolist()))
        assert sorted({places.index(bulb.x) for bulb in shown}) == left
        lit = {places.index(bulb.x) for bulb in shown if bulb.lit}
        assert lit == {v for v in left if frame.lit[v]}
