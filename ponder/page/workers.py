"""Processes that search, a few at once, and the queue before them.

One search a process, so that an unwanted one can be ended at any point. It is told to stop, which
it usually hears within 0.1 s, and killed after GRACE seconds. There is one process more than may
search at once, warm for what comes next.

A session (a tab of a browser) has one search at a time: a new one ends the one before. Searches
that have no process yet wait in line, and hear how many stand before them. If too many wait, a new
one is refused.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ponder.page.protocol import BadRequest, Question
from ponder.system.machine import cores
from ponder.system.pool import Child, Pool

if TYPE_CHECKING:
    from ponder.system.types import Json

GRACE = 0.3  # seconds that a search has to end once it is told to
LOADING = 1.0  # seconds after which a process has loaded what it needs
MOST_AT_ONCE = 4  # searches that run at once at most, on however many processors
MOST_WAITING = 32  # searches that wait in line at most
MOST_MEMORY = 3_000_000_000  # bytes that a process may take


def searches_at_once() -> int:
    """Return how many searches may run at once on this machine."""
    return max(2, min(MOST_AT_ONCE, cores()))


def overtime(timeout: float) -> float:
    """Return the seconds after which a search with a time limit is killed."""
    return 2.0 + 1.5 * timeout


class Worker(Child):
    """The server's side of one process."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._said: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        def hear(message: dict[str, Any] | None) -> None:
            with suppress(RuntimeError):  # the loop is over
                loop.call_soon_threadsafe(self._said.put_nowait, message)

        super().__init__(hear, memory=MOST_MEMORY)
        self.serve("ponder.page.tasks:serve")

    def tell(self, message: Json) -> None:
        """Ask the process; in a thread, since one that still loads does not read yet."""
        asyncio.get_running_loop().run_in_executor(None, self.send, message)

    async def hear(self) -> dict[str, Any]:
        """Return what the process says next. Raises EOFError when it is gone."""
        message = await self._said.get()
        if message is None:
            raise EOFError
        return message


class Job:
    """One search: the question, the messages so far, and whether somebody still waits for it."""

    def __init__(self, number: int, question: Question) -> None:
        self.number = number
        self.question = question
        self.news: asyncio.Queue[Json] = asyncio.Queue()
        self.cancelled: bool = False
        self.when_cancelled: Callable[[], None] = lambda: None

    def fail(self, reason: str, status: int = 422) -> None:
        """Say why there is no answer."""
        self.news.put_nowait({"error": reason, "status": status})

    def cancel(self, reason: str = "another search took its place", status: int = 409) -> None:
        """Give the search up."""
        if not self.cancelled:
            self.cancelled = True
            self.fail(reason, status)
            self.when_cancelled()


class Workers:
    """A few processes, and who waits for one; `count` searches run at once."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: Pool[Worker] = Pool(Worker, count + 1)
        self._searching = 0
        self._line: deque[Job] = deque()
        self._numbers = itertools.count(1)
        self._jobs: set[Job] = set()
        self._sessions: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._over = False

    async def start(self) -> None:
        """Start the first process."""
        self._pool.refill(1)

    def grow(self) -> None:
        """Start the others, when the first has had time to load: else it would wait longer."""

        async def later() -> None:
            await asyncio.sleep(LOADING)
            for _ in range(self.count):
                self._refill()

        self._spawn(later())

    async def end(self) -> None:
        """Tell everybody who waits for an answer that there will be none; kill all processes."""
        self._over = True
        for job in self._jobs:
            job.cancel("the server has ended", 503)
        for task in self._tasks:
            task.cancel()
        self._pool.__exit__()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def run(self, question: Question) -> AsyncGenerator[Json]:
        """Do a task: yield what is known so far, at last `{"end": …}` or `{"error": …}`.

        A place in the queue is told as `{"ahead": n}`. Closing the iterator ends the search. Raises
        BadRequest (429) if too many are waiting.
        """
        session = question.session
        before = None if session is None else self._sessions.get(session)
        if before is not None:
            before.cancel()
        if len(self._line) >= MOST_WAITING:
            raise BadRequest("too many searches are waiting; try again in a while", 429)
        if self._over:
            raise BadRequest("the server has ended", 503)
        job = Job(next(self._numbers), question)
        self._jobs.add(job)
        if session is not None:
            self._sessions[session] = job
        self._line.append(job)
        try:
            self._dispatch()
            while True:
                message = await job.news.get()
                yield message
                if "end" in message or "error" in message:
                    break
        finally:
            job.cancel()
            self._jobs.discard(job)
            if job in self._line:
                self._line.remove(job)
            if session is not None and self._sessions.get(session) is job:
                del self._sessions[session]

    def _dispatch(self) -> None:
        """Begin as many searches as may run; tell the others where they stand."""
        while self._line and self._searching < self.count and not self._over:
            self._searching += 1
            self._spawn(self._serve(self._line.popleft()))
        for ahead, job in enumerate(self._line, 1):
            job.news.put_nowait({"ahead": ahead})

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, job: Job) -> None:
        """Have a process do one search; replace the process where it does not survive that."""
        try:
            done = job.cancelled or await self._attempt(job) or await self._attempt(job, fresh=True)
            if not done:
                job.fail("the search was lost: its process ended")
        except OSError as error:  # no process more, no memory, no file descriptor
            job.fail(f"no search can be started: {error.strerror or error}", 503)
        finally:
            self._searching -= 1
            self._dispatch()
            self._refill()

    async def _attempt(self, job: Job, fresh: bool = False) -> bool:
        """Do a search; False when its process is lost, perhaps long before it was asked."""
        worker = self._pool.start() if fresh else self._pool.take()
        try:
            await self._listen(job, worker)
        except EOFError:
            self._bury(worker)
            return job.cancelled
        except TimeoutError:
            self._bury(worker)
            job.fail("the search did not end in time and was killed")
            return True
        finally:
            job.when_cancelled = lambda: None
        self._pool.idle.append(worker)
        return True

    async def _listen(self, job: Job, worker: Worker) -> None:
        """Hand over what the process says about a search, until it has ended."""
        question, clock = job.question, asyncio.get_running_loop().time
        async with asyncio.timeout(None) as patience:

            def stop() -> None:
                worker.numbers[0] = job.number
                patience.reschedule(clock() + GRACE)

            job.when_cancelled = stop
            begin = {"job": job.number, "task": question.task, "timeout": question.timeout}
            worker.tell({**begin, "asked": question.asked})
            while True:
                message = await worker.hear()
                if message.pop("job", None) != job.number:
                    continue
                if "begins" in message:  # a process that was new has loaded what it needs
                    if not job.cancelled:
                        patience.reschedule(clock() + overtime(question.timeout))
                else:
                    job.news.put_nowait(message.get("say", message))
                    if "say" not in message:
                        break

    def _bury(self, worker: Worker) -> None:
        """End a process; in a thread, since much memory takes a while to be given back."""
        self._pool.members.remove(worker)
        asyncio.get_running_loop().run_in_executor(None, worker.kill)

    def _refill(self) -> None:
        """Start one more where there are too few."""
        if not self._over:
            with suppress(OSError):  # the next search tries again, and says so
                self._pool.refill(1)
