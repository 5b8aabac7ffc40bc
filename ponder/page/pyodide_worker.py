"""The Python side of a worker of the browser (`offline/engine.js`): Pyodide, one thread.

What only some tasks need (python-sat) is fetched when it is first imported.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from importlib import invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from types import SimpleNamespace
from typing import Any

from ponder.page.protocol import BadRequest, error_json, question_of
from ponder.page.tasks import answered, warm_up
from ponder.system.limits import Limits

LOOK = 0.02  # seconds between two looks at whether the page still wants to know


def prepare(later: Mapping[str, str], unpack: Callable[[str], object]) -> None:
    """Use what every search needs; `later`: the archives of modules that only some need."""
    missing = dict(later)

    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name not in missing:
            return None
        try:
            unpack(missing[name])
        except Exception as error:
            raise ImportError(f"{name} cannot be loaded: {error}") from None
        del missing[name]
        invalidate_caches()
        return PathFinder.find_spec(name)

    sys.meta_path.append(SimpleNamespace(find_spec=find_spec))
    warm_up()


def ask(
    task: str, content: str, tell: Callable[[str], None], look: Callable[[], Any] | None = None
) -> str:
    """Do a task; return `{end}` or `{error}`. `tell` hears what is known before; `look`, a promise.

    >>> json.loads(ask("quiet", '{"board": "10"}', print))
    {'end': {'nullity': 1, 'patterns': [[[0, 0], [0, 1]]]}}
    """
    try:
        _, seconds, asked = question_of(task, content.encode())
    except BadRequest as error:
        return json.dumps(error_json(str(error)))
    limits = Limits(seconds, look and _now_and_then(look))
    return json.dumps(answered(task, asked, limits, lambda x: tell(json.dumps(x))))


def _now_and_then(look: Callable[[], Any]) -> Callable[[], bool]:
    """Return what says whether to stop; it looks, and lets messages in, every LOOK seconds."""
    from pyodide.ffi import run_sync  # type: ignore[import-not-found]

    due = time.perf_counter() + LOOK

    def stopped() -> bool:
        nonlocal due
        if time.perf_counter() < due:
            return False
        stop = bool(run_sync(look()))
        due = 0.0 if stop else time.perf_counter() + LOOK
        return stop

    return stopped
