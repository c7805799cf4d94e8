"""Initials that a text gives to a person: ``Hugh Ainsty (HA)``, and ``HA`` ever after."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.detectors.detector import Example
from discreet.scrub.finding import SINGLE, Finding
from discreet.scrub.page import Page

_GIVEN = re.compile(r" \(([^\W\d_]{2,4})(?=[),;])")


@dataclass(frozen=True)
class OwnInitialsDetector:
    """Finds initials in parentheses after a name that was found, and wherever they are again."""

    name: str = "own_initials"
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The initials, in turn 2, when names are known."""
        if page.turn == 1 or "(" not in page.text:
            return
        given = {found for finding in page.found if (found := _initials(page.text, finding))}
        if not given:
            return
        for place, token in enumerate(page.tokens):
            if token.rstrip() in given:
                yield Finding(
                    page.start(place),
                    page.end(place),
                    "NAME",
                    0.88,
                    self.name,
                    "initials of a person named before",
                    SINGLE,
                )


def _initials(text: str, finding: Finding) -> str:
    """The initials after a name, if they are its own."""
    if finding.kind != "NAME" or finding.keep:
        return ""
    given = _GIVEN.match(text, finding.end)
    if given is None:
        return ""
    words = re.findall(r"[^\W\d_]+", text[finding.start : finding.end])
    firsts = "".join(word[0] for word in words).upper()
    letters = given[1].upper()
    return given[1] if letters in firsts or letters == firsts[:1] + firsts[-1:] else ""


OWN_INITIALS = OwnInitialsDetector(
    examples=(("An MRI (MRI) was done, and HA is no hospital.", ()),),
)
