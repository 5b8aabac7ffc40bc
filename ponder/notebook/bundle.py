"""The page's ES modules as one module, as anywidget takes it: no build step, no network.

Each module becomes a function that is called once and returns what it exports; imports become
names taken from that. Modules stand behind those that they import. The whole lies in the function
`render`, so that every view of a widget has its own state. The page's `host.js` is left out for
the notebook's.

That is no parser of JavaScript. It relies on the form in which the page is written: imports on one
line at the start of a module, `export` before a declaration, one name each but for constants; what
it does not understand it refuses.
"""

from __future__ import annotations

import json
import re
from graphlib import TopologicalSorter
from importlib.resources import files

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./(\w+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:class|(?:async )?function\*?) (\w+)|const (.*))", re.MULTILINE)
_NAMES = re.compile(r"(?:^|, )(\w+) = ")

HOST = "host.js"
MAIN = "main.js"


def bundle() -> str:
    """Return the widget's ES module.

    >>> "export default { render" in bundle()
    True
    """
    static = files("ponder.page").joinpath("static")
    sources = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in static.iterdir()
        if entry.name.endswith(".js")
    }
    sources[HOST] = files("ponder.notebook").joinpath(HOST).read_text(encoding="utf-8")
    page = static.joinpath("index.html").read_text(encoding="utf-8")
    body = page.partition("<body>")[2].partition("<noscript>")[0]
    style = static.joinpath("page.css").read_text(encoding="utf-8")
    return "\n".join(
        [
            f"const STYLE = {json.dumps(style)};",
            f"const BODY = {json.dumps(body)};",
            "function board(given) {",
            *linked(sources, MAIN),
            "}",
            "export default { render({ model, el }) {",
            "const over = new AbortController();",
            "board({ model, el, leaving: over.signal });",
            "return () => over.abort();",
            "} };",
        ]
    )


def linked(sources: dict[str, str], main: str) -> list[str]:
    """Return the modules that `main` needs as functions, in order.

    >>> files = {"a.js": 'import { one } from "./b.js";', "b.js": "export const one = 1;"}
    >>> for line in linked(files, "a.js"): print(line)
    const b_js = (() => {
    const one = 1;
    return { one };
    })();
    const a_js = (() => {
    const { one } = b_js;
    return {  };
    })();
    """
    needed: dict[str, set[str]] = {}
    waiting = [main]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = {found for _, found in _IMPORT.findall(sources[name])}
            waiting += needed[name]
    lines = []
    for name in TopologicalSorter(needed).static_order():
        lines += [f"const {_called(name)} = (() => {{", *_function(name, sources[name]), "})();"]
    return lines


def _called(name: str) -> str:
    return name.replace(".", "_")


def _function(name: str, source: str) -> list[str]:
    exported: list[str] = []
    for declared, constants in _EXPORT.findall(source):
        exported += [declared] if declared else _NAMES.findall(constants.partition(";")[0])
    text = _EXPORT.sub("", source)
    text = _IMPORT.sub(
        lambda x: f"const {{ {x[1].replace(' as ', ': ')} }} = {_called(x[2])};", text
    )
    odd = re.search(r"^(?:import|export)\b.*", text, re.MULTILINE)
    if odd is not None:
        raise ValueError(f"{name}: this cannot be bundled: {odd[0]}")
    return [text.rstrip("\n"), f"return {{ {', '.join(exported)} }};"]
