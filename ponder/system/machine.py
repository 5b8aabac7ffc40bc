"""What the system has: processes, processors, memory; and what to do without them.

Windows has no process groups, no `resource` and no `termios`; a browser (Pyodide, Emscripten) has
only this thread. What only some systems have is never used at an import.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ponder.system.limits import NeedsMemory

if TYPE_CHECKING:
    from subprocess import Popen

MOST_BYTES = 2_000_000_000  # arrays above this are refused before they are made


def refuse_above_limit(what: str, size: int) -> None:
    """Raise NeedsMemory, before anything is made, when `size` bytes are more than `MOST_BYTES`."""
    if size > MOST_BYTES:
        raise NeedsMemory(
            f"{what} needs about {size / 1e9:.1f} GB, more than the {MOST_BYTES / 1e9:.0f} GB "
            "that are allowed"
        )


def memory_limit() -> int | None:
    """Return how many bytes this process may take; None where that is not limited or not known."""
    try:
        import resource
    except ImportError:
        return None
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def limit_memory(most: int) -> None:
    """Limit the memory of this process, where the system can: more of it is a MemoryError.

    For commands and children alone, never in a library call: it holds until the process ends.
    """
    try:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        known = [size for size in (most, memory_limit(), hard) if size not in (None, -1)]
        resource.setrlimit(resource.RLIMIT_AS, (min(map(int, known)), hard))
    except (ImportError, OSError, ValueError):
        return


def single_threaded_platform() -> bool:
    """Whether there can be no other process and no other thread."""
    return sys.platform in ("emscripten", "wasi")


def cores() -> int:
    """Return how many processors this process may use."""
    if single_threaded_platform():
        return 1
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return os.cpu_count() or 1


def resident_bytes(pid: int) -> int:
    """Return how much memory a process occupies; 0 where that cannot be known."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, IndexError):
        return 0


def kill_tree(process: Popen[bytes]) -> None:
    """End a process that was started in a session of its own, with whatever it has started."""
    if hasattr(os, "killpg"):
        import signal

        os.killpg(process.pid, signal.SIGKILL)  # in use, if only by the child's watchdog
    else:
        import subprocess

        command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        with suppress(OSError):
            subprocess.run(command, capture_output=True, check=False)
        process.kill()
