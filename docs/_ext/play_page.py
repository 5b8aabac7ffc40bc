"""The page without a server, in the site as `play/`: where PONDER_PARTS names a folder of parts."""

from __future__ import annotations

import os
from pathlib import Path

from sphinx.application import Sphinx


def write(app: Sphinx, failed: Exception | None) -> None:
    """Build the page beside the documents."""
    folder = os.environ.get("PONDER_PARTS")
    if folder and failed is None and app.builder.format == "html":
        from ponder.page.site import build

        build(Path(app.outdir, "play"), Path(folder))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to write."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
