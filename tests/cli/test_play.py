"""`ponder play`: its first line, its end, its errors."""

from __future__ import annotations

import json
import signal
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import ponder
from ponder.system.signals import ENDING
from tests.commands import here
from tests.depth import deep
from tests.page.browser import serving
from tests.page.requests import FOR_EVER, Client, searching
from tests.processes import HANG, processes_with


def test_the_first_line_is_the_address_and_ctrl_c_ends_it(left_over: str) -> None:
    with serving() as (address, process):
        port = int(address.removeprefix("http://127.0.0.1:").removesuffix("/"))
        assert address == f"http://127.0.0.1:{port}/"
        client = Client(address)
        assert client.get("/").body.startswith(b"<!doctype html>")
        assert client.post("/api/order", {"board": "0011\n1101\n0110\n0001"}).json["count"] == 4
        assert len(processes_with(left_over)) > 1
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG) == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_other_signals_end_it_too(left_over: str, number: signal.Signals, code: int) -> None:
    with serving() as (_, process):
        process.send_signal(number)
        assert process.wait(HANG) == code


def test_a_killed_server_leaves_no_process(left_over: str) -> None:
    with serving() as (address, process), searching(address):
        process.kill()


SOON = {(signal.SIGINT, 1), (signal.SIGINT, 2), (signal.SIGTERM, 1)}


@pytest.mark.parametrize(
    ("number", "often"),
    [
        pytest.param(n, k, marks=pytest.mark.deep if (n, k) not in SOON else ())
        for n in ENDING
        for k in (1, 2)
    ],
)
def test_it_ends_in_the_midst_of_searches(
    left_over: str, tmp_path: Path, number: signal.Signals, often: int
) -> None:
    """Whoever waits for an answer is told; whoever has not asked to the end is not waited for."""
    errors = tmp_path / "errors"
    with serving(errors=errors) as (address, process), searching(address) as said:
        waiting, asking = Client(address), Client(address)
        waiting.send("POST", "/api/solve", json.dumps({**FOR_EVER, "session": "a"}).encode())
        asking.connection.putrequest("POST", "/api/solve")
        asking.connection.putheader("Content-Length", "500")
        asking.connection.endheaders(b"{")
        next(said)
        for _ in range(often):
            process.send_signal(number)
        assert process.wait(HANG) == (0 if number == signal.SIGINT else 128 + number)
        if often == 1:
            assert list(said)[-1] == {"error": "the server has ended", "status": 503}
            assert waiting.reply().json == {"error": "the server has ended"}
    last = {signal.SIGINT: "", signal.SIGTERM: "ponder: terminated\n"}
    assert errors.read_text() == "Ctrl-C ends it.\n" + last.get(number, "ponder: hung up\n")


def test_the_board_of_a_file_is_the_one_to_begin_with() -> None:
    with serving("instances/goal-heart-6x7.txt", "--rule", "lit") as (address, _):
        start = Client(address).get("/api/start").json
        assert start["board"].startswith("pattern: plus\nrule: lit\n")
        assert "ibm-2023-04-30x30" in start["examples"]


@pytest.mark.parametrize("name", deep("wiring-levers", "graph-petersen"))
def test_a_graph_and_a_wiring_are_begun_with_too(name: str) -> None:
    with serving(f"instances/{name}.json") as (address, _):
        start = Client(address).get("/api/start").json
        assert ponder.parse_board(start["board"]) == ponder.read(f"instances/{name}.json")
        assert '"positions"' in start["board"]
        assert name in start["examples"]


def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_text("\n".join(["0" * 101]))
    bad = tmp_path / "bad.txt"
    bad.write_text("01\n0")
    graph = tmp_path / "graph.json"
    graph.write_text('{"nodes": 101}')
    for arguments, words in [
        (["no-such-file"], "no-such-file: cannot be read"),
        ([str(bad)], "bad.txt:2: this row has 1 cell"),
        ([str(large)], "a board of 1×101 is too large for the page (at most 100×100)"),
        ([str(graph)], "a graph of 101 bulbs is too large for the page (at most 100)"),
        (["--port", "99999"], "99999"),
        (["--pattern", "plus"], "need a FILE"),
        (["--host", "no host"], "cannot use 'no host', port 4023: "),
    ]:
        code, out, err = here(capsys, "play", "--no-browser", *arguments)
        assert (code, out) == (2, "")
        assert words in err
        assert err.count("\n") == 1


def test_other_devices_need_the_token_of_the_address(tmp_path: Path) -> None:
    with serving("--host", "0.0.0.0", errors=tmp_path / "errors") as (address, _):
        parts = urlsplit(address)
        token = parts.query.removeprefix("token=")
        assert len(token) >= 20
        client = Client(f"http://127.0.0.1:{parts.port}/")
        own = {"Host": f"{parts.hostname}:{parts.port}"}
        cookie = f"ponder-{parts.port}="
        for path in ("/", "/api/start", "/?token=", "/?token=" + token[:-1]):
            reply = client.get(path, Cookie=f"{cookie}{token[1:]}", **own)
            assert (reply.status, list(reply.json)) == (403, ["error"])
        entry = client.get(f"/?token={token}", **own)
        assert (entry.status, entry.headers["location"]) == (303, "/")
        given = entry.headers["set-cookie"]
        assert given.startswith(f"{cookie}{token};")
        assert "httponly" in given.lower()
        known = {**own, "Cookie": given.partition(";")[0]}
        assert client.get("/", **known).body.startswith(b"<!doctype html>")
        assert client.post("/api/order", {"board": "01\n10"}, **known).status == 200
        stranger = {**known, "Origin": "http://evil.example"}
        assert client.post("/api/order", {"board": "01"}, **stranger).status == 403
        assert client.get("/", **{**known, "Host": "evil.example"}).status == 403
        client.close()
    assert "warning: whoever has this address" in (tmp_path / "errors").read_text()


def test_a_port_that_is_taken_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = here(capsys, "play", "--no-browser", "--port", str(port))
    assert code == 2
    assert f"cannot use port {port}: " in err
