"""All detectors of numbers that templates describe, in one pass over the words.

Cost: the templates of one file share one pass, see ``dispatch.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from discreet.display import dataclass
from discreet.scrub.detectors.account import ACCOUNT
from discreet.scrub.detectors.age import AGE, JOINED_AGE
from discreet.scrub.detectors.card import CUED_CARD
from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.cued_number import CUED_NUMBER
from discreet.scrub.detectors.cued_phone import CUED_PHONE
from discreet.scrub.detectors.detector import Example, TemplateDetector
from discreet.scrub.detectors.device import CUED_DEVICE
from discreet.scrub.detectors.fax import FAX
from discreet.scrub.detectors.licence import LICENCE
from discreet.scrub.detectors.measurement import MEASURED, MEASUREMENT
from discreet.scrub.detectors.odd_name import ODD_NAME
from discreet.scrub.detectors.password import CUED_PASSWORD
from discreet.scrub.detectors.price import PRICE
from discreet.scrub.detectors.record_number import RECORD_NUMBER
from discreet.scrub.detectors.reference_number import REFERENCE_NUMBER
from discreet.scrub.detectors.relative_date import RELATIVE_DATE
from discreet.scrub.detectors.repeated import REPEATED
from discreet.scrub.detectors.section_number import SECTION_NUMBER
from discreet.scrub.detectors.short_date import SHORT_DATE
from discreet.scrub.detectors.ssn import CUED_SSN
from discreet.scrub.detectors.time_of_day import TIME_OF_DAY
from discreet.scrub.detectors.username import CUED_USERNAME
from discreet.scrub.detectors.vehicle import CUED_VEHICLE
from discreet.scrub.detectors.written_date import BARE_DATE, JOINED_DATE, WRITTEN_DATE
from discreet.scrub.finding import Finding
from discreet.scrub.page import Page

FILE = "numbers.txt"
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
    """Runs detectors of one template file together; in turn 2, finds their values again."""

    name: str
    parts: tuple[CueDetector | TemplateDetector, ...]
    examples: tuple[Example, ...] = ()

    @cached_property
    def _by_section(self) -> dict[str, CueDetector | TemplateDetector]:
        return {part.name: part for part in self.parts}

    def find(self, page: Page) -> Iterator[Finding]:
        """What the parts find."""
        if page.turn == 2:
            yield from REPEATED.find(page)
            return
        by_section = self._by_section
        for template, first, after in page.overlapping(FILE):
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
