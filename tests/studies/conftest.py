"""Workers for all tests of this room."""

from __future__ import annotations

from tests.workers import ready, two

__all__ = ["ready", "two"]
