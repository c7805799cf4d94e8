"""Every detector finds what its own table of examples says, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from discreet.scrubbing.detectors import ALL, Detector
from discreet.scrubbing.machine import Scrubber, list_texts

JOINERS = {"identification_block", "mailing_label", "address_block", "own_initials"}
"""These join what other detectors found, so alone they find nothing; they have their own tests."""

EXAMPLES = [
    pytest.param(detector, text, found, id=f"{detector.name}: {text[:40]}")
    for detector in ALL
    for text, found in detector.examples
]


@pytest.mark.parametrize(("detector", "text", "found"), EXAMPLES)
def test_examples_are_found_by_the_detector_alone(
    detector: Detector, text: str, found: tuple[tuple[str, str], ...]
) -> None:
    findings = Scrubber(detectors=(detector,)).find_all(text)
    assert tuple(list_texts(text, findings)) == found


@pytest.mark.parametrize("detector", ALL, ids=lambda detector: detector.name)
def test_a_detector_has_examples_of_what_it_finds_and_of_what_it_leaves(detector: Detector) -> None:
    assert any(found for _, found in detector.examples) or detector.name in JOINERS
    assert any(not found for _, found in detector.examples)


def test_detectors_have_names_of_their_own() -> None:
    names = [detector.name for detector in ALL]
    assert len(set(names)) == len(names)


def test_a_value_that_is_longer_than_the_window_is_found_whole() -> None:
    code = "A1" * 2_000
    found = [f for f in Scrubber().find(f"MRN: {code} was seen") if f.end - f.start >= len(code)]
    assert found


LONG_TEXTS = {
    "a cue in every word of a run": lambda n: "a_http://" * (n // 9),
    "a number after a run": lambda n: "a" * n + "100000",
    "cues without a value": lambda n: "PIN:-/" * (n // 6),
    "cues with a value": lambda n: "password:x1," * (n // 12),
    "dates that depend on the other dates": lambda n: "eft. 3-27 came\t " * (n // 16),
    "dates that are none": lambda n: "eft. 3-27\tcame " * (n // 15),
    "different record numbers": lambda n: "".join(f"MRN: A{i}x " for i in range(n // 11)),
    "a header of many columns": lambda n: "MRN," * (n // 8) + "\n" + "1234," * (n // 10),
}


@pytest.mark.parametrize("make", LONG_TEXTS.values(), ids=LONG_TEXTS)
def test_work_grows_in_step_with_the_length_of_a_text(make: Callable[[int], str]) -> None:
    """Where a place looks at the whole text, 16 times the text is 256 times the work, not 16."""
    scrubber = Scrubber()
    scrubber.find(make(5_000))

    def measure(length: int) -> float:
        started = time.process_time()
        scrubber.find(make(length))
        return time.process_time() - started

    assert any(measure(160_000) < 60 * measure(10_000) for _ in range(3))


@pytest.mark.parametrize("unit", ["A1.", "A1,", "x7!"])
def test_a_value_longer_than_the_window_is_found_whole_where_the_window_ends_at_a_mark(
    unit: str,
) -> None:
    for shift in range(3):
        code = "Z9" * shift + unit * 2_000 + "Q5q"
        text = f"Password: {code} was set"
        (found,) = Scrubber(kinds=frozenset({"PASSWORD"})).find(text)
        assert text[found.start : found.end] == code


def test_a_very_long_word_with_a_name_at_its_end_is_read_to_its_end() -> None:
    text = "a" * 100_000 + "JOHN_KOWALSKI"  # reading it again from every letter would take an hour
    assert all(0 <= one.start < one.end <= len(text) for one in Scrubber().find(text))
