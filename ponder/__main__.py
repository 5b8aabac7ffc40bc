"""The command `ponder`, also as `python -m ponder`.

Half of a small command is its start and its end, so this sets what makes them short. It does so for
its own process alone: a program that imports ponder keeps its own settings.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import Any

MOST_MEMORY = 3 << 30  # bytes, for commands that check a stranger's result
_OF_RESULTS = ("verify", "prove", "draw")
_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")  # as OpenBLAS asks


def main() -> None:
    """Run the command line and exit; SIGTERM and SIGHUP close what is open on their way out."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    sys.stdout = sys.stdout or os.fdopen(
        os.open(os.devnull, os.O_WRONLY), "w"
    )  # closed, as by `ponder … >&-`
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    code = 130
    try:
        gc.set_threshold(50_000)  # imports make tens of thousands of objects, and no garbage
        if not any(name in os.environ for name in _THREADS):
            os.environ[_THREADS[0]] = "1"  # numpy starts a thread for each processor, 50 ms of work
        from ponder.cli import run

        if sys.argv[1:2] and sys.argv[1] in _OF_RESULTS:
            from ponder.system.machine import limit_memory

            limit_memory(MOST_MEMORY)
        code = run()
    except KeyboardInterrupt:  # before the command began, or at its end
        sys.stderr.write("ponder: interrupted\n")
    gc.freeze()  # a last search for garbage would take 20 ms
    sys.exit(code)


def _leave(number: int, frame: Any) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
