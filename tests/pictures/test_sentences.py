"""The sentences that say why: they speak of the right bulbs, and count them as people do."""

from __future__ import annotations

import itertools
import random
import re

import pytest

import ponder
from ponder.check.block import RULES as BLOCK_RULES
from ponder.check.block import Block
from ponder.check.witness import DeadEnd
from ponder.model.board import RULES, Rule
from ponder.model.render import title
from ponder.pictures import explain
from ponder.pictures.answers import heading, reason, why
from ponder.pictures.marks import marks_of
from ponder.pictures.steps import steps
from tests.boards import INSTANCES
from tests.depth import deep

ONE_OF_MANY = re.compile(
    r"\b1 (?:\w+ )?(bulbs|presses|pairs|rows|columns|blocks|components|places|proofs|refutations"
    r"|trials|lemmas|of them are|of these \d+ bulbs have)\b|\bthese 1\b|\b0 odd comp"
)
"""One thing in the plural, and none that costs something."""

PATTERNS = ("cross", "plus", "king", "torus-plus", "stencil 0,2 0,-2")


def some_board(rng: random.Random) -> ponder.Board:
    """Return a small board, with few bulbs lit, half of them or nearly all."""
    rows, columns = rng.randint(1, 4), rng.randint(1, 4)

    def grid() -> list[str]:
        share = rng.choice([0, 0.1, 0.5, 0.9, 1])
        return [
            "".join(str(int(rng.random() < share)) for _ in range(columns)) for _ in range(rows)
        ]

    goal = rng.choice(["lit", "unlit", grid()])
    return ponder.Board.from_rows(grid(), rng.choice(PATTERNS), rng.choice(RULES), goal)


@pytest.mark.parametrize("boards", deep(30, 100))
@pytest.mark.parametrize("seed", range(4))
def test_sentences_count_as_people_do(seed: int, boards: int) -> None:
    rng = random.Random(seed)
    for _ in range(boards):
        board = some_board(rng)
        said = [title(board)]
        for result in (ponder.order(board), ponder.solve(board), ponder.solve(board, at_most=1)):
            said += [heading(result), reason(result), why(result) or ""]
        assert not [text for text in said if ONE_OF_MANY.search(text)]


def test_a_dead_end_says_how_many_of_its_bulbs_have_to_change() -> None:
    ibm = ponder.read(INSTANCES / "ibm-2023-04-example-4x4.txt", rule="lit")
    for result in (ponder.solve(ibm), ponder.order(ibm)):
        assert reason(result) == (
            "8 of these 16 bulbs have to change, but all 16 must end lit, and a press leaves its "
            "bulb unlit: none can be the last"
        )
    whole = {"111": "these 3 bulbs have", "010": "1 of these 3 bulbs has"}
    for start, words in whole.items():
        unsolved = ponder.solve(ponder.Board.from_rows([start], "plus", goal="unlit"))
        assert reason(unsolved).startswith(f"{words} to change, but all 3 ")
    alone: dict[tuple[str, Rule, str], str] = {
        ("1", "unlit", "unlit"): "lit",
        ("0", "lit", "lit"): "unlit",
    }
    for (start, rule, goal), words in alone.items():
        board = ponder.Board.from_rows([start], "plus", rule, goal)
        assert (
            reason(ponder.solve(board))
            == f"this bulb has to change, but no {words} bulb may be pressed"
        )


@pytest.mark.parametrize("step", deep(7, 3))
def test_order_claims_what_solve_claims_where_nothing_works(step: int) -> None:
    """C4, and the same reason: no order, because there is no sequence of any length."""
    ends = 0
    for rows, pattern in itertools.product([(1, 3), (2, 2)], ["plus", "cross"]):
        size = rows[0] * rows[1]
        all_boards = itertools.product(range(1 << size), range(1 << size), RULES[:2])
        for state, goal, rule in itertools.islice(all_boards, 0, None, step if size > 3 else 1):
            grids = [
                [f"{bits:0{size}b}"[r * rows[1] : (r + 1) * rows[1]] for r in range(rows[0])]
                for bits in (state, goal)
            ]
            board = ponder.Board.from_rows(grids[0], pattern, rule, grids[1])
            ordered, solved = ponder.order(board), ponder.solve(board)
            assert (ordered.claim == "C4") == (solved.claim == "C4")
            if isinstance(solved.refutation, DeadEnd):
                assert reason(ordered) == reason(solved)
                ponder.verify(board, ordered.to_json())
                ends += 1
    assert ends > 180 / step


def test_a_lone_press_is_told_of_in_words() -> None:
    board = ponder.Board.from_rows(["101"], "plus", goal=["011"])
    why = ponder.order(board).refutation
    assert isinstance(why, Block)
    assert explain.sentence(board, why) == (
        "if all others end as they should, an even number of its neighbours (0 is even) is pressed "
        "after this bulb; so it ends lit, not unlit"
    )
    for rule in BLOCK_RULES[1:]:
        assert " of this bulb " in explain.sentence(board, Block(why.bulbs, rule))


def test_blocks_are_not_taken_for_pairs() -> None:
    """Three blocks are refuted, and one pair of presses is needed."""
    board = ponder.Board.from_rows(["1011", "1111", "1111", "1111"], "king")
    result = ponder.solve(board)
    assert result.evidence is not None
    assert result.evidence.kind == "members"
    assert why(result) == (
        "3 small groups need extra presses; a checked SAT proof shows that fewer will not do"
    )


JARGON = re.compile(
    r"colour|half factor|component|parity|GF\(2|\bC[1-4]\b|lemma|singular value|coset"
)


@pytest.mark.parametrize("boards", deep(80, 250))
@pytest.mark.parametrize("seed", range(3))
def test_players_read_no_jargon(seed: int, boards: int) -> None:
    """On random boards of every kind."""
    rng, kinds = random.Random(seed), set()
    for _ in range(boards):
        board = some_board(rng)
        for result in (ponder.order(board), ponder.solve(board)):
            said = [reason(result), why(result) or ""]
            assert not [text for text in said if JARGON.search(text)]
            if result.refutation is not None or result.evidence is not None:
                kinds.add(getattr(result.refutation or result.evidence, "kind", ""))
    assert len(kinds) >= 2


def test_lines_are_named_as_people_count_them() -> None:
    board = ponder.read(INSTANCES / "cross-6x6-no-order-cut.txt")
    result = ponder.order(board)
    assert reason(result) == "row 3 needs an early press, and its columns have no room for one"
    assert result.refutation is not None
    assert marks_of(board, result.refutation, result.counts)["rows"] == [2]


@pytest.mark.parametrize("boards", deep(150, 2000))
def test_the_steps_of_a_proof_count_what_they_show(boards: int) -> None:
    """Numbers of changes, of dots and of pairs are those of the board; each press set is a case."""
    rng, shown = random.Random(7), set[str]()
    for _ in range(boards):
        board = some_board(rng)
        result = ponder.order(board)
        if result.refutation is None or result.refutation.kind == "randomised":
            continue
        told, graph = steps(board, result.refutation, result.counts), board.graph
        assert told[-1]["words"].endswith("proved.")
        for step in told:
            words, marks = step["words"], step["marks"]
            assert ONE_OF_MANY.search(words) is None, words
            if "The number on a bulb" in words:
                hatched = graph.set_of([graph.bulb(at) for at in marks["groups"][0]["bulbs"]])
                for at, number in marks["numbers"]:
                    pressed = graph.apply(graph.set_of([graph.bulb(at)]))
                    assert number == (pressed & hatched).sum()
                shown.add("changes")
            if counted := re.search(r"group has (\d+) pairs? of neighbours", words):
                assert int(counted[1]) == len(marks["pairs"])
                for first, second in marks["pairs"]:
                    assert graph.bulb(second) in graph.neighbours(graph.bulb(first))
                shown.add("pairs")
            if "The numbers count the dots" in words:
                for axis, numbers in enumerate(marks["margins"]):
                    lines = [at[axis] for at in marks["presses"]]
                    assert numbers == [lines.count(k) for k in range(len(numbers))]
                shown.add("margins")
        cases = [step for step in told if step["words"].startswith("Case ")]
        if cases:
            assert len(cases) == 2 ** ponder.nullity(graph)
            shown.add("cases")
    assert shown == {"changes", "pairs", "margins", "cases"}
