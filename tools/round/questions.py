"""Make the questions of the baseline, by seed and without ponder: `questions.py > FILE`.

A JSON line each: `id`, `command` (order, solve, orient), `text` (a board file) or `recipe` (of a
large row/column board) or `graph` (n, edges, odd, fixed); `limit`, seconds; `count`: ask how many.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

KING = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
PLUS = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)]
KNIGHT = [(r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)]
STENCILS = {
    "knight": ("stencil", KNIGHT, [(0, 0), *KNIGHT]),
    "diagonal": ("stencil", [(1, 1), (1, -1), (-1, 1), (-1, -1)], None),
    "wide": ("stencil", [(0, 2), (0, -2), (2, 0), (-2, 0)], None),
    "right": ("toggles", [(0, 0), (0, 1), (1, 0)], [(0, 0), (0, 1), (1, 0)]),
    "around": ("torus-toggles", [(0, 0), (0, 1), (1, 1)], [(0, 0), (0, 1), (1, 1)]),
}


def draws(*key) -> np.random.Generator:
    return np.random.Generator(
        np.random.Philox(
            [sum(map(ord, str(k))) * 31 + len(str(k)) if isinstance(k, str) else k for k in key]
        )
    )


def toggled(pattern: str, rows: int, columns: int) -> tuple[str, list[list[int]]]:
    """The header's value for a pattern, and which cells each press toggles."""
    head, around = pattern, "torus" in pattern
    if pattern == "cross":
        lists = [
            [r * columns + k for k in range(columns)]
            + [k * columns + c for k in range(rows) if k != r]
            for r in range(rows)
            for c in range(columns)
        ]
        return head, lists
    if pattern in STENCILS:
        word, listed, places = STENCILS[pattern]
        places = places or [(0, 0), *listed]
        head = word + "".join(f" {r},{c}" for r, c in listed)
        around = "torus" in word
    else:
        places = KING if "king" in pattern else PLUS
    lists = []
    for r in range(rows):
        for c in range(columns):
            cells = [(r + a, c + b) for a, b in places]
            if around:
                cells = [(a % rows, b % columns) for a, b in cells]
            lists.append([a * columns + b for a, b in cells if 0 <= a < rows and 0 <= b < columns])
    return head, lists


def start(lists, lights, at, rule, goal, how, rng, density=0.5) -> np.ndarray:
    """What is lit at first: `random`; a random set `pressed`; `planted`: legal presses undone."""
    state = np.full(lights, goal, dtype=np.int64)
    if how == "random":
        return rng.integers(0, 2, lights)
    if how == "pressed":
        for toggles, draw in zip(lists, rng.random(len(lists)), strict=True):
            if draw < density:
                np.bitwise_xor.at(state, toggles, 1)
        return state
    free, left = set(range(len(lists))), int(len(lists) * density)
    while left and free:
        press = int(rng.choice(sorted(free)))
        before = state.copy()
        np.bitwise_xor.at(before, lists[press], 1)
        if rule == "any" or at[press] is None or before[at[press]] == (rule == "lit"):
            state, free = before, free - {press}
        left -= 1
    return state


def grid(pattern, rows, columns, how, rule="unlit", goal=None, seed=0, density=0.5) -> str:
    rng = draws(pattern, rows, columns, how, rule, seed)
    goal = int(rule != "lit") if goal is None else goal
    head, lists = toggled(pattern, rows, columns)
    size = rows * columns
    lit = start(lists, size, range(size), rule, goal, how, rng, density)
    cells = "\n".join("".join(map(str, row)) for row in lit.reshape(rows, columns))
    return f"pattern: {head}\nrule: {rule}\ngoal: {('unlit', 'lit')[goal]}\n{cells}\n"


def large_cross(rows: int, columns: int, seed: int, how: str = "planted") -> str:
    """A row/column board: legal presses undone, a diagonal at a time; or a random press set."""
    rng = np.random.Generator(np.random.Philox(seed))
    chosen = np.zeros((rows, columns), dtype=np.int64)
    if how == "planted":
        of_row, of_column, r = np.zeros(rows, int), np.zeros(columns, int), np.arange(rows)
        for shift in rng.permutation(columns):
            c = (r + shift) % columns  # rows <= columns: no two in a line
            pressed = (1 ^ of_row ^ of_column[c]) & rng.integers(0, 2, rows)
            chosen[r, c] = pressed
            of_row ^= pressed
            of_column[c] ^= pressed
    else:
        chosen = rng.integers(0, 2, (rows, columns))
    lit = (1 + chosen + chosen.sum(0)[None, :] + chosen.sum(1)[:, None]) % 2
    return "\n".join(["pattern: cross", *("".join(map(str, row)) for row in lit), ""])


def regular(n: int, degree: int, rng) -> list[list[int]]:
    """A random regular graph: a circulant one, its edges switched in pairs."""
    edges = [tuple(sorted((v, (v + k) % n))) for v in range(n) for k in range(1, degree // 2 + 1)]
    if degree % 2:
        edges += [(v, v + n // 2) for v in range(n // 2)]
    have = set(edges)
    for i, j, flip in rng.integers(0, len(edges), (10 * len(edges), 3)).tolist():
        (a, b), (c, d) = edges[i], edges[j][:: 1 if flip % 2 else -1]
        new = [tuple(sorted((a, d))), tuple(sorted((c, b)))]
        if len({a, b, c, d}) == 4 and not have.intersection(new):
            have.difference_update((edges[i], edges[j]))
            have.update(new)
            edges[i], edges[j] = new
    return [list(edge) for edge in sorted(edges)]


def gnm(n: int, m: int, rng) -> list[list[int]]:
    pairs = [[u, v] for u in range(n) for v in range(u + 1, n)]
    return [pairs[k] for k in sorted(rng.choice(len(pairs), min(m, len(pairs)), replace=False))]


def graph_board(n, edges, how, rule, rng) -> str:
    lists = [[v] for v in range(n)]
    for u, v in edges:
        lists[u].append(v)
        lists[v].append(u)
    goal: object = "lit"
    if how == "ordered":  # every bulb once, in a random order; the goal is where that leads
        place = rng.permutation(n)
        lit = np.array([sum(place[w] < place[v] for w in lists[v]) % 2 for v in range(n)])
    elif how == "parity":  # as likely not to have an order
        lit = rng.integers(0, 2, n)
        lit[0] ^= (lit.sum() + len(edges)) % 2
    if how in ("ordered", "parity"):
        goal = [int(lit[v] + len(lists[v])) % 2 for v in range(n)]
    else:
        lit = start(lists, n, range(n), rule, 1, how, rng)
    return json.dumps(
        {
            "nodes": n,
            "edges": [list(map(int, edge)) for edge in edges],
            "lit": lit.tolist(),
            "rule": rule,
            "goal": goal,
        }
    )


def wiring(lights, buttons, how, rule, rng) -> str:
    lists = [
        sorted(rng.choice(lights, int(rng.integers(1, min(lights, 5) + 1)), replace=False).tolist())
        for _ in range(buttons)
    ]
    at = [
        None
        if rng.random() < 0.15
        else cells[0]
        if rng.random() < 0.7
        else int(rng.integers(lights))
        for cells in lists
    ]
    lit = start(lists, lights, at, rule, int(rule != "lit"), how, rng)
    named = [
        {"toggles": cells} | ({} if here is None else {"at": here})
        for cells, here in zip(lists, at, strict=True)
    ]
    return json.dumps(
        {
            "lights": lights,
            "buttons": named,
            "lit": lit.tolist(),
            "rule": rule,
            "goal": ("lit", "unlit")[rule == "lit"],
        }
    )


def main() -> None:
    rows: list[dict] = []

    def ask(command, name, text=None, limit=8, **fields):
        question = {"id": f"{len(rows):03} {command} {name}", "command": command, "limit": limit}
        rows.append(question | ({} if text is None else {"text": text}) | fields)

    def both(commands, pattern, sizes, how, rule="unlit", goal=None, seed=0, **fields):
        for size in sizes:
            r, c = size if isinstance(size, tuple) else (size, size)
            text = grid(pattern, r, c, how, rule, goal, seed)
            for command in commands.split():
                ask(command, f"{pattern} {r}x{c} {how} {rule}", text, **fields)

    for path in sorted(Path("instances").glob("*")):
        if path.name != "expected.json":
            for command in ("order", "solve"):
                ask(command, path.name, path.read_text())
    flat = [(4, 7), (5, 8), (3, 12), (9, 14), (20, 31), (7, 11)]
    both("order", "cross", [*range(4, 32), *flat], "pressed")
    both("order", "cross", [*range(4, 13), 17, 24], "planted")
    both("order solve", "cross", [5, 7, 9, 6], "random")
    both("solve", "cross", [*range(4, 32), *flat], "pressed", seed=1)
    both("solve", "cross", [*range(4, 16), 18, 24, 30], "pressed", "any")
    both("order", "cross", [4, 5, 8, 11, 16, 30], "pressed", "any")
    both("order solve", "cross", [4, 5, 7, 10, 14, 24], "pressed", "lit")
    both("solve", "cross", [5, 8, 9, 12], "pressed", "unlit", 0)
    for how, sizes in (("planted", (100, 101, 200, 300, 1000)), ("pressed", (100, 101, 1000))):
        for size in sizes:
            ask("order", f"cross {size} {how}", recipe=[size, size, size, how])
            if size < 500:
                ask("solve", f"cross {size} {how}", recipe=[size, size, size, how])
    ask("order", "cross 200x300", recipe=[200, 300, 6])
    both("order", "plus", [*range(5, 24), (6, 9), (7, 12), (11, 23)], "pressed")
    both("order", "plus", [*range(5, 20), 25, 30, 35, 50], "planted")
    both(
        "solve", "plus", [*range(5, 31), (6, 9), (7, 12), 32, 35, 40, 41, 45, 50], "pressed", seed=1
    )
    both("solve", "plus", [39], "pressed", limit=4)
    both("order solve", "plus", [5, 8, 11, 14], "pressed", "lit")
    both("order solve", "plus", [5, 9, 16, 19, 23, 30], "pressed", "any")
    both("order solve", "plus", [4, 5, 6, 9], "random")
    both("order solve", "torus-plus", [4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 25, (5, 8)], "pressed")
    both("solve", "torus-plus", [18, 21, 22, 27, 30], "pressed", seed=1)
    both("order solve", "torus-plus", [6, 9, 10], "planted")
    both("solve", "torus-plus", [5, 8, 12], "pressed", "any")
    both("order", "king", [4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20], "pressed")
    both("solve", "king", [*range(4, 13), 14, 16, 17, 20], "pressed", seed=1)
    both("order solve", "king", [5, 8, 11], "planted")
    both("solve", "king", [6, 9, 13], "pressed", "any")
    both("order solve", "torus-king", [4, 5, 6, 7, 8, 9, 11, 13, 15], "pressed")
    both("solve", "torus-king", [10, 12, 14], "pressed", "any")
    for pattern in STENCILS:
        both("order solve", pattern, [5, (6, 7)], "planted")
        both("order solve", pattern, [9], "pressed")
        both("solve", pattern, [7], "pressed", "any")
    for degree in (3, 8):
        for n in (20, 40, 60, 100, 200, 1000)[: 5 if degree == 3 else 6]:
            for how in ("ordered", "parity", "planted")[: 1 if n == 1000 else 3]:
                rng = draws(how, n, degree)
                text = graph_board(n, regular(n, degree, rng), how, "unlit", rng)
                ask("order", f"{degree}-regular {n} {how}", text)
                if how != "planted":
                    u_v, board = (
                        np.array(regular(n, degree, draws(how, n, degree))),
                        json.loads(text),
                    )
                    graph = [n, u_v.tolist(), [v for v in range(n) if board["lit"][v]], []]
                    ask("orient", f"{degree}-regular {n} {how}", graph=graph)
                if how == "planted" and n < 200:
                    ask("solve", f"{degree}-regular {n} {how}", text)
    for seed in range(24):
        rng = draws("gnm", seed)
        n, rule = int(rng.integers(5, 25)), ("unlit", "unlit", "lit", "any")[seed % 4]
        how = (
            "planted" if rule == "unlit" and seed % 3 else "random" if seed % 8 == 7 else "pressed"
        )
        text = graph_board(n, gnm(n, int(n * rng.uniform(1, 2.5)), rng), how, rule, rng)
        ask("order solve".split()[seed % 2], f"graph {n} {how} {rule}", text)
    for seed in range(32):
        rng = draws("wiring", seed)
        lights, buttons = (int(k) for k in rng.integers(4, 14, 2))
        rule, how = ("unlit", "lit", "any")[seed % 3], ("planted", "pressed")[seed % 2]
        text = wiring(lights, buttons, how, rule, rng)
        ask("order solve".split()[seed // 2 % 2], f"wiring {lights} {buttons} {how} {rule}", text)
    for seed in range(90):
        rng = draws("orient", seed)
        n = int(rng.integers(4, 16 if seed % 3 == 0 else 60))
        edges = (
            regular(n + n % 2, 3, rng) if seed % 5 == 4 else gnm(n, int(n * rng.uniform(1, 3)), rng)
        )
        n = n + n % 2 if seed % 5 == 4 else n
        place = rng.permutation(n)
        arcs = [[u, v] if place[u] < place[v] else [v, u] for u, v in edges]
        odd = np.bincount([u for u, _ in arcs], minlength=n) % 2
        if seed % 2:  # another set, mostly of the right size modulo 2
            odd = rng.integers(0, 2, n)
            odd[0] ^= (odd.sum() + len(edges) + (seed % 15 == 1)) % 2
        fixed = [arcs[k] for k in rng.permutation(len(arcs))[: seed % 4 * len(arcs) // 10]]
        if seed % 10 == 7:
            fixed = [arc[::-1] if rng.random() < 0.3 else arc for arc in fixed]
        graph = [
            n,
            np.array(edges).tolist(),
            np.flatnonzero(odd).tolist(),
            np.array(fixed).tolist(),
        ]
        ask("orient", f"graph {n} {len(edges)}", graph=graph, count=n < 16)
    for size, seed in ((3, 0), (4, 0), (4, 1), (4, 2), (5, 3), (5, 4)):
        for pattern in ("cross", "plus", "king"):
            ask(
                "order",
                f"count {pattern} {size}",
                grid(pattern, size, size, "planted", seed=seed),
                count=True,
            )
    # the harder ones of what stays, by more seeds
    for seed in range(2, 6):
        both("order", "plus", [14, 16, 19, 24, 29, 30], "pressed", seed=seed)
        both("order", "plus", [19, 23, 30], "planted", seed=seed)
        both("solve", "plus", [19, 23, 24, 29, 30, 32, 33, 35], "pressed", seed=seed)
        both("order solve", "torus-plus", [14, 16, 17], "pressed", seed=seed)
        both("solve", "torus-plus", [19, 23, 25, 29, 30], "pressed", seed=seed)
        both("order solve", "king", [11, 14, 17, 20], "pressed", seed=seed)
        both("order solve", "torus-king", [9, 12, 15], "pressed", seed=seed)
        both("order solve", "cross", [9, 15, 19, 23, 27, 31], "pressed", seed=seed)
    both("solve", "plus", [36, 41, 44, 49], "pressed", seed=2)
    both("solve", "plus", [19, 24, 28], "pressed", "any", seed=2)
    both("solve", "king", [15, 18, 20], "pressed", "any", seed=2)
    both("order", "torus-plus", [20, 24], "pressed", limit=5)
    both("order", "plus", [47], "pressed", limit=4)
    for seed in range(40):  # cubic graphs, many without such an orientation
        rng = draws("cubic", seed)
        n = (16, 20, 24, 30, 36)[seed % 5]
        edges = regular(n, 3, rng)
        odd = rng.permutation(n)[
            : n // 4 * 2 + len(edges) % 2 + (n // 3 // 2 * 2 if seed % 2 else 0)
        ]
        ask("orient", f"3-regular {n} random", graph=[n, edges, sorted(map(int, odd)), []])
    for row in rows:
        sys.stdout.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
