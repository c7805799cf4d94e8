"""A value that was found once is found wherever it stands."""

from __future__ import annotations

import pytest

from discreet.scrubbing.detectors.delimited_format import DELIMITED_FORMAT
from discreet.scrubbing.detectors.words_of_numbers import WORDS_OF_NUMBERS
from discreet.scrubbing.machine import Scrubber, list_texts
from discreet.scrubbing.replace.replacer import Replacer

TEXT = "User name: quillfeather. Then quillfeather left; quillfeathers did not."


def test_a_value_with_a_cue_is_found_again_without_one() -> None:
    found = list_texts(TEXT, Scrubber(detectors=(WORDS_OF_NUMBERS,)).find(TEXT))
    assert found == [("quillfeather", "USERNAME")] * 2


def test_without_the_cue_it_is_not_found() -> None:
    text = TEXT.replace("User name:", "So")
    assert not Scrubber(detectors=(WORDS_OF_NUMBERS,)).find(text)


LINES = (
    "She lives at 12 Oak Street, phone 617-555-0100, email m@x.org.",
    "She lives at Oak Street, Boston, phone 617-555-0100",
    "Dear Sir, The patient is at 12 Oak St., Boston, phone: 617-555-0100",
    "She said: Mary Miller lives at 12 Oak Street, Boston, MA 02138, phone 617-555-0100.",
    "Seen today, phone, address and email unknown.",
    "She lives in Boston, her phone is lost, and so is the address",
    "Patient moved to Apt 4, 12 Oak St; phone (617) 555-0100; email none; seen",
    "He resides at 12 Oak Street.",
    "The patient was seen at 12 Oak Street, Boston, MA 02138.",
)
PLAIN = frozenset(
    ("she", "he", "lives", "moved", "said", "seen", "phone", "email", "address", "patient")
)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("times", [1, 2, 3, 12, 60])
@pytest.mark.parametrize("between", ["\n", "\r\n", "\n\n"])
def test_plain_words_of_repeated_lines_stay(line: str, times: int, between: str) -> None:
    text = between.join([line] * times)
    found = [word for value, _ in list_texts(text, Scrubber().find(text)) for word in value.split()]
    assert not PLAIN & {word.strip(".,:;()").lower() for word in found}


@pytest.mark.parametrize("line", LINES)
def test_every_repetition_of_a_line_is_scrubbed_alike(line: str) -> None:
    text = "\n".join([line] * 9)
    scrubbed = Replacer(style="tag").apply(text, Scrubber().find(text)).text.split("\n")
    assert len(set(scrubbed)) == 1


def test_lines_that_differ_a_little_are_not_cells_of_one_column() -> None:
    lines = [
        f"{who} lives at {n} Oak Street, phone 617-555-01{n}, and {how}."
        for n, (who, how) in enumerate(
            [("She", "is well"), ("He", "sleeps badly"), ("She", "eats little"), ("He", "walks")],
            10,
        )
    ]
    lines.insert(2, "She felt well again, ate a little more, and slept.")
    text = "\n".join(lines)
    kinds = {kind for _, kind in list_texts(text, Scrubber().find(text))}
    assert kinds == {"STREET", "PHONE"}
    assert "felt" not in str(list_texts(text, Scrubber().find(text)))


def test_a_header_still_names_the_kind_of_its_column() -> None:
    text = "id,name,phone,email\n1,Bo Li,555123,bo\n2,Al Ba,phone,al@x\n3,Of,555124,of@x\n"
    found = list_texts(text, Scrubber(detectors=(DELIMITED_FORMAT,)).find(text))
    assert (
        ("Bo Li", "NAME") in found and ("555123", "PHONE") in found and ("al@x", "EMAIL") in found
    )
    assert ("phone", "PHONE") not in found
