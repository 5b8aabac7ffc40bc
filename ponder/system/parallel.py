"""A pure function over many items, in processes of this machine.

Idea. `in_parallel` is a `map` whose results come in the order of the items, and whose processes
(`ponder.system.children`) are gone when it ends, however it ends: time limit, Ctrl-C, or an error.
For each process a thread asks one question after the other. A process takes some 0.2 s to start, so
this is for work of seconds. Where none can be started, or one dies, the work is done here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, TypeVar

from ponder.system.limits import NEVER, Limits
from ponder.system.machine import cores

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ponder.system.child_program import Parent

Item = TypeVar("Item")
Found = TypeVar("Found")

_LOOK = 0.05  # seconds between two looks at the clock


def in_parallel(
    function: Callable[[Item], Found],
    items: Iterable[Item],
    processes: int | None = None,
    limits: Limits = NEVER,
) -> Iterator[Found]:
    """Yield `function(item)` for every item, in their order. Raises TimeUp if the time is up.

    `function` is one of a module's own (it is sent by name); an error of it is raised here. At most
    three items a process are on their way. One process (`processes`) means: here.

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
    from queue import SimpleQueue

    from ponder.system.children import Child
    from ponder.system.signals import deferred_signals

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
            while not wait([future], _LOOK).done:
                limits.check()
            with suppress(EOFError):  # its process has died
                return future.result()
        limits.check()
        return function(item)

    with ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(count))
        with suppress(OSError):  # no process more
            for _ in range(count):
                child = stack.enter_context(Child())
                child.serve("ponder.system.parallel:serve")
                idle.put(child)
        stack.callback(threads.shutdown, wait=False, cancel_futures=True)
        waiting: deque[tuple[Item, Future[Found] | None]] = deque()
        alive = not idle.empty()
        for item in items:
            with deferred_signals():
                waiting.append((item, threads.submit(ask, item) if alive else None))
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
