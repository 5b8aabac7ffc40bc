"""Proofs inside a result, read back: base 64 and zlib, and never more of it than is allowed."""

from __future__ import annotations

import base64
import binascii
import zlib

from ponder.check.fields import fail
from ponder.check.limits import TooLarge


def unpacked(value: object, most: int) -> str:
    """Return the text of a packed proof; TooLarge beyond `most` bytes, CheckFailed if it is none.

    >>> unpacked("eJwzVDBQMFIwVjDgAgAI1gGB", 100)
    '1 0 2 3 0\\n'
    >>> unpacked("eJwzVDBQMFIwVjDgAgAI1gGB", 9)
    Traceback (most recent call last):
    ...
    ponder.check.limits.TooLarge: the proof has more than 9 bytes
    """
    if not isinstance(value, str):
        fail("there is no packed proof")
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(base64.b64decode(value, validate=True), most + 1)
        if len(text) > most:
            raise TooLarge(f"the proof has more than {most:,} bytes", raisable=True)
        if not stream.eof or stream.unused_data:
            fail("the packed proof is cut short, or has something after its end")
        return text.decode("ascii")
    except (binascii.Error, ValueError, zlib.error):
        fail("the packed proof is no compressed text")
