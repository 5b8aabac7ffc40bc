"""Every command with its options as it declares them, with values that fit, extreme and wrong.

A new option is fuzzed as soon as it is declared: by its type, and by words if it has no type. What
is left out on purpose are values with which a command *ought* to run for hours.
"""

from __future__ import annotations

import random

import click

from ponder.cli import COMMANDS, cli
from tests.fuzz.boards import FILES, plain
from tests.fuzz.spoiling import NUMBERS, spoiled, word
from tests.fuzz.terminal import Call, judged

# What an option may say that is a word, by the names of the commands' parameters. What is run must
# do no harm, and more than one address of a cluster would take seconds.
_WORDS = """
boards count workers trials: 1|2|0|-1|999999999999999999999|²|1.0|x|
methods asked: auto|greedy|greedy:rounds:forwards|lines|solve|cpsat:cpsat_time|sat:half_factor|sat:\
|cpsat:|sat:x|nosuch|os:getcwd|:|a:b:c|tests.planted:right|..:x|tests.planted:crashing
goal press_set formula earlier proof: board.txt|graph.json|other.txt|presses.txt|result.json|junk\
|empty|answer.out|missing|.|folder|-|board.txt/x|/dev/null|lit|unlit|folder/inner.txt|x.gz|a\udcff
plots lrat output: out|out.gz|out.csv|out.svg|out.gif|out.html|-|folder|nofolder/out|/dev/full
encoding encodings: time_indexed|layered|precedence|half_factor|half-factor|cpsat_time|os|..
sizes: 1|2|3|2x3|4x1|2..4|2..4..2|2,3|0|0x3|x|3x|-1|4..2|2..4..0|..|99999x99999|²
pattern: cross|plus|king|torus-plus|stencil|graph|CROSS|stencil 0,1 0,-1|stencil 0,1|stencil a
rule: unlit|lit|any|UNLIT|none
settings: card=native|card=sequential|acyclic=lazy|layers=0|layers=-1|x=y|=|card=
solver: cadical195|glucose4|minisat22|lingeling|no solver
solver_cmd: true {cnf}|false {cnf}|echo s SATISFIABLE {cnf}|echo s UNSATISFIABLE {cnf}|{cnf}|'\
|echo v 1 {cnf}|nosuchprogram {cnf}|true {x} {cnf}|echo \udcff
families: cross:2|plus:2..3|balanced:4|unbalanced:4|cut:4|graph:5|king|:|x:3|cross:²|cross:3:seed=1\
|cross:3:boards=2|cross:3:density=nan|graph:5:degree=2|graph:5:edges=nan|unbalanced:4:by=2
cluster:
family: balanced|unbalanced|cut|plus|graph|cross|x
study: new.study|board.txt|empty|folder|missing/x|:memory:
"""
VALUES = {
    name: words.strip().split("|")
    for names, _, words in (line.partition(":") for line in _WORDS.strip().splitlines())
    for name in names.split()
}
HARMLESS = ("boards", "count", "workers", "trials", "cluster")
"""With other numbers a command *ought* to run for hours."""
FIRST = {
    "file": ["board.txt", "graph.json", "other.txt"],
    "files": ["board.txt", "graph.json"],
    "result": ["result.json", "presses.txt"],
    "output": ["answer.out"],
}
LIMITED = ("order", "solve", "compare", "generate", "most-moves")
SIMPLE = (
    *("draw", "draw --show presses", "eliminate", "nullity", "order", "order --json"),
    *("order --trace", "solve", "solve --json", "export --encoding half_factor"),
)
ELSEWHERE = ("play", "site")
"""Commands that end by a signal alone, or fetch what they need: `tests/page` asks them."""


def make(rng: random.Random) -> Call:
    """A call of any command; one time in four of a simple one with a spoiled board file."""
    files = _files(rng)
    if rng.random() < 0.25:
        name, data = plain(rng)
        words = rng.choice(SIMPLE).split()
        limit = ["--timeout", "0.2"] if words[0] in LIMITED else []
        return Call((words[0], name, *words[1:], *limit), {name: data})
    name = rng.choice([name for name in COMMANDS if name not in ELSEWHERE])
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    words, often = [name], rng.choice((0.05, 0.15, 0.3))
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            for _ in range(rng.choice((0, 1, 1, 2)) if parameter.nargs == -1 else 1):
                right = FIRST.get(parameter.name or "", [])
                fits = right and rng.random() < 0.8
                words.append(rng.choice(right) if fits else _value(rng, parameter))
        elif rng.random() < (0.95 if parameter.required else often):
            words.append(rng.choice(parameter.opts))
            if not getattr(parameter, "is_flag", False):
                words.append(_value(rng, parameter))
    if rng.random() < 0.05:
        words.insert(rng.randint(0, len(words)), rng.choice((word(rng), "--nosuch", "--timeou")))
    if name in LIMITED and ("--trials" in words or "--timeout" not in words):
        words += ["--timeout", "0.2"]
    given = files["board.txt"] if "-" in words else b""
    return Call(tuple(words), files, given, rng.choice(("utf-8", "utf-8", "ascii")))


def _value(rng: random.Random, option: click.Parameter) -> str:
    """A value for an option: one that fits, an extreme one, or a wrong one."""
    name = option.name or ""
    if name in VALUES and (name in HARMLESS or rng.random() < 0.94):
        return rng.choice(VALUES[name])
    if isinstance(option.type, click.Choice) and rng.random() < 0.9:
        return rng.choice([str(choice) for choice in option.type.choices])
    if isinstance(option.type, click.types.FloatParamType):
        return rng.choice(("0", "0.1", "0.5", "1", "2", "-1", "1e-320", "nan", *NUMBERS[5:12]))
    if isinstance(option.type, click.types.IntParamType):
        low = int(getattr(option.type, "min", None) or 0)
        return rng.choice(("0", "1", "2", "7", "9" * 30, str(2**63), "-1", str(low), str(low - 1)))
    return rng.choice(VALUES["goal"]) if name in FIRST else word(rng)


def _files(rng: random.Random) -> dict[str, bytes]:
    """Files of every kind that commands read."""
    grid, graph = FILES[rng.randrange(4)][1], FILES[rng.randrange(4, 6)][1]
    return {
        "board.txt": grid,
        "graph.json": graph,
        "other.txt": rng.choice(FILES)[1],
        "presses.txt": b"0 0\n",
        "result.json": b"{}",
        "junk": spoiled(rng, grid, 2),
        "empty": b"",
        "x.gz": b"no gzip",
        "answer.out": rng.choice((b"s SATISFIABLE\nv 1 0\n", b"s UNSATISFIABLE\n", b"UNSAT\n")),
        "folder/inner.txt": grid,
    }


def judge(call: Call) -> None:
    """The call ends in one of its ways."""
    judged(call)
