"""The command `ponder`, also as `python -m ponder`: listens for signals before anything else.

Half of a small command is its start and its end, so this also sets what makes them short. It does
so for its own process alone: who imports ponder keeps what is set there.
"""

from __future__ import annotations

import gc
import os

from ponder.system import signals

_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")  # as OpenBLAS asks


def main() -> None:
    """Run the command line and exit."""
    signals.listen()
    gc.set_threshold(50_000)  # imports make tens of thousands of objects, and no garbage
    if not any(name in os.environ for name in _THREADS):
        os.environ[_THREADS[0]] = "1"  # numpy starts a thread for each processor, 50 ms of work
    from ponder.cli import main as command

    command()


if __name__ == "__main__":
    main()
