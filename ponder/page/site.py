"""A folder with the whole page, engine included, for any static host (`ponder site`).

It holds the page, Python for WebAssembly, and what that imports, compiled. `contents.json` names
every file with size and SHA-256, and every part with its licence; `*.gz` and `*.br` are the same
files for hosts that can use them. The same parts and the same ponder give the same bytes. Nothing
in it names another place: it works under any path. `offline/build.mjs` makes it, in node.
"""

from __future__ import annotations

import json
import os
import tarfile
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ponder.errors import PonderError
from ponder.page import offers
from ponder.page.parts import OFFLINE, parts, run, taken
from ponder.pictures.pixels import shapes_image
from ponder.pictures.shapes import THEMES, Bulb
from ponder.version import __version__

ICONS = {"icon-192.png": (192, 0.46), "icon-512.png": (512, 0.46), "icon-maskable.png": (512, 0.36)}
"""Pixels, and a cell's share of them. Phones cut the last one to a shape of their own."""


def build(target: Path, folder: Path) -> dict[str, Any]:
    """Write the page into the folder `target`, out of the parts in `folder`; return its contents.

    What an earlier build left in `target` is replaced; anything else there is refused. Raises
    PonderError if a part is missing, or node, or nothing can be written.
    """
    left = {"contents.json", "ponder.tar.xz"}
    if target.exists() and not (target.is_dir() and left <= {*(os.listdir(target) or left)}):
        raise PonderError(f"{target}: is there already, and no site of ponder's")
    contents = {part.name: taken(folder, part) for part in parts()}
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".ponder-", dir=target.parent) as scratch:
            with tarfile.open(fileobj=BytesIO(contents["pyodide"])) as packed:
                packed.extractall(scratch, filter="data")
            made, old, icons = (Path(scratch, name) for name in ("made", "old", "icons"))
            made.mkdir()
            icons.mkdir()
            draw_icons(icons)
            package, source = f"{scratch}/package", f"{folder.resolve()}"
            places = {"home": package, "folder": source, "icons": f"{icons}", "out": f"{made}"}
            table = [asdict(part) for part in parts()]
            told = {**places, "parts": table, "version": __version__, "start": offers()}
            run("node", OFFLINE / "build.mjs", told=json.dumps(told))
            if target.exists():
                target.rename(old)
            try:
                made.rename(target)
            except OSError:
                if old.exists():
                    old.rename(target)  # the folder of before stays
                raise
        found: dict[str, Any] = json.loads((target / "contents.json").read_bytes())
    except OSError as error:
        raise PonderError(f"{target}: cannot be written: {error.strerror or error}") from None
    return found


def draw_icons(folder: Path) -> None:
    """Write the icons of the web manifest into a folder."""
    for name, (pixels, cell) in ICONS.items():
        at, size = (0.5 / cell - 0.5, 0.5 / cell + 0.5), (pixels, pixels)
        bulbs = [Bulb(x, y, x == y) for x in at for y in at]
        image = shapes_image(bulbs, size, cell * pixels, THEMES["light"])
        image.quantize(128).save(folder / name, optimize=True)
