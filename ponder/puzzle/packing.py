"""Proofs inside a result: compressed (zlib), and then letters and digits (base 64).

A solver's proof shrinks to a third. `ponder.check.fields` reads it back.
"""

from __future__ import annotations

import base64
import zlib


def packed(text: str) -> str:
    """Return a text of ASCII, compressed.

    >>> len(packed("1 0 2 3 0\\n" * 1000)) < 200
    True
    """
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")
