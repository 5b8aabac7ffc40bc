"""The server of `ponder play`: the page's files, and the questions that it asks.

    GET  /, /NAME               the page's files, from memory
    GET  /EDITION/NAME          the same, for a browser to keep: another content is another edition
    GET  /api/start             the board to begin with (or null), boards and puzzles on offer
    POST /api/TASK              `{"board": text, "timeout": seconds}` → the answer of a task
    POST /api/stream/TASK       the same, as it becomes known: one JSON object a line

Every search runs in a process of its own (`workers`) and ends when its client goes away. Errors
have a status of 4xx and are one line; 500 is a fault of this program. The terminal belongs to the
user who started `ponder play`, not to clients: uvicorn's log is silent.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import secrets
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import aclosing, contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ponder.page import TYPES, offers, static_files
from ponder.page.protocol import MOST_BODY, BadRequest, error_json, line_of, question_of
from ponder.page.workers import Workers

if TYPE_CHECKING:
    from ponder.system.types import Json

Answer = TypeVar("Answer")

NAMES = ("127.0.0.1", "localhost", "[::1]")  # what the loopback address is called in a browser
LEAVING = 1  # seconds that open requests have when the server ends


def application(
    workers: Workers, start: str | None = None, name: str = NAMES[0], token: str | None = None
) -> Guard:
    """Return the server as an ASGI application; `start` is the board to begin with.

    `name` is the address that it answers to, beside the loopback address; clients must have opened
    it once with the token, unless that is None.
    """
    page, offered = static_files(), offers(start)
    edition = sha256(repr(sorted(page.items())).encode()).hexdigest()[:16]
    links, lead = rb' (href|src)="(?=\w+\.)', rb' \1="%s/' % edition.encode()
    page["index.html"] = re.sub(links, lead, page["index.html"][0]), TYPES[".html"]
    packed = {name: gzip.compress(content, mtime=0) for name, (content, _) in page.items()}

    async def file(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in page:
            raise HTTPException(404)
        content, media_type = page[name]
        kept = "max-age=31536000, immutable" if edition in request.url.path else "no-cache"
        headers = {"cache-control": kept, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            content, headers["content-encoding"] = packed[name], "gzip"
        return Response(content, media_type=media_type, headers=headers)

    async def begin(request: Request) -> Response:
        return JSONResponse(offered)

    async def ask(request: Request) -> Response:
        messages = await _asked(workers, request)
        last = await _until_gone(request.receive, _last_of(messages))
        if last is None:
            return Response(status_code=499)  # which is never read
        if "end" not in last:
            raise _failure(last)
        return JSONResponse(last["end"])

    routes = [
        Route("/", file),
        Route("/api/start", begin),
        Route("/api/stream/{task}", Stream(workers), methods=["POST"]),
        Route("/api/{task}", ask, methods=["POST"]),
        Route("/{name}", file),
        Route(f"/{edition}/{{name}}", file),
    ]
    replies: dict[Any, Any] = {BadRequest: _refusal, HTTPException: _no_such, Exception: _fault}
    return Guard(Starlette(routes=routes, exception_handlers=replies), name, token)


class Stream:
    """Answers line by line, as long as somebody reads: an ASGI application."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        messages = await _asked(self.workers, request)
        await _until_gone(request.receive, self._send_all(messages, send))

    async def _send_all(self, messages: AsyncGenerator[Json], send: Send) -> None:
        begun = False
        async with aclosing(messages):
            async for message in messages:
                if not begun:
                    if "error" in message:
                        raise _failure(message)
                    head = {"content-type": "application/x-ndjson", "cache-control": "no-store"}
                    raw = Headers(head).raw
                    await send({"type": "http.response.start", "status": 200, "headers": raw})
                    begun = True
                line = line_of(message)
                await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _asked(workers: Workers, request: Request) -> AsyncGenerator[Json]:
    """Return the messages of the search that a request asks for. Raises BadRequest."""
    return workers.run(question_of(request.path_params["task"], await body_of(request)))


async def _last_of(messages: AsyncGenerator[Json]) -> Json:
    last: Json = {}
    async with aclosing(messages):
        async for message in messages:
            last = message
    return last


def _failure(message: Json) -> BadRequest:
    return BadRequest(str(message["error"]), int(str(message.get("status", 422))))


async def _until_gone(receive: Receive, work: Coroutine[Any, Any, Answer]) -> Answer | None:
    """Return what the work returns; give it up, with None, when the client goes away before."""

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(gone())
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, leaving):
            task.cancel()
            with suppress(asyncio.CancelledError, BadRequest):
                await task


async def _refusal(request: Request, error: BadRequest) -> Response:
    return JSONResponse(error_json(str(error)), error.status)


async def _no_such(request: Request, error: HTTPException) -> Response:
    words = "there is nothing here" if error.status_code == 404 else "use POST"
    return JSONResponse(error_json(words), error.status_code)


async def _fault(request: Request, error: Exception) -> Response:
    return JSONResponse(error_json(f"the server failed: {type(error).__name__}: {error}"), 500)


class Server(uvicorn.Server):
    """A server that calls `ending` before it waits for the requests that are open."""

    def __init__(self, application: Callable[..., object], ending: Callable[[], Awaitable[None]]):
        super().__init__(
            uvicorn.Config(
                application,
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=LEAVING,
            )
        )
        self.ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: the searches, then the requests, then the connections."""
        await self.ending()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to `ponder.cli.play`."""
        yield


# Who may ask, how much, and what a page may do. The loopback address keeps other machines out, but
# not the pages of other sites in the same browser: such a page may send requests here (so `Origin`
# must be our own), and by a name that it points at the loopback address it may even read the
# answers (so `Host` must be an address of ours). Other machines, where they are let in, must show a
# token that only the printed address has: it is exchanged for a cookie. The content security policy
# lets the page load its own files and nothing else: no text of a board, a link or a file can become
# a script, a style or a request.

JUDGED = ("host", "origin", "sec-fetch-site")  # headers that decide here, and may stand once

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Guard:
    """The ASGI application around the application proper."""

    def __init__(self, app: ASGIApp, name: str, token: str | None) -> None:
        self.app, self.names, self.token = app, {*NAMES, name}, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a stranger's request; give every reply its headers."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no other protocol is spoken here
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *own]}
            await send(message)

        request = Request(scope)
        reason = refused(request, self.names)
        if reason is None and self.token is not None:
            cookie = f"ponder-{(scope.get('server') or ('', 0))[1]}"
            if _same(request.query_params.get("token"), self.token):
                entry = RedirectResponse("/", 303)
                entry.set_cookie(cookie, self.token, httponly=True, samesite="lax")
                await entry(scope, receive, send_with_headers)
                return
            if not _same(request.cookies.get(cookie), self.token):
                reason = "open the whole address that `ponder play` printed, with its token"
        if reason is not None:
            reply = JSONResponse(error_json(reason), 403)
            await reply(scope, receive, send_with_headers)
            return
        await self.app(scope, receive, send_with_headers)


def _same(said: str | None, token: str) -> bool:
    return said is not None and secrets.compare_digest(said.encode(), token.encode())


def refused(request: Request, names: Iterable[str] = NAMES) -> str | None:
    """Return why a request is a stranger's, None when it is not."""
    for name in JUDGED:
        if len(request.headers.getlist(name)) > 1:
            return f"the header {name.title()} is repeated"
    port = (request.scope.get("server") or ("", None))[1]
    homes = {f"{name}:{port}" for name in names}
    if request.headers.get("host", "").lower() not in homes | {*names}:
        return "this server answers to its own address only"
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    foreign = origin is not None and origin.lower() not in {f"http://{home}" for home in homes}
    if foreign or (site == "cross-site" and request.method != "GET"):
        return "this server does not answer other sites"
    return None


async def body_of(request: Request) -> bytes:
    """Return a request's body. Raises BadRequest 413 if it is too large, 499 if it breaks off."""
    too_large = BadRequest(f"the body is larger than {MOST_BODY:,} bytes", 413)
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced) > MOST_BODY:
        raise too_large
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BODY:
                raise too_large
    except ClientDisconnect:
        raise BadRequest("the client went away", 499) from None
    return bytes(body)
