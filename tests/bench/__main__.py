"""Run the benchmark: `python -m tests.bench [WORD …]` runs the cases whose name has every WORD."""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

from tests.bench import Case


def cases() -> dict[str, Case]:
    """All cases, from the modules `bench_*.py` beside this one, by name."""
    found: dict[str, Case] = {}
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        for case in getattr(import_module(f"tests.bench.{path.stem}"), "CASES", ()):
            found[case.name] = case
    return found


def measure(case: Case) -> dict[str, object]:
    """Run one case in this process."""
    job = case.prepare()
    times: list[float] = []
    remark: object = None
    for _ in range(case.runs):
        start = time.perf_counter()
        remark = job()
        times.append(time.perf_counter() - start)
    peak = max(resource.getrusage(who).ru_maxrss for who in (0, resource.RUSAGE_CHILDREN))
    return {
        "median": statistics.median(times),
        "fastest": min(times),
        "memory": peak / 1024**2,
        "remark": remark if isinstance(remark, str) else "",
    }


def main(words: list[str]) -> None:
    """Print the table, one process a case."""
    if words[:1] == ["--case"]:
        print(json.dumps(measure(cases()[words[1]])))
        return
    print(f"{'case':<58} {'median':>10} {'asked':>9} {'memory':>8}")
    for name, case in cases().items():
        if not all(word in name for word in words):
            continue
        command = [sys.executable, "-m", "tests.bench", "--case", name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{name:<58} failed: {done.stderr.strip().splitlines()[-1]}")
            continue
        found = json.loads(done.stdout.splitlines()[-1])
        slow = " SLOWER" if found["median"] > case.limit else ""
        fat = " LARGER" if case.memory is not None and found["memory"] > case.memory else ""
        print(
            f"{name:<58} {found['median'] * 1000:>7.1f} ms {case.limit * 1000:>6.0f} ms "
            f"{found['memory']:>5.2f} GB  {found['remark']}{slow}{fat}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
