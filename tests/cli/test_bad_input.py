"""Odd input, wherever it comes in: one clear line and exit code 2, never a traceback.

A message is asserted by what it must contain (the file, the line, the name), not by its wording.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from types import ModuleType

import pytest

import ponder
from ponder.model import files
from ponder.model.files import read_bytes
from ponder.model.formats import parse_board
from ponder.model.press_lists import parse_presses
from ponder.studies.study import Study
from ponder.system.errors import BoardError
from tests.commands import here

ROOT = Path(__file__).resolve().parents[2]
BOARD = str(ROOT / "instances" / "ibm-2023-04-example-4x4.txt")
PACKERS: dict[str, ModuleType] = {".gz": gzip, ".bz2": bz2, ".xz": lzma}
Capture = pytest.CaptureFixture[str]


def refused(capsys: Capture, *arguments: str) -> str:
    """Return the one line with which the command refuses these arguments."""
    code, out, err = here(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1), (arguments, out, err)
    assert err.startswith("ponder: ")
    assert err.rstrip("\n").isprintable()
    assert len(err) < 700
    return err


@pytest.mark.parametrize("command", ["order", "verify", "decode"])
@pytest.mark.parametrize("ending", PACKERS)
def test_a_corrupt_packed_file(command: str, ending: str, tmp_path: Path, capsys: Capture) -> None:
    packed = PACKERS[ending].compress(b"0101\n" * 1000)
    file = tmp_path / f"x.txt{ending}"
    before = [] if command == "order" else [BOARD]
    spoilt = packed[:14] + bytes(255 - byte for byte in packed[14:18]) + packed[18:]
    for content in (spoilt, packed[:20], packed[:-4], b"x"):
        file.write_bytes(content)
        assert str(file) in refused(capsys, command, *before, str(file))


@pytest.mark.parametrize("ending", PACKERS)
def test_a_bomb_is_given_up_while_it_is_unpacked(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1 << 20)
    bomb = tmp_path / f"bomb.txt{ending}"
    bomb.write_bytes(PACKERS[ending].compress(bytes(1 << 24)))
    for file in (str(bomb), "/dev/zero"):
        with pytest.raises(BoardError) as caught:
            read_bytes(file)
        assert file in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n" * 200_000 + b"01\n10\n",
        b"01\n10\n" + b" \n" * 200_000,
        b"01\n" + b"# 1\n" * 100_000 + b"10\n",
        b"#" * 3_000_000 + b"\n01\n10\n",
    ],
)
def test_blank_lines_and_comments_by_the_million(data: bytes) -> None:
    # Line by line, in Python, each of these takes seconds.
    assert parse_board(data).graph.size == 4


def test_lines_are_counted_across_blanks_and_comments() -> None:
    many = b"\n" * 1000 + b"  # a comment # 01\n" * 10
    for text, line in (
        (many + b"01\n0x\n", 1012),
        (many + b"pattern: plus\n" + many + b"rule: on\n01", 2022),
        (b"01\n" + many + b"goal:\n" + many + b"0x\n", 2023),
    ):
        with pytest.raises(BoardError) as caught:
            parse_board(text)
        assert caught.value.line == line
    with pytest.raises(BoardError) as caught:
        parse_presses(many + b"9 9 # far\n", ponder.Board.from_rows(["00", "00"]))
    assert caught.value.line == 1011


ODD_BOARDS = {
    "a list cut off": b"[1,2",
    "lone surrogate in a name": b'{"nodes": ["\\uDfff", "b"]}',
    "not UTF-8": b'{"nodes": ["\xff", "b"]}',
    "deep": b'{"nodes": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "NaN": b'{"nodes": 2, "lit": [NaN, 1]}',
    "infinity": b'{"nodes": 1e999}',
    "long number": b'{"nodes": ' + b"9" * 5000 + b"}",
    "large end": b'{"nodes": 2, "edges": [[0, ' + b"9" * 4000 + b"]]}",
    "key twice": b'{"nodes": 2, "nodes": 2}',
    "null byte": b"01\n\x0010\n",
    "escape in the pattern": b"pattern: \x1b[2Jplus\n01\n",
    "long pattern": b"pattern: " + b"x" * 1_000_000 + b"\n01\n",
    "far offset": b"pattern: stencil 99999999999999999999,0 -99999999999999999999,0\n01\n",
    "superscript offset": "pattern: stencil 0,² 0,-1\n01\n".encode(),
    "binary": bytes(range(256)),
}


@pytest.mark.parametrize("content", ODD_BOARDS.values(), ids=ODD_BOARDS)
def test_odd_boards(content: bytes, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "board"
    file.write_bytes(content)
    refused(capsys, "order", str(file))


ODD_PRESSES = {
    "long number": b"1" * 5000 + b" 1\n",
    "superscript": "1 ²\n".encode(),
    "other digits": "١ ٢\n".encode(),
    "NaN": b"[[NaN, 1]]",
    "large": b"[[100000000000000000000000000, 1]]",
    "surrogate": b'[["\\ud800", 1]]',
    "deep": b"[" * 100_000,
    "object": b'[{"a": 1}]',
    "escape": b"\x1b[2J\n",
    "two lists": b'[1]}, {"presses": [2]',
}


@pytest.mark.parametrize("content", ODD_PRESSES.values(), ids=ODD_PRESSES)
def test_odd_press_lists(content: bytes, tmp_path: Path, capsys: Capture) -> None:
    presses, graph = tmp_path / "presses", tmp_path / "graph.json"
    presses.write_bytes(content)
    graph.write_text('{"nodes": 3, "edges": [[0, 1]]}')
    for board in (BOARD, str(graph)):
        refused(capsys, "order", board, "--press-set", str(presses))
        refused(capsys, "verify", board, str(presses))


@pytest.mark.parametrize(
    "line",
    [
        "order 3x3 --seed x",
        "order 3x3 --timeout soon",
        "order 3x3 --method greedy:sideways",
        "order 3x3 --press-set none.txt",
        "order 3x3 --solver nothing --method sat",
        "solve 3x3 --all",
        "solve 3x3 --at-most -1",
        "orient 3x3 --odd 1",
        "orient petersen --odd 77",
        "orient petersen --odd 0 --fixed 0:99",
        "draw",
        "draw 3x3 -o picture.txt",
        "draw 3x3 -o no/such/folder/x.svg",
        "draw 3x3 --show numbers -o x.svg",
        "nullity",
        "nullity --upto 0",
        "most-moves",
        "eliminate 11x11",
        "export 3x3 --encoding nothing",
        "export petersen --odd none --fixed 0:1 --encoding half_factor",
        "export petersen --odd none --rule lit",
        "export 3x3 4x4",
        "export 3x3 3x3 -o many",
        "export --list 3x3 4x4",
        "generate plus",
        "compare --family cross:3 --shard 3/2",
        "generate cut --size 3",
        "generate nothing --size 3",
        "compare",
        "compare --family nothing:3",
        "compare 3x3 none.txt --study new.study",
        "compare 3x3 -o no/such/folder/x.csv",
        "compare 3x3 --json -o -",
        "compare 3x3 --encoding layered",
        "compare --from no.study --method auto",
        "orient petersen --odd 1 --odd 2",
        "orient petersen --odd none --count --all",
        "order 3x3 --method sat --solver minisat22 --solver-cmd true",
        "order 3x3 --option layers=3",
        "order 3x3 --method lines --solver minisat22",
        "compare --from no.study",
        "play none.txt",
        "prove 3x3 none.json -o folder",
    ],
)
def test_odd_options(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(capsys, *line.split())
    assert list(tmp_path.iterdir()) == []


OVERWRITING = """
export a.txt -o a.txt
export a.txt b.cnf -o .
export a.txt --goal goal.txt -o goal.txt
draw a.svg -o a.svg
draw a.txt presses.svg -o ./presses.svg
eliminate a.svg -o a.svg
compare a.txt -o a.txt
compare . -o board/../a.txt
compare . -o manifest.json
compare 3x3 -o old.study
compare 3x3 --study new.study -o new.study
compare --from old.study -o old.study
generate plus --size 3 -o .
export a.txt b.txt -o plus
"""


def test_no_command_writes_over_what_it_reads_or_what_another_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt", "b.cnf", "a.svg", "goal.txt"):
        Path(name).write_text("00\n00\n")
    Path("presses.svg").write_text("0 0\n")
    Path("board").mkdir()
    here(capsys, "generate", "plus", "--size", "3", "-o", "plus")
    here(capsys, "export", "a.txt", "b.txt", "-o", ".")
    Study("old.study", create=True).opened.close()

    def contents() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    before = contents()
    for line in OVERWRITING.strip().splitlines():
        refused(capsys, *line.split())
        assert contents() == before, line


def test_names_never_reach_a_terminal_raw(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "a\x1b[31m\nb.json"
    file.write_text('{"nodes": ["\\u001b[2J\\n", "b"], "edges": [[0, 1]]}', encoding="utf-8")
    for words in (["order"], ["solve"], ["draw"], ["orient"], ["order", "--trace"]):
        _, out, err = here(capsys, words[0], str(file), *words[1:])
        assert "\x1b" not in out + err
        assert all(line.isprintable() for line in (out + err).splitlines())
