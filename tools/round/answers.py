"""Answers and processor seconds of a tree, and what changed between two.

    cd TREE; python …/answers.py run -o new.jsonl [--jobs 2] [--only WORD] [--sample N]
    python …/answers.py compare old.jsonl new.jsonl
    cd TREE; python …/answers.py processes

`ponder` is imported from the current directory, and asked by its public names alone. Each question
is answered in a fork of one process that has imported everything, so that imports cost nothing.
Limits are by the clock: on a busy machine compare with `--factor 4`. In the baseline, rows with
`factor` were asked so, and rows with `limited` ended at the limit of a busy machine: they say too
little, and a difference there means nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import pkgutil
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [os.getcwd(), str(HERE)]
for word in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[word] = "1"

from questions import large_cross  # noqa: E402

GRACE = 20  # seconds after its limit until a question is killed
SAME = ("verdict", "claim", "count", "lower_bound", "optimal", "kind", "verified", "number")


def used() -> float:
    each = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in each)


def accepted(check) -> object:
    """True; False with the reason in `why`; "partly" where something was not checked."""
    try:
        report = check()
    except Exception as error:  # whatever it is, it goes into the table
        return f"{type(error).__name__}: {error}"[:150]
    return getattr(report, "complete", True) or "partly"


def oriented(graph, arcs, order) -> None:
    """Judge an orientation here: every edge once, along the order, degrees, given arcs."""
    n, edges, odd, fixed = graph
    place = {v: k for k, v in enumerate(order)}
    arcs = [(int(u), int(v)) for u, v in arcs]
    out = [0] * n
    for u, v in arcs:
        assert place[u] < place[v]
        out[u] += 1
    assert sorted(map(sorted, arcs)) == sorted(map(sorted, edges))
    assert [v for v in range(n) if out[v] % 2] == sorted(odd)
    assert all(tuple(arc) in arcs for arc in fixed)


def numbered(question: dict) -> object:
    """What `--count` says: its first number, with "at least" where it is said."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "question")
        words = [
            sys.executable,
            "-m",
            "ponder",
            question["command"],
            str(path),
            "--count",
            "--timeout",
            str(question["limit"]),
        ]
        if question["command"] == "orient":
            n, edges, odd, fixed = question["graph"]
            path.write_text(json.dumps({"nodes": n, "edges": edges}))
            words += ["--odd", ",".join(map(str, odd)) or "none"]
            words += ["--fixed", ",".join(f"{u}:{v}" for u, v in fixed) or "none"]
        else:
            path.write_text(question["text"])
        said = subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()
    digits = [word.replace(",", "") for word in said if word[0].isdigit()]
    return f"{'at least ' if 'least' in said else ''}{digits[0] if digits else said[:1]}"


def answer(question: dict) -> dict:
    import ponder

    limit = question["limit"]
    row: dict = {}
    if "graph" in question:
        n, edges, odd, fixed = question["graph"]
        start = used()
        given = [tuple(arc) for arc in fixed]
        said = ponder.orient((n, list(map(tuple, edges))), odd, fixed=given, timeout=limit)
        row["seconds"] = used() - start
        row["verdict"] = {"Orientation": "solved", "Refusal": "impossible"}.get(
            type(said).__name__, "unknown"
        )
        start = used()
        if row["verdict"] == "solved":
            row["verified"] = accepted(lambda: oriented(question["graph"], said.arcs, said.order))
        elif row["verdict"] == "impossible":
            row["verified"] = accepted(said.verify)
            row["kind"] = said.certificate.get("kind")
    else:
        text = question.get("text") or large_cross(*question["recipe"])
        start = used()
        board = ponder.parse_board(text)
        said = getattr(ponder, question["command"])(board, timeout=limit, seed=0)
        row["seconds"] = used() - start
        row |= {key: getattr(said, key) for key in SAME[:5]}
        start = used()
        row["verified"] = accepted(lambda: ponder.verify(board, said))
        with contextlib.suppress(Exception):
            row["kind"] = getattr(said.refutation, "kind", None)
            row["bound"] = (said.bound or {}).get("kind")
            row["method"] = said.method
    row["verifying"] = round(used() - start, 4)
    row["seconds"] = round(row["seconds"], 4)
    if question.get("count"):
        row["number"] = numbered(question)
    return row


def imported() -> None:
    """Import all that may answer or check, under whatever names; commands and pictures aside."""
    import ponder

    apart = {"apps", "cli", "page", "pictures", "notebook", "studies", "proofs", "__main__"}
    for module in pkgutil.walk_packages(ponder.__path__, "ponder.", onerror=lambda name: None):
        if not apart.intersection(module.name.split(".")):
            with contextlib.suppress(Exception):
                importlib.import_module(module.name)
    for name in ("numpy", "scipy.sparse", "pysat.solvers", "ortools.sat.python.cp_model"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def run(arguments) -> None:
    lines = Path(arguments.questions).read_text().splitlines()
    questions = [json.loads(line) for line in lines]
    questions = [each for each in questions if arguments.only in each["id"]][:: arguments.sample]
    for question in questions:
        question["limit"] *= arguments.factor
    imported()
    running: dict[int, tuple[dict, str, float]] = {}
    rows: list[dict] = []
    start = time.monotonic()
    while questions or running:
        while questions and len(running) < arguments.jobs:
            question = questions.pop(0)
            handle, path = tempfile.mkstemp()
            os.close(handle)
            if (child := os.fork()) == 0:
                os.setpgid(0, 0)
                try:
                    with open(os.devnull, "w") as sink:
                        os.dup2(sink.fileno(), 2)
                    row = answer(question)
                except BaseException as error:
                    row = {"verdict": "error", "why": f"{type(error).__name__}: {error}"[:200]}
                Path(path).write_text(json.dumps(row, default=int))
                os._exit(0)
            running[child] = (question, path, time.monotonic())
        time.sleep(0.005)
        for child, (question, path, begun) in list(running.items()):
            late = time.monotonic() - begun > 2 * question["limit"] + GRACE
            if late:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child, signal.SIGKILL)
            ended, _, usage = os.wait4(child, 0 if late else os.WNOHANG)
            if ended:
                text = Path(path).read_text()
                row = json.loads(text) if text else {"verdict": "killed" if late else "died"}
                row["wall"] = round(time.monotonic() - begun, 2)
                row["whole"] = round(usage.ru_utime + usage.ru_stime, 3)
                rows.append({"id": question["id"], **row})
                os.unlink(path)
                del running[child]
    rows.sort(key=lambda row: row["id"])
    Path(arguments.output).write_text("".join(json.dumps(row) + "\n" for row in rows))
    spent = sum(row["whole"] for row in rows)
    print(f"{len(rows)} questions, {spent:.0f} processor s, {time.monotonic() - start:.0f} s")
    summary(rows)


def summary(rows: list[dict]) -> None:
    """Answers and times by kind of question."""
    groups: dict[str, list[dict]] = {}
    for row in rows:
        _, command, *words = row["id"].split()
        name = words[0] if words[0] in SHOWN else "instances" if "." in words[0] else "graphs"
        groups.setdefault(f"{command} {name}", []).append(row)
    groups["all"] = rows
    print(
        f"{'':22} {'n':>4} {'solved':>6} {'imposs':>6} {'other':>5} {'optimal':>7} {'checked':>7}"
        f" {'sum s':>7} {'median':>7} {'verify':>7}"
    )
    for name, group in sorted(groups.items()):
        each = [row.get("seconds", row["whole"]) for row in group]
        verdicts = [row["verdict"] for row in group]
        solved, impossible = (verdicts.count(word) for word in ("solved", "impossible"))
        print(
            f"{name:22} {len(group):>4} {solved:>6} {impossible:>6} "
            f"{len(group) - solved - impossible:>5} "
            f"{sum(row.get('optimal') is True for row in group):>7} "
            f"{sum(row.get('verified') is True for row in group):>7} {sum(each):>7.1f} "
            f"{statistics.median(each):>7.3f} {sum(row.get('verifying', 0) for row in group):>7.1f}"
        )


SHOWN = ("cross", "plus", "torus-plus", "king", "torus-king", "wiring", "count")


def compare(arguments) -> None:
    old, new = (
        {row["id"]: row for row in map(json.loads, Path(path).read_text().splitlines())}
        for path in (arguments.old, arguments.new)
    )
    both = [key for key in old if key in new]
    print(
        f"{len(both)} questions in both; only in the first {len(old) - len(both)}, "
        f"in the second {len(new) - len(both)}"
    )
    slower = []
    for key in both:
        a, b = old[key], new[key]
        said = [
            f"{word} {a.get(word)} -> {b.get(word)}"
            for word in SAME
            if word != "kind" and a.get(word) != b.get(word)
        ]
        sharp = a["verdict"] != b["verdict"] and "unknown" not in (a["verdict"], b["verdict"])
        sharp |= b.get("verified") not in (None, True) and b["verdict"] != "unknown"
        if said:
            print(f"{'WRONG?  ' if sharp else 'differs '} {key}: {'; '.join(said)}")
        for word in ("seconds", "verifying"):
            one, two = a.get(word, a["whole"]), b.get(word, b["whole"])
            if two > 1.5 * one and two - one > 0.1:
                slower.append((two - one, f"{key}: {word} {one:.2f} -> {two:.2f} s"))
    print(f"\nslower by half and by 0.1 s: {len(slower)}")
    for _, line in sorted(slower, reverse=True):
        print("  ", line)
    for name, rows in (("first", old), ("second", new)):
        print(f"\n{name}")
        summary([rows[key] for key in both])


def processes(arguments) -> None:
    """Whole processes: the least processor seconds and time of some runs, as text."""
    compiled = [sys.executable, "-m", "compileall", "-q", "ponder", "encodings"]
    subprocess.run(compiled, check=False)  # all trees alike
    with tempfile.TemporaryDirectory() as folder:
        for size in (1000, 4000):
            Path(folder, f"{size}.txt").write_text(large_cross(size, size, size))
        ponder = [sys.executable, "-m", "ponder"]
        boards = ["instances/ibm-2023-04-example-4x4.txt", "instances/ibm-2023-04-30x30.txt"]
        jobs = {
            "python -c 'import numpy'": ([sys.executable, "-c", "import numpy"], 5),
            "ponder --help": ([*ponder, "--help"], 5),
        }
        jobs |= {f"ponder order {board}": ([*ponder, "order", board], 5) for board in boards}
        jobs |= {
            f"ponder order {size}x{size}": (
                [*ponder, "order", f"{folder}/{size}.txt", "--quiet"],
                runs,
            )
            for size, runs in ((1000, 5), (4000, 2))
        }
        print(f"{'least of some runs':48} {'processor s':>11} {'time s':>8} exit")
        for name, (words, runs) in jobs.items():
            seconds = []
            for _ in range(runs):
                before, begun = used(), time.monotonic()
                done = subprocess.run(words, stdout=subprocess.DEVNULL, check=False)
                seconds.append((used() - before, time.monotonic() - begun))
            spent, passed = (min(column) for column in zip(*seconds, strict=True))
            print(f"{name:48} {spent:>11.3f} {passed:>8.3f} {done.returncode}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("-o", "--output", required=True)
    one.add_argument("--questions", default=HERE / "data" / "questions.jsonl")
    one.add_argument("--jobs", type=int, default=1, choices=(1, 2))
    one.add_argument("--only", default="", help="questions whose id has this word")
    one.add_argument("--sample", type=int, default=1, metavar="N", help="every Nth question")
    one.add_argument("--factor", type=float, default=1, help="of all limits, on a busy machine")
    one.set_defaults(go=run)
    two = commands.add_parser("compare")
    two.add_argument("old")
    two.add_argument("new")
    two.set_defaults(go=compare)
    commands.add_parser("processes").set_defaults(go=processes)
    arguments = parser.parse_args()
    arguments.go(arguments)


if __name__ == "__main__":
    main()
