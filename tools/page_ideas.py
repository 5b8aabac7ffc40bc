"""The page where the path ends, of `docs/ideas.md`: `python -m tools.page_ideas` writes it."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[1]
SOURCE, PAGE = ROOT / "docs/ideas.md", ROOT / "ponder/page/static/ideas.html"
FRAME: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="page.css">
</head>
<body>
<main class="ideas">
<p><a href="./">ponder</a></p>
<h1>{title}</h1>
{paragraphs}
</main>
</body>
</html>
"""


def page() -> str:
    """Return the page. The links of the source lead to pages that are not here: their words stay.

    >>> page().count("<h1>")
    1
    """
    first, *rest = SOURCE.read_text(encoding="utf-8").strip().split("\n\n")
    paragraphs = "\n".join(f"<p>{_inline(text)}</p>" for text in rest)
    return FRAME.format(title=escape(first.removeprefix("# ")), paragraphs=paragraphs)


def _inline(text: str) -> str:
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", escape(text, quote=False))
    for mark, tag in ((r"\*\*", "b"), (r"\*", "em"), ("`", "code")):
        text = re.sub(f"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
