"""JSON from a file: an object, or one line that says what is wrong with it and where."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.model.json_text import json_lines, json_object, parse_result
from ponder.system.errors import BoardError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_an_object_is_read_back(content: dict[str, object]) -> None:
    for text in (json.dumps(content), "".join(json_lines(content)) if content else "{}"):
        assert json_object(text.encode(), "s") == content


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{"a": 1,\n"a": 2}', None),
        (b'{"a": {"b": 1, "b": 2}}', None),
        (b'{"a": 1\n"b": 2}', 2),
        (b"[1]", 1),
        (b'{\n"a": "\xff"}', 2),
        (b'{"a": "\\ud800"}', None),
        (b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}", None),
        (b'{"a": ' + b"9" * 9000 + b"}", None),
        (b"", 1),
    ],
)
def test_what_is_no_object_is_refused_with_its_line(data: bytes, line: int | None) -> None:
    with pytest.raises(BoardError) as caught:
        json_object(data, "file.json")
    assert caught.value.source == "file.json"
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_a_result_is_told_from_a_board_and_from_a_press_list() -> None:
    assert parse_result(b"[[0, 1]]") is None
    assert parse_result(b'{"presses": [[0, 1]]}') is None
    assert parse_result(b'{"schema": "a", "x": 1}', schemas=("a",)) == {"schema": "a", "x": 1}
    for text in (b'{"verdict": "solved"}', b'{"schema": "other"}'):
        with pytest.raises(BoardError):
            parse_result(text)
