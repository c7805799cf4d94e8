"""Every recognizer keeps to its own table of examples, and they keep out of each other's way."""

from __future__ import annotations

import pytest

from discreet.kinds.catalogue import ALL, Recognizer
from discreet.kinds.column_name import join_phrase
from discreet.kinds.recognizer import is_anything

YES = [(r, value) for r in ALL for value in r.examples]
NO = [(r, value) for r in ALL for value in r.counterexamples]


def _id(case: object) -> str:
    return case.kind if isinstance(case, Recognizer) else str(case)


@pytest.mark.parametrize(("recognizer", "value"), YES, ids=_id)
def test_an_example_is_recognized(recognizer: Recognizer, value: str) -> None:
    check = recognizer.proof or recognizer.fits
    assert check is not None
    assert check(value)
    assert recognizer.accepts(value)


@pytest.mark.parametrize(("recognizer", "value"), NO, ids=_id)
def test_a_counterexample_is_not_recognized(recognizer: Recognizer, value: str) -> None:
    check = recognizer.proof or recognizer.fits
    assert check is not None
    assert not check(value)


@pytest.mark.parametrize("recognizer", ALL, ids=_id)
def test_who_checks_values_has_examples_of_both_sorts(recognizer: Recognizer) -> None:
    checks = recognizer.checks_values or recognizer.proof is not None
    assert bool(recognizer.examples) == bool(recognizer.counterexamples) == checks


@pytest.mark.parametrize("recognizer", ALL, ids=_id)
def test_no_check_fails_on_odd_text(recognizer: Recognizer) -> None:
    for value in ("", " ", "é", "٣٤٥٦٧٨٩٠١", "²", "Ⅷ", "0" * 400, "\x00", "😀", "-", "+", "()"):
        recognizer.accepts(value)
        if recognizer.proof is not None:
            recognizer.proof(value)


@pytest.mark.parametrize("piece", ["J. ", "a-", "1 ", "a,", ". ", "a.", "0-", "a@", "1.", "rue "])
def test_no_check_gets_lost_in_a_long_value(piece: str) -> None:
    """A pattern that tries all ways to read such a value would not end within a lifetime."""
    value = (piece * 300)[:299] + "!"
    for recognizer in ALL:
        recognizer.accepts(value)
        if recognizer.proof is not None:
            recognizer.proof(value)


def test_kinds_are_unique() -> None:
    kinds = [recognizer.kind for recognizer in ALL]
    assert len(set(kinds)) == len(kinds)


def test_no_two_recognizers_claim_the_same_phrase() -> None:
    phrases = [
        join_phrase(name) for recognizer in ALL for name in {*map(join_phrase, recognizer.names)}
    ]
    assert sorted({phrase for phrase in phrases if phrases.count(phrase) > 1}) == []


def test_an_identifier_is_never_believed_from_its_name_alone() -> None:
    for recognizer in ALL:
        if recognizer.role == "identifier" and recognizer.names:
            assert recognizer.fits is not is_anything
            assert recognizer.checks_values
