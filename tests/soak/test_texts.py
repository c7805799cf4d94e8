"""The texts of the soak keep every detector busy, and time that grows too fast is seen."""

from __future__ import annotations

from random import Random

import pytest

from discreet.scrubbing.detectors import ALL
from soak.texts import (
    DETECTOR_FACTOR,
    FORMS,
    LEAST,
    SHORT,
    TIMES,
    load_detectors,
    make_busy,
    measure_growth,
    name_words,
)


def make_text(length: int) -> str:
    return "a" * length


def test_time_that_grows_with_the_square_is_seen() -> None:
    grown = measure_growth(lambda text: len(text) ** 2 * 1e-6, make_text, SHORT, DETECTOR_FACTOR)
    assert grown == pytest.approx(TIMES**2)


def test_time_that_grows_with_the_length_passes() -> None:
    assert measure_growth(lambda text: len(text) * 1e-3, make_text, SHORT, DETECTOR_FACTOR) is None


def test_a_slow_moment_is_measured_again() -> None:
    moments = iter([0.1, 0.1, 9.0, 0.1, 0.4])
    assert measure_growth(lambda _: next(moments), make_text, SHORT, DETECTOR_FACTOR) is None


def test_what_takes_no_time_passes() -> None:
    moments = iter([1e-9, 1e-9, LEAST])
    assert measure_growth(lambda _: next(moments), make_text, SHORT, DETECTOR_FACTOR) is None


def test_every_detector_is_timed_and_so_are_those_that_run_together() -> None:
    assert {detector.name for detector in ALL} <= set(load_detectors())
    assert {"phone", "ssn", "cued_password", "written_date"} <= set(load_detectors())


@pytest.mark.parametrize("name", sorted(load_detectors()))
def test_a_detector_has_words_of_its_own(name: str) -> None:
    assert len(name_words(name)) > 1
    assert all(name_words(name))


def test_texts_have_the_length_that_was_asked_for() -> None:
    random, forms = Random(1), set()
    for _ in range(300):
        form, make = make_busy(random, name_words("phone"))
        forms.add(form)
        assert len(make(4 * SHORT)) > 2 * len(make(SHORT)) > 0
    assert forms == set(FORMS)
