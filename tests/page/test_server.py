"""The server: its answers, who may ask, how much, and what it survives."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import ponder
from ponder.page.protocol import MOST_BODY
from ponder.page.serve import listening
from ponder.page.server import TASKS
from ponder.puzzle.formats import board_text
from ponder.studies.generate import OnPattern
from tests.page.browser import ROOT, serving
from tests.page.requests import Client

IBM = (ROOT / "instances/ibm-2023-04-30x30.txt").read_text()
HARD = board_text(OnPattern(30, 30).board(3))
"""A board on which a search does not end in minutes."""


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    """Start a server: its address and its process."""
    with serving() as (address, process):
        yield address, process.pid


@pytest.fixture
def client(server: tuple[str, int]) -> Iterator[Client]:
    found = Client(server[0])
    yield found
    found.close()


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = stat.read_text().rpartition(")")[2].split()
            if int(words[1]) == process and words[0] != "Z":
                found.append(int(stat.parent.name))
    return found


# ------------------------------------------------------------------------------- answers


@pytest.mark.parametrize("command", ["order", "solve"])
def test_results_are_those_of_the_library(client: Client, command: str) -> None:
    reply = client.post(f"/api/{command}", {"board": IBM, "timeout": 20})
    assert reply.status == 200
    assert reply.json["schema"] == "ponder.result/1"
    assert reply.json["command"] == command
    assert reply.json["count"] == 429
    assert ponder.verify(ponder.parse_board(IBM), reply.json).statements


def test_graphs_are_answered_too(client: Client) -> None:
    text = (ROOT / "instances/graph-house.json").read_text()
    assert client.post("/api/order", {"board": text}).json["count"] == 5


def test_press_sets(client: Client) -> None:
    found = client.post("/api/press-sets", {"board": "0011\n1101\n0110\n0001"}).json
    assert found["nullity"] == 0
    assert sorted(found["lightest"]) == [[0, 1], [0, 3], [1, 1], [3, 0]]
    nothing = (ROOT / "instances/plus-5x5-no-solution.txt").read_text()
    assert client.post("/api/press-sets", {"board": nothing}).json == {
        "nullity": 2,
        "lightest": None,
    }


def test_small_replies_are_sent_at_once() -> None:
    """Not 40 ms later: asyncio sets TCP_NODELAY only where it sees that the protocol is TCP."""
    with listening(0) as bound, socket.create_connection(bound.getsockname()[:2]):
        accepted, _ = bound.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP


def test_the_stream_tells_stage_by_stage(client: Client) -> None:
    text = (ROOT / "instances/plus-10x10-no-order.txt").read_text()
    reply = client.post("/api/stream/answer", {"board": text})
    messages = [json.loads(line) for line in reply.body.splitlines()]
    stages = [m.get("stage") or m.get("end", {}).get("stage") for m in messages]
    assert [stage for stage in stages if stage] == ["press-sets", "order", "fewest"]
    order = next(m for m in messages if m.get("stage") == "order")
    assert order["verdict"] == "impossible"
    assert len(order["marks"]["pairs"]) == 5
    assert messages[-1]["end"]["count"] == 56


def test_a_timeout_is_unknown_and_never_impossible(client: Client) -> None:
    reply = client.post("/api/order", {"board": HARD, "timeout": 0.2})
    assert (reply.status, reply.json["verdict"]) == (200, "unknown")


def test_random_boards_without_order_have_none(client: Client) -> None:
    text = "pattern: cross\n" + "0" * 6 + "\n" + ("0" * 6 + "\n") * 5
    drawn = client.post("/api/no-order", {"board": text, "seed": 3, "timeout": 20}).json["board"]
    assert ponder.order(ponder.parse_board(drawn)).verdict == "impossible"


def test_single_bulbs_and_quiet_patterns_are_right(client: Client) -> None:
    text = "pattern: plus\n" + "00000\n" * 5
    board = ponder.parse_board(text)
    graph = board.graph
    for pattern in client.post("/api/quiet", {"board": text}).json["patterns"]:
        assert not graph.apply(graph.set_of(graph.bulbs(pattern))).any()
    alone = client.post("/api/single", {"board": text}).json["bulbs"]
    for place in ([0, 0], [2, 2], [4, 1]):
        presses = client.post("/api/single", {"board": text, "bulb": place}).json["presses"]
        assert (presses is not None) == (place in alone)
        if presses is not None:
            toggled = graph.apply(graph.set_of(graph.bulbs(presses)))
            assert graph.labels(toggled.nonzero()[0]) == [tuple(place)]


# ------------------------------------------------------------------------------- who may ask


@pytest.mark.parametrize("path", ["/", "/main.js", "/api/start", "/api/order", "/no-such-file"])
def test_every_reply_has_its_headers(client: Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "", "127.0.0.1:1"])
def test_another_host_is_refused(client: Client, host: str) -> None:
    for path in ("/", "/api/start"):
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
        assert client.get("/", Host=name).status == 200
        reply = client.post("/api/order", {"board": "01"}, Host=home, Origin=f"http://{home}")
        assert reply.status == 200


def test_only_the_loopback_address_listens(server: tuple[str, int]) -> None:
    port = int(server[0].rstrip("/").rpartition(":")[2])
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    bound = {line.split()[1] for line in lines if line.split()[3] == "0A"}
    assert {place for place in bound if int(place.split(":")[1], 16) == port} == {
        f"0100007F:{port:04X}"
    }


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


def test_a_large_body_in_pieces_is_refused(client: Client) -> None:
    pieces = (b" " * 50_000 for _ in range(30))
    client.connection.request("POST", "/api/order", pieces, encode_chunked=True)
    assert client.reply().status == 413


def test_a_full_body_is_not(client: Client) -> None:
    body = json.dumps({"board": "01\n" + "#" * 900_000}).encode()
    assert client.post("/api/order", body.ljust(MOST_BODY)).status == 200


BAD = [
    (b"", "no JSON"),
    (b"[" * 100_000, "no JSON"),
    (b"\xff", "no JSON"),
    (b'"01"', "no JSON object"),
    ({}, "`board` is missing"),
    ({"board": 7}, "`board` is missing"),
    ({"board": "01\n0"}, "board:2: this row has 1 cell"),
    ({"board": "{"}, "board"),
    ({"board": "01", "timeout": "5"}, "`timeout`"),
    ({"board": "01", "timeout": True}, "`timeout`"),
    ({"board": "01", "timeout": -1}, "`timeout`"),
    ({"board": "01", "timeout": 1e300}, "`timeout`"),
    (b'{"board": "01", "timeout": NaN}', "`timeout`"),
    (b'{"board": "01", "timeout": 1%s}' % (b"0" * 5000), "JSON"),
    ({"board": "01", "session": ["a"]}, "`session`"),
    ({"board": ("0" * 300 + "\n") * 300}, "too large"),
    ({"board": '{"nodes": 399999999, "edges": []}'}, ""),
    ({"board": "\udcff\ud800"}, "`board` is no text"),
]


@pytest.mark.parametrize(("body", "words"), BAD)
def test_bad_requests_get_one_line(client: Client, body: object, words: str) -> None:
    reply = client.post("/api/order", body)
    assert 400 <= reply.status < 500
    assert list(reply.json) == ["error"]
    assert "\n" not in reply.json["error"]
    assert words in reply.json["error"]
    assert "Traceback" not in reply.json["error"]


def test_a_graph_is_refused_by_the_page_with_a_sentence(client: Client) -> None:
    text = (ROOT / "instances/graph-house.json").read_text()
    for task in ("board", "answer", "quiet", "single", "no-order"):
        reply = client.post(f"/api/{task}", {"board": text})
        assert reply.status == 400
        assert "a graph has no grid to draw" in reply.json["error"]


def fuzzed(rng: random.Random) -> tuple[str, bytes]:
    """Return a task and a body: sound, spoiled, or nothing of the kind."""
    task = rng.choice([*TASKS, "nothing"])
    board = rng.choice(
        [
            "\n".join(
                "".join(rng.choices("01-", [5, 5, 1], k=4)) for _ in range(rng.randint(1, 5))
            ),
            "pattern: stencil "
            + " ".join(f"{rng.randint(-3, 3)},1" for _ in range(3))
            + "\n01\n10",
            f'{{"nodes": {rng.randint(-1, 9)}, "edges": [[0, {rng.randint(-1, 9)}]]}}',
            "".join(map(chr, rng.choices(range(1, 0x2FFF), k=rng.randint(0, 30)))),
        ]
    )
    content: dict[str, object] = {
        "board": board,
        "timeout": rng.choice([0.05, 0.05, 0, 0.01, -1, None, "1"]),
    }
    if rng.random() < 0.3:
        content["bulb"] = rng.choice(
            [[0, 0], [9, 9], [0], "0", None, [0.5, 1], {"row": 0}, [[0, 1], 0]]
        )
        content["seed"] = rng.choice([3, -3, "x", 10**30, None, 1.5])
    body = json.dumps(content).encode()
    if rng.random() < 0.4:
        spoiled = bytearray(body)
        for _ in range(rng.randint(1, 4)):
            spoiled[rng.randrange(len(spoiled))] = rng.randrange(256)
        body = bytes(spoiled[: rng.randint(1, len(spoiled))] if rng.random() < 0.3 else spoiled)
    return task, body


def fuzz(client: Client, seed: int, count: int) -> None:
    rng = random.Random(seed)
    for number in range(count):
        task, body = fuzzed(rng)
        stream = "stream/" if rng.random() < 0.2 else ""
        reply = client.post(f"/api/{stream}{task}", body)
        assert reply.status < 500, (seed, number, task, body, reply.body)
        assert b"the search failed" not in reply.body, (seed, number, task, body, reply.body)
        assert b"Traceback" not in reply.body
        if reply.status != 200:
            assert list(reply.json) == ["error"]


def test_no_body_is_too_much_for_the_api(client: Client) -> None:
    fuzz(client, seed=time.localtime().tm_yday, count=300)


@pytest.mark.deep
def test_ten_thousand_bodies_are_not_too_much_for_the_api(client: Client) -> None:
    fuzz(client, seed=time.localtime().tm_yday + 1000, count=10_000)


# ------------------------------------------------------------------------------- what it survives


def abandon(address: str, session: str | None = None, path: str = "/api/stream/answer") -> None:
    """Ask for a long search and go away."""
    client = Client(address)
    client.send(
        "POST", path, json.dumps({"board": HARD, "timeout": 100, "session": session}).encode()
    )
    time.sleep(0.02)
    client.close()


def test_searches_that_nobody_waits_for_end(server: tuple[str, int], client: Client) -> None:
    """Many more than may run at once: none of them is in the way of the next."""
    for k in range(12):
        abandon(server[0], None, ("/api/stream/answer", "/api/solve")[k % 2])
    start = time.monotonic()
    assert client.post("/api/solve", {"board": IBM}).json["count"] == 429
    assert time.monotonic() - start < 30  # each of them would have taken 100 seconds


def test_a_session_has_one_search_the_latest(server: tuple[str, int], client: Client) -> None:
    first = Client(server[0])
    first.send(
        "POST", "/api/solve", json.dumps({"board": HARD, "timeout": 100, "session": "a"}).encode()
    )
    time.sleep(0.3)
    assert client.post("/api/solve", {"board": IBM, "session": "a"}).json["count"] == 429
    assert first.reply().json == {"error": "another search took its place"}
    first.close()


def test_a_queue_that_says_so(server: tuple[str, int]) -> None:
    clients = [Client(server[0]) for _ in range(12)]
    content = json.dumps({"board": HARD, "timeout": 100}).encode()
    for one in clients:
        one.send("POST", "/api/stream/answer", content)
    last = clients[-1].connection.getresponse()
    assert json.loads(last.readline())["ahead"] >= 1
    for one in clients:
        one.close()


def test_a_killed_worker_is_replaced(server: tuple[str, int], client: Client) -> None:
    for _ in range(3):
        for child in children(server[1]):
            os.kill(child, signal.SIGKILL)
        assert client.post("/api/solve", {"board": IBM}).json["count"] == 429


def test_a_search_whose_worker_is_killed_again_and_again_is_one_line(
    server: tuple[str, int], client: Client
) -> None:
    client.send("POST", "/api/solve", json.dumps({"board": HARD, "timeout": 100}).encode())
    for _ in range(2):
        time.sleep(1.0)
        for child in children(server[1]):
            os.kill(child, signal.SIGKILL)
    reply = client.reply()
    assert (reply.status, reply.json) == (422, {"error": "the search was lost: its process ended"})
