"""The page as a folder that any static host serves: built once, served under a path of its own."""

from __future__ import annotations

import fcntl
import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ponder.cli.site import cache_folder
from ponder.page.parts import parts, taken
from ponder.page.site import build
from ponder.system.errors import PonderError

PARTS = "PONDER_PARTS"
"""The variable that names a folder with the parts, where they are not in the user's cache."""


def parts_folder() -> Path:
    """Return the folder with all parts; the test is skipped where there is none."""
    folder = Path(os.environ.get(PARTS) or cache_folder())
    try:
        for part in parts():
            taken(folder, part)
    except PonderError as missing:
        if os.environ.get(PARTS):
            pytest.fail(str(missing), pytrace=False)
        pytest.skip(f"`ponder site --only-parts FOLDER` fetches, {PARTS} names: {missing}")
    return folder


def built(factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the page, which all processes of this run of the tests share."""
    base = factory.getbasetemp()
    root = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    target, folder = root / "site" / "play", parts_folder()
    with open(root / "site.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            build(target, folder)
    return target


class Host(SimpleHTTPRequestHandler):
    """Serves a folder; knows no packed twins, and says of no file when it changed."""

    asked: ClassVar[Counter[str]] = Counter()
    """How often each file was asked for."""

    def do_GET(self) -> None:
        """Count and serve."""
        self.asked[self.path.rpartition("/")[2]] += 1
        super().do_GET()

    def send_header(self, keyword: str, value: str) -> None:
        """Leave out what a browser could ask about later."""
        if keyword != "Last-Modified":
            super().send_header(keyword, value)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """Serve what lies beside a folder, and yield the folder's address."""
    handler = partial(Host, directory=str(folder.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/{folder.name}/"
        finally:
            server.shutdown()
