"""The README: a page, whose commands do what it says, run as a reader would type them."""

from __future__ import annotations

import re
from pathlib import Path

from tools.examples import ROOT, Session, agrees, blocks, commands

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = blocks(README)


def test_it_is_a_page() -> None:
    assert len(README.splitlines()) <= 100


def test_it_has_the_two_commands() -> None:
    """`.ci/run` finds them by their marks, one line each."""
    marked = {x.mark: x.body for x in BLOCKS if (x.mark or "").startswith("ci: ")}
    assert set(marked) == {"ci: main job", "ci: tests"}
    assert all(len(body.splitlines()) == 1 for body in marked.values())


def test_there_are_six_examples_and_three_pictures() -> None:
    assert sum(block.kind == "console" for block in BLOCKS) >= 6
    pictures = re.findall(r"!\[[^\]]+\]\((docs/[^)]+)\)", README)
    assert len(pictures) == 3
    assert all((ROOT / picture).is_file() for picture in pictures)


def test_examples_print_what_the_readme_shows(tmp_path: Path) -> None:
    """In processes of their own, in one folder, in the README's order."""
    session = Session(tmp_path)
    for block in BLOCKS:
        if block.kind == "console":
            for command, shown in commands(block.body):
                got = session.shell(command).printed
                assert "Traceback" not in got
                assert agrees(shown, got), (command, got)


def test_lights_out_is_the_game_that_people_know(tmp_path: Path) -> None:
    """The option that the README names makes it of a bare grid: all lit, 15 presses put it out."""
    options = re.search(r"[Cc]lassic Lights Out is `([^`]+)`", README)
    assert options is not None
    session = Session(tmp_path)
    (tmp_path / "all.txt").write_text("11111\n" * 5)
    got = session.shell(f"ponder solve all.txt {options[1]}").printed
    assert "5×5 plus, 25 bulbs, 25 lit; press any bulbs until none is lit" in got
    assert "15 presses; replayed; proved" in got


def test_the_film_is_what_draw_makes_of_it(tmp_path: Path) -> None:
    session = Session(tmp_path)
    board = "instances/ibm-2023-04-example-4x4.txt"
    assert session.command(f"ponder order {board} --json > answer.json").code == 0
    assert session.command(f"ponder draw {board} answer.json -o film.svg").code == 0
    kept = (ROOT / "docs" / "gallery" / "order-4x4.svg").read_text(encoding="utf-8")
    assert (tmp_path / "film.svg").read_text(encoding="utf-8") == kept


def test_every_command_is_in_the_table_of_questions() -> None:
    from ponder.cli import COMMANDS

    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    table = "".join(line for line in index.splitlines() if line.startswith("| `"))
    named = set(re.findall(r"`(?:ponder )?([a-z-]+)\b", table))
    assert set(COMMANDS) - named == set()
