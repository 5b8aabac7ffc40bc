"""The page without a server, in the site as `play/`: where all of its parts are at hand.

The parts lie in the folder that PONDER_PARTS names (empty: no page), or in the user's cache. Where
the page is, every picture of the gallery opens it with the picture's board, and a comment of the
form `<!-- play: WORDS -->` becomes a link to it, in place of a link that stands before it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from tests.pictures.gallery import fragments

COMMENT = re.compile(r"(?:\[[^]\n]*\]\([^)\n]*\))?<!-- play: (.*?) -->")


def find(app: Sphinx, config: Config) -> None:
    """Know where the parts are; PonderError where PONDER_PARTS names a folder without them."""
    from ponder.cli.site import cache_folder
    from ponder.page.parts import parts, taken
    from ponder.system.errors import PonderError

    named = os.environ.get("PONDER_PARTS")
    folder = cache_folder() if named is None else Path(named)
    try:
        if named != "":
            for part in parts():
                taken(folder, part)
            config.parts = str(folder)
    except PonderError:
        if named:
            raise


def on_read(app: Sphinx, name: str, source: list[str]) -> None:
    """Show the links that need the page."""
    if app.config.parts:
        link = rf'<a href="{"../" * name.count("/")}play/">\1</a>'
        source[0] = COMMENT.sub(link, source[0])


def on_resolved(app: Sphinx, document: nodes.document, name: str) -> None:
    """Let the pictures of the gallery open the page."""
    known = fragments() if app.config.parts else {}
    for image in list(document.findall(nodes.image)):
        if (fragment := known.get(Path(image["uri"]).name)) is None:
            continue
        target = "../" * name.count("/") + f"play/{fragment}"
        if isinstance(image.parent, nodes.reference):
            image.parent["refuri"] = target
            continue
        link = nodes.reference("", "", refuri=target, reftitle="Play this board", internal=True)
        image.replace_self(link)
        link += image


def write(app: Sphinx, failed: Exception | None) -> None:
    """Build the page beside the documents."""
    if app.config.parts and failed is None and app.builder.format == "html":
        from ponder.page.site import build

        build(Path(app.outdir, "play"), Path(app.config.parts))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to do what; pages are made anew where the page comes or goes."""
    app.add_config_value("parts", None, "env", str)
    app.connect("config-inited", find)
    app.connect("source-read", on_read)
    app.connect("doctree-resolved", on_resolved)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
