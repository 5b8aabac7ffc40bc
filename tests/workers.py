"""Worker processes that tests share: each takes half a second to start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from ponder.studies.processes import Workers


@pytest.fixture(scope="module")
def two() -> Iterator[Workers]:
    """Two workers, for all tests of a file that do not end them."""
    with Workers(2) as workers:
        yield workers


@pytest.fixture
def ready(two: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the command the workers that are there already."""
    monkeypatch.setattr("ponder.cli.compare.Workers", lambda number: nullcontext(two))
