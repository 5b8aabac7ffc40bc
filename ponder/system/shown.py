"""How things show themselves in a notebook: by name, filled from above.

A notebook asks an object for its picture (`_repr_svg_`, `_repr_html_`), and the objects lie in
rooms below the one where pictures are made. So they ask here. `ponder/__init__.py`, which every
import of the package runs first, names the module for each picture. It is loaded on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes 3 ms

if TYPE_CHECKING:
    from typing import Any

_MAKERS: dict[str, tuple[str, str]] = {}


def shown_by(kind: str, module: str, function: str) -> None:
    """Say which function of which module shows things of a kind."""
    _MAKERS[kind] = module, function


def shown(kind: str, thing: Any) -> str | None:
    """Return a thing as SVG or HTML; None, whereupon a notebook prints it, if it cannot be shown.

    >>> shown("number", 3) is None
    True
    """
    if kind not in _MAKERS:
        return None
    from importlib import import_module

    module, function = _MAKERS[kind]
    found = getattr(import_module(module), function)(thing)
    return None if found is None else str(found)
