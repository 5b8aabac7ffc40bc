"""Evidence by decomposition, made at random and spoilt: cuts, statements, proofs."""

from __future__ import annotations

import base64
import random
import zlib
from collections.abc import Callable
from typing import Any

from ponder.check.proofs import packed
from ponder.model.board import Board
from tests.kinds import LOCAL

Json = dict[str, Any]


def a_cut(rng: random.Random, board: Board) -> Json:
    """Return a cut about any bulbs at all."""
    size = board.graph.size
    members = rng.sample(range(size), rng.randint(1, min(size, 5)))
    counts = [rng.choice([1, 1, 1, 2, 3]) for _ in members]
    once = [v for v, m in zip(members, counts, strict=True) if m == 1]
    forced = [v for v in once if rng.random() < 0.4]
    return {"kind": rng.choice(LOCAL), "bulbs": members, "counts": counts, "forced": forced}


def unpacked(proof: Json) -> str:
    return zlib.decompress(base64.b64decode(proof["lrat"])).decode("ascii")


def other_proof_text(rng: random.Random, bound: Json) -> None:
    """Spoil a number, a line, or the end of a proof."""
    proof = rng.choice(bound["proofs"])
    lines = unpacked(proof).splitlines(keepends=True)
    i = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[i]
        case 1:
            j = rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        case 2:
            lines = lines[:i]
        case _:
            words = lines[i].split()
            k = rng.randrange(len(words))
            if words[k].lstrip("-").isdigit():
                words[k] = str(int(words[k]) + rng.choice([-1, 1, 2]))
            lines[i] = " ".join(words) + "\n"
    proof["lrat"] = packed("".join(lines))


def other_cut(rng: random.Random, bound: Json) -> None:
    cut = rng.choice(bound["cuts"])
    match rng.randrange(5):
        case 0:
            cut["kind"] = rng.choice(LOCAL)
        case 1:
            i = rng.randrange(len(cut["counts"]))
            cut["counts"][i] += rng.choice([-1, 1, 2])
        case 2 if cut["forced"]:
            cut["forced"].pop()
        case 3 if len(cut["bulbs"]) > 1:
            cut["bulbs"].pop()
            cut["counts"].pop()
        case _:
            cut["forced"] = [v for v in cut["bulbs"] if rng.random() < 0.5]


def other_cuts(rng: random.Random, bound: Json) -> None:
    proof = rng.choice(bound["proofs"])
    match rng.randrange(4):
        case 0 if proof["cuts"]:
            del proof["cuts"][rng.randrange(len(proof["cuts"]))]
        case 1:
            proof["cuts"].append(rng.randint(-1, len(bound["cuts"])))
        case 2:
            rng.shuffle(bound["cuts"])
        case _:
            del bound["cuts"][rng.randrange(len(bound["cuts"]))]


def other_number(rng: random.Random, bound: Json) -> None:
    proof = rng.choice(bound["proofs"])
    key = rng.choice(["pairs", "pairs", "cap"])
    proof[key] += rng.choice([-1, 1, 2, 10**9])


def other_press_set(rng: random.Random, bound: Json) -> None:
    proof = rng.choice(bound["proofs"])
    counts = proof["press_counts"]
    if isinstance(counts[0], int):
        counts[rng.randrange(len(counts))] ^= 1


def fewer_proofs(rng: random.Random, bound: Json) -> None:
    bound["proofs"].pop(rng.randrange(len(bound["proofs"])))


SPOILS: tuple[Callable[[random.Random, Json], None], ...] = (
    other_proof_text,
    other_proof_text,
    other_cut,
    other_cut,
    other_cuts,
    other_number,
    other_press_set,
    fewer_proofs,
)
