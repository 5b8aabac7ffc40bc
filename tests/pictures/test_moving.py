"""Animations, read back: their frames replay the order, from pixels and from elements alike."""

from __future__ import annotations

import io
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import ponder
from ponder.pictures.frames import MOVING_SIDE, Film, frame_words, frames_of, seconds_each
from ponder.pictures.pixels import order_images, write_images
from ponder.pictures.svg import order_animation
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
    "king-6x6.txt",
)


def ordered(name: str) -> tuple[ponder.Board, Ints]:
    board = ponder.read(INSTANCES / name)
    presses = ponder.order(board).presses
    assert presses is not None
    return board, presses


def written(
    board: ponder.Board, presses: Ints, form: Any, *, theme: Any = "light", **more: Any
) -> bytes:
    film = Film.of(board, presses, MOVING_SIDE, **more)
    images, seconds = order_images(film, theme)
    file = io.BytesIO()
    write_images(file, images, seconds, form)
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


@pytest.mark.parametrize("form", ["gif", "apng"])
@pytest.mark.parametrize("name", BOARDS)
def test_pixels_replay_the_order(name: str, form: str) -> None:
    board, presses = ordered(name)
    data = written(board, presses, form, cell=20)
    assert replayed(board, data, 20) == presses.tolist()


@pytest.mark.parametrize(("theme", "cell"), [("dark", 11), ("print", 11), ("light", 11)])
def test_small_cells_and_themes_replay_as_well(theme: str, cell: int) -> None:
    board, presses = ordered("plus-10x10-order.txt")
    data = written(board, presses, "gif", cell=cell, theme=theme, label=False)
    assert replayed(board, data, cell, theme) == presses.tolist()


@pytest.mark.parametrize("name", [*BOARDS, "plus-10x10-order.txt"])
def test_an_svg_replays_the_order(name: str) -> None:
    board, presses = ordered(name)
    states = reading.svg_states(order_animation(Film.of(board, presses)), board)
    assert np.array_equal(states[0], board.lit)
    assert reading.presses_between(board, states) == presses.tolist()


def test_presses_that_repeat_are_played() -> None:
    board = ponder.read(INSTANCES / "plus-10x10-no-order.txt")
    presses = ponder.solve(board).presses
    assert presses is not None
    assert presses.size == 56
    data = written(board, presses, "gif", cell=12)
    assert replayed(board, data, 12) == presses.tolist()
    states = reading.svg_states(order_animation(Film.of(board, presses)), board)
    assert reading.presses_between(board, states) == presses.tolist()


def test_the_pressed_bulb_is_ringed_and_what_it_toggles_flashes() -> None:
    board, presses = ordered("plus-5x5-order.txt")
    root = ElementTree.fromstring(order_animation(Film.of(board, presses, label=False)))
    clip = root.find(f"{reading.SVG}clipPath")
    assert clip is not None
    moves = [reading.Track.of(x) for x in root.iter(f"{reading.SVG}animateTransform")]
    assert len(moves) == 2
    flash, ring = moves
    aims = [value for value in ring.values if not value.startswith("-9999")]
    shown = [place for k, place in enumerate(aims) if k == 0 or place != aims[k - 1]]
    # cells of 40 units, and a margin of 16
    assert shown == [f"{36 + 40 * (v % 5)} {36 + 40 * (v // 5)}" for v in presses.tolist()]
    flashes = [value for value in flash.values if not value.startswith("-9999")]
    assert flashes == shown


def test_frames_aim_press_and_hold() -> None:
    board, presses = ordered("plus-5x5-order.txt")
    frames = list(frames_of(board, presses, speed=2))
    assert len(frames) == 2 * presses.size + 2
    aimed, made = frames[1:-1:2], frames[2:-1:2]
    assert [frame.pressed for frame in aimed] == [frame.pressed for frame in made]
    assert not any(frame.toggled for frame in aimed)
    assert all(frame.toggled for frame in made)
    assert sum(frame.seconds for frame in frames[1:-1]) == pytest.approx(presses.size / 2)
    assert frames[-1].seconds >= 2
    words = [frame_words(board, frame, presses.size) for frame in frames]
    assert words[0] == "press 0 of 10, 12 lit"
    assert words[-1] == "press 10 of 10, 25 lit"
    assert len(list(frames_of(board, presses, speed=20))) == presses.size + 2
    assert seconds_each(10_000) == 0.04


def test_line_bits_run_out() -> None:
    board, presses = ordered("cross-4x7-order.txt")
    last = list(frames_of(board, presses))[-1]
    assert last.bits is not None
    assert not np.concatenate(last.bits).any()
    with_bits = ElementTree.fromstring(order_animation(Film.of(board, presses)))
    without = ElementTree.fromstring(order_animation(Film.of(board, presses, lines=False)))
    assert len(list(with_bits.iter(f"{reading.SVG}rect"))) >= 1 + 11
    assert len(list(without.iter(f"{reading.SVG}rect"))) == 1


def test_words_say_how_far_it_is() -> None:
    board, presses = ordered("plus-5x5-order.txt")
    root = ElementTree.fromstring(order_animation(Film.of(board, presses)))
    texts = [x.text for x in root.iter(f"{reading.SVG}text")]
    assert texts[0] == "press 0 of 10, 12 lit"
    assert len(texts) == 11
    none = ElementTree.fromstring(order_animation(Film.of(board, presses, label=False)))
    assert not list(none.iter(f"{reading.SVG}text"))


@pytest.mark.parametrize("name", ["graph-petersen.json", "graph-house.json"])
def test_a_graph_is_played(name: str) -> None:
    board, presses = ordered(name)
    frames = list(reading.frames_of(written(board, presses, "gif")))
    assert len(frames) == 2 * presses.size + 2
    states = []
    for v in ElementTree.fromstring(order_animation(Film.of(board, presses))).iter(
        f"{reading.SVG}use"
    ):
        states.append(v.get("href"))
    assert sum("-unlit-" in (name or "") for name in states) >= np.count_nonzero(~board.lit)


def test_429_presses_stay_small() -> None:
    board, presses = ordered("ibm-2023-04-30x30.txt")
    assert presses.size == 429
    text = order_animation(Film.of(board, presses))
    assert len(text.encode()) <= 1_000_000
    states = reading.svg_states(text, board)
    assert reading.presses_between(board, states) == presses.tolist()
    data = written(board, presses, "gif")
    assert len(data) <= 3_000_000
    with Image.open(io.BytesIO(data)) as moving:
        assert getattr(moving, "n_frames", 1) == 431


@pytest.mark.deep
@pytest.mark.parametrize("form", ["gif", "apng"])
@pytest.mark.parametrize("name", ["ibm-2023-04-30x30.txt", "ibm-2023-04-24x24.txt"])
def test_pixels_replay_hundreds_of_presses(name: str, form: str) -> None:
    board, presses = ordered(name)
    assert replayed(board, written(board, presses, form, cell=13), 13) == presses.tolist()


def test_what_is_far_too_large_is_refused_and_limits_are_heard() -> None:
    board, presses = ordered("plus-5x5-order.txt")
    with pytest.raises(BoardError, match="too many for an animation"):
        next(frames_of(board, np.zeros(3_000_000, dtype=np.int64)))
    with pytest.raises(BoardError, match="is too large: make cells smaller"):
        order_images(Film.of(board, np.tile(presses, 200), cell=200, speed=1))
    with pytest.raises(TimeUp):
        order_animation(Film.of(board, presses, limits=Limits(0)))
    with pytest.raises(TimeUp):
        next(order_images(Film.of(board, presses), limits=Limits(0))[0])


def test_any_images_make_an_animation() -> None:
    shades = [Image.new("RGB", (9, 9), (k, 80, 0)) for k in (0, 100, 200)]
    forms = ("gif", "apng")
    for form in forms:
        file = io.BytesIO()
        write_images(file, iter(shades), [0.25, 0.5, 2.0], form)
        seconds = [each for _, each in reading.frames_of(file.getvalue())]
        assert seconds == [0.25, 0.5, 2.0]
