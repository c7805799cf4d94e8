"""All detectors of numbers by template, in one pass over the words.

Cost: the templates of one file share one pass, see ``dispatch.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from discreet.display import dataclass
from discreet.scrubbing.detectors.cue import CueDetector
from discreet.scrubbing.detectors.dates import (
    AGE,
    BARE_DATE,
    JOINED_AGE,
    JOINED_DATE,
    RELATIVE_DATE,
    SHORT_DATE,
    TIME_OF_DAY,
    WRITTEN_DATE,
)
from discreet.scrubbing.detectors.detector import Example, TemplateDetector
from discreet.scrubbing.detectors.internet import CUED_USERNAME
from discreet.scrubbing.detectors.issued_numbers import (
    ACCOUNT,
    CUED_CARD,
    CUED_DEVICE,
    CUED_SSN,
    CUED_VEHICLE,
    LICENCE,
    RECORD_NUMBER,
)
from discreet.scrubbing.detectors.other_numbers import (
    CUED_NUMBER,
    MEASURED,
    MEASUREMENT,
    PRICE,
    REFERENCE_NUMBER,
    REPEATED,
    SECTION_NUMBER,
)
from discreet.scrubbing.detectors.phones import CUED_PHONE, FAX
from discreet.scrubbing.detectors.secrets import CUED_PASSWORD, ODD_NAME
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import Page

PARTS: tuple[CueDetector | TemplateDetector, ...] = (
    FAX,
    CUED_PHONE,
    CUED_SSN,
    CUED_CARD,
    CUED_VEHICLE,
    CUED_DEVICE,
    CUED_USERNAME,
    CUED_PASSWORD,
    RECORD_NUMBER,
    ACCOUNT,
    LICENCE,
    CUED_NUMBER,
    WRITTEN_DATE,
    JOINED_DATE,
    SHORT_DATE,
    BARE_DATE,
    RELATIVE_DATE,
    AGE,
    JOINED_AGE,
    REFERENCE_NUMBER,
    ODD_NAME,
    MEASUREMENT,
    MEASURED,
    TIME_OF_DAY,
    SECTION_NUMBER,
    PRICE,
)


@dataclass(frozen=True)
class WordsDetector:
    """Runs the detectors of one template file together; in turn 2, finds their values again."""

    name: str
    parts: tuple[CueDetector | TemplateDetector, ...]
    examples: tuple[Example, ...] = ()

    @cached_property
    def _by_section(self) -> dict[str, CueDetector | TemplateDetector]:
        return {part.name: part for part in self.parts}

    def find(self, page: Page) -> Iterator[Finding]:
        """The findings of all parts."""
        if page.turn == 2:
            yield from REPEATED.find(page)
            return
        by_section = self._by_section
        for template, first, after in page.list_overlapping():
            part = by_section.get(template.section)
            if isinstance(part, CueDetector):
                yield from part.at(page, template, first, after)
            elif part and (part.check is None or part.check(page, first, after)):
                yield page.finding(template, first, after, part.precedence, part.keep)


WORDS_OF_NUMBERS = WordsDetector(
    "words_of_numbers",
    PARTS,
    examples=(
        (
            "MRN: 12345678, DOB March 1, 1991, a 45 y/o man",
            (("12345678", "RECORD"), ("March 1, 1991", "DATE"), ("45 y/o", "AGE")),
        ),
        (
            "User name: quillfeather. Then quillfeather left.",
            (("quillfeather", "USERNAME"), ("quillfeather", "USERNAME")),
        ),
        ("nothing to see here", ()),
    ),
)
