"""Every command with its options as it declares them, with values that fit, extreme and wrong.

A new option is fuzzed as soon as it is declared: by its type, and by words if it has no type. What
is left out on purpose are values with which a command *ought* to run for hours: a thousand boards
in a comparison, a large size that is allowed, many trials without a time limit.
"""

from __future__ import annotations

import json
import random
from functools import lru_cache

import click

import ponder
from ponder.cli import COMMANDS, cli
from ponder.system.errors import PonderError
from tests.fuzz.calling import Call, tried
from tests.fuzz.mutations import NUMBERS, spoiled, word
from tests.fuzz.puzzles import puzzle

BATCH = 30


def _words(text: str) -> list[str]:
    return text.split()


_SIZES = [
    *_words("1 2 3 4 2x3 4x1 2..4 2..4..2 2,3 0 0x3 x 3x -1 3x3x3 4..2 2..4..0 2..4..-1 .. 1.."),
    *("²", "3 4", "3×2", "99999999x99999999", "9" * 30, "2..99999999999999"),
]
_PATTERNS = [
    *("cross", "plus", "king", "torus-plus", "torus-king", "stencil 0,1 0,-1", "stencil", "graph"),
    *("stencil 0,1", "stencil a", "stencil 0,1 0,-1 0,1 0,-1", "stencil " + "9" * 30 + ",0"),
    *("stencil 0,99999999999999999999 0,-99999999999999999999", "plus plus", " plus ", "CROSS"),
    *("stencil 0,\u0661 0,-\u0661", "stencil " + "1,0 -1,0 " * 500),
]
_SETTINGS = [
    *_words("card=native card=sequential acyclic=lazy acyclic=closure layers=1 layers=0 layers=-1"),
    *("layers=x", "layers=" + "9" * 30, "order=fill", "x=y", "=", "card", "card=", "layers=²"),
]
_ENCODINGS = [
    *_words("time_indexed layered precedence half_factor half-factor cpsat_time HALF_FACTOR os .."),
    "half_factor.py",
]
_SOLVERS = ["cadical195", "glucose4", "minisat22", "minisat", "lingeling", "no solver"]
_FAMILIES = [
    *_words("cross:2 plus:2..3 balanced:4 unbalanced:4 cut:4 graph:5 king cross: : x:3 cross:²"),
    *_words("cross:3:boards=2 cross:3:boards=x cross:3:seed=1 cross:3:density=nan cross:3:by=2"),
    *_words("graph:5:degree=2 graph:5:degree=99999999999 graph:5:edges=0.5 graph:5:edges=nan"),
    *_words("unbalanced:4:by=99999999999999999999 cross:3:x=1 cross:3:boards=0 cross:3:: cut:2"),
]
_METHODS = [
    *_words("auto greedy greedy:rounds:forwards lines solve cpsat:cpsat_time sat:half_factor sat:"),
    *_words("cpsat: sat:x nosuch os:getcwd os:nosuch os: : a:b:c tests.planted:right ..:x"),
    *_words("tests.planted:no_result tests.planted:crashing tests.planted:wrong_bound"),
]
_COMMANDS = [  # what is run must do no harm
    *("true {cnf}", "false {cnf}", "echo s SATISFIABLE {cnf}", "echo s UNSATISFIABLE {cnf}", "'"),
    *("{cnf}", "echo v 1 {cnf}", "nosuchprogram {cnf}", "echo", "true {cnf} {proof}", "true {cnf"),
    *("true {x} {cnf}", "true {cnf} {model} {seed}", "echo {cnf} \udcff"),
]
_READ = [
    *_words("board.txt graph.json other.txt presses.txt result.json junk empty answer.out missing"),
    *_words(". folder - board.txt/x /dev/null lit unlit folder/inner.txt x.gz"),
    *("a\udcff.txt", "n" * 300),
]
_WRITE = [
    *_words("out out.gz out.csv out.svg out.png out.gif out.html - folder nofolder/out /dev/full"),
    "",
]
# A count is small or beyond all sense: with a million, a comparison may well run for hours.
_COUNTS = ["1", "2", "0", "-1", "9" * 30, "²", "1.0", "x", ""]

_ELSEWHERE = ("play", "site")
"""Commands that end by a signal alone, or fetch what they need: `tests/page` asks them."""

_VALUES: dict[str, list[str]] = {
    "sizes": _SIZES,
    "pattern": _PATTERNS,
    "rule": ["unlit", "lit", "any", "UNLIT", "none"],
    "encoding": _ENCODINGS,
    "encodings": _ENCODINGS,
    "settings": _SETTINGS,
    "solver": _SOLVERS,
    "solvers": _SOLVERS,
    "solver_cmd": _COMMANDS,
    "families": _FAMILIES,
    "methods": _METHODS,
    "asked": _METHODS,
    "cluster": [""],  # more than one address would take seconds
    "family": ["balanced", "unbalanced", "cut", "plus", "graph", "cross", "x"],
    "trials": ["1", "3", "0", "-1", "x", "9" * 30],
    "study": ["new.study", "board.txt", "empty", "folder", "junk", "missing/x", ":memory:", "x"],
    **dict.fromkeys(("boards", "count", "repeat", "workers"), _COUNTS),
    **dict.fromkeys(("plots", "lrat"), _WRITE),
    **dict.fromkeys(("file", "files", "goal", "press_set", "result", "formula", "earlier"), _READ),
}
"""What options that are words may say, by the names of the commands' parameters."""


def attempt(rng: random.Random) -> int:
    """Try one batch."""
    files = _files(rng)
    for _ in range(BATCH):
        tried(call(rng, files), real=rng.random() < 0.003)
    return BATCH


def call(rng: random.Random, files: dict[str, bytes]) -> Call:
    """Return a call of any command."""
    name = rng.choice([name for name in COMMANDS if name not in _ELSEWHERE])
    words = [name]
    often = rng.choice((0.05, 0.15, 0.3))
    trials = False
    for parameter in _parameters(name):
        if isinstance(parameter, click.Argument):
            many = parameter.nargs == -1
            for _ in range(rng.choice((0, 1, 1, 2)) if many else 1):
                words.append(_argument(rng, name, parameter))
            continue
        assert isinstance(parameter, click.Option)
        if rng.random() > (0.95 if parameter.required else often):
            continue
        for _ in range(rng.choice((1, 1, 2)) if parameter.multiple else 1):
            words.append(rng.choice(parameter.opts))
            if not parameter.is_flag:
                words.append(value(rng, name, parameter))
        trials = trials or parameter.name == "trials"
    if rng.random() < 0.03:
        words.insert(rng.randint(0, len(words)), word(rng))
    if rng.random() < 0.02:
        words.append("--" + rng.choice(("nosuch", "timeou", "js", "verbose=3", "")))
    limited = ("order", "solve", "compare", "generate", "most-moves")
    if name in limited and (trials or "--timeout" not in words):
        words += ["--timeout", "0.2"]
    given = files["board.txt"] if rng.random() < 0.7 else b""
    named = {
        name: content
        for name, content in files.items()
        if "." in words or any(name.partition("/")[0] in text for text in words)
    }
    encoding = rng.choice(("utf-8", "utf-8", "utf-8", "ascii"))
    return Call(tuple(words), named, given, encoding)


def value(rng: random.Random, command: str, option: click.Parameter) -> str:
    """Return a value for an option: one that fits, an extreme one, or a wrong one."""
    if rng.random() < 0.06 and _VALUES.get(option.name or "") is not _COUNTS:
        return word(rng)
    kind = option.type
    if option.name in ("output", "proof"):
        reads = (option.name == "proof") == (command in ("verify", "decode"))
        return rng.choice(_READ if reads else _WRITE)
    if option.name in _VALUES:
        return rng.choice(_VALUES[option.name])
    if isinstance(kind, click.Choice):
        return rng.choice([str(choice) for choice in kind.choices])
    if isinstance(kind, click.types.FloatParamType):
        return rng.choice(("0", "0.1", "0.5", "1", "2", "-1", "1e-320", "nan", *NUMBERS[5:12]))
    if isinstance(kind, click.types.IntParamType):
        low = int(getattr(kind, "min", None) or 0)
        extremes = ("0", "1", "2", "3", "7", "9" * 30, str(2**63 - 1), str(2**63), "-1", "-2")
        return rng.choice((*extremes, str(low), str(low - 1)))
    return word(rng)


def _argument(rng: random.Random, command: str, argument: click.Argument) -> str:
    """Return a positional argument, mostly one that is right."""
    right = {
        "file": ("board.txt", "graph.json", "other.txt"),
        "files": ("board.txt", "graph.json", "folder"),
        "result": ("result.json", "presses.txt"),
        "output": ("answer.out",),
    }
    if argument.name in right and rng.random() < 0.8:
        return rng.choice(right[argument.name])
    return rng.choice(_READ) if argument.name == "output" else value(rng, command, argument)


@lru_cache
def _parameters(name: str) -> tuple[click.Parameter, ...]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return tuple(command.params)


def _files(rng: random.Random) -> dict[str, bytes]:
    """Return files of every kind that commands read."""
    grid, other = puzzle(rng), puzzle(rng)
    while grid.shape is None:
        grid = puzzle(rng)
    while other.shape is not None:
        other = puzzle(rng)
    try:
        result = json.dumps(ponder.order(grid.board, timeout=1).to_json()).encode()
    except PonderError:
        result = b"{}"
    return {
        "board.txt": grid.content,
        "graph.json": other.content,
        "other.txt": puzzle(rng).content,
        "presses.txt": b"0 0\n",
        "result.json": result,
        "junk": spoiled(rng, grid.content, 4),
        "empty": b"",
        "x.gz": b"no gzip",
        "answer.out": rng.choice((b"s SATISFIABLE\nv 1 0\n", b"s UNSATISFIABLE\n", b"UNSAT\n")),
        "folder/inner.txt": grid.content,
        "folder/junk.txt": b"junk",
    }
