"""Odd input, wherever it comes in: one clear line and exit code 2, never a traceback."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import re
import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

import ponder
from ponder.check.evidence.odd_witness import OddWitness
from ponder.cli import COMMANDS, cli, run
from ponder.model import files
from ponder.model.files import read_bytes
from ponder.model.formats import parse_board
from ponder.model.press_lists import parse_presses
from ponder.studies.compare import Plan
from ponder.studies.processes import Workers
from ponder.studies.sampling import parse_family
from ponder.studies.study import Study
from ponder.system.errors import BoardError, PonderError
from ponder.system.printable import LONGEST_REASON
from tests.commands import without_progress
from tests.processes import HANG

ROOT = Path(__file__).resolve().parents[2]
BOARD = str(ROOT / "instances" / "ibm-2023-04-example-4x4.txt")
REFUSED = str(ROOT / "instances" / "plus-10x10-no-order.txt")
Capture = pytest.CaptureFixture[str]


def here(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    """Run the command in this process: (exit code, standard output, standard error)."""
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def refused(capsys: Capture, *arguments: str) -> str:
    """Return the one line with which the command refuses these arguments."""
    code, out, err = here(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1), (arguments, out, err)
    assert err.startswith("ponder: ")
    assert err.rstrip("\n").isprintable()
    return err


def in_a_shell(line: str, folder: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which `ponder` is the command."""
    call = f'ponder() {{ "{sys.executable}" -m ponder "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", call],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=HANG,
    )


# ------------------------------------------------------------------------------- packed files


def spoiled(packed: bytes, at: int) -> bytes:
    return packed[:at] + bytes(255 - byte for byte in packed[at : at + 4]) + packed[at + 4 :]


@pytest.mark.parametrize("command", ["order", "verify", "decode"])
@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip), (".bz2", bz2), (".xz", lzma)])
def test_a_corrupt_packed_file(
    command: str, ending: str, pack: object, tmp_path: Path, capsys: Capture
) -> None:
    packed = pack.compress(b"0101\n" * 1000)  # type: ignore[attr-defined]
    file = tmp_path / f"x.txt{ending}"
    more = ["--encoding", "half_factor"] if command == "decode" else []
    for content in (spoiled(packed, 14), spoiled(packed, 24), packed[:20], packed[:-4], b"x"):
        file.write_bytes(content)
        before = [] if command == "order" else [BOARD]
        if content or ending != ".bz2":
            assert str(file) in refused(capsys, command, *before, str(file), *more)


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip), (".bz2", bz2), (".xz", lzma)])
def test_a_bomb_is_given_up_while_it_is_unpacked(
    ending: str, pack: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for module in ("model.files", "cli.verify"):
        monkeypatch.setattr(f"ponder.{module}.MOST_BYTES", 1 << 20)
    monkeypatch.setattr(files, "_PIECE", 1 << 16)
    bomb = tmp_path / f"bomb.txt{ending}"
    bomb.write_bytes(pack.compress(bytes(1 << 22)))  # type: ignore[attr-defined]
    unpacked = 0
    plain = files._opener

    def counted(name: str) -> object:
        def opened(*arguments: str) -> object:
            file = plain(name)(*arguments)
            original = file.read

            def read(size: int) -> bytes:
                nonlocal unpacked
                piece = original(size)
                unpacked += len(piece)
                return piece

            monkeypatch.setattr(file, "read", read, raising=False)
            return file

        return opened

    with pytest.raises(BoardError, match=r"is larger than 0\.0 GB"):
        read_bytes(bomb)
    monkeypatch.setattr(files, "_opener", counted)
    with pytest.raises(BoardError, match="is larger"):
        read_bytes(bomb)
    assert unpacked <= (1 << 20) + (1 << 16)
    for command in (["verify", BOARD], ["order", BOARD, "--press-set"]):
        assert "is larger" in refused(capsys, *command, str(bomb))
    assert "foreign character" in refused(capsys, "order", str(bomb))  # the first line will do


def test_a_file_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1 << 24)
    with pytest.raises(BoardError, match="is larger"):
        read_bytes("/dev/zero")


# ----------------------------------------------------------------------------- much of nothing


@pytest.mark.parametrize(
    ("data", "bulbs"),
    [
        (b"\n" * 3_000_000, 0),
        (b"\r\n" * 1_500_000 + b"01\n10\n", 4),
        (b"01\n" + b"\n" * 3_000_000 + b"10\n", 4),
        (b"01\n10\n" + b" \n" * 1_500_000, 4),
        (b"#\n" * 1_000_000 + b"01\n10\n", 4),
        (b"01\n" + b"# 1\n" * 500_000 + b"10\n", 4),
        (b"#" * 3_000_000 + b"\n01\n10\n", 4),
    ],
)
def test_blank_lines_and_comments_by_the_million(data: bytes, bulbs: int) -> None:
    # Line by line, in Python, each of these takes seconds.
    if bulbs:
        assert parse_board(data).graph.size == bulbs
        return
    with pytest.raises(BoardError, match="no grid"):
        parse_board(data)
    assert parse_presses(data, ponder.Board.from_rows(["00", "00"])).size == 0


def test_lines_are_counted_across_blanks_and_comments() -> None:
    many = b"\n" * 1000 + b"  # a comment # 01\n" * 10
    for text, line in (
        (many + b"01\n0x\n", 1012),
        (many + b"pattern: plus\n" + many + b"rule: on\n01", 2022),
        (b"01\n" + many + b"0\n", 1012),
        (b"01\n" + many + b"goal:\n" + many + b"0x\n", 2023),
        (b"01\n" + many + b"goal: lit # why\n", 1012),
    ):
        with pytest.raises(BoardError, match=rf"^board:{line}: ") as caught:
            parse_board(text)
        assert caught.value.line == line
    with pytest.raises(BoardError, match=r"^presses:1011: there is no bulb '9 9'$"):
        parse_presses(many + b"9 9 # far\n", ponder.Board.from_rows(["00", "00"]))


def test_comments_are_taken_out_where_they_are() -> None:
    board = parse_board("# a\npattern: plus # b # c\n01 # 10\n#\n10#\ngoal: # d\n11#0\n1 0\n#")
    assert (board.graph.pattern, board.lit.tolist()) == ("plus", [False, True, True, False])
    assert board.goal.tolist() == [True, True, True, False]


# --------------------------------------------------------------------------------- odd content

ODD_BOARDS = {
    "a list cut off": b"[1,2",
    "lone surrogate in a key": b'{"\\ud800": 1, "nodes": 2}',
    "lone surrogate in a name": b'{"nodes": ["\\uDfff", "b"]}',
    "raw surrogate": b'{"nodes": ["\xed\xa0\x80", "b"]}',
    "not UTF-8": b'{"nodes": ["\xff", "b"]}',
    "UTF-16": '{"nodes": 2}'.encode("utf-16"),
    "UTF-16 grid": "01\n10\n".encode("utf-16"),
    "deep": b'{"nodes": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "less deep": b'{"nodes": ' + b"[" * 900 + b"]" * 900 + b"}",
    "NaN": b'{"nodes": 2, "lit": [NaN, 1]}',
    "infinity": b'{"nodes": 1e999}',
    "long number": b'{"nodes": ' + b"9" * 5000 + b"}",
    "large number": b'{"nodes": ' + b"9" * 4000 + b"}",
    "large end": b'{"nodes": 2, "edges": [[0, ' + b"9" * 4000 + b"]]}",
    "large bit": b'{"nodes": 1, "lit": [' + b"9" * 4000 + b"]}",
    "key twice": b'{"nodes": 2, "nodes": 2}',
    "null byte": b"01\n\x0010\n",
    "escape": b"01\n1\x1b\n",
    "escape in the pattern": b"pattern: \x1b[2Jplus\n01\n",
    "long pattern": b"pattern: " + b"x" * 1_000_000 + b"\n01\n",
    "long offset": b"pattern: stencil " + b"9" * 5000 + b",0 -" + b"9" * 5000 + b",0\n01\n",
    "far offset": b"pattern: stencil 99999999999999999999,0 -99999999999999999999,0\n01\n",
    "superscript offset": "pattern: stencil 0,² 0,-1\n01\n".encode(),
    "binary": bytes(range(256)),
}


@pytest.mark.parametrize("content", ODD_BOARDS.values(), ids=ODD_BOARDS)
def test_odd_boards(content: bytes, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "board"
    file.write_bytes(content)
    assert len(refused(capsys, "order", str(file))) < 400


ODD_PRESSES = {
    "long number": b"1" * 5000 + b" 1\n",
    "superscript": "1 ²\n".encode(),
    "only a superscript": "²\n".encode(),
    "other digits": "١ ٢\n".encode(),
    "NaN": b"[[NaN, 1]]",
    "large": b"[[100000000000000000000000000, 1]]",
    "surrogate": b'[["\\ud800", 1]]',
    "deep": b"[" * 100_000,
    "deep and sound": b'{"presses": ' + b"[" * 900 + b"]" * 900 + b"}",
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
        assert len(refused(capsys, "order", board, "--press-set", str(presses))) < 400
        assert len(refused(capsys, "verify", board, str(presses))) < 400


def test_nodes_are_found_by_name_and_by_number() -> None:
    board = parse_board('{"nodes": ["²", -3, "7", 7]}')
    assert parse_presses("²\n-3\n7\n".encode(), board).tolist() == [0, 1, 2]
    assert parse_presses(b"0\n2", parse_board('{"nodes": 3}')).tolist() == [0, 2]


# --------------------------------------------------------------------------------- odd options

COMPARE = ("compare", BOARD, "--method", "auto", "--quiet")


@pytest.mark.parametrize(
    "arguments",
    [
        *(("order", BOARD, "--timeout", word) for word in ("nan", "inf", "-inf", "-1", "1e308")),
        *(("solve", BOARD, "--timeout", word) for word in ("nan", "inf", "-1")),
        *((*COMPARE, "--timeout", word) for word in ("nan", "inf", "-1", "0")),
        ("generate", "balanced", "--size", "4", "--timeout", "nan"),
        ("generate", "balanced", "--size", "4", "--density", "nan"),
        ("generate", "balanced", "--size", "4", "--count", "99999999999999999999"),
        ("generate", "graph", "--size", "8", "--edges", "nan"),
        ("generate", "graph", "--size", "8", "--degree", "99999999999999999999"),
        ("generate", "unbalanced", "--size", "4", "--by", "99999999999999999999"),
        ("compare", "--family", "cross:4:boards=99999999999999999999"),
        ("compare", "--family", "cross:4:boards=10000000000"),
        ("compare", "--family", "cross:4:seed=9223372036854775807"),
        ("compare", "--family", "cross:4:seed=" + "9" * 5000),
        ("compare", "--family", "cross:4:density=nan"),
        ("compare", "--family", "graph:8:edges=nan"),
        ("compare", "--family", "cut:4:by=99999999999999999999"),
        ("compare", "--family", "cross:٤"),
        ("compare", "--family", "cr\x1boss:4"),
        (*COMPARE, "--seed", "9223372036854775807", "--repeat", "3"),
        (*COMPARE, "--repeat", "99999999999999999999"),
        (*COMPARE, "--trials", "99999999999999999999"),
        (*COMPARE, "--method", "sat:nothing"),
        (*COMPARE, "--study", ""),
        (*COMPARE, "--study", "/dev/null"),
        (*COMPARE, "--export", ""),
        ("order", BOARD, "--method", "sat", "--memory", "99999999999999999999"),
        ("order", REFUSED, "--method", "sat", "--solver-cmd", ""),
        ("order", REFUSED, "--method", "sat", "--lrat", ""),
        ("order", ""),
        ("generate", "balanced", "--size", "4", "-o", ""),
        ("generate", "plus", "--size", "4", "--pattern", ""),
        ("solve", BOARD, "--goal", ""),
        ("solve", BOARD, "--goal", "\udcff"),
        ("export", BOARD, "--encoding", ""),
        ("atlas", "--size", "٤"),
        ("report", ""),
        ("\x1b[2J",),
        ("order", BOARD, "--\u202e"),
    ],
)
def test_odd_options(arguments: tuple[str, ...], capsys: Capture) -> None:
    assert len(refused(capsys, *arguments)) < 500 or "=9999" in arguments[-1]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (("WORD",), "No such command"),
        (("order", BOARD, "WORD"), "unexpected extra argument"),
        (("order", BOARD, "--variant", "WORD"), "'random', 'rounds', 'fewest'"),
        (("order", BOARD, "--timeout", "WORD"), "is not a valid float"),
        (("order", BOARD, "--WORD"), "No such option"),
        (("compare", "--family", "WORD:4"), "families beside patterns"),
    ],
)
def test_a_word_of_any_length_is_repeated_in_part(
    arguments: tuple[str, ...], kept: str, capsys: Capture
) -> None:
    for word in ("a" * 5000, "\x1b" * 5000):
        error = refused(capsys, *(part.replace("WORD", word) for part in arguments))
        assert len(error) <= LONGEST_REASON + 1
        assert kept in error


@pytest.mark.parametrize(
    "arguments",
    [
        (*COMPARE, "--plots"),
        (*COMPARE, "--table"),
        (*COMPARE, "--export"),
        ("report", "no.study", "--export"),
        ("order", BOARD, "--trace-to"),
        ("solve", BOARD, "--trace-to"),
        ("export", BOARD, "--encoding", "layered", "-o"),
        ("atlas", "--size", "3", "-o"),
    ],
)
def test_a_bad_place_for_the_answer_is_told_before_the_work(
    arguments: tuple[str, ...],
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def work(*given: object, **more: object) -> NoReturn:
        pytest.fail("the work was begun")

    for name in ("studies.study.Study", "model.formats.read", "find.fewest.atlas.atlas_of"):
        monkeypatch.setattr(f"ponder.{name}", work)
    (tmp_path / "file.csv").touch()
    (tmp_path / "folder.csv").mkdir()
    for name in ("file.csv/deeper.csv", "folder.csv", "no/deeper.csv", "n" * 300 + ".csv"):
        if "--plots" in arguments and name in ("folder.csv", "no/deeper.csv"):
            continue  # these are good places for a folder
        assert "cannot be written: " in refused(capsys, *arguments, str(tmp_path / name))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.csv", "folder.csv"]


def test_words_that_are_nearly_right_are_told_how_they_are_written(capsys: Capture) -> None:
    for arguments, says in (
        (("order", "cube", "3"), "a shape is one word: cube:3"),
        (("order", BOARD, "--shape", "cube", "3"), "give FILE or --shape, not both"),
        (("order", "cube:x"), "the shape cube needs a size"),
        (("order", "petersen:x"), "write petersen alone"),
        (("orient", "petersen", "--odd", "10"), "no vertex '10' (vertices 0 … 9)"),
    ):
        assert says in refused(capsys, *arguments)
    for grid, says in ((None, "None has none"), ([1, 0], "of shape (2,)")):
        with pytest.raises(BoardError, match=re.escape(says)):
            ponder.Board.from_grid(grid)  # type: ignore[arg-type]
    lit = ponder.Board.from_rows(["1"], "plus", "any", "unlit")
    assert "1 of them is lit, and none may be" in OddWitness(np.array([0])).sentence(lit)


def test_an_export_ends_in_what_it_can_be(capsys: Capture) -> None:
    assert "must end in .csv or .parquet" in refused(capsys, *COMPARE, "--export", "runs.xls")


def test_no_option_of_any_command_takes_an_empty_word(capsys: Capture) -> None:
    import click

    count = 0
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter.type, click.types.StringParamType):
                with pytest.raises(click.BadParameter, match="empty"):
                    parameter.type.convert("", parameter, None)
                count += 1
    assert count > 40


def test_a_time_limit_of_nan_is_none_in_the_library_too() -> None:
    board = ponder.Board.from_rows(["00", "00"])
    for ask in (ponder.order, ponder.solve):
        with pytest.raises(PonderError, match="nan"):
            ask(board, timeout=float("nan"))
        assert ask(board, timeout=float("inf")).verdict == "solved"


def test_no_more_workers_than_work(
    two: Workers, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    started: list[int] = []

    def fewer(count: int) -> AbstractContextManager[Workers]:
        started.append(count)
        return nullcontext(two)

    monkeypatch.setattr("ponder.studies.processes.Workers", fewer)
    for boards in (1, 200):
        family = ("--family", f"cross:4:boards={boards}", "--method", "auto", "--quiet")
        assert here(capsys, "compare", *family, "--workers", str(10**9))[0] == 0
    assert started[0] == 1
    assert 1 <= started[1] < 200


def test_the_number_of_boards_is_counted_whatever_it_is() -> None:
    sources = tuple(parse_family("cross:4..100:boards=1000000000") for _ in range(3))
    assert Plan(sources, ()).boards == 3 * 97 * 10**9


# ------------------------------------------------------------------------- names and terminals

UGLY = "\x1b[31mred\x07\r\u202e\u2066"


def clean(text: str) -> bool:
    return not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", text
    )


@pytest.mark.usefixtures("ready")
def test_names_never_reach_a_terminal_raw(tmp_path: Path, capsys: Capture) -> None:
    names = [UGLY, "two\nlines", "c"]
    edges = [["c", UGLY], ["c", "two\nlines"]]
    for rule, lit in (("unlit", [0, 0, 0]), ("unlit", [1, 0, 1]), ("lit", [1, 0, 0])):
        content = {"nodes": names, "edges": edges, "lit": lit, "rule": rule}
        file = tmp_path / f"x{UGLY}\n.json"
        file.write_text(json.dumps(content))
        result = tmp_path / "result.json"
        result.write_text(here(capsys, "solve", str(file), "--json")[1])
        for arguments in (
            ("show", "--presses"),
            ("show", "--mark", str(result)),
            ("show", "--json"),
            ("draw", "-o", "-", "--format", "svg"),
            ("draw", str(result), "-o", "-", "--format", "svg"),
            ("order", "--explain", "--trace"),
            ("order", "--competition"),
            ("order", "--method", "greedy"),
            ("solve", "--trace"),
            ("solve", "--json"),
            ("encodings",),
            ("atlas",),
            ("order", "--goal", str(file)),
            ("order", "--press-set", str(file)),
            ("export", "--encoding", "precedence", "--names"),
        ):
            code, out, err = here(capsys, arguments[0], str(file), *arguments[1:])
            assert code in (0, 2, 3, 10, 20)
            assert clean(out + err), (arguments, out, err)
        out, err = here(capsys, "verify", str(file), str(result))[1:]
        assert clean(out + err)
    for more in ((), ("--json",)):
        out, err = here(capsys, "compare", str(tmp_path), "--method", "auto", *more)[1:]
        assert clean(out + err)


def test_a_name_cannot_paint_like_ponder_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal colours are let through: a name that holds one is escaped before."""
    from ponder.cli import terminal
    from ponder.model import render

    board = parse_board(json.dumps({"nodes": ["\x1b[2J", "\x1b[31m"]}))
    assert all(clean(line) for line in render.draw(board))
    assert all(clean(line) for line in render.press_lines(board, board.graph.bulbs(["\x1b[31m"])))
    said: list[str] = []
    monkeypatch.setattr(terminal, "coloured", lambda stream: True)
    monkeypatch.setattr("ponder.cli.terminal.click.echo", lambda text, **how: said.append(text))
    terminal.say([terminal.painter()("good", "good") + " \x1b[2J \x1b]0;title\x07 \u202e"])
    assert said == ["\x1b[32m\x1b[1mgood\x1b[0m \\x1b[2J \\x1b]0;title\\x07 \\u202e"]


@pytest.mark.usefixtures("ready")
def test_files_of_any_name_are_compared(tmp_path: Path, capsys: Capture) -> None:
    """One file name that is not UTF-8 lost the whole comparison."""
    folder = os.fsencode(tmp_path) + b"/f\xfe"
    os.mkdir(folder)
    for name, content in (
        (b"good.txt", b"01\n10\n"),
        (b"odd\xff.txt", b"00\n10\n"),
        (b"odd\xff\n\x1b[31m.txt", b"0x\n"),
        (b"corrupt.txt.gz", spoiled(gzip.compress(b"01\n10\n" * 99), 20)),
        (b"lone.json", b'{"nodes": ["\\ud800"]}'),
    ):
        with open(folder + b"/" + name, "wb") as file:
            file.write(content)
    os.symlink(b"nowhere", folder + b"/gone.txt")
    study, table = tmp_path / "a.study", tmp_path / "runs.csv"
    given = ("compare", os.fsdecode(folder), str(tmp_path / "gone.txt"), "--method", "auto")
    for again in range(2):
        code, out, err = here(capsys, *given, "--study", str(study), "--export", str(table))
        assert code == 0, err
        assert clean(out + err)
        assert ("2 runs made" if not again else "0 runs made and 2 known before") in err
    with Study(study) as opened:
        assert opened.counts()["samples"] == 2
        assert len(opened.failures()) == 4
    assert table.read_text(encoding="utf-8").count("\\udcff.txt") == 1


def test_a_study_file_that_is_none(tmp_path: Path, capsys: Capture) -> None:
    for name, content in (("one", b"x"), ("junk", bytes(range(200))), ("cut", b"SQLite form")):
        file = tmp_path / name
        file.write_bytes(content)
        assert "not a study of ponder" in refused(capsys, "report", str(file))
        assert "not a study of ponder" in refused(capsys, *COMPARE, "--study", str(file))
        assert file.read_bytes() == content


# ---------------------------------------------------------------------------- closed and broken


@pytest.mark.parametrize(
    ("line", "code", "error"),
    [
        ("ponder order {board} --quiet <&-", 0, ""),
        ("ponder order - <&-", 2, "standard input: cannot be read: Bad file descriptor"),
        ("ponder order {board} >&-", 2, "output: Bad file descriptor"),
        ("ponder solve {board} --json >&-", 2, "output: Bad file descriptor"),
        ("ponder export {board} --encoding half_factor >&-", 2, "Bad file descriptor"),
        ("ponder >&-", 2, ""),
        ("ponder --help >&-", 2, "output: Bad file descriptor"),
        ("ponder order {board} >/dev/full", 2, "output: No space left on device"),
        ("ponder order none.txt >&- 2>&-", 2, ""),
        ("ponder order none.txt 2>/dev/full", 2, ""),
        ("ponder verify {board} {board} 2>/dev/full", 2, ""),
        ("ponder order {board} <&- >&- 2>&-", 2, ""),
    ],
)
def test_closed_and_full_streams(line: str, code: int, error: str) -> None:
    done = in_a_shell(line.format(board=BOARD))
    err = without_progress(done.stderr.decode())
    assert (done.returncode, err.count("\n")) == (code, 1 if error else 0), err
    assert error in err


def test_a_closed_stream_lends_its_number_to_no_file(tmp_path: Path) -> None:
    """The study was number 1, and workers wrote their words into it."""
    line = f"ponder compare {BOARD} --method auto --study a.study <&- >&- 2>&-"
    assert in_a_shell(line, tmp_path).returncode == 2  # the table could not be printed
    with Study(tmp_path / "a.study") as study:
        assert study.counts()["runs"] == 1


@pytest.mark.parametrize("module", ["..", "broken"])
def test_a_method_whose_module_cannot_be_imported(
    module: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "board.txt").write_text("01\n10\n", encoding="utf-8")
    (tmp_path / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert run(["compare", str(tmp_path / "board.txt"), "--method", f"{module}:ask"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith(f"ponder: method {module}:ask: ")
