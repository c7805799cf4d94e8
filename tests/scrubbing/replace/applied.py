"""A replacer with a known key, and findings by their text."""

from __future__ import annotations

import re

from discreet.scrubbing.finding import Finding
from discreet.scrubbing.replace import ReplacementKey, Replacer, Scrubbed

KEY = ReplacementKey(bytes(range(32)))


def found(text: str, *kinds: tuple[str, str], reason: str = "given") -> list[Finding]:
    """A finding for each place of each (words, kind)."""
    return [
        Finding(place.start(), place.end(), kind, 0.9, "given", reason)
        for words, kind in kinds
        for place in re.finditer(re.escape(words), text)
    ]


def replaced(kind: str, text: str, **choices: object) -> str:
    """What a text becomes that is one finding."""
    return scrubbed(kind, text, **choices).text


def scrubbed(kind: str, text: str, **choices: object) -> Scrubbed:
    """The result for a text that is one finding."""
    replacer = Replacer(**{"key": KEY, **choices})  # type: ignore[arg-type]
    finding = Finding(0, len(text), kind, 0.9, "given", "given")
    return replacer.apply(text, [finding], document="letter", person="patient")
