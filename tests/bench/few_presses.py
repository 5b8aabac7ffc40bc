"""What searches among many press sets make of their time: `python -m tests.bench.few_presses`.

Random boards that can be solved, some seeds of each kind, one process an answer. The clock that
ponder sees counts the processor time of that process, all its threads together, so that other
programs on the machine change nothing. Every answer is verified. `--beside DIR` asks the ponder of
another working tree the same, question by question.

    python -m tests.bench.few_presses torus-king --seeds 3
    python -m tests.bench.few_presses order --seconds 10 --beside ../main
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time

# (command, pattern, side, seconds, percent that count and bound may be apart)
ASKED = [
    ("solve", "king", 20, 20, 2),
    ("solve", "torus-king", 12, 20, 2),
    ("solve", "torus-king", 15, 20, 2),
    ("solve", "torus-king", 30, 20, 5),
    ("solve", "king", 50, 20, 5),
    ("solve", "plus", 39, 20, 2),
    ("solve", "cross", 51, 20, 4),
    ("solve", "torus-plus", 20, 20, 0),
    ("solve", "torus-plus", 30, 20, 0),
    ("solve", "plus", 100, 60, 0),
    ("order", "king", 20, 20, 2),
    ("order", "torus-king", 12, 20, 2),
    ("order", "torus-king", 15, 20, 2),
    ("order", "torus-king", 30, 20, 5),
    ("order", "king", 50, 20, 5),
    ("order", "torus-plus", 20, 20, 0),
    ("order", "torus-plus", 30, 20, 0),
]


def answer(command: str, pattern: str, side: int, seed: int, seconds: float) -> dict[str, object]:
    """Ask one question in this process, by its processor time."""
    time.perf_counter = time.process_time  # of the clock in `Limits`
    import numpy as np

    import ponder
    from ponder.model.graph import grid_graph
    from tests.boards import solved_by

    graph = grid_graph(pattern, (side, side))
    board = solved_by(graph, np.random.default_rng(seed).random(graph.size) < 0.5)
    start = time.process_time()
    result = getattr(ponder, command)(board, timeout=seconds)
    spent = time.process_time() - start
    checked = ponder.verify(board, result.to_json())
    return {
        "lower": result.lower_bound,
        "count": result.count,
        "verdict": result.verdict,
        "proved": result.optimal or result.verdict == "impossible",
        "spent": round(spent, 1),
        "checked": checked.complete,
        "check": round(time.process_time() - start - spent, 1),
        "why": getattr(result.evidence or result.refutation, "kind", ""),
    }


def asked(tree: str, question: list[str]) -> dict[str, object]:
    """Ask the ponder of a working tree, in a process of its own."""
    paths = {**os.environ, "PYTHONPATH": tree}
    command = [sys.executable, "-P", os.path.abspath(__file__), "--one", *question]
    done = subprocess.run(command, capture_output=True, text=True, env=paths, cwd=tree)
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1]}
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def told(found: dict[str, object]) -> str:
    """Say in a few words what was found."""
    if "failed" in found:
        return f"failed: {found['failed']}"
    between = "none" if found["verdict"] == "impossible" else f"{found['lower']}..{found['count']}"
    proved = "proved" if found["proved"] else ""
    wrong = "" if found["checked"] else " NOT CHECKED"
    spent = f"{found['spent']} s, {found['why']}, checked in {found['check']} s"
    return f"{between:<12} {proved:<6} {spent}{wrong}"


def main() -> None:
    """Print a table, a line for each question and working tree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="a command, a pattern or a size: all must fit")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seconds", type=float, help="of processor time, in place of the table's")
    parser.add_argument("--beside", default="", help="another working tree to be asked")
    parser.add_argument("--one", nargs=5, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        command, pattern, side, seed, seconds = given.one
        print(json.dumps(answer(command, pattern, int(side), int(seed), float(seconds))))
        return
    for command, pattern, side, seconds, percent in ASKED:
        if not {*given.words} <= {command, pattern, str(side)}:
            continue
        print(f"{command} {pattern} {side}, {given.seconds or seconds:g} s, within {percent} %")
        for seed in range(given.first, given.first + given.seeds):
            question = [command, pattern, str(side), str(seed), str(given.seconds or seconds)]
            for tree in filter(None, (given.beside, os.getcwd())):
                print(
                    f"  {seed}  {os.path.basename(tree):<14} {told(asked(tree, question))}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
