"""Press lists for `verify` and `--press-set`, and solvers' outputs for `decode`.

Lists are written in all the forms that are read: those that are left as they are must be judged as
brute force judges them, those that are spoiled must end in an answer or a reason.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

from ponder.system.errors import PonderError
from tests import brute
from tests.fuzz import Failure
from tests.fuzz.calling import Call, Ended, tried
from tests.fuzz.mutations import json_bytes, random_bytes, spoiled, spoiled_json, word
from tests.fuzz.puzzles import Label, Puzzle, played, puzzle

BATCH = 40


def attempt(rng: random.Random) -> int:
    """Try one batch."""
    for _ in range(BATCH):
        rng.choice((_verify, _verify, _verify, _press_set, _press_set, _decode))(rng)
    return BATCH


# ------------------------------------------------------------------------------------ lists


@dataclass(frozen=True)
class Listed:
    """A press list: its content, and the option with which it is to be read."""

    content: bytes
    options: tuple[str, ...] = ()


def listed(rng: random.Random, board: Puzzle, presses: list[int]) -> Listed:
    """Write presses in one of the forms."""
    labels = [board.labels[v] for v in presses]
    form = rng.randrange(4)
    if form == 0:
        return Listed(json.dumps(labels).encode())
    if form == 1:
        return Listed(json.dumps({"presses": labels, "note": "x"}).encode())
    if board.shape is None:
        return Listed(_names(labels) or json.dumps(labels).encode())
    if form == 2:
        rows = board.shape[0]
        cells = [(c + 1, rows - r) for r, c in _cells(labels)]
        return Listed(_lines(rng, cells), ("--coords", "xy"))
    return Listed(_lines(rng, _cells(labels)))


def _cells(labels: list[Label]) -> list[tuple[int, int]]:
    return [label for label in labels if isinstance(label, tuple)]


def _lines(rng: random.Random, cells: list[tuple[int, int]]) -> bytes:
    style = rng.choice(("{} {}", "({}, {})", "{},{}", "  [{},{}]  ", "{}\t{}  # a remark"))
    # a line of blanks keeps two short lines from being taken for a grid of 0 and 1
    text = "".join(style.format(a, b) + "\n" for a, b in cells)
    return b"# presses\n" + text.encode()


def _names(labels: list[Label]) -> bytes | None:
    """One name a line, where that says the same: a remark begins with #, a blank is cut off."""
    words = [str(label) for label in labels]
    if any("#" in name for name in words) or words[:1] in (["["], ["{"]):
        return None
    return "".join(name + "\n" for name in words).encode()


def _spoiled(rng: random.Random, board: Puzzle, presses: list[int]) -> Listed:
    """Write presses, and spoil them."""
    if rng.random() < 0.1:
        return Listed(random_bytes(rng))
    if rng.random() < 0.3:
        value = {"presses": [board.labels[v] for v in presses]}
        value = spoiled_json(rng, value if rng.random() < 0.5 else value["presses"])
        return Listed(json_bytes(rng, value))
    found = listed(rng, board, presses)
    if rng.random() < 0.2:
        content = found.content + word(rng).encode("utf-8", "surrogateescape") + b" 0\n"
        return Listed(content, found.options)
    return Listed(spoiled(rng, found.content, rng.choice((1, 1, 2, 4))), found.options)


# ----------------------------------------------------------------------------------- verify


def _verify(rng: random.Random) -> None:
    board, presses = played(rng, puzzle(rng))
    if rng.random() < 0.4 and presses:  # another list, probably a wrong one
        at = rng.randrange(len(presses))
        presses = rng.choice(
            (presses[:at], presses[::-1], [*presses, presses[at]], presses[:at] + presses[at + 1 :])
        )
    right = rng.random() < 0.5
    found = (listed if right else _spoiled)(rng, board, presses)
    if right and _is_grid(board, found.content):
        return
    options = (*found.options, *rng.choice(((), (), ("--json",), ("--quiet",))))
    call = Call(
        ("verify", board.file, "presses", *options),
        {board.file: board.content, "presses": found.content},
    )
    ended = tried(call)
    if right:
        _expect(call, ended, 0 if board.replays(presses) else 1)


def _is_grid(board: Puzzle, content: bytes) -> bool:
    """Whether a list looks like a grid of 0 and 1 of the board's shape, which it then is."""
    lines = [line.split(b"#")[0] for line in content.split(b"\n")]
    rows = [b"".join(line.replace(b",", b" ").split()) for line in lines]
    rows = [row for row in rows if row]
    return (
        board.shape is not None
        and len(rows) == board.shape[0]
        and all(len(row) == board.shape[1] and set(row) <= set(b"01-") for row in rows)
    )


def _expect(call: Call, ended: Ended, code: int) -> None:
    if ended.code != code:
        raise Failure(
            f"{call.command}: exit code {ended.code}, but brute force says {code}", str(call)
        )


# ------------------------------------------------------------------------------- press sets


def _press_set(rng: random.Random) -> None:
    board = puzzle(rng)
    chosen = [v for v in range(board.size) if rng.random() < 0.5]
    state, near = board.goal, brute.masks(board.size, board.edges)
    for v in chosen:
        state ^= near[v] | 1 << v
    if rng.random() < 0.9:  # a press set of the board: it must not be refused
        board = Puzzle(
            board.labels, board.edges, state, board.goal, board.rule, board.pattern, board.shape
        )
    right = rng.random() < 0.5
    rng.shuffle(chosen)
    found = (listed if right else _spoiled)(rng, board, chosen)
    if right and _is_grid(board, found.content):
        return
    method = rng.choice((*("auto",) * 6, "greedy", "cpsat"))
    call = Call(
        (
            *("order", board.file, "--press-set", "presses", "--json", "--timeout", "2"),
            *("--method", method, *found.options),
        ),
        {board.file: board.content, "presses": found.content},
    )
    ended = tried(call)
    if right:
        _judge_order(call, ended, board, chosen if board.lit == state else None)


def _judge_order(call: Call, ended: Ended, board: Puzzle, chosen: list[int] | None) -> None:
    """Hold the answer about a press set (None: it is no press set) against brute force."""
    if chosen is None:
        return _expect(call, ended, 2)
    if ended.code == 2:
        raise Failure(f"{call.command}: a press set is refused: {ended.err[:200]!r}", str(call))
    content = json.loads(ended.out)
    if content["verdict"] == "solved":
        numbers = {_key(label): v for v, label in enumerate(board.labels)}
        presses = [numbers[_key(label)] for label in content["presses"]]
        if sorted(presses) != sorted(chosen) or not board.replays(presses):
            raise Failure(f"{call.command}: an order that is none", str(call))
    if content["verdict"] == "impossible" and _orderable(board, chosen):
        raise Failure(f"{call.command}: an order is denied that exists", str(call))
    return None


def _key(label: object) -> str:
    return json.dumps(label)


def _orderable(board: Puzzle, chosen: list[int]) -> bool:
    """Whether the bulbs, each pressed once, have a legal order."""
    if board.rule == "any":
        return True
    number = {v: i for i, v in enumerate(chosen)}
    edges = [(number[u], number[v]) for u, v in board.edges if u in number and v in number]
    later = [bool(board.goal >> v & 1) == (board.rule == "lit") for v in chosen]
    # played backwards, an order is a build order: the neighbours that come later are there before
    return brute.orderable(len(chosen), edges, [i for i, odd in enumerate(later) if odd])


# ----------------------------------------------------------------------------------- decode


def _decode(rng: random.Random) -> None:
    from pysat.solvers import Solver

    from ponder.find.formula_question import formula_encoder, formula_question

    board = puzzle(rng)
    name = rng.choice(("half_factor", "precedence", "layered", "time_indexed"))
    try:
        asked = formula_question(board.board)
        made = formula_encoder(name)
        formula = made.encode(asked.problem, made.options())
        clauses = [list(clause) for clause in formula.clauses()]
    except PonderError:
        return
    with Solver("m22", bootstrap_with=clauses) as solver:
        model = list(solver.get_model() or []) if solver.solve() else None
    if model is not None:
        model += range(len(model) + 1, formula.size.variables + 1)
    output = _output(rng, model)
    files = {board.file: board.content, "out": output}
    words = ["decode", board.file, "out", "--encoding", name, "--json"]
    if rng.random() < 0.3:
        files["proof"] = rng.choice((b"0\n", b"", random_bytes(rng), b"1 0\n0\n", b"a\0"))
        words += ["--proof", "proof"]
    call = Call(tuple(words), files)
    ended = tried(call)
    if ended.code in (0, 3):
        chosen = [v for v in range(board.size) if asked.chosen[v]]
        _judge_order(call, ended, board, chosen)


def _output(rng: random.Random, model: list[int] | None) -> bytes:
    """Return what a solver may print, sound or not."""
    if model is None or rng.random() < 0.1:
        return spoiled(rng, b"s UNSATISFIABLE\n", rng.choice((0, 1)))
    literals = list(model)
    for _ in range(rng.choice((0, 0, 1, 2))):
        if literals:
            at = rng.randrange(len(literals))
            literals[at] = rng.choice((-literals[at], 0, 10**20, literals[at - 1]))
    text = " ".join(map(str, [*literals, 0]))
    form = rng.choice(("s SATISFIABLE\nv {}\n", "SAT\n{}\n", "c hello\ns SATISFIABLE\nv {}\n"))
    data = form.format(text).encode()
    return spoiled(rng, data, rng.choice((0, 0, 1, 2)))
