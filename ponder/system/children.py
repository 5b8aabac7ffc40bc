"""Processes that this one starts: how each begins, is spoken to, and ends.

Every process that ponder starts is a `Child`. It begins as `child_program.py`, in a process group
of its own, so that Ctrl-C reaches the parent alone, whose business it is. It ends with its parent,
however that ends (see the watchdog in `child_program`), or by `kill`, with whatever it has started,
and with its folder of temporary files. Messages are pickles, in both directions, and a thread
listens to the child. A few numbers are shared (`numbers`): what changes too often for messages, and
what a child that is busy has to see, such as a wish to stop.

`concurrent.futures.ProcessPoolExecutor` does not serve: it cannot kill one process, breaks as a
whole when one dies, and imports the `__main__` of its parent again.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, MutableSequence, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from typing import Any, Self

from ponder.system.child_program import NUMBERS, OUTPUT, SHARED, shared_numbers
from ponder.system.machine import kill_tree
from ponder.system.signals import deferred_signals

PROGRAM = Path(__file__).with_name("child_program.py")


class Child:
    """A process that outlives neither the `with` block nor this process. May raise OSError.

    `hear` is called in another thread with each message, and with None when the process has ended;
    without it, messages wait for `receive`.
    `memory`: bytes of private memory that it may take; `quiet`: its errors go to a file, `errors`.

    >>> with Child() as child:
    ...     child.serve("ponder.system.parallel:serve")
    ...     child.send((abs, -3))
    ...     child.receive()
    (True, 3)
    """

    def __init__(
        self, hear: Callable[[Any], None] | None = None, *, memory: int = 0, quiet: bool = False
    ) -> None:
        self._heard: SimpleQueue[Any] = SimpleQueue()
        with deferred_signals():
            self.folder: Path = Path(tempfile.mkdtemp(prefix="ponder-"))
            self.errors: Path = self.folder / "errors.txt"
            self.output: Path = self.folder / OUTPUT
            try:
                (self.folder / NUMBERS).write_bytes(bytes(8 * SHARED))
                self.numbers: MutableSequence[float] = shared_numbers(str(self.folder))
                with open(self.errors if quiet else os.devnull, "wb") as errors:
                    self.process: subprocess.Popen[bytes] = subprocess.Popen(
                        # -P: the program's folder holds `encodings`, which is not Python's.
                        [sys.executable, "-P", str(PROGRAM), str(memory), str(self.folder)],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=errors if quiet else None,
                        start_new_session=True,
                        env={"OPENBLAS_NUM_THREADS": "1", **os.environ},  # others work as well
                    )
            except BaseException:
                rmtree(self.folder, ignore_errors=True)
                raise
            self._killed = False
            threading.Thread(
                target=self._listen, args=(hear or self._heard.put,), daemon=True
            ).start()

    def _listen(self, hear: Callable[[Any], None]) -> None:
        replies = self.process.stdout
        assert replies is not None
        with replies, suppress(Exception):  # it has ended, perhaps in the midst of a message
            while True:
                hear(pickle.load(replies))
        self.process.wait()
        hear(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def serve(self, function: str) -> None:
        """Let it call a function, named `module:function`, with its `Parent`."""
        self.send(((), sys.path, function))

    def become(self, command: Sequence[str]) -> None:
        """Let it become a command, whose output goes to a file, `output`."""
        self.send((tuple(command), (), ""))

    def send(self, message: object) -> None:
        """Tell it something; where it has ended, `hear` is told."""
        assert self.process.stdin is not None
        pickled = pickle.dumps(message)
        with suppress(OSError, ValueError):  # it is gone, or was killed
            self.process.stdin.write(pickled)
            self.process.stdin.flush()

    def receive(self, timeout: float | None = None) -> Any:
        """Return its next message. Raises EOFError at its end, `queue.Empty` after the timeout."""
        message = self._heard.get(timeout=timeout)
        if message is None:
            self._heard.put(None)
            raise EOFError
        return message

    def kill(self) -> None:
        """End it and what it has started, whatever they are doing."""
        with deferred_signals():
            if self._killed:
                return
            self._killed = True
            with suppress(ProcessLookupError, PermissionError):
                kill_tree(self.process)
            self.process.wait()
            with suppress(OSError):
                assert self.process.stdin is not None
                self.process.stdin.close()
            rmtree(self.folder, ignore_errors=True)


def how_it_ended(code: int | None) -> str:
    """Say how a process ended, by its exit code."""
    if code == -9:
        return "was killed (out of memory?)"
    return f"died of signal {-code}" if code is not None and code < 0 else f"ended (code {code})"
