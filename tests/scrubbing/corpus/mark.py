"""Text that knows which of its stretches are personal."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple


class Mark(NamedTuple):
    """A piece of text: personal information of this kind, or plain text if the label is empty.

    ``form`` says how it is written or where the words come from, to tell what is missed most.
    """

    text: str
    label: str = ""
    form: str = ""
    optional: bool = False


class MadeSpan(NamedTuple):
    """Where a mark came to lie."""

    start: int
    end: int
    label: str
    optional: bool = False
    form: str = ""


@dataclass(frozen=True)
class Made:
    """A made text with its exact spans, and what its maker knows about it.

    ``known`` are the patient's or customer's fields in the data holder's database, ``keeper`` those
    of the writer: what a straight search can look for.
    """

    text: str
    spans: tuple[MadeSpan, ...]
    family: str
    style: str
    variant: str
    known: tuple[str, ...] = ()
    keeper: tuple[str, ...] = ()


def joined(marks: list[Mark]) -> tuple[str, tuple[MadeSpan, ...]]:
    """One text out of its pieces, with spans."""
    text, spans, at = [], [], 0
    for mark in marks:
        text.append(mark.text)
        if mark.label and mark.text:
            spans.append(MadeSpan(at, at + len(mark.text), mark.label, mark.optional, mark.form))
        at += len(mark.text)
    return "".join(text), tuple(spans)


def misspelt(word: str, rng: Random) -> str:
    """One slip of the typist: two letters swapped, one dropped, doubled or replaced."""
    if len(word) < 4:
        return word
    at = rng.randrange(1, len(word) - 1)
    slip = rng.randrange(4)
    if slip == 0 and word[at] != word[at + 1]:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if slip == 1:
        return word[:at] + word[at + 1 :]
    if slip == 2:
        return word[:at] + word[at] + word[at:]
    return word[:at] + rng.choice("aeiounrst") + word[at + 1 :]


def same_length_upper(text: str) -> str:
    """Capitals, letter by letter, so that positions stay."""
    return "".join(up if len(up := letter.upper()) == 1 else letter for letter in text)
