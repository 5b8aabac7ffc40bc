"""The life of a worker: a process that does one task after the other for the server.

It reads requests from its standard input and answers on its standard output (`protocol`). A thread
listens while the main thread searches, so that a search hears `stop`; a search that does not stop
is killed from outside, and so is one that takes too much memory. A worker ends with its server:
its input is closed then, and it takes whatever it has started with it.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import Any, BinaryIO

from ponder.errors import PonderError
from ponder.limits import Limits, TimeUp
from ponder.page import tasks
from ponder.page.protocol import BadRequest, line_of
from ponder.types import Json

MOST_MEMORY = 3_000_000_000
"""Bytes that a worker may take."""


class _Listener(threading.Thread):
    """Reads what the server says: requests go to a queue, a stop is heard at once."""

    def __init__(self, source: BinaryIO) -> None:
        super().__init__(daemon=True)
        self.source = source
        self.requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.stopped = 0

    def run(self) -> None:
        try:
            for line in self.source:
                message = json.loads(line)
                if "stop" in message:
                    self.stopped = max(self.stopped, int(message["stop"]))
                else:
                    self.requests.put(message)
        finally:  # nobody is heard any more: so are we gone, and what we have started
            with suppress(OSError):
                os.killpg(0, signal.SIGKILL)
            os._exit(1)


def main() -> None:
    """Do what the server asks until it is gone."""
    replies = _own_output()
    _limit_memory()
    listener = _Listener(sys.stdin.buffer)
    listener.start()
    tasks.warm_up()
    _write(replies, {"ready": True})
    while True:
        request = listener.requests.get()
        _write(replies, {"job": request["job"], "begins": True})
        _write(replies, {"job": request["job"], **_answer(request, listener, replies)})


def _answer(request: dict[str, Any], listener: _Listener, replies: BinaryIO) -> Json:
    """Do one task; every way in which it can fail becomes a line."""
    job, asked = int(request["job"]), request["asked"]
    limits = Limits(request["timeout"], lambda: listener.stopped >= job)
    try:
        task = tasks.TASKS[request["task"]]
        end = task(asked, limits, lambda news: _write(replies, {"job": job, "say": news}))
        return {"end": end}
    except BadRequest as error:
        return {"error": str(error), "status": error.status}
    except PonderError as error:
        return {"error": str(error), "status": 400}
    except TimeUp as stopped:
        return {"error": f"unknown: {stopped}", "status": 422}
    except MemoryError:
        return {"error": "this search needs more memory than it may take", "status": 422}
    except Exception as error:
        return {"error": f"the search failed: {type(error).__name__}: {error}", "status": 422}


def _write(replies: BinaryIO, message: Json) -> None:
    replies.write(line_of(message))
    replies.flush()


def _own_output() -> BinaryIO:
    """Take standard output for the replies alone: what a library prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):  # where there are no such limits
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
