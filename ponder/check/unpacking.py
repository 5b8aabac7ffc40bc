"""Proofs inside a result, read back: base 64 and zlib, and never more of it than is allowed.

A text of 200 kB may unpack to 200 MB: so no more is unpacked than the budget has room for.
"""

from __future__ import annotations

import base64
import binascii
import zlib

from ponder.check.fields import fail
from ponder.check.limits import Budget

_NS_BYTE = 10  # nanoseconds for a byte that is unpacked


def unpacked(value: object, most: int, budget: Budget) -> str:
    """Return the text of a packed proof; TooLarge beyond `most` bytes, CheckFailed if it is none.

    >>> unpacked("eJwzVDBQMFIwVjDgAgAI1gGB", 100, Budget())
    '1 0 2 3 0\\n'
    >>> unpacked("eJwzVDBQMFIwVjDgAgAI1gGB", 9, Budget())
    Traceback (most recent call last):
    ...
    ponder.check.limits.TooLarge: 10 bytes of a packed proof, at least, are more than 9
    """
    if not isinstance(value, str):
        fail("there is no packed proof")
    room = min(most * budget.limit, budget.left // _NS_BYTE)
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(base64.b64decode(value, validate=True), room + 1)
        budget.demand(len(text), most, "bytes of a packed proof, at least,")
        budget.spend(_NS_BYTE * len(text), "unpacking the proofs")
        if not stream.eof or stream.unused_data:
            fail("the packed proof is cut short, or has something after its end")
        return text.decode("ascii")
    except (binascii.Error, ValueError, zlib.error):
        fail("the packed proof is no compressed text")
