"""Every detector finds what its own table of examples says, and nothing else."""

from __future__ import annotations

import pytest

from discreet.scrub.detectors import ALL, Detector
from discreet.scrub.machine import Scrubber, texts

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
    assert tuple(texts(text, findings)) == found


@pytest.mark.parametrize("detector", ALL, ids=lambda detector: detector.name)
def test_a_detector_has_examples_of_what_it_finds_and_of_what_it_leaves(detector: Detector) -> None:
    assert any(found for _, found in detector.examples) or detector.name in JOINERS
    assert any(not found for _, found in detector.examples)


def test_detectors_have_names_of_their_own() -> None:
    names = [detector.name for detector in ALL]
    assert len(set(names)) == len(names)
