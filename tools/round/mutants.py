"""Plant faults in the mathematics, and see which tests notice: `mutants.py choose|run|show`.

    python mutants.py choose TREE > chosen.jsonl          by seed; look through it, strike lines
    python mutants.py run COPY chosen.jsonl -o data/NAME.jsonl
    python mutants.py show data/NAME.jsonl

A fault is one changed operator, constant or branch. Recorded are the module, the qualified name of
the function and the line before and after, so that it can be planted by hand where code has moved.
It is judged by the tests of its own package (for `find`: of its own subfolder), then by the
examples in its own module, then by every finder on the corpus.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

PACKAGES = ("find", "check", "model", "proofs", "formulas", "encodings", "lights_out")
LEAST, MOST = 3, 2  # faults in a package, faults in a module
CORPUS = "tests/test_truth.py"
LIMIT = 120  # processor seconds; the tests of a package take 3 to 35 s
# sizes and clocks, messages, what is printed: no arithmetic that an answer rests on
ASIDE = re.compile(
    r"limits|budget|spend|clock|progress|\b[A-Z]{4,}\b|fail\(|raise |sentence|f\"|"
    r"assert |quoted|pluralise|dtype|seconds|timeout|import |itemsize|nbytes"
)
ASIDE_NAMES = re.compile(
    r"__repr__|__str__|sentence|argument|words|cost|written|room|_json|marks|"
    r"text_of|named|shown|within|memory|bytes|promising|reason"
)
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def changed(node: ast.AST) -> ast.expr | None:
    """The node with one fault, if it is of a kind that can have one."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.BinOp | ast.BoolOp) and type(new.op) in OPERATORS:
        new.op = OPERATORS[type(new.op)]()
        text = isinstance(new, ast.BinOp) and any(
            isinstance(side, ast.Constant) and isinstance(side.value, str | bytes)
            for side in (new.left, new.right)
        )
        return None if text else new
    if isinstance(new, ast.Compare) and len(new.ops) == 1:
        new.ops = [OPERATORS[type(new.ops[0])]()]
        return new
    if isinstance(new, ast.Constant) and isinstance(new.value, bool):
        new.value = not new.value
        return new
    if isinstance(new, ast.Constant) and type(new.value) is int:
        new.value += 1
        return new
    if isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not | ast.Invert):
        return new.operand
    if isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.USub):
        return None
    return None


def branches(tree: ast.AST) -> set[int]:
    """The tests of branches, which can be negated."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp):
            found.add(id(node.test))
        elif isinstance(node, ast.comprehension):
            found.update(map(id, node.ifs))
    return found


def faults(path: Path, module: str) -> list[dict]:
    """All faults in the functions of a module."""
    source = path.read_text()
    lines, tree = source.splitlines(), ast.parse(source)
    tests, found = branches(tree), []

    def plant(node: ast.expr, new: ast.expr, name: str, kind: str) -> None:
        line = lines[node.lineno - 1]
        if node.lineno != node.end_lineno or ASIDE.search(line) or not line.isascii():
            return
        if line.lstrip().startswith(("def ", "class ", "@", ">>>", "assert")):
            return
        text = f"({ast.unparse(new)})" if not isinstance(new, ast.Constant) else ast.unparse(new)
        after = line[: node.col_offset] + text + line[node.end_col_offset :]
        found.append(
            {
                "module": module,
                "function": name,
                "line": node.lineno,
                "kind": kind,
                "before": line.strip(),
                "after": after.strip(),
                "_after": after,
            }
        )

    def walk(node: ast.AST, name: str, inside: bool) -> None:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(
                node, ast.Call
            ):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or isinstance(
                    child, ast.Raise | ast.JoinedStr | ast.AnnAssign | ast.Assert
                ):
                    continue
                if isinstance(child, ast.FunctionDef | ast.ClassDef):
                    aside = ASIDE_NAMES.search(child.name)
                    function = isinstance(child, ast.FunctionDef)
                    if not aside:
                        walk(child, f"{name}.{child.name}".lstrip("."), inside or function)
                    continue
                if inside and isinstance(child, ast.expr):
                    if (new := changed(child)) is not None:
                        constant = isinstance(child, ast.Constant)
                        plant(child, new, name, "constant" if constant else "operator")
                    if id(child) in tests and not isinstance(child, ast.Compare | ast.UnaryOp):
                        negated = ast.UnaryOp(ast.Not(), child)
                        plant(child, negated, name, "branch")
                walk(child, name, inside)

    walk(tree, "", False)
    return found


def choose(arguments) -> None:
    rng = random.Random(arguments.seed)
    tree, functions = Path(arguments.tree), {}
    for package in PACKAGES:
        for path in sorted(Path(tree, "ponder", package).resolve().rglob("*.py")):
            module = path.relative_to(tree.resolve()).as_posix()
            for fault in faults(path, module):
                functions.setdefault((module, fault["function"]), []).append(fault)
    drawn = rng.sample(sorted(functions), len(functions))
    of_package = {package: [name for name in drawn if package in name[0]] for package in PACKAGES}
    names = [name for listed in of_package.values() for name in listed[:LEAST]]
    taken = Counter()
    for name in dict.fromkeys([*names, *drawn]):
        kind = rng.choice(["operator", "operator", "constant", "branch"])
        alike = [fault for fault in functions[name] if fault["kind"] == kind] or functions[name]
        fault = rng.choice(alike)
        if taken.total() < arguments.number and taken[name[0]] < MOST:
            taken[name[0]] += 1
            print(json.dumps(fault))


def tests_of(tree: Path, module: str) -> list[str]:
    """Return a folder, but of modules above other folders the files beside them alone."""
    folder = Path("tests", *module.removeprefix("ponder/").split("/")[:-1])
    files = sorted(map(str, Path(tree, folder).glob("test_*.py")))
    return files if folder == Path("tests/find") else [str(folder)]


def judge(tree: Path, what: list[str]) -> tuple[str, float]:
    """Killed by which test, or survived."""

    def confined() -> None:
        os.setsid()
        os.nice(5)
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))

    words = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n",
        "0",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        *what,
    ]
    start = time.monotonic()
    child = subprocess.Popen(
        words,
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=confined,
        env={**os.environ, "PYTHONPATH": str(tree)},
    )
    try:
        said, _ = child.communicate(timeout=10 * LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return "killed: timeout", time.monotonic() - start
    seconds = time.monotonic() - start
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "killed: does not end", seconds
    if child.returncode in (0, 5):  # 5: there are no tests
        return "survived", seconds
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    if not failed and "Error" not in said:  # pytest itself did not run
        raise SystemExit(said)
    return f"killed: {failed[0] if failed else said.splitlines()[-1][:80]}", seconds


def run(arguments) -> None:
    tree = Path(arguments.tree).resolve()
    chosen = [json.loads(line) for line in Path(arguments.chosen).read_text().splitlines()]
    with open(arguments.output, "a") as table:
        for fault in chosen:
            if fault.get("verdict") == "gone":
                table.write(json.dumps(fault) + "\n")
                continue
            path = tree / fault["module"]
            source = path.read_text()
            lines = source.split("\n")
            same = [k for k, line in enumerate(lines) if line.strip() == fault["before"]]
            at = min(same, key=lambda k: abs(k + 1 - fault["line"]))  # lines may have moved
            lines[at] = fault.pop("_after")
            try:
                path.write_text("\n".join(lines))
                fault["verdict"], fault["seconds"] = judge(tree, tests_of(tree, fault["module"]))
                for more, words in ((fault["module"], "its example"), (CORPUS, "the corpus")):
                    if fault["verdict"] == "survived":
                        verdict, seconds = judge(tree, [more])
                        fault["seconds"] += seconds
                        fault["verdict"] = verdict.replace("killed:", f"killed by {words}:")
            finally:
                path.write_text(source)
            fault["seconds"] = round(fault["seconds"], 1)
            table.write(json.dumps(fault) + "\n")
            table.flush()
            print(f"{fault['module']} {fault['function']}: {fault['verdict']}", flush=True)


def show(arguments) -> None:
    rows = [json.loads(line) for line in Path(arguments.table).read_text().splitlines()]
    for row in rows:
        where = f"{row.get('module')}:{row.get('line')} {row.get('function', row.get('was'))}"
        verdict = f"{row.get('verdict', '')} {row.get('remark', '')}"
        print(f"{where}\n    - {row['before']}\n    + {row.get('after')}\n    {verdict}")
    killed = sum(row.get("verdict", "").startswith("killed") for row in rows)
    print(f"{len(rows)} faults, {killed} killed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("choose")
    one.add_argument("tree")
    one.add_argument("--seed", type=int, default=49)
    one.set_defaults(go=choose)
    one.add_argument("--number", type=int, default=60)
    two = commands.add_parser("run")
    two.add_argument("tree")
    two.add_argument("chosen")
    two.add_argument("-o", "--output", required=True)
    two.set_defaults(go=run)
    three = commands.add_parser("show")
    three.add_argument("table")
    three.set_defaults(go=show)
    arguments = parser.parse_args()
    arguments.go(arguments)


if __name__ == "__main__":
    sys.exit(main())
