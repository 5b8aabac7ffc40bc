"""What every request passes before it is answered: who may ask, how much, and what a page may do.

The server listens on the loopback address alone. That keeps other machines out, but not the pages
of other sites in the same browser: such a page may send requests here (so `Origin` must be our
own), and by a name that it points at the loopback address it may even read the answers (so `Host`
must be a loopback address). A header that is judged here stands there once: of two, another reader
might believe the other. The content security policy lets the page load its own files and
nothing else: no text of a board, a link or a file can become a script, a style or a request.
"""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ponder.page.protocol import MOST_BODY, BadRequest, error_json

NAMES = ("127.0.0.1", "localhost", "[::1]")
"""What the loopback address is called in a browser."""

JUDGED = ("host", "origin", "sec-fetch-site")
"""The headers that decide here, each of which may stand in a request once."""

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

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

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

        reason = refused(Request(scope))
        if reason is not None:
            reply = JSONResponse(error_json(reason), 403)
            await reply(scope, receive, send_with_headers)
            return
        await self.app(scope, receive, send_with_headers)


def refused(request: Request) -> str | None:
    """Return why a request is a stranger's, None when it is not."""
    for name in JUDGED:
        if len(request.headers.getlist(name)) > 1:
            return f"the header {name.title()} is repeated"
    port = (request.scope.get("server") or ("", None))[1]
    homes = {f"{name}:{port}" for name in NAMES}
    if request.headers.get("host", "").lower() not in homes | set(NAMES):
        return "this server answers to the loopback address only"
    origin = request.headers.get("origin")
    if origin is not None and origin.lower() not in {f"http://{home}" for home in homes}:
        return "this server does not answer other sites"
    if request.headers.get("sec-fetch-site", "none") == "cross-site" and request.method != "GET":
        return "this server does not answer other sites"
    return None


async def body_of(request: Request) -> bytes:
    """Return a request's body; BadRequest (413) as soon as it is known to be too large.

    Also (with 499, which nobody reads) where the client goes away before its end.
    """
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
