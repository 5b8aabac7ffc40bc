"""`ponder site`: the page with its engine as a folder, for any static host."""

from __future__ import annotations

import os
from pathlib import Path

from ponder.cli import options
from ponder.cli.options import argument, option
from ponder.cli.terminal import remark, say


@options.command(
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
def command(
    folder: str = argument("FOLDER"),
    parts: str | None = option("--parts DIR", "Take the parts from DIR; ask no network."),
    only_parts: bool = option("--only-parts", "Fetch the parts into FOLDER, and build nothing."),
    quiet: bool = options.quiet_option,
) -> int:
    """Write the page and its engine into FOLDER, for any web server. It then works offline.

    Its parts (Python for WebAssembly, numpy, python-sat) are pinned by hash, and fetched once.
    """
    from ponder.page import parts as source
    from ponder.page.site import build

    options.check_folder(folder)
    home, wanted = Path(folder if only_parts else parts or cache_folder()), source.parts()
    if parts is None or only_parts:
        source.fetch(home, wanted, lambda line: remark(line, quiet))
    files = () if only_parts else build(Path(folder), home)["files"].values()
    say(f"{part}, {part.licence}: {part.about}" for part in wanted)
    if files:
        say([f"{len(files)} files, {sum(file['bytes'] for file in files) / 1e6:.1f} MB: {folder}"])
    return 0


def cache_folder() -> Path:
    """Return where this user's programs keep what can be had again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ponder", "parts")
