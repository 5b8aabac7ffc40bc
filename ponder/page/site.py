"""A folder with the whole page, engine included, for any static host (`ponder site`).

It holds the page, Python for WebAssembly, and what that imports, compiled. `contents.json` names
every file with size and SHA-256, and every part with its licence; `installed.json` what a later
build may replace; `*.gz` and `*.br` are the same files for hosts that can use them. The same parts
and the same ponder give the same bytes. Nothing in it names another place: it works under any path.
`offline/build.mjs` makes it, in node.
"""

from __future__ import annotations

import json
import os
import tarfile
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ponder.find.order import order
from ponder.model.board import Board
from ponder.model.formats import parse_board
from ponder.model.presets import GRADES, OFFERED
from ponder.page import offers
from ponder.page.parts import OFFLINE, parts, run, taken
from ponder.page.tasks import new_task
from ponder.pictures.pixels import shapes_image
from ponder.pictures.vocabulary import THEMES, Bulb
from ponder.system.errors import PonderError, quoted
from ponder.system.limits import NEVER
from ponder.system.version import __version__

LIST = "installed.json"
READY_DAYS = 400
READY_SEEDS = 8
ICONS = {"icon-192.png": (192, 0.46), "icon-512.png": (512, 0.46), "icon-maskable.png": (512, 0.36)}
"""Pixels, and a cell's share of them. Phones cut the last one to a shape of their own."""


def build(target: Path, folder: Path) -> dict[str, Any]:
    """Write the page into the folder `target`, out of the parts in `folder`; return its contents.

    Files that an earlier build wrote into `target` are replaced; all others there stay as they are.
    Raises PonderError if a part is missing, or node, or nothing can be written, and if `target`
    holds files but none of an earlier build.
    """
    written(target)
    contents = {part.name: taken(folder, part) for part in parts()}
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".ponder-", dir=target.parent) as scratch:
            with tarfile.open(fileobj=BytesIO(contents["pyodide"])) as packed:
                packed.extractall(scratch, filter="data")
            output, icons = (Path(scratch, name) for name in ("made", "icons"))
            output.mkdir()
            icons.mkdir()
            draw_icons(icons)
            package, source = f"{scratch}/package", f"{folder.resolve()}"
            content: dict[str, Any] = {
                "home": package,
                "folder": source,
                "icons": f"{icons}",
                "out": f"{output}",
            }
            table = [asdict(part) for part in parts()]
            content |= {"parts": table, "version": __version__}
            content |= {"start": offers(), "ready": ready_boards()}
            run("node", OFFLINE / "build.mjs", told=json.dumps(content))
            install(output, target)
        stored: dict[str, Any] = json.loads((target / "contents.json").read_bytes())
    except OSError as error:
        raise PonderError(f"{target}: cannot be written: {error.strerror or error}") from None
    return stored


def written(target: Path) -> set[str]:
    """Return the files that an earlier build wrote and that are still as it wrote them.

    `installed.json` lists them with their SHA-256. What it says is a stranger's word: only plain
    names of regular files in the folder itself count. Raises PonderError where `target` holds files
    and no such list.
    """
    if target.is_symlink():
        raise PonderError(f"{target}: this is a link: name the folder itself")
    if not target.exists() or (target.is_dir() and not os.listdir(target)):
        return set()
    try:
        if (target / LIST).is_symlink():
            raise ValueError
        listed = dict(json.loads((target / LIST).read_bytes()))
    except (OSError, ValueError, TypeError):
        raise PonderError(f"{target}: is there already, and no site of ponder's") from None
    return {LIST} | {
        entry.name
        for entry in os.scandir(target)
        if entry.is_file(follow_symlinks=False) and listed.get(entry.name) == digest(entry.path)
    }


def ready_boards(days: int = READY_DAYS, seeds: int = READY_SEEDS) -> dict[str, list[str]]:
    """Return boards that a page plays until its engine is loaded, by label, one for each seed.

    The daily boards are those of the next days, counted from `SOURCE_DATE_EPOCH` where that is set.
    Behind a board of *Possible or not?* stands `#` and a digest of the board with its verdict.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        first = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
        if first + timedelta(days) < datetime.fromtimestamp(0, UTC):  # or beyond the calendar
            raise ValueError
    except (ValueError, OverflowError, OSError):
        raise PonderError(f"SOURCE_DATE_EPOCH: {quoted(epoch)} is no time in seconds") from None
    dates = ((first + timedelta(day)).date().isoformat() for day in range(days))
    asked: dict[str, list[dict[str, Any]]] = {f"daily.{day}": [{"daily": day}] for day in dates}
    for puzzle, grade in product(OFFERED, GRADES):
        named = {"puzzle": puzzle, "grade": grade}
        asked[f"{puzzle}.{grade}"] = [{**named, "seed": seed} for seed in range(seeds)]
    ready = {name: [_board(request) for request in requests] for name, requests in asked.items()}
    for name, requests in asked.items():
        boards = (_board({**request, "riddle": True}) for request in requests)
        ready[f"riddle.{name}"] = [
            f"{board}#{sha256((board + order(parse_board(board)).verdict).encode()).hexdigest()}"
            for board in boards
        ]
    return ready


def _board(asked: dict[str, Any]) -> str:
    return str(new_task(Board.from_rows(["0"]), asked, NEVER, lambda _: None)["board"])


def digest(path: str | Path) -> str:
    """Return a file's SHA-256."""
    return sha256(Path(path).read_bytes()).hexdigest()


def install(output: Path, target: Path) -> None:
    """Move the files of a new build to `target`, in place of those of an earlier one.

    A file that is neither an earlier build's nor the same as the new one would be lost: then
    nothing is changed. Each file is replaced whole, and the list of them last. Raises PonderError
    and OSError.
    """
    before, names = written(target), sorted(os.listdir(output))
    for name in names:
        here = target / name
        if not os.path.lexists(here) or name in before:
            continue
        if here.is_symlink() or not here.is_file() or digest(here) != digest(output / name):
            raise PonderError(f"{here}: not written by `ponder site`, or changed: move it away")
    target.mkdir(exist_ok=True)
    listed = {name: digest(output / name) for name in names}
    for name in names:
        (output / name).replace(target / name)
    for name in before - {*names, LIST}:
        (target / name).unlink(missing_ok=True)
    (output / LIST).write_text(json.dumps(listed, indent=1), encoding="utf-8")
    (output / LIST).replace(target / LIST)


def draw_icons(folder: Path) -> None:
    """Write the icons of the web manifest into a folder."""
    for name, (pixels, cell) in ICONS.items():
        at, size = (0.5 / cell - 0.5, 0.5 / cell + 0.5), (pixels, pixels)
        bulbs = [Bulb(x, y, x == y) for x in at for y in at]
        image = shapes_image(bulbs, size, cell * pixels, THEMES["light"])
        image.quantize(128).save(folder / name, optimize=True)
