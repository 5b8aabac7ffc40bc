"""The signals that end a process: Ctrl-C, SIGTERM (`kill`) and SIGHUP (a terminal that is closed).

A signal becomes an exception where the program happens to be, `KeyboardInterrupt` or `Ended`;
everything open is closed on the way out, children included. At four moments an exception does not
do:

    at both ends      nothing is open before a command runs and after it: the process ends at once
    in an import      half a module stays behind, and C code may turn the exception into another or
                      lose it: the signal comes again 20 ms later, until the import is over
    while deferred    a child that is started, a folder that is removed: it waits for the block
    in `__del__`      Python drops exceptions there: the signal comes again

A signal that was ignored when the process began (`nohup`) stays ignored. `listen` is for the
command; a program that imports ponder keeps its own handlers: `deferred_signals` keeps to them.
"""

from __future__ import annotations

import _thread
import gc
import os
import signal
import sys
import time
from contextlib import contextmanager

TYPE_CHECKING = False  # as in `typing`, which takes 3 ms in which the command does not listen yet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any, Final, NoReturn

WORDS: Final = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}

ENDING: Final[tuple[signal.Signals, ...]] = tuple(
    getattr(signal, name) for name in WORDS if hasattr(signal, name)
)
"""The signals that end a process in an orderly way, as far as the system has them."""

PATIENCE: Final = 5.0  # seconds that an import may keep a signal waiting
_AGAIN: Final = 0.02  # seconds until a signal that came at a bad moment comes again


class Ended(BaseException):
    """A signal has ended the program."""

    def __init__(self, number: int) -> None:
        super().__init__(WORDS.get(signal.Signals(number).name, "ended"))
        self.code: int = 128 + number


class _State:
    """How far the command has come, and which signal has come first."""

    main = 0  # the thread that signals are for
    stage = "silent"
    """`silent`: not listening; `idle`, `running`: outside and inside of a command; `over`."""
    received: int | None = None
    since = 0.0


def listen() -> None:
    """Begin to listen, as early as possible; outside a `command` a signal ends the process."""
    if _State.stage != "silent":
        return
    _State.stage, _State.main = "idle", _thread.get_ident()
    sys.unraisablehook = _dropped
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _handle)


@contextmanager
def command() -> Iterator[None]:
    """Run a command in the block: there a signal is an exception. Does nothing before `listen`."""
    if _State.stage == "idle":
        _State.stage = "running"
    try:
        yield
    except KeyboardInterrupt:
        raise Ended(signal.SIGINT) from None
    finally:
        if _State.stage == "running":
            _State.stage = "idle"


def received() -> int | None:
    """Return the exit code that a signal asks for, None when none has come."""
    return None if _State.received is None else 128 + _State.received


def enough() -> str | None:
    """Return a word for the signal that has come, None when none has; later ones are ignored."""
    if _State.received is None:
        return None
    _State.stage = "over"
    return str(Ended(_State.received))


def leave(code: int) -> NoReturn:
    """Exit; signals come too late now."""
    _State.stage = "over"
    if _State.received is None:
        gc.freeze()  # nobody needs the memory that a last search for garbage would find: 40 ms
        sys.exit(code)
    # A search that did not stop may still run, and a terminal that is gone cannot be flushed:
    # neither must turn the end into a crash.
    import atexit

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # it was closed when the process began
                stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(code)


def _handle(number: int, frame: FrameType | None) -> None:
    if _State.stage == "over":
        return
    if _State.received is None:
        _State.received, _State.since = number, time.monotonic()
    if _State.stage == "idle":
        try:
            os.write(2, f"ponder: {Ended(number)}\n".encode("ascii"))
        finally:
            os._exit(128 + number)
    if _importing(frame) and time.monotonic() < _State.since + PATIENCE:
        _send_again(number)
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        raise Ended(number)


def _importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported in this frame or around it."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _send_again(number: int) -> None:
    # Nothing is imported here: a finder of modules that is at work takes an ImportError of ours (a
    # module half imported) for its own and drops it, and the signal with it.
    def send() -> None:
        time.sleep(_AGAIN)
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(_State.main, number)
        else:
            _thread.interrupt_main(signal.Signals(number))

    # not `threading.Thread`, whose locks the interrupted code may hold
    _thread.start_new_thread(send, ())


def _dropped(found: Any) -> None:
    """Take an exception that Python drops, because it came in a destructor."""
    if _State.stage == "running" and issubclass(found.exc_type, KeyboardInterrupt | Ended):
        _send_again(_State.received or signal.SIGINT)
    else:
        sys.__unraisablehook__(found)


@contextmanager
def deferred_signals() -> Iterator[list[int]]:
    """Defer signals to the end of a block: they are collected, and the first is handled there.

    Only those that have a handler of Python's, in the main thread. A second Ctrl-C is not deferred.

    >>> try:
    ...     with deferred_signals() as caught:
    ...         signal.raise_signal(signal.SIGINT)
    ... except KeyboardInterrupt:
    ...     print(f"interrupted by {len(caught)} signal")
    interrupted by 1 signal
    """
    caught: list[int] = []
    before: dict[int, Callable[[int, FrameType | None], Any]] = {}

    def catch(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and number in caught:
            before[number](number, frame)
        caught.append(number)

    import threading

    if threading.current_thread() is threading.main_thread():
        for number in ENDING:
            handler = signal.getsignal(number)
            if callable(handler):
                before[number] = handler
    try:
        for number in ENDING:
            if number in before:
                signal.signal(number, catch)
        yield caught
    finally:
        for number in reversed(ENDING):
            if number in before:
                signal.signal(number, before[number])
        if caught:
            before[caught[0]](caught[0], None)
