"""`ponder play`: its first line, its end, its errors."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest

import ponder
from tests.commands import here
from tests.page.browser import serving
from tests.page.requests import Client, searching
from tests.processes import HANG


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_it_ends_in_the_midst_of_a_search(number: signal.Signals, code: int) -> None:
    with serving() as (address, process), searching(address):
        assert address == f"http://127.0.0.1:{Client(address).port}/"
        process.send_signal(number)
        assert process.wait(HANG) == code


@pytest.mark.parametrize(
    "name", ["goal-heart-6x7.txt", "graph-petersen.json", "wiring-levers.json"]
)
def test_the_board_of_a_file_is_the_one_to_begin_with(name: str) -> None:
    with serving(f"instances/{name}") as (address, _):
        start = Client(address).get("/api/start").json
        assert ponder.parse_board(start["board"]) == ponder.read(f"instances/{name}")
        assert "ibm-2023-04-30x30" in start["examples"]


def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_text("0" * 101)
    graph = tmp_path / "graph.json"
    graph.write_text('{"nodes": 101}')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for arguments in (
            ["no-such-file"],
            [str(large)],
            [str(graph)],
            ["--port", "99999"],
            ["--port", str(port)],
        ):
            code, out, err = here(capsys, "play", "--no-browser", *arguments)
            assert (code, out, err.count("\n")) == (2, "", 1)
