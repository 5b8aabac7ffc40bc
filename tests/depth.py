"""How thorough a test is: its usual size, and those that `pytest -m deep` takes.

    @pytest.mark.parametrize("step", deep(29, 1))
    def test_every_state(step: int) -> None: ...

runs every 29th state in the suite, and all of them in the deep sweeps.
"""

from __future__ import annotations

from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

Value = TypeVar("Value")


def deep(usual: Value, *more: Value) -> list[Value | ParameterSet]:
    """Return the values of a parameter: the usual one, and those for deep runs alone."""
    return [usual, *(deeper(value) for value in more)]


def deeper(*values: object) -> ParameterSet:
    """Return the values of the parameters of a test that deep runs alone take."""
    return pytest.param(*values, marks=pytest.mark.deep)
