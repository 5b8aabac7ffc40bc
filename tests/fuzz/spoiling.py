"""Inputs spoiled: bytes, words and JSON values, changed at random or made up.

Every word here can stand in `argv`: no zero byte, and of the lone surrogates only those that stand
for bytes that are not UTF-8.
"""

from __future__ import annotations

import json
import random
from typing import Any

from tests.forgeries import NUMBERS as JSON_NUMBERS
from tests.forgeries import WORDS as JSON_WORDS

NUMBERS = (
    *("0", "-1", "-0", "+1", "00", "1_000", "0x10", "1e3", "1.5", "nan", "inf", "-inf", "1e999"),
    *("²", "½", "٣", "１", "2147483648", "-2147483649", "9223372036854775807"),
    *("9223372036854775808", "18446744073709551616", "9" * 30, "-" + "9" * 30, "7" * 5000),
)
WORDS = (
    *("", " ", "-", "--", ",", ":", "=", "é", "中", "\x1b[31m", "\u202e", "\u2028", "\x7f", "\x85"),
    *("\udcff", "%s", "{}", "{cnf}", "a" * 3000, "a\nb", "\t", "\r", "'", '"', "#", "None", "[]"),
    *("\ufeff", "*", "~", "$HOME", "a=b", "__class__", "\\", "\x01"),
)
PIECES = tuple(
    b"\0|\xff|\xef\xbb\xbf|\r\n|\r|\n\n| |,|#|-|0|1|2|goal:|goal: lit|rule:|rule: any\n|pattern: "
    b"|stencil 0,1 0,-1|torus-king|\x1b[2J|\xed\xa0\x80|\xc2\x85|\xe2\x80\xa8|{|}|[|]|null|NaN"
    b'|1e400|\\ud800|"\\ud800"|\x1a|"nodes":|"edges":|"lit":|0101'.split(b"|")
) + tuple(number.encode() for number in NUMBERS)


def word(rng: random.Random) -> str:
    """A word that is hardly what was meant."""
    return rng.choice(NUMBERS if rng.random() < 0.5 else WORDS)


def spoiled(rng: random.Random, data: bytes, times: int) -> bytes:
    """The bytes after some changes."""
    for _ in range(times):
        at, to = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
        lines, words = data.split(b"\n"), data.split(b" ")
        match rng.randrange(9):
            case 0 if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
            case 1:
                data = data[:at] + rng.choice(PIECES) + data[at:]
            case 2:
                data = data[:at] + rng.choice(PIECES) + data[at + rng.randint(1, 4) :]
            case 3:
                data = data[:at] + data[at + rng.randint(1, 8) :]
            case 4:
                data = data[: rng.choice((at, to))]
            case 5:
                data = data[:to] + data[at:to] * rng.choice((1, 2, 30)) + data[to:]
            case 6:
                lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
                data = b"\n".join(lines[rng.randrange(2) :])
            case 7:
                words[rng.randrange(len(words))] = rng.choice(NUMBERS).encode()
                data = b" ".join(words)
            case _ if rng.random() < 0.2:
                encoding = rng.choice(("utf-16", "utf-32", "utf-8-sig", "utf-7"))
                data = data.decode("latin-1").encode(encoding)
    return data


def spoiled_json(rng: random.Random, value: Any) -> Any:
    """A copy of a JSON value in which something, anywhere, is something else."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key, copied = rng.choice(list(value)), dict(value)
        match rng.randrange(8):
            case 0:
                del copied[key]
            case 1:
                copied[rng.choice((key + "s", "", "\ud800", "a" * 500, "\x1b[1m"))] = value[key]
            case _:
                copied[key] = spoiled_json(rng, value[key])
        return copied
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        other = rng.choice(([], [value[at]] * 2, [spoiled_json(rng, value[at])]))
        return [*value[:at], *other, *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.4:
        return value + rng.choice((-1, 1, 2, 2**63))
    return rng.choice((*JSON_NUMBERS, *JSON_WORDS, "\x1b[31m", "\ud800", "\0", [[0, 1]], {"a": 1}))


def json_bytes(rng: random.Random, value: Any) -> bytes:
    """JSON text, now and then nested as no reader likes it."""
    if rng.random() < 0.02:
        deep = rng.choice((100, 5000, 100_000))
        return b"[" * deep + b"]" * (deep if rng.random() < 0.5 else 0)
    return json.dumps(value, ensure_ascii=rng.random() < 0.7).encode("utf-8", "surrogatepass")
