"""Pictures read back: what state a board is in, by pixels or by the elements of an SVG.

Nothing here uses what draws: files are opened by Pillow and by Python's XML parser, and the colour
a little beside the middle of each bulb is compared with two samples.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np

import ponder
from ponder.model.graph import GridGraph
from ponder.system.types import Bits

if TYPE_CHECKING:
    from PIL import Image

SVG = "{http://www.w3.org/2000/svg}"

SAMPLES = {
    "light": ((247, 189, 60), (223, 224, 221)),
    "dark": ((255, 203, 82), (23, 29, 37)),
    "print": ((255, 255, 255), (0, 0, 0)),
}
"""Lit and unlit, as a look at the style sheet of the page says."""


def centres(
    board: ponder.Board, size: tuple[int, int], cell: int, margin: float
) -> list[tuple[float, float]]:
    """Where bulbs of a grid lie in a picture: the board is in the middle, the margin above it."""
    graph = board.graph
    assert isinstance(graph, GridGraph)
    left = (size[0] - graph.shape[1] * cell) / 2
    return [
        (left + (c + 0.5) * cell, (margin + r + 0.5) * cell)
        for r, c in zip(graph.rows.tolist(), graph.columns.tolist(), strict=True)
    ]


def state_of(image: Image.Image, places: list[tuple[float, float]], cell: int, theme: str) -> Bits:
    """Return which bulbs are lit, by the colour beside the middle of each."""
    pixels = np.asarray(image.convert("RGB"))
    beside = np.rint(np.array(places) + np.array([-0.18 * cell, 0.18 * cell])).astype(np.int64)
    colours = pixels[beside[:, 1], beside[:, 0]].astype(np.int64)
    lit, unlit = (np.abs(colours - sample).sum(axis=1) for sample in SAMPLES[theme])
    return np.asarray(lit < unlit)


def frames_of(data: bytes) -> Iterator[tuple[Image.Image, float]]:
    """Yield the frames of a GIF or an APNG with their seconds."""
    from PIL import Image, ImageSequence

    with Image.open(io.BytesIO(data)) as moving:
        for frame in ImageSequence.Iterator(moving):
            yield frame.copy(), frame.info["duration"] / 1000


def presses_between(board: ponder.Board, states: list[Bits]) -> list[int]:
    """Return the presses that lead from state to state; those that are alike are none."""
    toggles = {
        board.graph.apply(board.graph.set_of([v])).tobytes(): v for v in range(board.graph.size)
    }
    presses = []
    for before, after in pairwise(states):
        change = before ^ after
        if change.any():
            presses.append(toggles[change.tobytes()])
    return presses


@dataclass(frozen=True)
class Track:
    """An attribute over time: its values, and the shares of the whole at which they begin."""

    starts: list[float]
    values: list[str]

    @classmethod
    def from_animation(cls, element: ElementTree.Element) -> Track:
        """Read an `animate` element, and hold it to what SMIL asks of a discrete one."""
        assert element.get("calcMode") == "discrete"
        starts = [float(x) for x in element.attrib["keyTimes"].split(";")]
        values = element.attrib["values"].split(";")
        assert starts[0] == 0
        assert (np.diff(starts) > 0).all()
        assert starts[-1] < 1
        assert len(values) == len(starts)
        return cls(starts, values)

    def at(self, share: float) -> str:
        """Return the value at a moment."""
        return self.values[bisect_right(self.starts, share) - 1]


def svg_states(text: str, board: ponder.Board) -> list[Bits]:
    """Return the states that an animated SVG goes through, by its opacities alone."""
    root = ElementTree.fromstring(text)
    tracks: dict[tuple[str, str], Track | bool] = {}
    moments = {0.0}
    for use in root.iter(f"{SVG}use"):
        place = use.attrib["x"], use.attrib["y"]
        lit = "-lit-" in use.attrib["href"]
        if (animate := use.find(f"{SVG}animate")) is not None:
            assert lit
            track = Track.from_animation(animate)
            tracks[place] = track
            moments |= set(track.starts)
        else:
            tracks[place] = lit
    assert len(tracks) == board.graph.size
    places = sorted(tracks, key=lambda place: (float(place[1]), float(place[0])))
    states = []
    for moment in sorted(moments):
        state = [
            track.at(moment) == "1" if isinstance(track, Track) else track
            for track in (tracks[place] for place in places)
        ]
        states.append(np.array(state))
    return states
