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
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import aclosing, suppress
from functools import cache, partial
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from ponder.model.board import Board
from ponder.model.formats import board_text, parse_board
from ponder.model.graph import GridGraph
from ponder.model.wired_graph import no_wiring
from ponder.page import offers
from ponder.page.engine import ask
from ponder.page.protocol import LONGEST_SIDE, MOST_BODY, BadRequest, question_of
from ponder.page.workers import Workers, searches_at_once
from ponder.system.errors import BoardError
from ponder.system.machine import single_threaded_platform
from ponder.system.types import Json, Label

HOST, VIEWS = "host.js", "views.js"


def module() -> str:
    """Return the widget's ES module: the page's modules as texts, and what loads them (VIEWS).

    The notebook's `host.js` stands in the place of the page's; `given.js` is what it is given.
    """
    own, static = files("ponder.notebook"), files("ponder.page").joinpath("static")
    found = {entry.name: entry.read_text(encoding="utf-8") for entry in static.iterdir()}
    body = found["index.html"].partition("<body>")[2].partition("<noscript>")[0]
    sources = {name: text for name, text in found.items() if name.partition(".")[2] == "js"}
    sources[HOST] = own.joinpath(HOST).read_text(encoding="utf-8")
    style = json.dumps(found["page.css"])
    sources["given.js"] = (
        f"export const given = {{}}, STYLE = {style}, BODY = {json.dumps(body)};\n"
    )
    return f"const SOURCES = {json.dumps(sources)};\n{own.joinpath(VIEWS).read_text('utf-8')}"


_FIRST = ("0011", "1101", "0110", "0001")


class Play(anywidget.AnyWidget):
    """The page's board in a notebook."""

    _esm = module()
    text: Any = traitlets.Unicode().tag(sync=True)
    presses: Any = traitlets.List().tag(sync=True)
    playing: Any = traitlets.Bool(False).tag(sync=True)

    def __init__(self, board: Board | None = None) -> None:
        self._asked: dict[str, Future[None]] = {}
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
            if (known := self._asked.pop(number, None)) is not None:
                known.cancel()
            return
        tell: Callable[[Json], Any] = partial(self._say, number)  # in the searches' thread
        with suppress(RuntimeError):
            later: Any = asyncio.get_running_loop().call_soon_threadsafe
            tell = partial(later, tell)
        asked = searches().ask(str(message.get("ask")), message.get("content"), tell)
        self._asked[number] = asked
        asked.add_done_callback(lambda _: self._asked.pop(number, None))

    def _say(self, number: str, known: Json) -> None:
        self.send({"id": number, "say": known})


def _text_of(board: Board) -> str:
    """Return a board as the page reads it. Raises BoardError if the page does not draw it."""
    no_wiring(board.graph)
    if not isinstance(board.graph, GridGraph):
        raise BoardError("a graph has no grid to draw", board.name)
    if max(board.graph.shape) > LONGEST_SIDE:
        raise BoardError(f"the page draws at most {LONGEST_SIDE} rows and columns", board.name)
    return board_text(board)


class Searches:
    """The page's worker processes, and a thread of the kernel that talks with them.

    It has a loop of its own, so that searches and running cells do not wait for each other,
    whatever loop the notebook has. Processes start with the first question, end with the kernel.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._workers = Workers(searches_at_once())
        self._begun = asyncio.run_coroutine_threadsafe(self._workers.start(), self._loop)

    def ask(self, task: str, content: Any, tell: Callable[[Json], Any]) -> Future[None]:
        """Begin a task, and return it. `tell` hears of progress in another thread. Cancel the task
        to end it.
        """
        return asyncio.run_coroutine_threadsafe(self._ask(task, content, tell), self._loop)

    async def _ask(self, task: str, content: Any, tell: Callable[[Json], Any]) -> None:
        try:
            await asyncio.wrap_future(self._begun)
            if task == "start":
                tell({"end": offers()})
                return
            body = json.dumps(content).encode()
            if len(body) > MOST_BODY:
                raise BadRequest("this board is too large", 413)
            async with aclosing(self._workers.run(question_of(task, body))) as messages:
                async for message in messages:
                    tell(message)
        except BadRequest as error:
            tell({"error": str(error)})
        except OSError as error:
            tell({"error": f"no search can be started: {error.strerror or error}"})


class InTurn:
    """Searches of a kernel that has no processes and no threads: it runs no cell meanwhile."""

    def ask(self, task: str, content: Any, tell: Callable[[Json], Any]) -> Future[None]:
        """Do a task."""
        known: Json | None = {"end": offers()} if task == "start" else None
        tell(known or json.loads(ask(task, json.dumps(content), lambda x: tell(json.loads(x)))))
        done = Future[None]()
        done.set_result(None)
        return done


@cache
def searches() -> Searches | InTurn:
    """Return the searches of this kernel."""
    return InTurn() if single_threaded_platform() else Searches()
