"""Every statement of `verify` names its question: a genuine result, taken to another question.

A result of every kind goes to questions that differ from its own in one thing, as it is and under
the right name of the other. It is refused, or no statement is one of those about its own question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.check.limits import Budget, TooLarge
from ponder.check.orientation import Question, verify_orientation
from ponder.check.verification import Report, verify_within
from ponder.find.orient import Asked, outcome_json
from ponder.model.board import RULES, Board
from ponder.model.formats import board_text
from ponder.model.graph import EdgeGraph, Graph, GridGraph
from ponder.model.wired_graph import board_graph
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.types import Json
from tests import boards, checking, evidence, true_results
from tests.commands import here

Capture = pytest.CaptureFixture[str]
SHAPES = [name for name in evidence.FORMS if name.startswith("most-moves")]
RESULTS = [name for name in evidence.FORMS if name not in SHAPES]


def told(check: Callable[[], Report]) -> set[str]:
    """What a check says; nothing where it refuses, or would need too much work."""
    try:
        return {statement.text for statement in check().statements}
    except (CheckFailed, TooLarge):
        return set()


def kept(folder: Path, content: object, name: str = "answer.json") -> str:
    """The name of a file that holds something."""
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


# ------------------------------------------------------------------------------------- boards


def other_graphs(graph: Graph) -> Iterator[Graph]:
    """Graphs with another pattern, one bulb less, more or turned sides, other edges or names."""
    if isinstance(graph, GridGraph):
        rows, columns = graph.shape
        for pattern in ("cross", "plus", "king", "torus-plus", "toggles 0,0 0,1"):
            if pattern != graph.pattern:
                yield board_graph(pattern, graph.shape, graph.mask)
        for cell in {0, rows * columns - 1}:
            mask = np.arange(rows * columns).reshape(graph.shape) != cell
            yield board_graph(graph.pattern, graph.shape, mask)
        for shape in {(rows + 1, columns), (rows, columns + 1), (columns, rows)} - {graph.shape}:
            yield board_graph(graph.pattern, shape)
    elif isinstance(graph, EdgeGraph):
        edges = boards.edges_of(graph)
        every = set(combinations(range(graph.size), 2))
        for changed in (edges[1:], [*edges, *sorted(every - set(edges))[:1]]):
            yield EdgeGraph(graph.size, changed, graph.names)
        yield EdgeGraph(graph.size, edges, [f"v{v}" for v in range(graph.size)])


def others(board: Board) -> Iterator[Board]:
    """Boards that differ in one thing: rule, goal, state, or the graph."""
    for rule in RULES:
        yield Board(board.graph, board.lit, board.goal, rule)
    for change in (np.arange(board.graph.size) == 0, np.ones(board.graph.size, dtype=np.bool_)):
        yield Board(board.graph, board.lit, board.goal ^ change, board.rule)
        yield Board(board.graph, board.lit ^ change, board.goal, board.rule)
    for graph in other_graphs(board.graph):
        lit, goal = (np.resize(some, graph.size) for some in (board.lit, board.goal))
        yield Board(graph, lit, goal, board.rule)


def relabelled(content: Json, board: Board) -> Json:
    """The result with the name of another board, as a forger would write it."""
    return content | {"board": checking.result(board)["board"]}


def texts(board: Board, content: Json, press_set: object = None) -> list[str]:
    chosen = None if press_set is None else np.asarray(press_set)
    report = verify_within(board, content, Budget(), chosen)
    return [statement.text for statement in report.statements]


def about(board: Board, content: Json) -> set[str]:
    """What is said of a board in a second, by estimate."""
    budget = Budget()
    budget.left >>= 8
    return told(lambda: verify_within(board, content, budget))


@pytest.mark.parametrize("form", RESULTS)
def test_a_result_is_refused_for_another_board(form: str) -> None:
    genuine = evidence.form_named(form)
    own = about(genuine.board, genuine.content)
    assert own
    compared = 0
    for board in others(genuine.board):
        if board.sha256 != genuine.board.sha256:
            compared += 1
            with pytest.raises(CheckFailed, match="board"):
                texts(board, genuine.content)
            forged = relabelled(genuine.content, board)
            assert not about(board, forged) & own, board_text(board)
    assert compared > 5


def test_some_results_are_true_of_another_board() -> None:
    """Without these the test above would say nothing of statements."""
    accepted = set()
    for form in RESULTS:
        genuine = evidence.form_named(form)
        for board in others(genuine.board):
            if board.sha256 != genuine.board.sha256:
                accepted |= {form} if about(board, relabelled(genuine.content, board)) else set()
    assert len(accepted) > len(RESULTS) // 2


def test_a_list_of_presses_names_the_board(tmp_path: Path, capsys: Capture) -> None:
    """Under the rule `any` many boards take the same presses."""
    presses, said = kept(tmp_path, "0 0\n"), []
    for text in ("pattern: plus\n00\n01\n", "pattern: king\n00\n00\n", "00\n01\n", "0\n"):
        code, out, _ = here(capsys, "verify", "-", presses, "--rule", "any", stdin=text)
        assert code == 0
        said += out.splitlines()
    assert len({*said}) == len(said) == 8


def test_options_go_with_what_they_state(tmp_path: Path, capsys: Capture) -> None:
    file = kept(tmp_path, "000\n000\n000\n", "board.txt")
    answer = kept(tmp_path, ponder.solve(ponder.read(file)).to_json())
    assert here(capsys, "verify", file, answer)[0] == 0
    for option in ("--odd", "--fixed"):
        code, out, err = here(capsys, "verify", file, answer, option, "none")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert option in err
    assert here(capsys, "verify", file, "-", "--proof", answer, stdin="0 0\n")[0] == 2


# -------------------------------------------------------------------------- limits, press sets


def test_presses_at_most_are_said() -> None:
    board = Board.from_rows(["0011", "1101", "0110", "0001"])
    for most, word in ((4, "suffice"), (9, "suffice"), (3, "do not suffice")):
        content = json.loads(json.dumps(ponder.solve(board, at_most=most).to_json()))
        assert texts(board, content)[-1].startswith(f"at most {most} presses {word} (4×4 cross, ")


def test_which_press_set_is_refuted(tmp_path: Path, capsys: Capture) -> None:
    """C1 is of one press set: it is named, and what else was asked about is refused."""
    board = Board.from_rows(["1110", "1001", "1111", "1000"], "plus")
    sets = ponder.press_sets(board)
    assert isinstance(sets, ponder.PressSets)
    results: dict[tuple[int, ...], Json] = {}
    for bits in sets.lightest_first():
        chosen = np.flatnonzero(bits)
        found = ponder.order(board, press_set=chosen)
        if found.claim == "C1":
            results[tuple(chosen.tolist())] = json.loads(json.dumps(found.to_json()))
    assert len(results) > 1
    said = {chosen: texts(board, content)[-1] for chosen, content in results.items()}
    assert len(set(said.values())) == len(said)
    (first, content), second = next(iter(results.items())), list(results)[1]
    named = " ".join(f"({v // 4},{v % 4})" for v in first)
    assert f"C1, the press set of {len(first)} presses {named} has no legal order" in said[first]
    assert texts(board, content, first) == texts(board, content)
    with pytest.raises(CheckFailed, match="not the one asked about"):
        texts(board, content, second)
    file, answer = kept(tmp_path, board_text(board), "board.txt"), kept(tmp_path, content)
    for asked, code in ((first, 0), (second, 1)):
        presses = kept(tmp_path, "\n".join(f"{v // 4} {v % 4}" for v in asked), "set.txt")
        assert here(capsys, "verify", file, answer, "--press-set", presses)[0] == code


def test_presses_that_were_asked_about() -> None:
    """An order presses these and no others; C2 is about all; `solve` about none in particular."""
    board, content = true_results.cases()["order plus"]
    pressed = board.graph.bulbs(content["presses"])  # type: ignore[arg-type]
    assert texts(board, content, np.sort(pressed)) == texts(board, content)
    with pytest.raises(CheckFailed, match="not the one asked about"):
        texts(board, content, pressed[1:])
    board, content = true_results.cases()["no order coset"]
    assert texts(board, content, [0]) == texts(board, content)
    board, content = true_results.cases()["any"]
    with pytest.raises(CheckFailed, match="a press set is asked about: command is 'solve'"):
        texts(board, content, [0, 1, 2, 3])


def test_a_long_press_set_or_long_names_are_named_by_a_hash() -> None:
    """Where not all names stand in a statement, it is told from one about as many others."""
    for size, called in ((16, "v"), (4, "v" * 99)):
        graph = EdgeGraph(2 * size, [], [f"{called}{v}" for v in range(2 * size)])
        said = set()
        for first in (0, size):
            presses = np.isin(np.arange(2 * size), range(first, first + size)).astype(int)
            board = Board(graph, presses == 0, np.ones(2 * size, dtype=np.bool_))
            part = checking.local(board, "no-first-press", presses, [first])
            refutation = checking.impossible(board, "C1", part)
            with pytest.raises(CheckFailed) as refused:
                texts(board, refutation, [])
            said.add(str(refused.value))
            assert f"the press set of {size} presses (SHA-256 " in str(refused.value)
            assert len(str(refused.value)) < 200
        assert len(said) == 2


# --------------------------------------------------------------------------------- most moves


def most_moves(capsys: Capture, *words: str) -> Json:
    code, out, _ = here(capsys, "most-moves", *words, "--json", "--quiet")
    assert code == 0
    content: Json = json.loads(out)
    return content


@pytest.mark.parametrize("form", SHAPES)
def test_most_moves_of_another_shape(form: str, tmp_path: Path, capsys: Capture) -> None:
    genuine = evidence.form_named(form)
    answer = kept(tmp_path, genuine.content)

    def said(board: Board) -> set[str]:
        code, out, err = here(capsys, "verify", "-", answer, stdin=board_text(board))
        assert (code, bool(out)) in ((0, True), (1, False), (2, False)), err
        return set(out.splitlines())

    own = said(genuine.board)
    assert len(own) == 2
    for graph in other_graphs(genuine.board.graph):
        state = np.zeros(graph.size, dtype=np.bool_)
        assert not said(Board(graph, state, ~state)) & own, graph.pattern


def test_holes_elsewhere_and_other_edges_are_told_apart(tmp_path: Path, capsys: Capture) -> None:
    """No words of a size tell them apart; what is true of one may be true of the other."""
    cycle, tail = [[0, 1], [1, 2], [2, 3], [3, 0]], [[0, 1], [1, 2], [1, 3], [2, 3]]
    graphs = [json.dumps({"nodes": 4, "edges": edges}) for edges in (cycle, tail)]
    for pair in (["pattern: plus\n0-0\n000\n", "pattern: plus\n000\n0-0\n"], graphs):
        said = []
        for text in pair:
            file = kept(tmp_path, text, "board")
            code, out, _ = here(capsys, "verify", file, kept(tmp_path, most_moves(capsys, file)))
            assert code == 0
            said += out.splitlines()
        assert len({*said}) == 4


@pytest.mark.parametrize(
    ("rows", "own", "other"),
    [
        ("000\n000\n000", "plus", "cross"),
        ("00000\n" * 5, "plus", "king"),
        ("000\n", "king", "toggles 0,0"),
    ],
)
def test_the_pattern_of_a_file_rules(
    rows: str, own: str, other: str, tmp_path: Path, capsys: Capture
) -> None:
    """A genuine result of another pattern is refused for a file; of a size the pattern is said."""
    board = kept(tmp_path, f"pattern: {own}\n{rows}", "board.txt")
    shape = f"{len(rows.split())}x{len(rows.split()[0])}"
    answer = kept(tmp_path, most_moves(capsys, board), "own.json")
    subject = f"({shape.replace('x', '×')} {own}, rule any, whatever the goal)"
    for words in ([board], [shape], [shape, "--pattern", own]):
        code, out, _ = here(capsys, "verify", words[0], answer, *words[1:])
        assert (code, out.count(subject)) == (0, 2)
    assert here(capsys, "verify", shape, answer, "--pattern", "torus-king")[0] == 1
    for more in (["--rule", "any"], ["--goal", "lit"], ["--odd", "1"]):
        assert here(capsys, "verify", shape, answer, *more)[0] == 2
    puzzle = here(capsys, "verify", shape, answer, "--puzzle", "lights-out")
    assert (puzzle[0], "plus" in puzzle[1]) == ((0, True) if own == "plus" else (1, False))
    foreign = json.loads(Path(answer).read_text(encoding="utf-8")) | {"pattern": other}
    if not other.startswith("toggles"):
        foreign = most_moves(capsys, shape, "--pattern", other)
    code, out, err = here(capsys, "verify", board, kept(tmp_path, foreign))
    assert (code, out) == (1, "")
    assert f"the result is about the pattern {other!r}, the board's is {own!r}" in err


def test_a_pattern_of_the_results_own_is_named(tmp_path: Path, capsys: Capture) -> None:
    """Of `toggles 0,0` all 25 bulbs are needed; of 5×5 plus 15 at most."""
    every = [[r, c] for r in range(5) for c in range(5)]
    forged = most_moves(capsys, "5") | {"pattern": "toggles 0,0", "nullity": 0, "press_set": every}
    forged |= {"lower_bound": 25, "upper_bound": 25, "evidence": {"kind": "parity"}}
    answer = kept(tmp_path, forged)
    code, out, _ = here(capsys, "verify", "5", answer)
    assert (code, out.count("25 presses")) == (0, 2)
    assert out.count("(5×5 toggles 0,0, rule any, whatever the goal)") == 2
    assert here(capsys, "verify", "5", answer, "--pattern", "plus")[0] == 1


def test_a_graph_has_its_most_moves_checked(tmp_path: Path, capsys: Capture) -> None:
    edges = [[k, (k + 1) % 5] for k in range(5)]
    file = kept(tmp_path, {"nodes": 5, "edges": edges, "lit": [0, 0, 0, 0, 0]}, "cycle.json")
    content: Any = most_moves(capsys, file)
    code, out, _ = here(capsys, "verify", file, kept(tmp_path, content))
    assert (code, out.count("(graph of 5 bulbs and 5 edges, SHA-256 ")) == (0, 2)
    for change in ({"upper_bound": content["upper_bound"] - 1}, {"pattern": "plus"}):
        assert here(capsys, "verify", file, kept(tmp_path, content | change))[0] == 1


# ------------------------------------------------------------------------------- orientations

Edges = list[tuple[int, int]]
SQUARE = EdgeGraph(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
CIRCLE = [(0, 1), (1, 2), (2, 3), (3, 0)]
FIVE = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
ASKED: dict[str, tuple[list[int], Edges]] = {
    "oriented": ([0], []),
    "oriented with arcs": ([0], [(0, 1)]),
    "odd-component": ([0, 1], []),
    "sat-proof": ([0], [(1, 0), (1, 2), (2, 3), (3, 0)]),
    "fixed-circle": ([0], [(0, 1), (1, 2), (2, 0)]),
}


def orientation(odd: list[int], fixed: Edges, graph: EdgeGraph = SQUARE) -> Any:
    asked, found = Asked.of(graph, odd, fixed), ponder.orient(graph, odd, fixed=fixed)
    return json.loads(json.dumps(outcome_json(asked, found, 0, 0.0)))


def other_questions(odd: list[int], arcs: Edges) -> Iterator[tuple[EdgeGraph, list[int], Edges]]:
    """Other edges, names, T and arcs, one at a time."""
    for edges in (FIVE[:-1], [*FIVE, (1, 3)], [(0, 1), (1, 2), (2, 3), (0, 3), (1, 3)]):
        yield EdgeGraph(4, edges), odd, arcs
    yield EdgeGraph(4, FIVE, [4, 1, 2, 3]), [4 if v == 0 else v for v in odd], []
    for some in chain.from_iterable(combinations(range(4), k) for k in range(5)):
        yield EdgeGraph(4, FIVE), list(some), arcs
    for more in ([(2, 3)], [(3, 2)], CIRCLE):
        yield EdgeGraph(4, FIVE), odd, more
        yield EdgeGraph(4, FIVE), odd, [*arcs, *more]
    for k, (u, v) in enumerate(arcs):
        yield EdgeGraph(4, FIVE), odd, [*arcs[:k], *arcs[k + 1 :]]
        yield EdgeGraph(4, FIVE), odd, [*arcs[:k], (v, u), *arcs[k + 1 :]]


@pytest.mark.parametrize("name", ASKED)
def test_an_orientation_goes_to_no_other_question(name: str) -> None:
    own_graph = EdgeGraph(4, FIVE)
    content = orientation(*ASKED[name], own_graph)
    assert (content["refutation"] or {"kind": name})["kind"] == name
    own = told(lambda: verify_orientation(own_graph, content, Budget()))
    assert len(own) == 2
    accepted = 0
    for graph, odd, fixed in other_questions(*ASKED[name]):
        try:
            question = Asked.of(graph, odd, fixed).question
        except BoardError:
            continue  # an arc is no edge of this graph
        if question.sha256 == content["graph"]["sha256"]:
            continue
        same = (graph.edges.tolist(), graph.names) == (own_graph.edges.tolist(), own_graph.names)
        stated = content | {"odd": odd, "fixed": fixed}
        about = {"sha256": question.sha256, "vertices": 4, "edges": len(graph.edges)}
        for each in (content, stated, stated | {"graph": about}):
            said = told(lambda: verify_orientation(graph, each, Budget()))  # noqa: B023
            assert not said & own or (each is content and same)
            said = told(lambda: verify_orientation(graph, each, Budget(), odd=odd, fixed=fixed))  # noqa: B023
            assert not said & own
            accepted += bool(said)
    assert bool(accepted) == (name != "sat-proof"), "a formula is that of one question"


@pytest.mark.parametrize(
    ("odd", "fixed", "asked"),
    [
        ([], CIRCLE, "all out-degrees even; 4 arcs given: 0->1, 1->2, 2->3, 3->0"),
        ([0], [], "odd out-degrees at 1 vertex: 0; no arc given"),
        ([0, 2], [], "odd out-degrees at 2 vertices: 0, 2; no arc given"),
    ],
)
def test_an_orientation_says_its_parities_and_its_arcs(
    odd: list[int], fixed: Edges, asked: str
) -> None:
    content = orientation(odd, fixed)
    said = [s.text for s in verify_orientation(SQUARE, content, Budget()).statements]
    assert all(asked in text for text in said)
    assert len(said) == 2
    verify_orientation(SQUARE, content, Budget(), odd=odd, fixed=fixed)
    about = ",".join(map(str, odd)) or "none"
    with pytest.raises(CheckFailed, match=rf"odd: 1 is odd .* alone; .* about --odd {about}$"):
        verify_orientation(SQUARE, content, Budget(), odd=[*odd, 1])
    with pytest.raises(CheckFailed, match=r"fixed: the arc 1->0 is given in the question alone"):
        verify_orientation(SQUARE, content, Budget(), fixed=[*fixed, (1, 0)])
    if fixed:
        with pytest.raises(CheckFailed, match=r"fixed: the arc .* is given in the result alone"):
            verify_orientation(SQUARE, content, Budget(), fixed=[])


def test_many_odd_vertices_and_arcs_are_told_apart() -> None:
    """As many others have the same words; each statement has digits of the question's hash."""
    path = EdgeGraph(40, [(v, v + 1) for v in range(39)])
    said = []
    for first in (0, 1):
        odd = list(range(first, first + 39))
        content = orientation(odd, [(v, v + 1) for v in odd[:20]], path)
        report = verify_orientation(path, content, Budget())
        said += [statement.text for statement in report.statements]
    assert len({*said}) == 4
    assert all("odd out-degrees at 39 vertices; 20 arcs given" in text for text in said)


def test_the_name_of_a_question_takes_in_its_arcs() -> None:
    with_arcs, without = orientation([], CIRCLE), orientation([0], [])
    forged = {**without, "fixed": CIRCLE, "refutation": with_arcs["refutation"]}
    with pytest.raises(CheckFailed, match="leaves out the given arcs"):
        verify_orientation(SQUARE, forged, Budget())
    for one in CIRCLE:
        fewer = {**with_arcs, "fixed": [arc for arc in CIRCLE if arc != one]}
        with pytest.raises(CheckFailed, match="another question"):
            verify_orientation(SQUARE, fewer, Budget())
    turned = orientation([0, 2], [(0, 1), (2, 1)])
    verify_orientation(SQUARE, {**turned, "fixed": [[2, 1], [0, 1]]}, Budget())  # a set of arcs
    bare = Question(SQUARE, np.zeros(4, dtype=np.bool_), np.empty((0, 2), np.int64))
    assert bare.sha256 == bare.board.sha256, "as results without arcs have it, of any version"


def test_the_question_of_an_orientation_is_stated_by_options(
    tmp_path: Path, capsys: Capture
) -> None:
    graph = kept(tmp_path, "a b\nb c\nc d\nd a\n", "graph.txt")
    asked = ["orient", graph, "--odd", "a,c", "--json"]
    answer = kept(tmp_path, here(capsys, *asked, "--fixed", "a:b")[1])
    for words, code in (
        ([], 0),
        (["--odd", "c,a"], 0),
        (["--odd", "a,c", "--fixed", "a:b"], 0),
        (["--odd", "a"], 1),
        (["--odd", "none"], 1),
        (["--odd", "all"], 1),
        (["--fixed", "b:a"], 1),
        (["--fixed", "a:b,b:c"], 1),
        (["--fixed", "none"], 1),
        (["--fixed", "a-b"], 2),
        (["--odd", "e"], 2),
        (["--rule", "lit"], 2),
        (["--press-set", graph], 2),
    ):
        assert here(capsys, "verify", graph, answer, *words)[0] == code, words
    err = here(capsys, "verify", graph, answer, "--odd", "a")[2]
    assert "odd: c is odd in the result alone" in err
    kept(tmp_path, here(capsys, *asked)[1])
    assert here(capsys, "verify", graph, answer, "--odd", "a,c", "--fixed", "none")[0] == 0


def test_all_vertices_none_and_one_of_that_name(capsys: Capture) -> None:
    for text, words, odd in (
        ("a b\n", ["--odd", "all"], ["a", "b"]),
        ("a b\n", ["--odd", "none", "--fixed", "none"], []),
        ("none all\n", ["--odd", "none"], ["none"]),
        ("none all\n", [], []),
        ("-1 2\n", ["--odd", "-1", "--fixed", "-1:2"], [-1]),
    ):
        code, out, err = here(capsys, "orient", "-", *words, "--json", stdin=text)
        assert (code, err) == (0, "")
        assert json.loads(out)["odd"] == odd
