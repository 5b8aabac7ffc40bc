"""The widget: the page's board, and what the browser and the kernel say to each other.

text, presses, playing      traits: the board as a file, the presses since play began, the mode
{id, ask, content}          from the browser: a question, as the page asks its server
{id, stop}                  it is not wanted any more
{id, say}                   to the browser: what is known so far; at last `{end}` or `{error}`
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import traitlets

from ponder.model.arguments import need_board
from ponder.model.board import Board
from ponder.model.formats import board_text, parse_board
from ponder.model.graph import GridGraph
from ponder.page import offers
from ponder.page.board_data import drawable
from ponder.page.protocol import MOST_BODY, BadRequest, question_of
from ponder.page.workers import Workers
from ponder.system.errors import BoardError
from ponder.system.types import Json, Label

HOST, VIEWS = "host.js", "views.js"
_FIRST = ("0011", "1101", "0110", "0001")


def module() -> str:
    """Return the widget's ES module: the page's modules as texts, and what loads them (VIEWS).

    The notebook's `host.js` stands in the place of the page's; `given.js` is what it is given.
    """
    package, static = files("ponder.notebook"), files("ponder.page").joinpath("static")
    texts = {entry.name: entry.read_text(encoding="utf-8") for entry in static.iterdir()}
    body = texts["index.html"].partition("<body>")[2].partition("<noscript>")[0]
    sources = {name: text for name, text in texts.items() if name.partition(".")[2] == "js"}
    sources[HOST] = package.joinpath(HOST).read_text(encoding="utf-8")
    style = json.dumps(texts["page.css"])
    sources["given.js"] = (
        f"export const given = {{}}, STYLE = {style}, BODY = {json.dumps(body)};\n"
    )
    return f"const SOURCES = {json.dumps(sources)};\n{package.joinpath(VIEWS).read_text('utf-8')}"


if TYPE_CHECKING:

    class AnyWidget:
        """What is used of a widget, whose own base has no types."""

        def __init__(self, **traits: object) -> None: ...
        def on_msg(self, hear: Callable[..., None]) -> None:
            """Call a function with each message of the browser."""

        def send(self, content: object) -> None:
            """Send a message to the browser."""

        def hold_sync(self) -> AbstractContextManager[None]:
            """Send the changes of traits at the end, together."""
else:
    from anywidget import AnyWidget


class Play(AnyWidget):
    """The page's board in a notebook."""

    _esm = module()
    text: Any = traitlets.Unicode().tag(sync=True)
    presses: Any = traitlets.List().tag(sync=True)
    playing: Any = traitlets.Bool(False).tag(sync=True)

    def __init__(self, board: Board | None = None) -> None:
        self._asked: dict[str, threading.Event] = {}  # of each question, whether it is given up
        self._shown = Board.from_rows(_FIRST) if board is None else board
        super().__init__(text=_text_of(self._shown))
        self.on_msg(self._hear)

    @property
    def board(self) -> Board:
        """The board as it stands; set it to show another."""
        if board_text(self._shown) != self.text:
            self._shown = parse_board(self.text)
        return self._shown

    @board.setter
    def board(self, board: Board) -> None:
        text = _text_of(board)
        self._shown = board
        with self.hold_sync():
            self.presses = []
            self.text = text

    @property
    def pressed(self) -> list[Label]:
        """The bulbs pressed since play began, in order."""
        return [(row, column) for row, column in self.presses]

    def _hear(self, widget: object, message: Any, buffers: object = None) -> None:
        number = str(message.get("id"))
        if message.get("stop"):
            if number in self._asked:
                self._asked.pop(number).set()
            return
        self._asked[number] = stopped = threading.Event()
        later: Any = None
        with suppress(RuntimeError):
            later = asyncio.get_running_loop().call_soon_threadsafe

        def answer() -> None:
            for known in messages(str(message.get("ask")), message.get("content"), stopped):
                reply = {"id": number, "say": known}
                if later is None:
                    self.send(reply)
                else:
                    later(self.send, reply)
            self._asked.pop(number, None)

        threading.Thread(target=answer, daemon=True).start()


def messages(task: str, content: Any, stopped: threading.Event) -> Iterator[Json]:
    """Yield what is known of a question; at last `{end}` or `{error}`."""
    if task == "start":
        yield {"end": offers()}
        return
    try:
        body = json.dumps(content).encode()
        if len(body) > MOST_BODY:
            raise BadRequest("this board is too large", 413)
        yield from workers().run(question_of(task, body), stopped.is_set)
    except BadRequest as error:
        yield {"error": str(error)}


def _text_of(board: Board) -> str:
    """Return a board as the page reads it. Raises BoardError if the page does not draw it."""
    need_board(board)
    if not isinstance(board.graph, GridGraph):
        raise BoardError(f"a {board.graph.pattern} has no grid to draw", board.name)
    return board_text(drawable(board))


@cache
def workers() -> Workers:
    """Return the searches of this kernel; they end with it."""
    return Workers()
