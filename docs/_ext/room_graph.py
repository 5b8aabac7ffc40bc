"""A `mermaid` block of the form `graph TD` as a drawing in SVG, made when the site is made.

Hosts of plain Markdown draw such a block with a script from elsewhere; the site loads none. The
vertices stand in layers: below everything that leads to them, by the longest way. What is drawn is
what `python -m tests.doors` prints, lines of the form `a --> b`.
"""

from __future__ import annotations

import re
from html import escape

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

WIDTH, HEIGHT, BOX_WIDTH, BOX_HEIGHT = 128, 64, 100, 28


def layers(edges: list[tuple[str, str]]) -> list[list[str]]:
    """Return the vertices from above, each one layer below the lowest that leads to it."""
    depth = {name: 0 for edge in edges for name in edge}
    for _ in depth:
        for above, below in edges:
            depth[below] = max(depth[below], depth[above] + 1)
    found: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for name, at in depth.items():
        found[at].append(name)
    return found


def draw(text: str) -> str:
    """Return the graph as an SVG element."""
    edges = re.findall(r"^\s*(\w+) --> (\w+)$", text, re.MULTILINE)
    rows = layers(edges)
    widest = max(map(len, rows))
    place: dict[str, tuple[float, float]] = {}
    for level, row in enumerate(rows):
        for at, name in enumerate(row):
            # a layer of one stands aside every other time, so that long arrows pass beside it
            aside = 0.35 * (-1) ** level if len(row) == 1 and 0 < level < len(rows) - 1 else 0.0
            column = at + (widest - len(row)) / 2 + aside
            place[name] = ((column + 0.5) * WIDTH, (level + 0.5) * HEIGHT)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest * WIDTH} '
        f'{len(rows) * HEIGHT}" width="{widest * WIDTH}" role="img" '
        f'aria-label="{escape("; ".join(f"{a} imports {b}" for a, b in edges))}" '
        'style="max-width:100%;height:auto" fill="none" stroke="currentColor">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor" '
        'stroke="none"/></marker></defs>',
    ]
    for above, below in edges:
        (x1, y1), (x2, y2) = place[above], place[below]
        parts.append(
            f'<line x1="{x1:.0f}" y1="{y1 + BOX_HEIGHT / 2:.0f}" x2="{x2:.0f}" '
            f'y2="{y2 - BOX_HEIGHT / 2:.0f}" opacity="0.6" marker-end="url(#tip)"/>'
        )
    for name, (x, y) in place.items():
        parts.append(
            f'<rect x="{x - BOX_WIDTH / 2:.0f}" y="{y - BOX_HEIGHT / 2:.0f}" width="{BOX_WIDTH}" '
            f'height="{BOX_HEIGHT}" rx="4" style="fill:var(--color-background-primary,white)"/>'
            f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle" font-size="14" '
            f'fill="currentColor" stroke="none">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>"])


class Mermaid(Directive):
    """The block itself."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the drawing."""
        return [nodes.raw("", draw("\n".join(self.content)), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the block known."""
    app.add_directive("mermaid", Mermaid)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
