"""Inputs spoiled: bytes, words and JSON values, changed at random or made up.

Every word here can stand in `argv`: no zero byte, and of the lone surrogates only those that stand
for bytes that are not UTF-8.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
from collections.abc import Callable
from typing import Any

NUMBERS = (
    *("0", "-1", "-0", "+1", "00", "1_000", "0x10", "1e3", "1.5", "nan", "inf", "-inf", "1e999"),
    *("²", "½", "٣", "１", "2147483648", "-2147483649", "9223372036854775807"),
    *("9223372036854775808", "18446744073709551616", "9" * 30, "-" + "9" * 30, "7" * 5000),
)
WORDS = (
    *("", " ", "-", "--", ",", ":", "=", "é", "中", "😀", "\x1b[31m", "\u202e", "\u2028", "\x7f"),
    *("\x85", "\udcff", "%s", "%d", "{}", "{cnf}", "a" * 3000, "\n", "a\nb", "\t", "\r", "'", '"'),
    *(
        "#",
        "None",
        "true",
        "[]",
        "\ufeff",
        "*",
        "?",
        "~",
        "$HOME",
        "a=b",
        "__class__",
        "\\",
        "\x01",
    ),
)
PIECES = (
    *(
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\r\n",
        b"\r",
        b"\n",
        b"\n\n",
        b" ",
        b",",
        b"#",
        b"-",
        b"--",
    ),
    *(
        b"0",
        b"1",
        b"2",
        b"goal:",
        b"goal: lit",
        b"rule:",
        b"rule: any\n",
        b"pattern:",
        b"pattern: ",
    ),
    *(
        b"stencil 0,1 0,-1",
        b"torus-king",
        b"\x1b[2J",
        b"\xed\xa0\x80",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
    ),
    *(b"{", b"}", b"[", b"]", b'"', b"null", b"NaN", b"1e400", b"\\ud800", b'"\\ud800"', b"\x1a"),
    *(number.encode() for number in NUMBERS),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1.0, 1.5, float("nan"), float("inf"), 2**31, 2**62, 2**63),
    *(-(2**63) - 1, 2**64, 10**30, 10**400, "", "0", "1", "a", "\x1b[31m", "\ud800", "\0", "²"),
    *("\n", "a" * 3000, [], {}, [0], [[]], [0, 1], [[0, 1]], {"a": 1}, [None], [True], [1, True]),
    *("lit", "unlit", "any", "C1", "C2", "C3", "C4"),
)


def word(rng: random.Random) -> str:
    """Return a word that is hardly what was meant."""
    return rng.choice(NUMBERS if rng.random() < 0.5 else WORDS)


def spoiled(rng: random.Random, data: bytes, times: int) -> bytes:
    """Return the bytes after some changes."""
    for _ in range(times):
        data = rng.choice(_CHANGES)(rng, data)
    return data


def _flip(rng: random.Random, data: bytes) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _insert(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(PIECES) + data[at:]


def _replace(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(PIECES) + data[at + rng.randint(1, 4) :]


def _cut(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.randint(1, 8) :]


def _end(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def _repeat(rng: random.Random, data: bytes) -> bytes:
    at, to = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
    return data[:to] + data[at:to] * rng.choice((1, 1, 2, 30)) + data[to:]


def _lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case _:
            lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


def _number(rng: random.Random, data: bytes) -> bytes:
    """Another number in the place of a word."""
    words = data.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(NUMBERS).encode()
    return b" ".join(words)


def _encoding(rng: random.Random, data: bytes) -> bytes:
    if rng.random() < 0.8:  # what follows it is all alike
        return _flip(rng, data)
    return data.decode("latin-1").encode(rng.choice(("utf-16", "utf-32", "utf-8-sig", "utf-7")))


_CHANGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    *(_flip, _insert, _insert, _replace, _replace, _cut, _end, _repeat, _lines, _lines, _number),
    _encoding,
)


def random_bytes(rng: random.Random) -> bytes:
    """Return bytes from scratch."""
    if rng.random() < 0.2:
        return rng.randbytes(rng.randint(0, 40))
    pieces = (*PIECES, b"0101", b"1100", b"\n", b"\n", b'"nodes":', b'"edges":', b"3", b'"lit":')
    return b"".join(rng.choice(pieces) for _ in range(rng.randint(0, 12)))


def spoiled_json(rng: random.Random, value: Any) -> Any:
    """Return a copy of a JSON value in which something, anywhere, is something else."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        found = dict(value)
        key = rng.choice(list(found))
        match rng.randrange(8):
            case 0:
                del found[key]
            case 1:
                found[rng.choice((key + "s", "", "\ud800", "a" * 500, "\x1b[1m"))] = found[key]
            case _:
                found[key] = spoiled_json(rng, found[key])
        return found
    if isinstance(value, list) and value and rng.random() < 0.85:
        listed = list(value)
        at = rng.randrange(len(listed))
        match rng.randrange(6):
            case 0:
                del listed[at]
            case 1:
                listed.insert(rng.randint(0, len(listed)), listed[at])
            case _:
                listed[at] = spoiled_json(rng, listed[at])
        return listed
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.4:
        return value + rng.choice((-1, 1, 2, 2**63))
    return rng.choice(VALUES)


def json_bytes(rng: random.Random, value: Any) -> bytes:
    """Return JSON text, now and then nested as no reader likes it."""
    if rng.random() < 0.02:
        deep = rng.choice((100, 5000, 100_000))
        return b"[" * deep + b"]" * (deep if rng.random() < 0.5 else 0)
    return json.dumps(value, ensure_ascii=rng.random() < 0.7).encode("utf-8", "surrogatepass")


def packed(rng: random.Random, data: bytes) -> tuple[str, bytes]:
    """Return an ending and the bytes packed by it, sound or spoiled."""
    ending, pack = rng.choice((("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)))
    found = pack(data)
    return ending, spoiled(rng, found, rng.choice((0, 0, 1, 1, 2)))
