"""Libraries that only some of ponder needs: they come with an extra (`pyproject.toml`)."""

from __future__ import annotations

from importlib import import_module

from ponder.errors import NeedsExtra


def require(module: str, what: str, extra: str) -> None:
    """Import a module of an extra; NeedsExtra that says how to get it when it is missing.

    >>> require("json", "reading", "plots")
    """
    try:
        import_module(module)
    except ImportError as error:
        raise NeedsExtra(what, f"{module} ({error})", extra) from None
