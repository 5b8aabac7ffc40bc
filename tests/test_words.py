"""Small words on the way to a terminal: numbers with what they count, lines of bounded length."""

from __future__ import annotations

import pytest

from ponder.system.errors import NeedsExtra, NoShortProof, require
from ponder.system.machine import cores
from ponder.system.pool import how_it_ended
from ponder.system.printable import abridged, inflect, one_line, pluralise


@pytest.mark.parametrize(
    ("number", "thing", "words"),
    [
        (0, "odd row", "0 odd rows"),
        (1, "odd row", "1 odd row"),
        (2, "odd row", "2 odd rows"),
        (3, "press", "3 presses"),
        (1, "patch", "1 patch"),
    ],
)
def test_a_number_agrees_with_what_it_counts(number: int, thing: str, words: str) -> None:
    assert pluralise(number, thing) == words
    assert inflect(number, "is", "are") == ("is" if number == 1 else "are")


def test_a_long_message_keeps_both_of_its_ends() -> None:
    message = "no such command 'aaaaaaaaaaaa' (see --help)"
    assert abridged(message, 33) == "no such command …aa' (see --help)"
    assert abridged(message, len(message)) == message


def test_a_message_is_one_line() -> None:
    assert one_line("a\nb") == "a\\nb"
    assert len(one_line("a" * 10_000)) == 2000


@pytest.mark.parametrize(
    ("code", "words"),
    [(-9, "was killed (out of memory?)"), (-11, "died of signal 11"), (1, "ended (code 1)")],
)
def test_how_a_process_ended(code: int, words: str) -> None:
    assert how_it_ended(code) == words


def test_a_missing_extra_says_how_to_get_it() -> None:
    require("json", "reading", "plots")
    with pytest.raises(NeedsExtra, match=r"^the widget needs no_such_module .*'\.\[notebook\]'$"):
        require("no_such_module", "the widget", "notebook")


def test_a_refutation_without_a_short_proof_names_the_kinds_that_have_one() -> None:
    error = NoShortProof.of_kind("coset", "short proof", ["cut", "block", "cut"])
    assert str(error) == (
        "a refutation of the kind coset has no short proof; cut and block have one"
    )


def test_what_the_system_has() -> None:
    assert cores() >= 1
