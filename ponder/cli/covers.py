"""`ponder covers`: the press sets that change nothing, drawn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import gathered, option
from ponder.cli.terminal import drawn, legend, say
from ponder.system.limits import Limits
from ponder.system.printable import pluralise

if TYPE_CHECKING:
    from ponder.lights_out.covers import Covers
    from ponder.system.types import Json

SHOWN = 16  # covers drawn at most, unless --all asks for the rest


@options.command(
    """
Examples:
  ponder covers 5
  ponder covers 9x14 --pattern plus
  ponder covers board.txt                       of a board's own shape, holes and pattern
  ponder covers board.txt --puzzle lights-out   of a grid that names no pattern
  ponder covers 9 --json

A cover changes nothing when all its bulbs are pressed (a quiet pattern); seen from the other
side, every press toggles an even number of its bulbs (an even parity cover). A board of nullity k
has 2^k of them: the sums of a basis. Bulbs with one number in the map lie in the same covers; a
dot is a bulb in none.
Exit codes: 0 answered, 2 bad input, 3 not in time, 130 interrupted.
"""
)
def command(
    file: str = options.board_argument,
    header: options.Header = gathered(options.Header),
    every: bool = option("--all", f"Draw all of them, not only the first {SHOWN}."),
    as_json: bool = options.json_option,
    clock: Limits = options.clock_option,
) -> int:
    """Print a basis of the even parity covers of a board FILE, or of a SIZE (N or RxC)."""
    from ponder.lights_out.covers import covers
    from ponder.model import render

    board = options.dark_board(file, header, clock)
    found = covers(board.graph, clock)
    if as_json:
        click.echo(json.dumps(_content(found)))
        return 0
    say([render.shape_text(board.graph)])
    if not found.nullity:
        say(["nullity 0: the only cover is the empty one"])
        return 0
    basis = pluralise(found.nullity, "cover")
    say([f"nullity {found.nullity}: {basis} in a basis, 2^{found.nullity} in all"])
    for at, cover in enumerate(found.basis if every else found.basis[:SHOWN], start=1):
        tile = found.tiles[at - 1]
        of = "" if tile is None else f", the tiling by one of {tile[0]}×{tile[1]}"
        say(["", f"cover {at}, {pluralise(int(cover.sum()), 'bulb')}{of}", ""])
        say(drawn(board, marked=cover))
    say(legend("bulbs of the cover"))
    if found.nullity > SHOWN and not every:
        say(["", f"and {found.nullity - SHOWN} more: --all draws them"])
    say(["", *_map(found)])
    return 0


def _map(found: Covers) -> list[str]:
    """Return the regions of a grid as a picture, and how large they are."""
    import numpy as np

    from ponder.model.graph import GridGraph

    regions = found.regions()
    sizes = np.bincount(regions)
    free = f", and {sizes[0]} in no cover" if sizes[0] else ""
    lines = [f"the bulbs make {pluralise(len(sizes) - 1, 'region')}{free}"]
    if isinstance(found.graph, GridGraph):
        width = len(str(len(sizes) - 1))
        names = ["", "·", *map(str, range(1, len(sizes)))]
        words = np.array([name.rjust(width) for name in names])
        numbers = found.graph.numbers
        shown = words[np.where(numbers >= 0, regions[numbers] + 1, 0)]
        lines += ["", *(" ".join(row).rstrip() for row in shown)]
    lines += ["", "bulbs of a region: " + ", ".join(map(str, sizes[1:]))]
    return lines


def _content(found: Covers) -> Json:
    import numpy as np

    label = found.graph.labels
    return {
        "schema": "ponder.covers/1",
        "nullity": found.nullity,
        "basis": [label(np.flatnonzero(cover)) for cover in found.basis],
        "tiles": [tile if tile is None else list(tile) for tile in found.tiles],
        "regions": found.regions().tolist(),
    }
