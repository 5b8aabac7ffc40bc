"""Boards on pages to print: an HTML document of SVG pictures, the answers on pages of their own."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from ponder.pictures.scene import Scene
from ponder.pictures.svg import scene_svg

_HEAD = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font-family: sans-serif; margin: 1cm; }}
section {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(7cm, 1fr)); gap: 8mm; }}
section + h1 {{ break-before: page; }}
figure {{ margin: 0; break-inside: avoid; }}
figure svg {{ width: 100%; height: auto; max-height: 12cm; }}
@page {{ size: A4; margin: 1cm; }}
</style></head><body>
"""


def html_sheet(boards: Iterable[Scene], answers: Iterable[Scene], title: str = "Boards") -> str:
    """Return a document with numbered boards, then on new pages the answers by the same numbers."""
    pages = [_HEAD.format(title=escape(title))]
    for heading, scenes in ((title, boards), ("Answers", answers)):
        figures = [
            f"<figure><figcaption>{number}.</figcaption>\n{scene_svg(scene, 'print')}</figure>\n"
            for number, scene in enumerate(scenes, 1)
        ]
        if figures:
            pages.append(f"<h1>{escape(heading)}</h1>\n<section>\n{''.join(figures)}</section>\n")
    return "".join([*pages, "</body></html>\n"])
