"""Encodings against clingo on the core question: CPU seconds by family, size and method.

    python -m tests.bench.acyclicity --seconds 10 -o docs/results/acyclicity.md

Each question is asked in a process of its own, with three seeds; the table has the medians of the
CPU seconds (user and system, solvers' processes included) without what Python and its imports take,
and with it. A method that has not answered one seed in time is not asked about the others. An order
is replayed and a refutation's proof checked within the time; clingo's "no" is a word.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

import numpy as np

from ponder.model.files import whole_file
from ponder.model.ordering_problem import OrderingProblem

SEEDS = (1, 2, 3)
METHODS = {
    "sat": "`sat`: hints, lemmas, then elimination",
    "elimination": "`acyclic=elimination` alone",
    "count": "clingo, `asp:count`",
    "chain": "clingo, `asp:chain`",
}
FAMILIES: dict[str, tuple[str, tuple[int, ...]]] = {
    "regular-8": ("8-regular graphs, random T", (200, 1000, 3000)),
    "regular-4": ("4-regular graphs, random T", (200, 1000, 3000)),
    "regular-3": ("3-regular graphs, random T", (200, 1000, 3000)),
    "ibm-plain": ("IBM's board, without colours", (24, 30)),
    "ibm": ("IBM's board, with colours", (24, 30)),
    "plus": ("plus boards, half of the bulbs pressed", (12, 20)),
    "king": ("king boards, half of the bulbs pressed", (12, 20)),
    "alternating": ("alternating rings", (62, 126, 254)),
    "ring": ("rings, no order", (46, 62, 126, 254)),
    "cubic": ("cubic graphs, T = ∅, no order", (60, 80, 120)),
}


def problem(family: str, size: int, seed: int) -> OrderingProblem:
    """Return an instance."""
    import ponder
    from ponder.studies.generate import OnPattern
    from ponder.studies.random_graphs import Regular, Ring

    kind, _, degree = family.partition("-")
    if kind in ("ring", "alternating"):
        board = Ring(size, alternating=kind == "alternating").board(seed)
        return OrderingProblem.of_board(board, np.ones(board.graph.size, dtype=np.bool_))
    if kind in ("plus", "king", "ibm"):
        if kind == "ibm":
            board = ponder.read(f"instances/ibm-2023-04-{size}x{size}.txt")
            sequence = ponder.order(board).presses
            assert sequence is not None
            presses = board.graph.set_of(sequence.tolist())
        else:
            board = OnPattern(size, size, pattern=kind).board(seed)
            presses = np.random.default_rng(seed).random(board.graph.size) < 0.5
        found = OrderingProblem.of_board(board, presses)
        if family == "ibm":
            return found
        odd = found.odd
    else:
        rng = np.random.default_rng(seed)
        edges = Regular(size, degree=int(degree or 3)).edges(rng)
        found = OrderingProblem.from_edges(size, edges)
        odd = found.odd if kind == "cubic" else rng.random(size) < 0.5
    if kind != "cubic":  # as many as the edges of each component, modulo 2
        from ponder.model.components import components

        odd = odd.copy()
        for some in components(found):
            inside = np.isin(found.edges[:, 0], some).sum()
            odd[some[0]] ^= bool((inside + odd[some].sum()) % 2)
    return OrderingProblem.from_edges(found.size, found.edges, np.flatnonzero(odd).tolist())


def cpu() -> float:
    """Return the CPU seconds of this process and those that it started."""
    kinds = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(one.ru_utime + one.ru_stime for one in used)


def ask(family: str, size: int, seed: int, method: str, seconds: float) -> str:
    """Answer one question in this process: the verdict and the CPU seconds without imports."""
    import pysat.solvers  # noqa: F401

    from ponder.check.kinds import Answer
    from ponder.find.search.context import SearchContext
    from ponder.find.solvers.asp import CLINGO_SAYS, order_asp
    from ponder.find.solvers.by_encoding import SolverSettings, order_encoded
    from ponder.model.ordering_problem import Order, Unknown
    from ponder.system.limits import Limits

    given, limits = problem(family, size, seed), Limits(8 * seconds)
    given.prepare()
    if method in ("count", "chain"):
        import clingo  # noqa: F401
    answer: Answer
    begun = cpu()
    if method in ("count", "chain"):
        answer = order_asp(given, method, seed=seed, limits=limits)
    else:
        settings = ("acyclic=elimination",) if method == "elimination" else ()
        encoding = "half_factor" if given.lines is not None and method == "sat" else "precedence"
        answer = order_encoded(
            given, "sat", SolverSettings(encoding, settings), SearchContext(seed, limits)
        )
    spent = cpu() - begun
    word = "order" if isinstance(answer, Order) else "refuted"
    if isinstance(answer, Unknown):
        word = "says-no" if answer.reason == CLINGO_SAYS else "open"
    return f"{word} {spent:.4f}"


def run(family: str, size: int, seed: int, method: str, seconds: float) -> tuple[str, float, float]:
    """Ask in a child; return the verdict, the seconds without Python's start, and all."""
    words = [sys.executable, "-m", "tests.bench.acyclicity", "--one", family, str(size), str(seed)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        child = subprocess.run(
            [*words, method, "--seconds", str(seconds)],
            capture_output=True,
            text=True,
            check=False,
            timeout=10 * seconds,
            preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_CPU, (int(seconds) + 2, int(seconds) + 2)
            ),
        )
        if child.returncode > 0:
            raise SystemExit(child.stderr)
        done = child.stdout.split()
    except subprocess.TimeoutExpired:
        done = []
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if len(done) != 2 or done[0] == "open" or float(done[1]) > seconds:
        return "open", seconds, spent
    return done[0], float(done[1]), spent


def table(seconds: float) -> str:
    """Return the table, each line as it is measured shown on the way."""
    head = "| family | size | answer | " + " | ".join(METHODS.values()) + " |"
    rows = [head, "|---" * (len(METHODS) + 3) + "|"]
    for family, (title, sizes) in FAMILIES.items():
        late: set[str] = set()
        for size in sizes:
            cells, answers = [], set[str]()
            for method in METHODS:
                found = []
                for seed in SEEDS if method not in late else ():
                    found.append(run(family, size, seed, method, seconds))
                    if found[-1][0] == "open":
                        late.add(method)
                        break
                if method in late:
                    cells.append("—")
                    continue
                answers |= {word.replace("says-no", "refuted") for word, _, _ in found}
                pure, all_ = median(x for _, x, _ in found), median(x for _, _, x in found)
                cells.append(f"{pure:.3f} ({all_:.2f})")
            rows.append(
                f"| {title} | {size:,} | {', '.join(sorted(answers))} | {' | '.join(cells)} |"
            )
            print(rows[-1], flush=True)
    return "\n".join(rows)


def main() -> None:
    """Answer one question, or make the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--one", nargs=4, metavar=("FAMILY", "SIZE", "SEED", "METHOD"))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("-o", dest="file", type=Path)
    given = parser.parse_args()
    if given.one:
        family, size, seed, method = given.one
        print(ask(family, int(size), int(seed), method, given.seconds))
        return
    made = table(given.seconds)
    if given.file is not None:
        text = given.file.read_text(encoding="utf-8")
        before, _, rest = text.partition("<!-- table -->")
        _, _, after = rest.partition("<!-- end -->")
        with whole_file(given.file) as out:
            out.write(f"{before}<!-- table -->\n\n{made}\n\n<!-- end -->{after}")


if __name__ == "__main__":
    main()
