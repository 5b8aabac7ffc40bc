"""The server: its answers, who may ask, how much, and what it survives."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import select
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import ponder
from ponder.cli.play import listening
from ponder.model.formats import board_text, parse_board
from ponder.model.presets import PUZZLES
from ponder.page import static_files, workers
from ponder.page.protocol import MOST_BODY, QUESTIONS, question_of
from ponder.page.server import application
from ponder.page.tasks import TASKS
from ponder.page.workers import MOST_AT_ONCE, Job, Worker, Workers
from ponder.studies.boards_to_play import PuzzleFamily, board_to_play, daily
from ponder.system.pool import Child
from tests.page.browser import ROOT, serving
from tests.page.requests import FOR_EVER, HARD, Client, exchange, searching
from tests.processes import HANG, until

IBM = (ROOT / "instances/ibm-2023-04-30x30.txt").read_text()


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


def kill_children(process: int) -> None:
    """Kill the processes that a process has started, and that are still there."""
    for child in children(process):
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


# ------------------------------------------------------------------------------- answers


@pytest.mark.parametrize("command", ["order", "solve"])
def test_results_are_those_of_the_library(client: Client, command: str) -> None:
    reply = client.post(f"/api/{command}", {"board": IBM, "timeout": 600})
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
    assert [stage for stage in stages if stage and stage != "found"] == [
        "solvable",
        "press-sets",
        "order",
        "fewest",
    ]
    order = next(m for m in messages if m.get("stage") == "order")
    assert order["verdict"] == "impossible"
    assert len(order["marks"]["pairs"]) == 5
    assert messages[-1]["end"]["count"] == 56


def test_a_dead_end_is_not_told_to_be_solvable(client: Client) -> None:
    reply = client.post("/api/stream/answer", {"board": "rule: lit\n011\n101\n110\n"})
    messages = [json.loads(line) for line in reply.body.splitlines()]
    assert [m["stage"] for m in messages if m.get("stage", "found") != "found"] == [
        "press-sets",
        "order",
    ]
    assert messages[-1]["end"]["claim"] == "C4"


def test_a_timeout_is_unknown_and_never_impossible(client: Client) -> None:
    reply = client.post("/api/order", {"board": HARD, "timeout": 0.2})
    assert (reply.status, reply.json["verdict"]) == (200, "unknown")


def test_random_boards_without_order_have_none(client: Client) -> None:
    text = "pattern: cross\n" + "0" * 6 + "\n" + ("0" * 6 + "\n") * 5
    drawn = client.post("/api/no-order", {"board": text, "seed": 3, "timeout": 600}).json["board"]
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


def test_a_browser_keeps_the_files_until_they_change(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page itself is asked for each time, and names the edition that it was made for."""
    home = client.get("/")
    assert home.headers["cache-control"] == "no-cache"
    linked = re.findall(r'(?:href|src)="([^"#]+)"', home.body.decode())
    assert {name.partition("/")[2] for name in linked} == {
        "icon.svg",
        "ideas.html",
        "main.js",
        "page.css",
    }
    for path in linked:
        kept, fresh = client.get(f"/{path}"), client.get(f"/{path.partition('/')[2]}")
        assert (kept.status, kept.body) == (200, fresh.body)
        assert kept.headers["cache-control"] == "max-age=31536000, immutable"
        assert fresh.headers["cache-control"] == "no-cache"
    page = static_files()
    page["glyph.js"] = b"// changed", page["glyph.js"][1]
    monkeypatch.setattr("ponder.page.server.static_files", lambda: dict(page))
    routes = application(Workers(0)).app.routes  # type: ignore[attr-defined]
    files = [route.path for route in routes if route.path.endswith("/{name}")]
    assert len(files) == 2
    for path in linked:
        assert f"/{path.partition('/')[0]}/{{name}}" not in files


@pytest.mark.parametrize("name", ["Host", "Origin", "Sec-Fetch-Site"])
def test_a_header_that_decides_stands_there_once(client: Client, name: str) -> None:
    home = f"127.0.0.1:{client.port}"
    own = {"Host": home, "Origin": f"http://{home}", "Sec-Fetch-Site": "none"}
    client.connection.putrequest("GET", "/api/start", skip_host=True)
    for header in ("Host", name, name)[name == "Host" :]:
        client.connection.putheader(header, own[header])
    client.connection.endheaders()
    reply = client.reply()
    assert 400 <= reply.status < 500
    if name != "Host":  # two of them are no HTTP
        assert list(reply.json) == ["error"]


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
    (b"", "no valid JSON"),
    (b"[" * 100_000, "no valid JSON"),
    (b"\xff", "no valid JSON"),
    (b'"01"', "one object"),
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
    ({"board": "\udcff\ud800"}, "no character"),
    (b'{"board": "01", "board": "10"}', "the key 'board' is repeated"),
    (b'{"board": "01", "timeout": 1, "timeout": 600}', "the key 'timeout' is repeated"),
    (b'{"board": "01", "x": {"y": 1, "y": 2}}', "the key 'y' is repeated"),
]


@pytest.mark.parametrize(("body", "words"), BAD)
def test_bad_requests_get_one_line(client: Client, body: object, words: str) -> None:
    reply = client.post("/api/order", body)
    assert 400 <= reply.status < 500
    assert list(reply.json) == ["error"]
    assert "\n" not in reply.json["error"]
    assert words in reply.json["error"]
    assert "Traceback" not in reply.json["error"]


OURS = {"stop": "x", "job": 7, "task": "solve", "asked": {}, "status": 500, "session": "b"}
"""What the server says to its workers: no client can."""


@pytest.mark.parametrize("key", OURS)
def test_keys_that_no_question_has_are_left_out(client: Client, key: str) -> None:
    content = {"board": "0011\n1101\n0110\n0001", key: OURS[key]}
    reply = client.post("/api/order", content)
    assert (reply.status, reply.json["command"], reply.json["count"]) == (200, "order", 4)


def test_each_question_has_a_task() -> None:
    assert set(QUESTIONS) == set(TASKS)


@pytest.mark.parametrize("seed", [-1, 1.5, True, "3", [3]])
def test_a_seed_is_a_whole_number(client: Client, seed: object) -> None:
    reply = client.post("/api/no-order", {"board": "000\n000\n000", "seed": seed})
    assert (reply.status, reply.json) == (400, {"error": "`seed` is a whole number from 0 on"})


def test_boards_to_play_are_those_of_the_library(client: Client) -> None:
    own = "pattern: king\nrule: lit\ngoal: unlit\n00-0\n0000\n0000\n"
    for puzzle in PUZZLES:
        made = PuzzleFamily(puzzle, puzzle.sizes[2], puzzle.sizes[2], "hard").board(7)
        asked = {"board": own, "puzzle": puzzle.key, "grade": "hard", "seed": 7}
        assert client.post("/api/new", asked).json == {"board": board_text(made)}
    asked = {"board": own, "puzzle": "your-own", "grade": "easy", "seed": 2**32 - 1}
    made = board_to_play(parse_board(own), "easy", 2**32 - 1).board
    assert client.post("/api/new", asked).json == {"board": board_text(made)}
    family, seed = daily(date(2026, 11, 24))
    day = {"board": own, "daily": "2026-11-24"}
    assert client.post("/api/new", day).json == {"board": board_text(family.board(seed))}


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"daily": "2026-11-31"},
        {"daily": 3},
        {"puzzle": "lights-out", "grade": "mean", "seed": 1},
        {"puzzle": "lights-off", "grade": "easy", "seed": 1},
        {"puzzle": ["in-order"], "grade": "easy", "seed": 1},
        {"puzzle": "your-own", "grade": "easy", "seed": -1},
        {"puzzle": "your-own", "grade": "easy", "seed": 1.5},
    ],
)
def test_what_names_no_board_to_play(client: Client, asked: dict[str, object]) -> None:
    reply = client.post("/api/new", {"board": "000\n000\n000", **asked})
    assert (reply.status, list(reply.json)) == (400, ["error"])


TOO_MUCH = {
    '{"nodes": 101}': "a graph of 101 bulbs is too large for the page (at most 100)",
    "[.#] " + "(0,1) " * 99: "a graph of 101 lights and buttons is too large for the page",
    "pattern: toggles 0,1\n000\n000": "the page does not play `toggles`",
}


@pytest.mark.parametrize("text", TOO_MUCH)
def test_what_the_page_does_not_draw_is_answered_by_the_library(client: Client, text: str) -> None:
    for task in ("board", "answer", "quiet", "single", "no-order"):
        reply = client.post(f"/api/{task}", {"board": text})
        assert reply.status == 400
        assert TOO_MUCH[text] in reply.json["error"]
    assert client.post("/api/solve", {"board": text}).json["schema"] == "ponder.result/1"


def test_a_wiring_has_answers_and_places(client: Client) -> None:
    text = (ROOT / "instances/wiring-one-way-7.json").read_text()
    board = ponder.parse_board(client.post("/api/board", {"board": text}).json["board"])
    assert board == ponder.parse_board(text)
    places = board.graph.positions
    assert places is not None
    assert places.shape == (14, 2)
    assert client.post("/api/quiet", {"board": text}).json == {"nullity": 0, "patterns": []}
    for task in ("single", "refute"):
        reply = client.post(f"/api/{task}", {"board": text})
        assert (reply.status, "has none" in reply.json["error"]) == (400, True)


def fuzzed(rng: random.Random) -> tuple[str, bytes]:
    """Return a task and a body: sound, spoiled, or nothing of the kind."""
    task = rng.choice([*QUESTIONS, "nothing"])
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
    fuzz(client, seed=0, count=300)


@pytest.mark.deep
def test_ten_thousand_bodies_are_not_too_much_for_the_api(client: Client) -> None:
    fuzz(client, seed=time.localtime().tm_yday + 1000, count=10_000)


# ------------------------------------------------------------------------------- what is no HTTP


POST = b"POST /api/order HTTP/1.1\r\nHost: 127.0.0.1\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
NONSENSE = {  # each so short that it arrives whole: what is not read any more undoes the reply
    "no request": (b"GARBAGE\r\n\r\n",),
    "no text": (bytes(range(256)) + b"\r\n\r\n",),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100),),
    "a long line": (b"GET /" + b"a" * 30_000 + b" HTTP/1.1\r\n\r\n",),
    "many headers": (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",),
    "two hosts": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil\r\n\r\n",),
    "a negative length": (POST + b"Content-Length: -5\r\n\r\n",),
    "two lengths": (POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",),
    "a length of many digits": (POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",),
    "a length in other digits": (POST + "Content-Length: ٣\r\n\r\n".encode(),),
    "an unknown coding": (POST + b"Transfer-Encoding: gzip\r\n\r\n",),
    "no chunk": (CHUNKED + b"ZZZ\r\n",),
    "no second chunk": (CHUNKED + b"2\r\n{}\r\n", b"ZZZ\r\n"),
}


@pytest.mark.parametrize("what", NONSENSE)
def test_what_is_no_http_gets_one_line(server: tuple[str, int], client: Client, what: str) -> None:
    head, _, body = exchange(server[0], *NONSENSE[what]).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"Invalid HTTP request received." in body
    assert client.get("/").status == 200


LARGE = MOST_BODY + 100_000


def test_what_follows_an_answer_may_be_nonsense(server: tuple[str, int], client: Client) -> None:
    """Of an answer that is under way or over nothing can be taken back."""
    with socket.create_connection(("127.0.0.1", client.port), HANG) as connection:
        connection.sendall(CHUNKED + b"%x\r\n" % LARGE + b" " * LARGE + b"\r\n")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 413 ")
        connection.sendall(b"ZZZ\r\n")
        while connection.recv(1 << 16):  # until the server ends it
            pass
    body = json.dumps({"board": "01"}).encode()
    whole = POST + b"Content-Length: %d\r\n\r\n" % len(body) + body
    assert exchange(server[0], whole + b"GARBAGE\r\n\r\n").startswith(b"HTTP/1.1 200 ")
    assert client.get("/").status == 200


@pytest.mark.parametrize("sent", [b"", b'{"boa'])
@pytest.mark.parametrize("path", [b"/api/order", b"/api/stream/answer", b"/api/start", b"/"])
def test_a_client_that_leaves_in_mid_body(
    server: tuple[str, int], client: Client, path: bytes, sent: bytes
) -> None:
    for coding in (b"Content-Length: 500\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n7\r\n"):
        head = POST.replace(b"/api/order", path) + coding
        exchange(server[0], head, sent, leave=True)
    assert client.get("/").status == 200


def test_no_other_protocol_is_spoken(server: tuple[str, int], client: Client) -> None:
    """And nobody is told to install one."""
    asking = (
        b"GET /api/start HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\n"
        b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n"
    ) % (b"a" * 22 + b"==")
    assert exchange(server[0], asking).startswith(b"HTTP/1.1 200 ")


def test_more_connections_than_there_may_be(tmp_path: Path) -> None:
    """Said once, and over when they end."""
    few = ("sh", "-c", 'ulimit -n 64; exec "$0" "$@"')
    with serving(errors=tmp_path / "errors", before=few) as (address, process):
        place = ("127.0.0.1", urlsplit(address).port)
        with ExitStack() as crowd:
            for _ in range(100):
                crowd.enter_context(socket.create_connection(place))
            assert until(lambda: "Too many open files" in (tmp_path / "errors").read_text())
        with closing(Client(address)) as client:
            assert client.post("/api/solve", {"board": IBM}).json["count"] == 429
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG) == 0
    lines = (tmp_path / "errors").read_text().splitlines()
    assert len(lines) == 2
    assert lines[0] == "Ctrl-C ends it."


# ------------------------------------------------------------------------------- what it survives


def test_searches_that_nobody_waits_for_end(server: tuple[str, int], client: Client) -> None:
    """Many more than may run at once: none of them is in the way of the next."""
    for k in range(12):
        if k % 2:
            with closing(Client(server[0])) as leaving:
                leaving.send("POST", "/api/solve", json.dumps(FOR_EVER).encode())
        else:
            with searching(server[0]):
                pass
    assert client.post("/api/solve", {"board": IBM}).json["count"] == 429


def test_a_session_has_one_search_the_latest(server: tuple[str, int], client: Client) -> None:
    with searching(server[0], session="a") as said:
        assert client.post("/api/solve", {"board": IBM, "session": "a"}).json["count"] == 429
        assert list(said)[-1] == {"error": "another search took its place", "status": 409}
    with closing(Client(server[0])) as first:
        first.send("POST", "/api/solve", json.dumps({**FOR_EVER, "session": "a"}).encode())
        while not answered(first):  # it may be the later one, as long as it has not come at all
            client.post("/api/solve", {"board": IBM, "session": "a"})
        reply = first.reply()
        assert (reply.status, reply.json) == (409, {"error": "another search took its place"})


def answered(client: Client) -> bool:
    """Whether a reply to what was sent has begun."""
    return bool(select.select([client.connection.sock], [], [], 0)[0])


def test_a_queue_that_says_so(server: tuple[str, int]) -> None:
    clients = [Client(server[0]) for _ in range(MOST_AT_ONCE + 1)]
    firsts = [next(one.stream(**FOR_EVER)) for one in clients]
    assert any(first.get("ahead") == 1 for first in firsts)
    for one in clients:
        one.close()


def test_a_killed_worker_is_replaced(server: tuple[str, int], client: Client) -> None:
    for _ in range(3):
        kill_children(server[1])
        assert client.post("/api/solve", {"board": IBM}).json["count"] == 429


def test_killed_workers_leave_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with serving() as (address, process):
        for _ in range(2):
            kill_children(process.pid)
            assert Client(address).post("/api/solve", {"board": IBM}).json["count"] == 429
        assert list(tmp_path.glob("ponder-*"))
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG) == 0
    assert list(tmp_path.glob("ponder-*")) == []


def test_a_search_whose_worker_is_killed_again_and_again_is_one_line(
    server: tuple[str, int], client: Client
) -> None:
    lost = "the search was lost: its process ended"
    with searching(server[0]) as said:
        kill_children(server[1])
        assert any("stage" in message for message in said)  # it has begun again
        kill_children(server[1])
        assert list(said)[-1] == {"error": lost, "status": 422}
    client.send("POST", "/api/solve", json.dumps(FOR_EVER).encode())
    while not answered(client):
        kill_children(server[1])
    reply = client.reply()
    assert (reply.status, reply.json) == (422, {"error": lost})


def test_a_search_has_its_time_from_when_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a process that is new takes longer to load than a search may take."""
    happened: list[str] = []

    class Slow(Worker):
        def __init__(self) -> None:
            self.says: list[dict[str, object]] = [
                {"ready": True},
                {"job": 1, "begins": True},
                {"job": 1, "end": {}},
            ]

        def tell(self, message: dict[str, object]) -> None:
            happened.append("asked")

        async def hear(self) -> dict[str, object]:
            happened.append(" ".join(self.says[0]))
            return self.says.pop(0)

    def limit(timeout: float) -> float:
        happened.append("limit")
        return HANG

    monkeypatch.setattr(workers, "overtime", limit)
    job = Job(1, question_of("order", b'{"board": "01"}'))
    with ThreadPoolExecutor(1) as alone:  # the thread of a browser that is open has a loop already
        alone.submit(asyncio.run, Workers(1)._listen(job, Slow())).result()
    assert happened == ["asked", "ready", "job begins", "limit", "job end"]
    assert job.news.get_nowait() == {"end": {}}


@pytest.mark.parametrize("said", [b'{"stop": "x"}', b""])
def test_a_worker_that_hears_nothing_sensible_ends(said: bytes) -> None:
    """Its input is the server's voice: without it a worker would outlive the server."""
    with Child() as worker:
        worker.serve("ponder.page.tasks:serve")
        assert worker.receive() == {"ready": True}
        assert worker.process.stdin is not None
        if said:
            worker.process.stdin.write(said + b"\n")
            worker.process.stdin.flush()
        else:
            worker.process.stdin.close()
        assert worker.process.wait(HANG) == -signal.SIGKILL
