"""Workers for the tests that compare."""

from __future__ import annotations

from tests.workers import ready, two

__all__ = ["ready", "two"]
