"""Write the pictures of the README and of the documents: `python -m tools.pictures`."""

from __future__ import annotations

from pathlib import Path

import ponder
from ponder.model.formats import parse_board
from ponder.model.shapes import SHAPES, shape
from ponder.pictures.scene import Scene
from ponder.pictures.svg import scene_svg

ROOT = Path(__file__).resolve().parents[1]
REFUSED = "1011\n1101\n0110\n0001\n"


def main(folder: Path) -> None:
    """Write an order that plays, refusals, wirings, and a picture of every shape."""
    board = ponder.read(ROOT / "instances/ibm-2023-04-example-4x4.txt")
    (folder / "order-4x4.svg").write_text(ponder.draw(board, ponder.order(board), moving=True))
    refused = parse_board(REFUSED, "line-count")
    (folder / "line-count.svg").write_text(ponder.draw(refused, ponder.order(refused)))
    for name in ("merlin", "levers"):
        board = ponder.read(ROOT / f"instances/wiring-{name}.json")
        (folder / f"{name}.svg").write_text(ponder.draw(board, ponder.solve(board)))
    for entry in SHAPES:
        board = shape(entry.key, *entry.sides_of_example)
        path = folder / "shapes" / f"{entry.key}.svg"
        path.write_text(scene_svg(Scene(board, cell=26)))


if __name__ == "__main__":
    main(ROOT / "docs" / "gallery")
