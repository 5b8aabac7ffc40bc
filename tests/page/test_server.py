"""The server: its answers, who may ask, how much, and what it survives."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import date
from pathlib import Path

import numpy as np
import pytest

import ponder
from ponder.model.formats import board_text, parse_board
from ponder.model.presets import PUZZLES
from ponder.page.protocol import MOST_BODY, QUESTIONS
from ponder.page.tasks import TASKS
from ponder.page.workers import MOST_AT_ONCE
from ponder.studies.boards_to_play import PuzzleFamily, daily
from tests.page.browser import EXAMPLE, ROOT, serving
from tests.page.requests import HARD, Client, searching
from tests.processes import HANG, until

SMALL = "\n".join(EXAMPLE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Start a server: its address and its process. In the end it has not complained of anything."""
    errors = tmp_path_factory.mktemp("server") / "errors"
    with serving(errors=errors) as (address, process):
        yield address, process.pid
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG) == 0
    assert errors.read_text() == "Ctrl-C ends it.\n"


@pytest.fixture
def client(server: tuple[str, int]) -> Iterator[Client]:
    with closing(Client(server[0])) as opened:
        yield opened


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    pids = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = stat.read_text().rpartition(")")[2].split()
            if int(words[1]) == process and words[0] != "Z":
                pids.append(int(stat.parent.name))
    return pids


# ------------------------------------------------------------------------------- answers


@pytest.mark.parametrize("command", ["order", "solve"])
def test_results_are_those_of_the_library(client: Client, command: str) -> None:
    text = (ROOT / "instances/ibm-2023-04-30x30.txt").read_text()
    reply = client.post(f"/api/{command}", {"board": text, "timeout": 600, "unknown": 1})
    assert reply.status == 200
    assert (reply.json["command"], reply.json["count"]) == (command, 429)
    assert ponder.verify(ponder.parse_board(text), reply.json).statements


def test_press_sets(client: Client) -> None:
    reply = client.post("/api/press-sets", {"board": SMALL}).json
    assert reply["nullity"] == 0
    assert sorted(reply["lightest"]) == [[0, 1], [0, 3], [1, 1], [3, 0]]
    nothing = (ROOT / "instances/plus-5x5-no-solution.txt").read_text()
    reply = client.post("/api/press-sets", {"board": nothing}).json
    assert reply == {"nullity": 2, "lightest": None}


def test_the_stream_tells_stage_by_stage(client: Client) -> None:
    text = (ROOT / "instances/plus-10x10-no-order.txt").read_text()
    messages = list(client.stream(board=text))
    stages = [m.get("stage") for m in messages if m.get("stage", "found") != "found"]
    assert stages == ["solvable", "press-sets", "order"]
    order = next(m for m in messages if m.get("stage") == "order")
    assert order["verdict"] == "impossible"
    assert len(order["marks"]["pairs"]) == 5
    assert messages[-1]["end"]["count"] == 56


def test_a_timeout_is_unknown_and_never_impossible(client: Client) -> None:
    reply = client.post("/api/order", {"board": HARD, "timeout": 0.2})
    assert (reply.status, reply.json["verdict"]) == (200, "unknown")


def test_patterns_and_single_bulbs_are_right(client: Client) -> None:
    text = "pattern: plus\n" + "00000\n" * 5
    graph = ponder.parse_board(text).graph
    for pattern in client.post("/api/quiet", {"board": text}).json["patterns"]:
        assert not graph.apply(graph.set_of(graph.bulbs(pattern))).any()
    alone = client.post("/api/single", {"board": text}).json["bulbs"]
    for place in ([0, 0], [2, 2]):
        presses = client.post("/api/single", {"board": text, "bulb": place}).json["presses"]
        assert (presses is not None) == (place in alone)
        if presses is not None:
            toggled = graph.apply(graph.set_of(graph.bulbs(presses)))
            assert graph.labels(np.flatnonzero(toggled)) == [tuple(place)]


def test_boards_to_play_are_those_of_the_library(client: Client) -> None:
    for puzzle in PUZZLES:
        board = PuzzleFamily(puzzle, *puzzle.shape(puzzle.sizes[2]), "hard").board(7)
        asked = {"board": SMALL, "puzzle": puzzle.key, "grade": "hard", "seed": 7}
        assert client.post("/api/new", asked).json == {"board": board_text(board)}
    family, seed = daily(date(2026, 11, 24))
    day = {"board": SMALL, "daily": "2026-11-24"}
    assert client.post("/api/new", day).json == {"board": board_text(family.board(seed))}
    for text in ("000000\n" * 6, "puzzle: cards\n000000\n"):
        drawn = client.post("/api/no-order", {"board": text, "seed": 3}).json
        assert ponder.order(parse_board(drawn["board"])).verdict == "impossible"


def test_no_task_fails_on_a_wiring_without_buttons(client: Client) -> None:
    text = '{"lights": 2, "buttons": []}'
    for task in TASKS:
        reply = client.post(f"/api/{task}", {"board": text, "timeout": 5})
        assert reply.status in (200, 400, 422), (task, reply.json)
        assert "failed" not in str(reply.json)


# ------------------------------------------------------------------------------- who may ask


@pytest.mark.parametrize("path", ["/", "/main.js", "/api/start", "/api/order", "/no-such-file"])
def test_every_reply_has_its_headers(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "", "127.0.0.1:1"])
@pytest.mark.parametrize("path", ["/", "/api/start"])
def test_another_host_is_refused(client: Client, path: str, host: str) -> None:
    reply = client.get(path, Host=host)
    assert (reply.status, list(reply.json)) == (403, ["error"])


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}"])
def test_another_origin_is_refused(client: Client, origin: str) -> None:
    stranger = origin.format(port=client.port)
    reply = client.post("/api/order", {"board": "01"}, Origin=stranger)
    assert (reply.status, list(reply.json)) == (403, ["error"])


def test_its_own_names_are_not(client: Client) -> None:
    for name in ("127.0.0.1", "localhost"):
        home = f"{name}:{client.port}"
        reply = client.post("/api/order", {"board": "01"}, Host=home, Origin=f"http://{home}")
        assert reply.status == 200


@pytest.mark.parametrize("name", ["Host", "Origin", "Sec-Fetch-Site", "Content-Length"])
def test_a_header_that_decides_stands_there_once(client: Client, name: str) -> None:
    home = f"127.0.0.1:{client.port}"
    headers = {"Host": home, "Origin": f"http://{home}", "Sec-Fetch-Site": "none"}
    client.connection.putrequest("GET", "/api/start", skip_host=True)
    for header in {"Host": 1, name: 1} | {name: 2}:
        for _ in range(2 if header == name else 1):
            client.connection.putheader(header, headers.get(header, "0"))
    client.connection.endheaders()
    assert 400 <= client.reply().status < 500


def test_only_the_loopback_address_listens(server: tuple[str, int]) -> None:
    port = int(server[0].rstrip("/").rpartition(":")[2])
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    bound = {line.split()[1] for line in lines if line.split()[3] == "0A"}
    assert {at for at in bound if int(at.split(":")[1], 16) == port} == {f"0100007F:{port:04X}"}


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/%2e%2e/server.py", "/static/main.js", "//etc/passwd", "/main"]
)
def test_no_file_but_the_pages_own(client: Client, path: str) -> None:
    assert client.get(path).status == 404


# ------------------------------------------------------------------------------- how much


def test_a_large_body_is_refused_as_soon_as_it_is_announced(client: Client) -> None:
    client.connection.putrequest("POST", "/api/order")
    client.connection.putheader("Content-Length", str(MOST_BODY + 1))
    client.connection.endheaders()
    reply = client.reply()
    assert (reply.status, list(reply.json)) == (413, ["error"])
    body = json.dumps({"board": "01\n" + "#" * 900_000}).encode().ljust(MOST_BODY)
    with closing(Client(f"http://127.0.0.1:{client.port}/")) as other:
        assert other.post("/api/order", body).status == 200


BAD = [
    b"",
    b"[" * 100_000,
    b"\xff",
    b'"01"',
    {},
    {"board": 7},
    {"board": "01\n0"},
    {"board": "{"},
    {"board": "01", "timeout": "5"},
    {"board": "01", "timeout": True},
    {"board": "01", "timeout": -1},
    {"board": "01", "timeout": 1e300},
    b'{"board": "01", "timeout": NaN}',
    b'{"board": "01", "timeout": 1%s}' % (b"0" * 5000),
    {"board": ("0" * 300 + "\n") * 300},
    {"board": '{"nodes": 399999999, "edges": []}'},
    {"board": "\udcff\ud800"},
    b'{"board": "01", "board": "10"}',
]


@pytest.mark.parametrize("body", BAD)
def test_bad_requests_get_one_line(client: Client, body: object) -> None:
    reply = client.post("/api/order", body)
    assert 400 <= reply.status < 500
    assert list(reply.json) == ["error"]
    assert "\n" not in reply.json["error"]
    assert "failed" not in reply.json["error"]


def test_what_is_no_request_is_refused(client: Client) -> None:
    assert set(QUESTIONS) == set(TASKS)
    assert client.post("/api/nothing", {"board": "01"}).status == 404
    assert client.ask("DELETE", "/").status >= 400
    with socket.create_connection(("127.0.0.1", client.port), HANG) as raw:
        raw.sendall(b"GARBAGE\r\n\r\n")
        assert raw.recv(1 << 16)
    asked = {"board": SMALL, "puzzle": "lights-out", "grade": "mean", "seed": 1}
    assert client.post("/api/new", asked).status == 400


# ------------------------------------------------------------------------------- what it survives


def test_a_search_ends_when_its_client_leaves(server: tuple[str, int]) -> None:
    before = set(children(server[1]))
    with searching(server[0]):
        assert until(lambda: len(children(server[1])) >= 2)
    assert until(lambda: len(children(server[1])) <= max(1, len(before)))


def test_a_process_that_dies_is_told(server: tuple[str, int], client: Client) -> None:
    said = client.stream(board=HARD, timeout=600)
    while "stage" not in next(said):
        pass
    for child in children(server[1]):
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    assert "lost" in list(said)[-1]["error"]
    with closing(Client(server[0])) as again:
        assert until(lambda: again.post("/api/order", {"board": SMALL}).status == 200)


def test_too_many_searches_are_refused(server: tuple[str, int]) -> None:
    clients = [Client(server[0]) for _ in range(MOST_AT_ONCE)]
    for client in clients:
        next(client.stream(board=HARD, timeout=600))
    with closing(Client(server[0])) as other:
        assert other.post("/api/order", {"board": "01"}).status == 429
        for client in clients:
            client.close()
        assert until(lambda: Client(server[0]).post("/api/order", {"board": "01"}).status == 200)


def test_a_killed_server_leaves_no_process() -> None:
    with serving() as (address, process), searching(address):
        left = children(process.pid)
        process.kill()
        process.wait(HANG)
        assert left
        assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))
