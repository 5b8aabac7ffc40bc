"""Processes that search: one a question, killed when nobody waits for its answer any more.

A process that has answered waits for the next question, and one is started ahead, so that none has
to wait until a process has loaded what it needs (0.3 s).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty
from typing import Final

from ponder.page.protocol import BadRequest, Question
from ponder.system.pool import Child
from ponder.system.types import Json

LOOK: Final = 0.05  # seconds between two looks at whether the client is still there
LOADING: Final = 2.0  # seconds that a process may need before it begins
MOST_AT_ONCE: Final = 8  # searches at once
MOST_MEMORY: Final = 3_000_000_000  # bytes that a process may take
SPARE: Final = 1  # processes that wait for a question


class Workers:
    """The processes of a server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy: set[Child] = set()
        self._idle: list[Child] = []
        self._over = False
        self._refill()

    def run(self, question: Question, gone: Callable[[], bool]) -> Iterator[Json]:
        """Do a task: yield what is known so far, at last `{"end": …}` or `{"error": …}`.

        It ends without a word when `gone` says so, or when the iterator is closed.
        """
        with self._lock:
            if len(self._busy) >= MOST_AT_ONCE:
                raise BadRequest("too many searches at once; try again in a while", 429)
            if self._over:
                raise BadRequest("the server has ended", 503)
            try:
                child = self._idle.pop() if self._idle else _started()
            except OSError as error:
                reason = f"no search can be started: {error.strerror or error}"
                raise BadRequest(reason, 503) from None
            self._busy.add(child)
        threading.Thread(target=self._refill, daemon=True).start()
        answered = False
        try:
            child.send(question)
            latest = time.monotonic() + LOADING + 2.0 + 1.5 * question[1]
            while not answered:
                try:
                    message = child.receive(LOOK)
                except Empty:
                    if gone():
                        return
                    if time.monotonic() > latest:
                        yield {"error": "the search did not end in time and was killed"}
                        return
                    continue
                except EOFError:
                    yield {"error": "the search was lost: its process ended"}
                    return
                answered = "end" in message or "error" in message
                yield message
        finally:
            with self._lock:
                self._busy.discard(child)
                if keep := answered and len(self._idle) < SPARE and not self._over:
                    self._idle.append(child)
            if not keep:
                child.kill()

    def end(self) -> None:
        """Kill all processes."""
        with self._lock:
            self._over = True
            children = [*self._busy, *self._idle]
        for child in children:
            child.kill()

    def _refill(self) -> None:
        with self._lock:
            if not self._over and len(self._idle) < SPARE:
                try:
                    self._idle.append(_started())
                except OSError:  # the next search tries again, and says so
                    return


def _started() -> Child:
    child = Child(memory=MOST_MEMORY)
    child.serve("ponder.page.tasks:serve")
    return child
