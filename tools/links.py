"""Links that lead nowhere, in the Markdown pages as files and in the site that is made of them.

Of Markdown, every link and picture to a file of the project is followed, to its heading if it
names one. Of the site, every `href` and `src` within it, to its fragment; and everything that a
page would load from elsewhere is named, of which there must be nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

INLINE = re.compile(r"\]\(<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\)")
FENCES = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")

LOADING = {"link", "script", "img", "iframe", "source", "video", "audio", "embed", "object", "use"}
"""Elements whose address is fetched with the page."""

LOADED_RELATIONS = {"stylesheet", "preload", "modulepreload", "icon", "preconnect", "dns-prefetch"}
"""What a `link` element must be to be fetched."""


def slug(heading: str) -> str:
    """Return the name by which hosts of Markdown link to a heading.

    >>> slug("## 4.2 Theorem 2: an order is a `half factor`")
    '42-theorem-2-an-order-is-a-half-factor'
    """
    text = re.sub(r"[`*]", "", heading.lstrip("#").strip()).lower()
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@cache
def headings(page: Path) -> frozenset[str]:
    """Return the names of a page's headings."""
    text = FENCES.sub("", page.read_text(encoding="utf-8"))
    return frozenset(slug(line) for line in text.splitlines() if re.match(r"#{1,6} ", line))


def broken(page: Path, text: str | None = None) -> Iterator[str]:
    """Yield the links of a Markdown page that lead nowhere."""
    text = page.read_text(encoding="utf-8") if text is None else text
    for target in INLINE.findall(CODE.sub("", FENCES.sub("", text))):
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if not path.exists():
            yield f"{page.name}: {target}: no such file"
        elif parts.fragment and parts.fragment not in headings(path):
            yield f"{page.name}: {target}: no such heading"


class Page(HTMLParser):
    """What one page of the site names, links to and loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        given = {key: value for key, value in attrs if value is not None}
        self.names |= {given[key] for key in ("id", "name") if key in given}
        for key in ("href", "src", "data", "poster", "srcset", "xlink:href"):
            if key in given:
                self._address(tag, given, given[key])
        self.loads += urls(given.get("style", ""))

    def _address(self, tag: str, given: dict[str, str], address: str) -> None:
        relation = set(given.get("rel", "").split())
        loaded = tag in LOADING and (tag != "link" or relation & LOADED_RELATIONS)
        (self.loads if loaded else self.links).append(address)


def urls(css: str) -> list[str]:
    """Return the addresses that a style sheet loads.

    >>> urls("@import 'a.css'; b { c: url(d.woff2) }")
    ['d.woff2', 'a.css']
    """
    addresses = re.findall(r"url\(\s*['\"]?([^'\")]+)", css)
    return addresses + re.findall(r"@import\s+['\"]([^'\"]+)", css)


def site_faults(site: Path) -> Iterator[str]:
    """Yield what is loaded from elsewhere, and links within the site that lead nowhere."""
    pages = {
        path.resolve(): Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")
    }
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        for address in page.loads:
            if urlsplit(address).scheme not in ("", "data") or address.startswith("//"):
                yield f"{name}: loads {address}"
        for address in [*page.loads, *page.links]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{name}: {address}: no such file"
            elif (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].names
            ):
                yield f"{name}: {address}: no such place"
    for path in site.rglob("*.css"):
        for address in urls(path.read_text(encoding="utf-8")):
            if urlsplit(address).scheme not in ("", "data") or address.startswith("//"):
                yield f"{path.relative_to(site)}: loads {address}"
