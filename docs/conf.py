"""The site made of these pages: `python -m sphinx -W -b html docs build/site`.

Everything that a page loads lies in the site: no font, script or picture comes from elsewhere, and
the mathematics is written in Unicode, so that it needs none (`tests/book/test_site.py`). The pages
are plain Markdown and can be read without the site.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))
sys.path.insert(0, str(HERE.parent))

from ponder.system.version import __version__  # noqa: E402

project = "ponder"
author = "the founders of ponder"
release = version = __version__
language = "en"

extensions = ["myst_parser", "pages"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext", "_build"]
suppress_warnings = [
    "misc.highlighting_failure",  # proofs and boards are in no language that Pygments knows
    "myst.xref_missing_fragment",  # tools/links.py follows these
    "toc.empty_glob",
]

myst_heading_anchors = 4
myst_enable_extensions: list[str] = []
nitpicky = True

html_theme = "furo"
html_title = f"ponder {__version__}"
html_theme_options: dict[str, object] = {"navigation_with_keys": True}
addresses = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
if "Source" in addresses:
    html_theme_options |= {"source_repository": addresses["Source"], "source_directory": "docs/"}
html_copy_source = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["wide.css"]
smartquotes = False  # `--option` stays as it is typed
pygments_style = "friendly"
