"""LRAT in one pass: extension variables, deletions, files as they stream, and when to stop."""

from __future__ import annotations

import gzip
import itertools
import random
from pathlib import Path

import pytest

from ponder.check.lrat import check_lrat
from ponder.system.errors import CheckFailed
from ponder.system.limits import Limits, TimeUp
from tests.depth import deep

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]

# 3 stands for 1 ∧ 2: two lemmas that are RAT on 3, one that is RAT on ¬3; then the contradiction.
EXTENDED = """\
5 -3 1 0 0
6 -3 2 0 0
7 3 -1 -2 0 -5 -6 0
8 1 0 1 2 0
9 2 0 8 3 0
10 d 1 2 0
10 3 0 8 9 7 0
11 -1 0 3 4 0
12 0 11 8 0
"""


def test_extension_variables() -> None:
    assert check_lrat(SQUARE, EXTENDED) == 8
    assert check_lrat(SQUARE, EXTENDED.encode()) == 8


def test_every_present_resolvent_is_looked_at() -> None:
    """Clauses that came after the first RAT lemma, or have been deleted since, are known."""
    late = "5 -3 1 0 0\n6 -3 2 0 0\n7 3 0 0\n"
    with pytest.raises(CheckFailed, match="no hints for clause 5, which has -3"):
        check_lrat(SQUARE, late)
    gone = "5 -3 1 0 0\n6 -3 2 0 0\n7 d 5 6 0\n7 3 0 0\n8 1 0 1 2 0\n9 0 8 3 4 0\n"
    assert check_lrat(SQUARE, gone) == 5
    again = "5 -3 1 0 0\n6 d 5 0\n6 3 0 0\n7 -3 0 6 0\n"
    with pytest.raises(CheckFailed, match="LRAT line 4: no hints for clause 6, which has 3"):
        check_lrat(SQUARE, again)


def derived(clauses: dict[int, list[int]], false: set[int]) -> list[int] | None:
    """Hints that make a clause false by unit propagation, or None."""
    false, hints = {*false}, list[int]()
    while True:
        for name, clause in clauses.items():
            left = [x for x in clause if x not in false]
            if not left:
                return [*hints, name]
            if len(left) == 1 and -left[0] not in false and name not in hints:
                hints.append(name)
                false.add(-left[0])
                break
        else:
            return None


@pytest.mark.parametrize("count", deep(600, 10_000))
def test_resolvents_by_definition(count: int) -> None:
    """A lemma is RAT on its first literal where each resolvent follows by unit propagation."""
    accepted = 0
    for seed in range(count):
        rng = random.Random(seed)
        clauses = {
            name: [x * rng.choice((1, -1)) for x in rng.sample(range(1, 6), rng.choice((2, 2, 3)))]
            for name in range(1, rng.randint(4, 9))
        }
        lemma = [x * rng.choice((1, -1)) for x in rng.sample(range(1, 7), rng.randint(1, 3))]
        if derived(clauses, {*lemma}) is not None:
            continue  # it needs no resolvents
        hints, rat = list[int](), True
        for name, clause in clauses.items():
            others = {x for x in clause if x != -lemma[0]}
            if len(others) < len(clause) and not any(-x in lemma for x in others):
                group = derived(clauses, {*lemma, *others})
                rat = rat and group is not None
                hints += [-name, *(group or [])]
        text = f"{len(clauses) + 1} {' '.join(map(str, [*lemma, 0, *hints, 0]))}\n"
        with pytest.raises(CheckFailed) as told:
            check_lrat([*clauses.values()], text)
        assert ("empty clause" in str(told.value)) == rat, (clauses, text)
        accepted += rat and any(hint > 0 for hint in hints)
    assert accepted > count / 20


def test_mutated_words_and_lines() -> None:
    """Whatever is accepted has a model before it iff after: the formula here has none."""
    satisfiable = [SQUARE[:k] + SQUARE[k + 1 :] for k in range(4)]
    lines = EXTENDED.splitlines()
    rejected = 0
    for i, line in enumerate(lines):
        words = line.split()
        changed = [
            " ".join([*words[:k], other, *words[k + 1 :]])
            for k in range(1, len(words))
            for other in ("1", "-2", "3", "-3", "7", "99", "0", "d")
            if other != words[k]
        ]
        for text in [*changed, " ".join(words[:-1]), "", line.replace("0", "", 1)]:
            mutated = "\n".join([*lines[:i], text, *lines[i + 1 :]])
            for formula in satisfiable:
                with pytest.raises(CheckFailed):
                    check_lrat(formula, mutated)
            try:
                check_lrat(SQUARE, mutated)
            except CheckFailed:
                rejected += 1
    assert rejected > 150
    for a, b in itertools.combinations(range(len(lines)), 2):
        swapped = lines.copy()
        swapped[a], swapped[b] = swapped[b], swapped[a]
        for formula in satisfiable:
            with pytest.raises(CheckFailed):
                check_lrat(formula, "\n".join(swapped))


def test_cut_short() -> None:
    lines = EXTENDED.splitlines(keepends=True)
    for count in range(len(lines)):
        with pytest.raises(CheckFailed, match=f"empty clause: {count} lines, it may have been cut"):
            check_lrat(SQUARE, lines[:count])


def test_literals_twice() -> None:
    assert check_lrat([[1, 1], [-1, -1]], "3 1 1 0 1 0\n4 0 3 2 0\n") == 2


def test_files_stream(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.lrat", tmp_path / "a.lrat.gz"
    plain.write_text(EXTENDED)
    packed.write_bytes(gzip.compress(EXTENDED.encode()))
    for path in (plain, packed):
        with gzip.open(path) if path == packed else path.open("rb") as lines:
            assert check_lrat(SQUARE, lines) == 8


def test_it_stops_when_told() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(TimeUp):
        check_lrat(SQUARE, ("c\n" for _ in itertools.count()), Limits(None, stop))


def test_many_extensions_cost_what_they_say() -> None:
    """A RAT lemma does not go through all clauses: 30,000 of them over as many would never end."""
    clauses = [[v, v + 1] for v in range(1, 30_000)] + SQUARE
    first = len(clauses) + 1
    lines = [f"{first + k} {40_000 + k} 0 0" for k in range(30_000)]
    name, square = first + 30_000, len(clauses) - 3
    lines += [
        f"{name} 1 0 {square} {square + 1} 0",
        f"{name + 1} 0 {name} {square + 2} {square + 3} 0",
    ]
    assert check_lrat(clauses, "\n".join(lines)) == 30_002
