"""Answers for widgets: the page's worker processes, kept by a thread of the kernel.

A thread of its own, with a loop of its own, so that a search neither waits for the cells that run
nor holds them up, whatever loop the notebook has. The processes start with the first question and
end with the kernel.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING, Any

from ponder.page.assets import examples
from ponder.page.protocol import MOST_BODY, BadRequest, question_of
from ponder.page.workers import Workers, searches_at_once

if TYPE_CHECKING:
    from ponder.types import Json


class Searches:
    """Worker processes, and the thread that talks with them."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._workers = Workers(searches_at_once())
        self._begun = asyncio.run_coroutine_threadsafe(self._workers.start(), self._loop)

    def ask(self, task: str, content: Any, tell: Callable[[Json], None]) -> Future[None]:
        """Begin a task; `tell` hears, in another thread, what is known; cancel it to end it."""
        return asyncio.run_coroutine_threadsafe(self._ask(task, content, tell), self._loop)

    async def _ask(self, task: str, content: Any, tell: Callable[[Json], None]) -> None:
        try:
            await asyncio.wrap_future(self._begun)
            if task == "start":
                return tell({"end": {"board": None, "examples": examples()}})
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


@cache
def searches() -> Searches:
    """Return the searches of this kernel."""
    return Searches()
