"""Languages: all words stand in the files of words, and both languages say the same things."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from inspect import getsource

import pytest
from playwright.sync_api import Browser, expect

import ponder
from ponder.check import line_refutations, local_refutations
from ponder.check.evidence.line_cut import LineCount
from ponder.check.kinds import Refutation
from ponder.page.hints import hint
from tests.page.browser import ROOT, Visit
from tests.pictures.gallery import fragment

PAGE = ROOT / "ponder/page"
STATIC = PAGE / "static"
TEXT = r'"(?:[^"\\]|\\.)*"'
HOLE = re.compile(r"\{(\w+)(?:\|[^}]*)?\}")
NAMES = {"ponder", "coq", "png", "gif", "ibm", "this", "english", "json", "order", "solve"}
"""Words that are no English: names, and what one types."""

SPOKEN = ["hints.py", "refute.py", "riddles.py", "boards.py", "workers.py"]
"""The modules of the room whose words all reach the page."""


def texts(pattern: str, content: str) -> list[str]:
    return [json.loads(found) for found in re.findall(pattern, content, re.M)]


def table(name: str) -> dict[str, str]:
    """Return one of the two tables of the German file."""
    content = (STATIC / "words.de.js").read_text(encoding="utf-8")
    part = content.partition(f"const {name} = {{")[2].partition("\n};")[0]
    pairs = re.findall(rf"^  ({TEXT}):\s+({TEXT}),$", part, re.M)
    found = {json.loads(key): json.loads(value) for key, value in pairs}
    assert len(found) == len(pairs), "a key stands there twice"
    return found


PAGE_WORDS, ENGINE_WORDS = table("page"), table("engine")


def holes(text: str) -> set[str]:
    return {found[1] for found in HOLE.finditer(text)}


def words(text: str) -> set[str]:
    """Return the words of a sentence, without its holes but with the forms in them."""
    plain = re.sub(r"\{(\w+)(\|[^}]*)?\}", lambda hole: (hole[2] or "").replace("|", " "), text)
    return {word.lower() for word in re.findall(r"[^\W\d_]+", plain)}


class Document(HTMLParser):
    """The words of `index.html`: its texts and the names of its elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.found += [said["aria-label"] or ""] if "aria-label" in said else []
        self.open.append("option lang" if tag == "option" and "lang" in said else tag)

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        own = self.open[-1:] in (["option lang"], ["noscript"], ["title"])  # each in its language
        if words(text) and not own:
            self.found.append(text)

    def handle_endtag(self, tag: str) -> None:
        while self.open and not self.open.pop().startswith(tag):
            pass


def lines() -> dict[str, str]:
    """Return the short sentences of `words.js` by name."""
    content = (STATIC / "words.js").read_text(encoding="utf-8")
    part = content.partition("const LINES = {")[2].partition("\n};")[0]
    pairs = re.findall(rf'^  (?:"([\w-]+)"|(\w+)): ({TEXT}),$', part, re.M)
    return {quoted or plain: json.loads(text) for quoted, plain, text in pairs}


def test_german_has_each_sentence_of_the_page_and_no_other() -> None:
    document = Document()
    document.feed((STATIC / "index.html").read_text(encoding="utf-8"))
    content = (STATIC / "words.js").read_text(encoding="utf-8")
    lessons = (STATIC / "lessons.js").read_text(encoding="utf-8").partition("export")[2]
    english = {*document.found, *lines().values(), *texts(rf"phrase\(({TEXT})", content)}
    english |= {*texts(TEXT, lessons)}
    assert english - PAGE_WORDS.keys() == set()
    assert PAGE_WORDS.keys() - english == set()
    for key, value in PAGE_WORDS.items():
        assert holes(key) == holes(value), key
    for key, value in ENGINE_WORDS.items():
        assert holes(value) <= holes(key), key


def test_each_line_has_a_name_that_some_module_says() -> None:
    said = {
        name
        for path in STATIC.glob("*.js")
        for name in re.findall(r'line\((?:[^")`]*\? )?"([\w-]+)"', path.read_text("utf-8"))
    }
    assert said <= lines().keys()


def strings(content: str) -> Iterator[str]:
    """Yield the strings of a module, those with holes without them."""
    comments = r"//[^\n]*|/\*.*?\*/"
    for found in re.finditer(rf"({comments})|({TEXT})|(`(?:[^`\\]|\\.)*`)", content, re.S):
        if found[2] or found[3]:
            yield re.sub(r"\$\{[^}]*\}", "…", (found[2] or found[3])[1:-1])


def test_no_module_speaks_for_itself() -> None:
    """Two words side by side in a string are what a browser or a format reads, or nobody."""
    formats = re.compile(r"^(<|\(prefers|on at|\d|…)|px|ponder|\{")
    nobody = {"cut off", "not wanted any more", "what was kept is damaged"}
    wrong = {
        f"{path.name}: {text}"
        for path in STATIC.glob("*.js")
        if path.name not in ("words.js", "words.de.js", "lessons.js", "puzzles.js")
        for text in strings(path.read_text(encoding="utf-8"))
        if re.search(r"[a-z]{2,} [a-z]{2,}", text) and not formats.search(text)
        if text not in nobody
    }
    assert wrong == set()


# ------------------------------------------------------------------------------------ the engine


def spoken(source: str, *names: str) -> Iterator[str]:
    """Yield the pieces of the sentences in some functions and constants; without names, in all."""
    tree = ast.parse(textwrap.dedent(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = node.body[ast.get_docstring(node) is not None :]
    for node in ast.walk(tree):
        name = node.name if isinstance(node, ast.FunctionDef) else ""
        if isinstance(node, ast.Assign | ast.AnnAssign):
            name = ast.unparse(node).split(":")[0].split(" ")[0]
        if node is tree if not names else name in names:
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield from re.split(r"\{[^}]*\}", part.value)


def test_german_has_whatever_the_engine_says() -> None:
    """Pieces of three words or more; what is shorter the next test meets on boards."""
    keys = [re.sub(r"\{\w+(\|[^}]*)?\}", "\0", key) for key in ENGINE_WORDS]
    every = "\n".join([*keys, *(key[:1].lower() + key[1:] for key in keys)])
    methods = ("sentence", "argument", "marks", "explained", "_lines")
    pieces = {
        *(p for kind in Refutation.kinds().values() for p in spoken(getsource(kind), *methods)),
        *spoken(getsource(line_refutations), "EARLY", "named"),
        *spoken(getsource(local_refutations), "none_can_be", "these_presses"),
        *(p for name in SPOKEN for p in spoken((PAGE / name).read_text(encoding="utf-8"))),
    }
    bare = {re.sub(r"^s\b", "", piece).strip(" ,;:.") for piece in pieces}
    assert {piece for piece in bare if len(piece.split()) > 2 and piece not in every} == set()


def sentences() -> set[str]:
    """Return what the engine says of the boards that come with it."""
    found: set[str] = set()
    for path in sorted((ROOT / "instances").glob("*.txt")):
        board = ponder.read(path)
        if board.graph.size > 150:
            continue
        why = (result := ponder.order(board, timeout=20)).refutation
        if why is not None:
            label = str(why.marks(board).get("label", ""))
            found.update((why.sentence(board), why.argument(board), *why.explained, label))
        elif result.presses is not None and result.presses.size:
            told = hint(board, [], result.presses.tolist())
            found |= {told.where, told.which}
    return found - {""}


@pytest.fixture
def german(browser: Browser, address: str) -> Iterator[Visit]:
    """Open the page as who prefers German finds it."""
    with closing(browser.new_context(locale="de-AT")) as context:
        visit = Visit(context.new_page(), context)
        visit.page.goto(address)
        expect(visit.page.locator("html")).to_have_attribute("lang", "de")
        expect(visit.page.locator("#progress")).to_contain_text("0 Züge")
        yield visit


ENGLISH = set().union(*map(words, [*PAGE_WORDS, *ENGINE_WORDS]))
GERMAN = set().union(*map(words, [*PAGE_WORDS.values(), *ENGINE_WORDS.values()]))


def english_in(*said: str) -> set[str]:
    """Return the words that English has and German has not."""
    return words(" ".join(said)) & (ENGLISH - GERMAN - NAMES)


@pytest.mark.browser
def test_what_the_engine_says_is_german_on_the_page(german: Visit) -> None:
    said = sorted(sentences())
    assert len(said) > 30
    script = "async (said) => said.map((await import('./words.js')).translated)"
    told = dict(zip(said, german.page.evaluate(script, said), strict=True))
    assert {english: german for english, german in told.items() if english_in(german)} == {}


def shown(visit: Visit) -> list[str]:
    """Return what a person sees or hears: the page's text, and the names of its elements."""
    names = "all => all.map(x => x.ariaLabel)"
    options = visit.page.locator("#examples").evaluate("x => x.innerText")
    text = visit.page.locator("body").inner_text().replace(options, "")
    return [text, *visit.page.locator("[aria-label]").evaluate_all(names)]


@pytest.mark.browser
def test_a_board_a_hint_and_a_refutation_in_german(german: Visit) -> None:
    page = german.page
    for _ in range(2):
        page.get_by_role("button", name="Tipp", exact=True).click()
        expect(page.get_by_role("status", name="Warum")).not_to_be_empty()
        expect(page.locator("#grid")).to_have_attribute("aria-busy", "false")
    expect(page.get_by_role("status", name="Stand")).to_contain_text("als Nächstes: Zeile")
    assert english_in(*shown(german)) == set()
    page.get_by_role("gridcell", name=re.compile(", drücken$")).click()
    expect(page.get_by_role("status", name="Stand")).to_contain_text("1 Zug")
    page.evaluate("location.hash = '#1.3x4.plus.unlit.lit.AA'")
    for place in ("Lösen", "Zeichnen", "Spielen"):
        page.get_by_role("radio", name=place, exact=True).check()
        expect(page.locator("#answer")).to_have_attribute("aria-busy", "false")
        assert english_in(*shown(german)) == set()
    board = ponder.read(ROOT / "instances/cross-6x6-no-order-count.txt")
    why = ponder.order(board).refutation
    assert isinstance(why, LineCount)
    page.evaluate(f"location.hash = '{fragment(board)};riddle.rows-and-columns.easy.0'")
    page.get_by_role("button", name="Unmöglich", exact=True).click()
    page.get_by_role("button", name="Prüfen", exact=True).click()
    reason = page.get_by_role("status", name="Begründung")
    expect(reason).to_contain_text("Noch nicht: markiere, was zeigt")
    for kind, odd in (("Zeile", why.odd_rows), ("Spalte", why.odd_columns)):
        for k in odd.tolist():
            page.get_by_role("checkbox", name=f"{kind} {k + 1}", exact=True).check()
    page.get_by_role("button", name="Prüfen", exact=True).click()
    expect(reason).to_contain_text("Also gibt es keine Reihenfolge: bewiesen.")
    assert english_in(*shown(german)) == set()


@pytest.mark.browser
def test_a_language_is_chosen_by_hand_and_kept(visit: Visit) -> None:
    visit.page.get_by_role("combobox", name="Language").select_option("Deutsch")
    chosen = visit.page.get_by_role("combobox", name="Sprache")
    expect(chosen).to_have_value("de")
    visit.page.reload()
    expect(visit.page.get_by_role("status", name="Stand")).to_contain_text("Züge")
    chosen.select_option("English")
    expect(visit.progress).to_contain_text("presses")
    expect(visit.page.locator("html")).to_have_attribute("lang", "en")
