"""A value that was found once is found wherever it stands."""

from __future__ import annotations

from discreet.scrub.detectors.words_of_numbers import WORDS_OF_NUMBERS
from discreet.scrub.machine import Scrubber, texts

TEXT = "User name: quillfeather. Then quillfeather left; quillfeathers did not."


def test_a_value_with_a_cue_is_found_again_without_one() -> None:
    found = texts(TEXT, Scrubber(detectors=(WORDS_OF_NUMBERS,)).find(TEXT))
    assert found == [("quillfeather", "USERNAME")] * 2


def test_without_the_cue_it_is_not_found() -> None:
    text = TEXT.replace("User name:", "So")
    assert not Scrubber(detectors=(WORDS_OF_NUMBERS,)).find(text)
