"""Processes that this one starts: a `Child`, a `Pool` of them, and a function over many items.

Every process that ponder starts is a `Child`. It begins as `child_program.py`, in a process group
of its own, so that Ctrl-C reaches the parent alone, whose business it is. It ends with its parent,
however that ends (see the watchdog in `child_program`), or by `kill`, with whatever it has started,
and with its folder of temporary files. Messages are pickles, in both directions, and a thread
listens to the child. A few numbers are shared (`numbers`): what changes too often for messages, and
what a child that is busy has to see, such as a wish to stop.

A `Pool` keeps children of one kind, and knows which are idle; when it ends, however it ends, they
are gone. What becomes of work whose child has died is for its owner to say: a map (`in_parallel`)
does it here, a study tries it once more alone, the page in a new process.

`concurrent.futures.ProcessPoolExecutor` does not serve: it cannot kill one process, breaks as a
whole when one dies, and imports the `__main__` of its parent again.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from ponder.system.child_program import NUMBERS, OUTPUT, SHARED, shared_numbers
from ponder.system.limits import NEVER, Limits
from ponder.system.machine import cores, kill_tree
from ponder.system.signals import deferred_signals

if TYPE_CHECKING:
    from concurrent.futures import Future
    from subprocess import Popen

    from ponder.system.child_program import Parent

PROGRAM = Path(__file__).with_name("child_program.py")
LOOK = 0.05  # seconds between two looks at the clock

Item = TypeVar("Item")
Found = TypeVar("Found")


class Child:
    """A process that outlives neither the `with` block nor this process. May raise OSError.

    `hear` is called in another thread with each message, and with None when the process has ended;
    without it, messages wait for `receive`.
    `memory`: bytes of private memory that it may take; `quiet`: its errors go to a file, `errors`.

    >>> with Child() as child:
    ...     child.serve("ponder.system.pool:serve")
    ...     child.send((abs, -3))
    ...     child.receive()
    (True, 3)
    """

    def __init__(
        self, hear: Callable[[Any], None] | None = None, *, memory: int = 0, quiet: bool = False
    ) -> None:
        import subprocess  # a map that stays here (`in_parallel`) needs no process
        from tempfile import mkdtemp

        self._heard: SimpleQueue[Any] = SimpleQueue()
        with deferred_signals():
            self.folder: Path = Path(mkdtemp(prefix="ponder-"))
            self.errors: Path = self.folder / "errors.txt"
            self.output: Path = self.folder / OUTPUT
            try:
                (self.folder / NUMBERS).write_bytes(bytes(8 * SHARED))
                self.numbers: MutableSequence[float] = shared_numbers(str(self.folder))
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


# ------------------------------------------------------------------------------------------- pools


Member = TypeVar("Member", bound=Child)


class Pool(Generic[Member]):
    """Up to `count` children, made by `new`; none outlives the `with` block. `members` are all that
    live, as far as is known, `idle` those without work: the last began first, and so is warm.
    """

    def __init__(self, new: Callable[[], Member], count: int) -> None:
        self.count: int = count
        self.members: list[Member] = []
        self.idle: list[Member] = []
        self._new = new

    def __enter__(self) -> Self:
        try:
            with suppress(OSError):  # no process more: `take` says so
                self.refill()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with deferred_signals():
            for member in self.members:
                member.kill()

    def start(self) -> Member:
        """Start one more, which has work. May raise OSError."""
        with deferred_signals():
            self.members.append(member := self._new())
        return member

    def refill(self, most: int = 1 << 30) -> None:
        """Start those that are missing, or as many. May raise OSError."""
        with deferred_signals() as ending:
            for _ in range(min(most, self.count - len(self.members))):
                if not ending:
                    self.idle.insert(0, self.start())

    def take(self) -> Member:
        """Return an idle one that lives, else a new one; it has work now. May raise OSError."""
        while self.idle:
            if (member := self.idle.pop()).process.poll() is None:
                return member
            self.bury(member)
        return self.start()

    def bury(self, member: Member) -> None:
        """End one, and leave its place free."""
        with deferred_signals():
            for some in (self.members, self.idle):
                with suppress(ValueError):
                    some.remove(member)
            member.kill()


def in_parallel(
    function: Callable[[Item], Found],
    items: Iterable[Item],
    processes: int | None = None,
    limits: Limits = NEVER,
) -> Iterator[Found]:
    """Yield `function(item)` for every item, in their order. Raises TimeUp if the time is up.

    `function` is one of a module's own (it is sent by name); an error of it is raised here. At most
    three items a process are on their way; for each a thread asks one question after the other. A
    process takes some 0.2 s to start, so this is for work of seconds. One process (`processes`)
    means: here, where also is done what no process can be started for, or dies of.

    >>> list(in_parallel(abs, [3, -4], processes=1))
    [3, 4]
    """
    count = cores() if processes is None else processes
    if count <= 1:
        for item in items:
            limits.check()
            yield function(item)
        return
    from concurrent.futures import ThreadPoolExecutor, wait

    idle: SimpleQueue[Child] = SimpleQueue()

    def ask(item: Item) -> Found:
        child = idle.get()
        try:
            child.send((function, item))
            good, found = child.receive()
        finally:
            idle.put(child)
        if good:
            return found  # type: ignore[no-any-return]
        raise found

    def result(item: Item, future: Future[Found] | None) -> Found:
        if future is not None:
            while not wait([future], LOOK).done:
                limits.check()
            with suppress(EOFError):  # its process has died
                return future.result()
        limits.check()
        return function(item)

    with ThreadPoolExecutor(count) as threads, Pool(Child, count) as pool:
        for child in pool.members:
            child.serve("ponder.system.pool:serve")
            idle.put(child)
        waiting: deque[tuple[Item, Future[Found] | None]] = deque()
        for item in items:
            with deferred_signals():
                waiting.append((item, threads.submit(ask, item) if pool.members else None))
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
