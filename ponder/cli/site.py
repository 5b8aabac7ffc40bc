"""`ponder site`: the page with its engine as a folder, for any static host."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ponder.cli import params
from ponder.cli.output import remark, say
from ponder.page.parts import fetch
from ponder.page.parts import parts as wanted_parts
from ponder.page.site import build


@params.command(
    """
Examples:
  ponder site public/play
  ponder site --only-parts parts                what a build without a network needs
  ponder site public/play --parts parts         that build

Needs node and, without --parts, npm and pip with a network. The same parts give the same bytes.
In FOLDER, what an earlier call wrote is replaced, and nothing else is touched: CNAME, .git and the
like stay. A folder with files that holds no earlier page is refused.
Exit codes: 0 written, 2 a part or a tool is missing, or a file of FOLDER would be lost.
"""
)
@click.argument("folder", metavar="FOLDER")
@click.option("--parts", metavar="DIR", help="Take the parts from DIR; ask no network.")
@click.option("--only-parts", is_flag=True, help="Fetch the parts into FOLDER, and build nothing.")
@params.quiet_option
def command(folder: str, parts: str | None, only_parts: bool, quiet: bool) -> int:
    """Write the page and its engine into FOLDER, for any web server. It then works offline.

    Its parts (Python for WebAssembly, numpy, python-sat) are pinned by hash, and fetched once.
    """
    home, wanted = Path(folder if only_parts else parts or cache_folder()), wanted_parts()
    if parts is None or only_parts:
        fetch(home, wanted, lambda line: remark(line, quiet))
    files = () if only_parts else build(Path(folder), home)["files"].values()
    say(f"{part}, {part.licence}: {part.about}" for part in wanted)
    if files:
        say([f"{len(files)} files, {sum(file['bytes'] for file in files) / 1e6:.1f} MB: {folder}"])
    return 0


def cache_folder() -> Path:
    """Return where this user's programs keep what can be had again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ponder", "parts")
