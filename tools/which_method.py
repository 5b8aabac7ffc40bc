"""The SAT guide's table of methods against size: `python -m tools.which_method` measures it anew.

A method without answers to two of three boards in LIMIT seconds is not asked about larger ones, so
that all takes at most ten minutes on two busy cores. The start of ponder is not counted.
"""

import re
from collections.abc import Iterator
from itertools import count, groupby, islice
from math import inf
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median

import numpy as np

import ponder
from ponder.find.solvers.asp import CLINGO_SAYS
from ponder.studies.methods import Method, chosen

PAGE = Path(__file__).resolve().parents[1] / "docs/sat_guide.md"
PART = re.compile(r"(?<=<!-- tools/which_method -->\n).*?(?=<!-- end -->)", re.DOTALL)
LIMIT, BOARDS = 3.0, 3
NAMES = "auto greedy lines sat:half_factor sat:layered sat:time_indexed sat:precedence"
METHODS = chosen((*NAMES.split(), "cpsat:cpsat_time", "asp:count"))
HEADS = [m.name.rpartition(":")[2].replace("count", "clingo") for m in METHODS]
SERIES = (  # words, family, its options, answer, sizes (of plus those with one press set)
    ("row/column, order", "balanced", {}, "solved", (4, 8, 16, 32, 64)),
    ("row/column, none", "unbalanced", {}, "impossible", (4, 6, 8, 10)),
    ("8-regular, order", "graph", {"degree": 8, "density": 1}, "solved", (20, 60, 120, 240, 480)),
    ("8-regular, none", "graph", {"degree": 8, "density": 1}, "impossible", (10, 12, 480)),
    ("plus, order", "plus", {"density": 0.8}, "solved", (6, 10, 15, 20, 40)),
    ("plus, none", "plus", {"density": 0.8}, "impossible", (6, 10, 15, 20, 40)),
)


def boards(
    family: str, options: dict[str, float], answer: str, size: int
) -> Iterator[ponder.Board]:
    """Yield boards with one press set and this answer."""
    for seed in count():
        board = ponder.generate(family, size, seed, **options)
        if family == "graph" and answer == "impossible":  # all pressed; one bulb's parity is wrong
            first = np.arange(size) == 0
            board = ponder.Board(board.graph, board.lit ^ first, board.goal ^ first, board.rule)
        if not ponder.nullity(board) and ponder.order(board).verdict == answer:
            yield board


def used() -> float:
    """Return the milliseconds that processors have worked for this process and its children."""
    spent = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return 1000 * sum(usage.ru_utime + usage.ru_stime for usage in spent)


def measured(method: Method, asked: list[ponder.Board]) -> tuple[float, str]:
    """Return the median time to an answer in ms, or inf, and a mark: `?` of no proof."""
    times, mark = list[float](), ""
    for board in asked:
        start = used()
        try:
            result = method.ask(board, LIMIT, 0)
        except ponder.PonderError:  # it is not made for such boards
            return inf, ""
        if result.verdict != "unknown" or result.reason == CLINGO_SAYS:
            times.append(used() - start)
            mark = "" if result.verdict != "unknown" else "?"
    return (median(times), mark) if len(times) > 1 else (inf, "—")


def table() -> Iterator[str]:
    """Yield the table's lines; then, for each series, which method is fastest from which size."""
    yield f"| boards | {' | '.join(HEADS)} |\n|---|{'---:|' * len(HEADS)}\n"
    fastest = list[tuple[str, str, int]]()
    for words, family, options, answer, sizes in SERIES:
        alive = list(METHODS)
        for size in sizes:
            asked = list(islice(boards(family, options, answer, size), BOARDS))
            cells = [measured(m, asked) if m in alive else (inf, "") for m in METHODS]
            alive = [m for m, (ms, _) in zip(METHODS, cells, strict=True) if ms < inf]
            best = min(cells[1:])[0]  # auto takes the others
            text = [f"{ms:,.{int(ms < 10)}f}" if ms < inf else "" for ms, _ in cells]
            bold = ["**" if ms == best < inf else "" for ms, _ in cells]
            row = [f"{b}{t}{b}{mark}" for t, b, (_, mark) in zip(text, bold, cells, strict=True)]
            yield f"| {words} {size} | {' | '.join(row)} |\n"
            single = HEADS[[ms for ms, _ in cells].index(best)] if best < inf else "auto alone"
            fastest.append((words, single, size))
    yield "\n"
    for words, rows in groupby(fastest, lambda entry: entry[0]):
        runs = [(name, next(run)[2]) for name, run in groupby(rows, lambda entry: entry[1])]
        yield f"* {words}: {', '.join(f'{name} from {size}' for name, size in runs)}\n"


if __name__ == "__main__":
    new_table = "".join(table())
    PAGE.write_text(PART.sub(lambda _: new_table, PAGE.read_text("utf-8")), "utf-8")
