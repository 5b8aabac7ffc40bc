"""What an array may take: asked before it is made."""

from __future__ import annotations

from ponder.errors import NeedsMemory

MOST_BYTES = 2_000_000_000
"""Arrays above this are refused before they are made."""


def refuse_above_limit(what: str, size: int) -> None:
    """Raise NeedsMemory, before anything is made, when `size` bytes are more than `MOST_BYTES`."""
    if size > MOST_BYTES:
        raise NeedsMemory(
            f"{what} needs about {size / 1e9:.1f} GB, more than the {MOST_BYTES / 1e9:.0f} GB "
            "that are allowed"
        )
