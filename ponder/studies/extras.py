"""Libraries that only some of ponder needs: they come with an extra, `pip install ponder[…]`."""

from __future__ import annotations

from importlib import import_module

from ponder.errors import PonderError


def require(module: str, what: str, extra: str) -> None:
    """Import a module of an extra; PonderError that says how to get it when it is missing.

    >>> require("json", "reading", "plots")
    """
    try:
        import_module(module)
    except ImportError as error:
        raise PonderError(
            f"{what} needs {module} ({error}): pip install 'ponder[{extra}]'"
        ) from None
