"""Every detector finds what its own table of examples says, and nothing else."""

from __future__ import annotations

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


def test_a_cue_in_every_word_of_a_long_run_takes_time_in_step_with_its_length() -> None:
    """Each cue looked for its value up to the end of the run, so time grew with the square."""
    import time

    from discreet import Scrubber

    scrubber = Scrubber()
    list(scrubber.find("warm up: MRN 12345678"))
    taken = []
    for words in (2_000, 8_000):
        started = time.process_time()
        list(scrubber.find("a_http://" * words))
        taken.append(time.process_time() - started)
    assert taken[1] < 9 * taken[0] + 1


def test_a_value_that_is_longer_than_the_window_is_found_whole() -> None:
    from discreet import Scrubber

    code = "A1" * 2_000
    found = [f for f in Scrubber().find(f"MRN: {code} was seen") if f.end - f.start >= len(code)]
    assert found


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("reference_number", lambda n: "a" * n + "100000"),
        ("cued_password", lambda n: "PIN:-/" * (n // 6)),
        ("cued_password", lambda n: "password:x1," * (n // 12)),
    ],
)
def test_a_detector_takes_time_in_step_with_the_length_of_a_run(name, make) -> None:
    """Each place or cue in the run looked at the whole rest of it, so time grew with the square."""
    import time

    from discreet import Scrubber

    scrubber = Scrubber()
    taken = []
    for length in (20_000, 20_000, 80_000):
        started = time.process_time()
        scrubber.find(make(length))
        taken.append(time.process_time() - started)
    assert taken[2] < 9 * taken[1] + 1, name


@pytest.mark.parametrize("unit", ["A1.", "A1,", "x7!"])
def test_a_value_longer_than_the_window_is_found_whole_where_the_window_ends_at_a_mark(
    unit: str,
) -> None:
    from discreet import Scrubber

    for shift in range(3):
        code = "Z9" * shift + unit * 2_000 + "Q5q"
        text = f"Password: {code} was set"
        (found,) = Scrubber(kinds=frozenset({"PASSWORD"})).find(text)
        assert text[found.start : found.end] == code


def test_a_very_long_word_with_a_name_at_its_end_is_read_to_its_end() -> None:
    text = "a" * 100_000 + "JOHN_KOWALSKI"  # reading it again from every letter would take an hour
    assert all(0 <= one.start < one.end <= len(text) for one in Scrubber().find(text))
