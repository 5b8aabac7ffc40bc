"""What the notebook tests need beside the program: skipped without it, but a failure in CI."""

from __future__ import annotations

import importlib.util
import os

import pytest


def need(package: str, extra: str = "dev") -> None:
    """Skip a test where a package of an extra is missing; where tests decide, fail it."""
    if importlib.util.find_spec(package) is None:
        reason = f"{package} is not installed (the extra `{extra}` has it)"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
