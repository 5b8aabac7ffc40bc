"""Strict readers of texts, apart from ponder's: short, by the grammar, and without a guess.

Each returns what a text says in a plain form, or raises. `readings` gives all that a text may say;
what ponder answers must be among them.
"""

from __future__ import annotations

import ast
import base64
import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from xml.etree import ElementTree

NOT_MINE = (ValueError, LookupError, TypeError, SyntaxError, AssertionError, RecursionError)
"""What a reader raises for a text that is none of its format."""

LIT, DARK, COLOURED = "#*@●◉■", "._·○◎□🌑", "🟨🟡"
NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"
NOUGHTS_AND_CROSSES = [{x, o} for x in "Xx" for o in "Oo"]
PATTERNS = ("cross", "plus", "king", "torus-plus", "torus-king")
RULES = ("unlit", "lit", "any")
PUZZLES = {"lights-out": ("plus", "any", "unlit"), "in-order": ("plus", "unlit", "lit")}
NUMBER = r"(?:0|-?[1-9][0-9]*)"


def demand(condition: object) -> None:
    if not condition:
        raise ValueError


def plain(text: str) -> str:
    """The text without byte order mark, fences, quote marks; its lines end with a line feed."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    parts = re.split(r"(?m)^[ \t>]*(?:`{3,}|~{3,})[ \t]*[\w+-]{0,20}[ \t]*$", text)
    text = text if len(parts) == 1 else "\n".join(parts[1::2])
    lines = text.split("\n")
    quoted = re.match(r"\s*>(?!>)", text) and all(line.lstrip()[:1] in (">", "") for line in lines)
    text = re.sub(r"(?m)^([ \t]*)>", r"\1", text) if quoted else text
    fields = r'"[^",;\t\n]*"(?:[,;\t]"[^",;\t\n]*")*'
    return text.replace('"', "") if re.fullmatch(rf"\s*{fields}(\n\s*|\n{fields})*", text) else text


def uncommented(line: str) -> str:
    """What stands before the first `#` that begins the line or follows a blank."""
    starts = (k for k, sign in enumerate(line) if sign == "#" and (k == 0 or line[k - 1].isspace()))
    return line[: next(starts, len(line))]


# --------------------------------------------------------------------------------------- grids


def states(used: set[str]) -> dict[str, str]:
    """What the signs of a picture mean: one for lit, one for dark, perhaps one for no bulb."""
    if used <= set("01-"):
        return {"0": "0", "1": "1", "-": "-", "": "0"}
    for ones, noughts in (("🟨🟡", "⬛"), ("⬜", "⬛"), ("Xx", "Oo")):
        if used <= {*ones, *noughts} and used & {*ones} and used & {*noughts}:
            demand(all(len(used & {*signs}) < 2 for signs in (ones, noughts)))
            return {**dict.fromkeys(ones, "1"), **dict.fromkeys(noughts, "0"), "": "0"}
    lit, dark = used & {*LIT, *COLOURED, *"XxOo"}, used & {*DARK, "⬛", "⬜"}
    demand(used <= {*lit, *dark, "-"})
    demand(len(lit) < 2 or lit == {"●", "◉"})
    demand(len(dark) < 2 or dark == {"○", "◎"})
    hole = {"-": "-"} if dark else {"-": "0"}
    return {**dict.fromkeys(lit, "1"), **dict.fromkeys(dark, "0"), **hole, "": "0"}


def cells(lines: list[str]) -> tuple[list[list[str]], set[str]]:
    """The cells of rows, "" for an empty one, and the signs in them."""
    used = set("".join(lines)) - set(" \u00a0,;\t")
    delimiters = [sign for sign in ",;" if any(sign in line for line in lines)]
    delimiters = delimiters or ["\t"] * any("\t" in line for line in lines)
    if delimiters == ["\t"] and any(
        len(w.strip(" \u00a0")) > 1 for x in lines for w in x.split("\t")
    ):
        delimiters, lines = [], [line.replace("\t", " ") for line in lines]
    lines = [line.replace("\u00a0", " ") for line in lines]
    demand(len(delimiters) < 2)
    if delimiters:
        rows = [[field.strip(" \t") for field in line.split(delimiters[0])] for line in lines]
        if all(row[-1] == "" and all(row[:-1]) and len(row) > 1 for row in rows):
            rows = [row[:-1] for row in rows]
        if all(all(row) for row in rows):
            rows = [list("".join(row).replace(" ", "")) for row in rows]
        demand(all(len(sign) < 2 for row in rows for sign in row))
    elif used != {"1", "-"} and (used & {*DARK, *"0-⬛⬜"} or used in NOUGHTS_AND_CROSSES):
        rows = [list(line.replace(" ", "")) for line in lines]
    else:
        indent = min(len(line) - len(line.lstrip(" ")) for line in lines)
        texts = [line.rstrip(" ")[indent:] for line in lines]
        spaced = any(" " in x for x in texts) and all(set(x[1::2]) <= {" "} for x in texts)
        texts = [x[::2] for x in texts] if spaced else texts
        width = max(map(len, texts))
        rows = [[sign.strip() for sign in x.ljust(width)] for x in texts]
    demand(rows and all(len(row) == len(rows[0]) > 0 for row in rows))
    return rows, used


def grid(text: str) -> Any:
    """Header lines, a board, perhaps `goal:` and a second grid; `#` begins a comment."""
    lines = [line.translate(dict.fromkeys(map(ord, NO_WIDTH))) for line in text.split("\n")]
    header: dict[str, str] = {}
    parts: list[list[str]] = [[]]
    picture = {*LIT, *DARK, *COLOURED, *"⬛⬜XxOo-,; \t\u00a0"}
    rows = [line for line in lines if not re.match(r"\s*[A-Za-z][\w-]*\s*:", line)]
    digits = any(set(uncommented(line)) & {*"01"} for line in rows) and not all(
        set(line) <= picture for line in rows if line.lstrip()[:1] != "#" or set(line) <= picture
    )
    ended = False
    cut = [digits or not set(line) <= picture for line in lines]
    texts = [
        uncommented(line) if comment else line for line, comment in zip(lines, cut, strict=True)
    ]
    tabbed = any("\t" in kept and kept.strip() for kept in texts)
    for line, comment, kept in zip(lines, cut, texts, strict=True):
        match = re.fullmatch(r"\s*([A-Za-z][\w-]*)\s*:(.*)", kept)
        if match and not (match[1] == "goal" and not match[2].strip()):
            demand(parts == [[]] and match[1] not in header)
            demand(match[1] in ("pattern", "rule", "goal", "puzzle"))
            header[match[1]] = match[2].strip()
        elif match:
            demand(parts[0] and len(parts) == 1 and "goal" not in header)
            parts.append([])
            ended = False
        elif kept.strip(" \u00a0" + "\t" * (kept != line or not tabbed)):
            demand(not ended)
            parts[-1].append(kept)
        elif not (comment and line.strip()):
            ended = ended or bool(parts[-1])
    read = [cells(part) for part in parts]
    meaning = states(set().union(*(used for _, used in read)))
    drawn = [["".join(meaning[sign] for sign in row) for row in rows] for rows, _ in read]
    pattern, rule, goal = PUZZLES[header["puzzle"]] if "puzzle" in header else PUZZLES["in-order"]
    pattern = header.get("pattern", pattern if "puzzle" in header else "cross")
    rule, goal = header.get("rule", rule), header.get("goal", goal)
    demand(pattern in PATTERNS and rule in RULES and goal in ("lit", "unlit"))
    wanted = [re.sub("[01]", str(int(goal == "lit")), row) for row in drawn[0]]
    if len(drawn) > 1:
        wanted = drawn[1]
        holes = [[row.replace("1", "0") for row in part] for part in drawn]
        demand(holes[0] == holes[1])
    demand(set("".join(drawn[0])) & {*"01"})
    return pattern, rule, tuple(drawn[0]), tuple(wanted)


def listed(text: str) -> Any:
    """A list of rows, with commas (Python) or with blanks (numpy)."""
    body = re.sub(r"(?s)^\s*(?:np\.|numpy\.)?array\((.*?)(?:,\s*dtype=[\w.]+)?\)\s*$", r"\1", text)
    if "," not in body:
        body = re.sub(r"(?<=[\w.\]])\s+(?=[\w\[])", ",", body)
    rows = ast.literal_eval(body.replace("\u00a0", " ").strip())
    demand(type(rows) is list and rows and all(type(row) is list and row for row in rows))
    demand(all(type(cell) in (int, bool, float) and cell in (0, 1) for row in rows for cell in row))
    return grid("\n".join("".join(str(int(cell)) for cell in row) for row in rows))


def link(text: str) -> Any:
    """Size, pattern, rule, goal, lit bulbs, and holes, behind a `#`."""
    match = re.search(r"(?:\A|\s)[^\s#]*#1\.(\d+)x(\d+)\.([^\s;]+)(?:;\S*)?\s*\Z", text)
    assert match is not None
    rows, columns = int(match[1]), int(match[2])
    pattern, rule, goal, *masks = match[3].replace(":", " ").split(".")
    demand(1 <= len(masks) <= 2 or masks[2:] == [""])

    def bits(word: str) -> str:
        demand(len(word) == -(-rows * columns // 6) and re.fullmatch(r"[\w-]*", word, re.A))
        octets = base64.urlsafe_b64decode(word + "A" * (-len(word) % 4))
        return "".join(f"{octet:08b}" for octet in octets)[: rows * columns]

    lit = bits(masks[0])
    if masks[1:] and masks[1]:
        lit = "".join("-" if h == "1" else x for x, h in zip(lit, bits(masks[1]), strict=True))
    drawn = [lit[k * columns : (k + 1) * columns] for k in range(rows)]
    return grid(f"pattern: {pattern}\nrule: {rule}\ngoal: {goal}\n" + "\n".join(drawn))


# -------------------------------------------------------------------------- graphs and wirings


def graph(
    names: list[Any], edges: list[Any], lit: Any = None, goal: Any = "lit", rule: str = "unlit"
) -> Any:
    """A graph as a wiring: each vertex toggles itself and its neighbours, and looks at itself."""
    number = {name: k for k, name in enumerate(names)}
    demand(names and len(number) == len(names))
    near = {name: {k} for name, k in number.items()}
    for edge in edges:
        u, v = edge
        demand(u != v and number[v] not in near[u])
        near[u].add(number[v])
        near[v].add(number[u])
    presses = {name: (frozenset(near[name]), number[name]) for name in names}
    return wired(len(names), presses, lit, goal, rule)


def wired(size: int, presses: Any, lit: Any, goal: Any, rule: str) -> Any:
    lit = [0] * size if lit is None else lit
    goal = [int(goal == "lit")] * size if goal in ("lit", "unlit") else goal
    demand(rule in RULES)
    for bits in (lit, goal):
        demand(type(bits) is list and len(bits) == size)
        demand(all(type(bit) in (int, bool) and bit in (0, 1) for bit in bits))
    return presses, [int(bit) for bit in lit], [int(bit) for bit in goal], rule


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    demand(len(dict(pairs)) == len(pairs))
    return dict(pairs)


def json_text(text: str) -> Any:
    """Graph boards, and wirings."""
    content = json.loads(text, object_pairs_hook=once)
    demand(type(content) is dict)
    nodes = content.pop("lights" if "buttons" in content else "nodes")
    names = nodes if type(nodes) is list else list(range(nodes))
    demand(type(nodes) in (list, int) and names and len({*names}) == len(names))
    demand(all(type(name) in (int, str) for name in names))
    last = [content.pop("lit", None), content.pop("goal", "lit"), content.pop("rule", "unlit")]
    positions = content.pop("positions", None)
    if "buttons" not in content:
        edges = content.pop("edges", [])
        demand(all(type(edge) is list and len(edge) == 2 for edge in edges))
        demand(all(type(end) in (int, str) for edge in edges for end in edge))
        demand(positions is None or len(positions) == len(names))
        demand(not content)
        return graph(names, edges, *last)
    presses = {}
    for k, button in enumerate(content.pop("buttons")):
        at, name, toggles = button.pop("at", None), button.pop("name", k), button.pop("toggles")
        demand(not button and name not in presses and type(name) in (int, str))
        demand(type(toggles) is list and type(at) in (int, str, type(None)))
        demand(all(type(light) in (int, str) for light in toggles))
        places = [names.index(light) for light in toggles]
        demand(len({*places}) == len(places))
        presses[name] = frozenset(places), -1 if at is None else names.index(at)
    demand(not content)
    return wired(len(names), presses, *last)


def remarked(text: str) -> str:
    """A list without its comments: lines that begin with `#` and a blank."""
    lines = text.split("\n")
    return "\n".join(line for line in lines if not re.match(r"\s*#(\s|$)", line))


def machine(text: str) -> Any:
    """One line `[.##.] (3) (1,3) {…}`, perhaps behind a number or a bullet."""
    text = remarked(text).strip()
    match = re.fullmatch(
        r"(?:\(?\d{1,6}[.):]\s+|[-*+•]\s+)?\[([.#]+)\]((?:\s*\([\d,\s]*\))+)\s*(?:\{[^{}]*\})?",
        text,
    )
    assert match is not None
    presses = {}
    for k, inside in enumerate(re.findall(r"\(([^()]*)\)", match[2])):
        lights = [int(word) for word in inside.split(",")] if inside.strip() else []
        demand(all(x < len(match[1]) for x in lights) and len({*lights}) == len(lights))
        presses[k] = frozenset(lights), -1
    goal = [int(sign == "#") for sign in match[1]]
    return wired(len(goal), presses, None, goal, "any")


def edge_list(text: str, words: bool = False) -> Any:
    """Two names a line, `name:` for a vertex alone, perhaps a header."""
    name = r"[^\s#]\S*" if words else NUMBER
    rows: list[tuple[Any, ...]] = []
    for line in (uncommented(line) for line in text.split("\n")):
        line = re.sub(r"\s*\{[^{}]*\}\s*$", "", line).strip()
        columns = {word.lower() for word in re.split(r"[\s,;]+", line)}
        pair = re.fullmatch(rf"({name})(?:\s+|\s*[,;]\s*)({name})", line)
        if words and sum(map(line.count, ",;\t")) == 1:  # names may have blanks in them
            pair = re.fullmatch(r"([^,;\t]+?)\s*[,;\t]\s*([^,;\t]+)", line)
        alone = re.fullmatch(rf"({name}):", line)
        if not rows and columns in ({"source", "target"}, {"from", "to"}, {"u", "v"}):
            rows.append(())
        elif line:
            match = pair or alone
            assert match is not None
            rows.append(match.groups())
    header = rows[0] == ()
    rows = rows[header:]
    names: list[Any] = list(dict.fromkeys(word for row in rows for word in row))
    if not all(re.fullmatch(NUMBER, word) for word in names):
        return graph(names, [row for row in rows if len(row) == 2])
    rows = [tuple(int(word) for word in row) for row in rows]
    names = sorted({number for row in rows for number in row})
    if not header and all(len(row) == 2 for row in rows) and rows[0][1] == len(rows) - 1:
        size, rest = rows[0][0], {number for row in rows[1:] for number in row}
        if 0 < size <= 1_000_000 and rest <= {*range(size + 1)} and not {0, size} <= rest:
            rows = rows[1:]
            names = [*range(size)] if 0 in rest else [*range(1, size + 1)]
    return graph(names, [row for row in rows if len(row) == 2])


def dimacs(text: str) -> Any:
    """`p edge n m`, then `e u v`; each edge once, or each in both directions."""
    size, promised, edges = 0, -1, []
    for line in text.split("\n"):
        match line.split():
            case ["p", "edge" | "edges" | "col", n, m]:
                demand(not size)
                size, promised = int(n), int(m)
            case ["e", u, v]:
                demand(re.fullmatch(NUMBER, u) and re.fullmatch(NUMBER, v))
                edges.append((int(u), int(v)))
            case words:
                demand(not words or words[0] in ("c", "n", "d", "v", "x"))
    both = {(v, u) for u, v in edges} == {*edges} and edges
    demand(len({*edges}) == len(edges) and promised in (len(edges), len(edges) // (1 + bool(both))))
    return graph([*range(1, size + 1)], [(u, v) for u, v in edges if not both or u < v])


def graph6(text: str) -> Any:
    """The upper triangle of a matrix, six bits in a sign; to 62 vertices."""
    word = remarked(text).strip().removeprefix(">>graph6<<")
    values = [ord(sign) - 63 for sign in word]
    demand(all(0 <= value < 64 for value in values))
    size = values[0]
    bits = [value >> k & 1 for value in values[1:] for k in range(5, -1, -1)]
    pairs = [(u, v) for v in range(size) for u in range(v)]
    demand(0 < size < 63 and len(values) - 1 == -(-len(pairs) // 6))
    chosen = [pair for pair, bit in zip(pairs, bits, strict=False) if bit]
    return graph([*range(size)], chosen)


def sparse6(text: str) -> Any:
    """A bit b and a number x at a time: v grows by b, then jumps to x, or is joined to it."""
    word = remarked(text).strip().removeprefix(">>sparse6<<")
    values = [ord(sign) - 63 for sign in word[1:]]
    demand(word[0] == ":" and all(0 <= value < 64 for value in values))
    size = values[0]
    width = max(1, (size - 1).bit_length())
    bits = "".join(f"{value:06b}" for value in values[1:])
    edges, v = [], 0
    for at in range(0, len(bits) - width, width + 1):
        v += bits[at] == "1"
        x = int(bits[at + 1 : at + 1 + width], 2)
        if max(x, v) >= size:
            break
        if x > v:
            v = x
        else:
            edges.append((x, v))
    demand(0 < size < 63)
    return graph([*range(size)], edges)


def gml(text: str) -> Any:
    """`graph [ node [ id … label … ] edge [ source … target … ] ]`."""
    text = re.sub(r'"[^"]*"|#.*', lambda m: m[0] * (m[0][0] != "#"), text)
    inside = r'(?:"[^"]*"|[^\[\]"])*'
    match = re.fullmatch(rf"\s*graph\s*\[\s*((?:\w+\s*\[{inside}\]\s*)*)\]\s*", text)
    assert match is not None
    kinds: dict[str, list[dict[str, str]]] = {"node": [], "edge": []}
    for kind, held in re.findall(rf"(\w+)\s*\[({inside})\]", match[1]):
        if kind not in kinds:  # a comment, by the grammar
            demand(not re.search(r"\b(?:id|source|target)\b", held))
            continue
        field = r'([A-Za-z]\w*)\s*("[^"]*"|-?\d+\.?\d*|[A-Za-z]\w*)'
        demand(re.fullmatch(rf"(?:\s*{field})*\s*", held))
        fields = re.findall(field, held)
        kinds[kind].append(once(fields))
    ids = [number_or_word(node["id"]) for node in kinds["node"]]
    labels = [node["label"] for node in kinds["node"] if "label" in node]
    names: list[Any] = ids
    if len({*labels}) == len(labels) == len(ids):
        names = named([x.strip('"') if x[0] == '"' else number_or_word(x) for x in labels])
    demand(len({*ids}) == len(ids))
    called = dict(zip(ids, names, strict=True))
    edges = [
        (called[number_or_word(e["source"])], called[number_or_word(e["target"])])
        for e in kinds["edge"]
    ]
    return graph(names, edges)


def number_or_word(word: str) -> Any:
    """A number where it is one: 2.0 is 2."""
    return float(word) if re.fullmatch(r"-?\d+\.?\d*", word) else word


def graphml(text: str) -> Any:
    """An undirected graph of XML."""
    root = ElementTree.fromstring(text.strip())
    for part in root.iter():
        part.tag = part.tag.removeprefix("{http://graphml.graphdrawing.org/xmlns}")
    (inner,) = root.findall("graph")
    demand(root.tag == "graphml" and inner.attrib["edgedefault"] == "undirected")
    nodes = [node.attrib["id"] for node in root.iter("node")]
    called = dict(zip(nodes, named(nodes), strict=True))
    links = [edge.attrib for edge in inner.findall("edge")]
    demand(all(each.get("directed", "false") == "false" for each in links))
    demand(len(called) == len(nodes))
    return graph([*called.values()], [(called[e["source"]], called[e["target"]]) for e in links])


def named(names: list[Any]) -> list[Any]:
    """Numbers where all names are whole numbers."""
    return list(map(int, names)) if all(re.fullmatch(NUMBER, str(x)) for x in names) else names


READERS: dict[str, Callable[[str], Any]] = {
    "grid": grid, "list": listed, "link": link, "json": json_text, "machine": machine,
    "edges": edge_list, "dimacs": dimacs, "graph6": graph6, "sparse6": sparse6,
    "gml": gml, "graphml": graphml,
}  # fmt: skip
DRAWINGS = ("grid", "list", "link")


def readings(text: str, readers: dict[str, Callable[[str], Any]] = READERS) -> list[Any]:
    """Return what a text may say, in every format that it has."""
    said = []
    for read in readers.values():
        try:
            said.append(read(plain(text)))
        except NOT_MINE:
            continue
    return said


# ------------------------------------------------------------------ press lists, solver outputs


def presses(text: str, rows: int, columns: int) -> list[list[int]]:
    """Return the bulbs that a press list on a whole grid may name."""
    text = plain(text)
    said: list[list[tuple[int, int]]] = []
    with suppress(*NOT_MINE):
        drawn = grid(text)[2]
        demand(len(drawn) == rows and len(drawn[0]) == columns and ":" not in text)
        said.append([(r, c) for r, row in enumerate(drawn) for c, x in enumerate(row) if x == "1"])
    with suppress(*NOT_MINE):
        said.append([tuple(place) for place in json.loads(text, object_pairs_hook=once)["presses"]])
    answer = re.match(
        r"(?s)(?:\s*#[^\n]*\n)*\s*(\d+) press(?:es)?\b[^\n(]*(?:\n\s*|\Z)(.*?)(?:\n[ \t]*\n|\Z)",
        text,
    )
    body = answer[2] if answer else text
    lines = [uncommented(line).strip() for line in body.split("\n")]
    number = r"-?[0-9]+"
    inside = rf"\s*{number}\s*[,;\s]\s*{number}\s*"
    pair = rf"(?:\({inside}\)|\[{inside}\])"
    whole = rf"{pair}(?:\s*[,;]?\s*{pair})*\s*,?"
    if re.fullmatch(
        rf"\s*(?:\[\s*(?:{whole})?\s*\]\s*,?|(?:{whole})?)\s*", "\n".join(lines)
    ) or all(re.fullmatch(rf"(?:{number}\s*[,;\s]\s*{number}\s*[,;]?)?", line) for line in lines):
        numbers = iter(map(int, re.findall(number, "\n".join(lines))))
        said.append(list(zip(numbers, numbers, strict=True)))
    return [
        [r * columns + c for r, c in places]
        for places in said
        if all(0 <= r < rows and 0 <= c < columns for r, c in places)
        and (answer is None or len(places) == int(answer[1]))
    ]


def model(text: str, variables: int) -> list[Any]:
    """Return what a solver's output says: its literals, `UNSAT`, `UNKNOWN`; nothing if unclear."""
    text = text.removeprefix("\ufeff").strip()
    words, bare = list[str](), False
    bracketed = re.fullmatch(r"\s*\[([-\d\s,]*)\]\s*", text)
    status = {"SAT"} if bracketed else set[str]()
    for line in text.splitlines():
        match line.split():
            case ["s", *said] if said:
                status.add(" ".join(said))
            case ["v", *values]:
                words += values
            case ["SAT" | "UNSAT" | "SATISFIABLE" | "UNSATISFIABLE" | "UNKNOWN" as said]:
                status.add(said)
                bare = True
            case ["INDET" | "INDETERMINATE"]:
                status.add("UNKNOWN")
            case [first, *_] as values if re.fullmatch(r"-?\d+", first) and bare:
                words += values
    if bracketed:
        words = [*bracketed[1].replace(",", " ").split(), "0"]
    short = {"SATISFIABLE": "SAT", "UNSATISFIABLE": "UNSAT"}
    status = {short.get(word, word) for word in status}
    if not status and (not text.strip() or re.search(r"(?m)^c\b.*\bUNKNOWN\b", text)):
        return ["UNKNOWN"]
    if len(status) != 1 or (words and status != {"SAT"}):
        return []
    if status != {"SAT"}:
        return [*status]
    try:
        literals = [int(word.replace("x", "", 1)) for word in words]
    except ValueError:
        return []
    if literals[-1:] == [0]:
        literals.pop()
    complete = {*map(abs, literals)} == {*range(1, variables + 1)}
    return [sorted({*literals}, key=abs)] if complete and 0 not in literals else []
