"""Processes that this one starts: a `Child`, and a function over many items.

Every process that ponder starts is a `Child`. It begins as `child_program.py`, in a process group
of its own, so that Ctrl-C reaches the parent alone. It ends with its parent, however that ends (see
the watchdog in `child_program`), or by `kill`, with whatever it has started, and with its folder of
temporary files. Messages are pickles, in both directions, and a thread listens to the child.

The caller decides about work whose child has died: a map (`in_parallel`) does it in this process, a
study stores the run as `lost`, the page reports an error.

`concurrent.futures.ProcessPoolExecutor` does not serve: it cannot kill one process, breaks as a
whole when one dies, and imports the `__main__` of its parent again.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Self, TypeVar

from ponder.system.child_program import OUTPUT, Parent
from ponder.system.machine import cores, deferred_signals

if TYPE_CHECKING:
    from concurrent.futures import Future
    from subprocess import Popen

PROGRAM = Path(__file__).with_name("child_program.py")

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Child:
    """A process that outlives neither the `with` block nor this process. May raise OSError.

    `memory`: bytes of private memory that it may take; `quiet`: its errors go to a file, `errors`.

    >>> with Child() as child:
    ...     child.serve("ponder.system.pool:serve")
    ...     child.send((abs, -3))
    ...     child.receive()
    (True, 3)
    """

    def __init__(self, *, memory: int = 0, quiet: bool = False) -> None:
        import subprocess  # a map that stays here (`in_parallel`) needs no process
        from tempfile import mkdtemp

        self._heard: SimpleQueue[Any] = SimpleQueue()
        self._killed = False
        with deferred_signals():
            self.folder: Path = Path(mkdtemp(prefix="ponder-"))
            self.errors: Path = self.folder / "errors.txt"
            self.output: Path = self.folder / OUTPUT
            try:
                with open(self.errors if quiet else os.devnull, "wb") as errors:
                    self.process: Popen[bytes] = subprocess.Popen(
                        # -P: the program's folder holds `types`, which is not Python's.
                        [sys.executable, "-P", str(PROGRAM), str(memory), str(self.folder)],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=errors if quiet else None,
                        start_new_session=True,
                        env={
                            "OPENBLAS_NUM_THREADS": "1",  # others work as well
                            **os.environ,
                            "TMPDIR": str(self.folder),  # what it leaves when killed goes with it
                        },
                    )
            except BaseException:
                rmtree(self.folder, ignore_errors=True)
                raise
            threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        replies = self.process.stdout
        assert replies is not None
        with replies, suppress(Exception):  # it has ended, perhaps in the midst of a message
            while True:
                self._heard.put(pickle.load(replies))
        self.process.wait()
        self._heard.put(None)

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
        """Send it a message; where it has ended, `receive` says so."""
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
            with suppress(OSError):
                _kill_tree(self.process)
            self.process.wait()
            with suppress(OSError):
                assert self.process.stdin is not None
                self.process.stdin.close()
            rmtree(self.folder, ignore_errors=True)


def _kill_tree(process: Popen[bytes]) -> None:
    """End a process and what it has started; Windows has no process groups."""
    if hasattr(os, "killpg"):
        import signal

        os.killpg(process.pid, signal.SIGKILL)  # in use, if only by the child's watchdog
        return
    import subprocess

    command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
    with suppress(OSError):
        subprocess.run(command, capture_output=True, check=False)
    process.kill()


def how_it_ended(code: int | None) -> str:
    """Say how a process ended, by its exit code."""
    if code == -9:
        return "was killed (out of memory?)"
    return f"died of signal {-code}" if code is not None and code < 0 else f"ended (code {code})"


def in_parallel(
    function: Callable[[Item], Answer], items: Iterable[Item], processes: int | None = None
) -> Iterator[Answer]:
    """Yield `function(item)` for every item, in their order.

    `function` is defined at the top of a module, as it is sent by name; its errors are raised here.
    At most three items for each process are under way. A process takes some 0.2 s to start, so this
    is for work of seconds. With `processes=1`, or where no process can be started, the work is done
    in this process; so are items whose process died.

    >>> list(in_parallel(abs, [3, -4], processes=1))
    [3, 4]
    """
    count = cores() if processes is None else processes
    if count <= 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    idle: SimpleQueue[Child] = SimpleQueue()

    def ask(item: Item) -> Answer:
        child = idle.get()
        try:
            child.send((function, item))
            good, answer = child.receive()
        finally:
            idle.put(child)
        if good:
            return answer  # type: ignore[no-any-return]
        raise answer

    def result(item: Item, future: Future[Answer]) -> Answer:
        with suppress(EOFError):  # its process has died
            return future.result()
        return function(item)

    with ThreadPoolExecutor(count) as threads, ExitStack() as children:
        with suppress(OSError):
            for _ in range(count):
                with deferred_signals():
                    child = children.enter_context(Child())
                child.serve("ponder.system.pool:serve")
                idle.put(child)
        if idle.empty():
            yield from map(function, items)
            return
        waiting: deque[tuple[Item, Future[Answer]]] = deque()
        for item in items:
            with deferred_signals():
                waiting.append((item, threads.submit(ask, item)))
            if len(waiting) >= 3 * count:
                yield result(*waiting.popleft())
        while waiting:
            yield result(*waiting.popleft())


def serve(parent: Parent) -> None:
    """Answer each `(function, item)` with whether there is a result, and it or the error."""
    for function, item in parent.requests():
        try:
            parent.reply((True, function(item)))
        except Exception as error:
            parent.reply((False, error))
