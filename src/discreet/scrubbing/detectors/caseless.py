"""Detectors for texts that are all capitals or all small letters."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Detector, Example, TemplateDetector
from discreet.scrubbing.detectors.places import Location
from discreet.scrubbing.detectors.streets import is_house_number
from discreet.scrubbing.finding import ADDRESS, FULL, PLACE, Finding
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.alphabet import NORMAL


@dataclass(frozen=True)
class Caseless:
    """A detector for texts in one case only; its templates ignore case."""

    detector: Detector

    @property
    def name(self) -> str:
        """The detector's name."""
        return self.detector.name

    @property
    def examples(self) -> tuple[Example, ...]:
        """The detector's examples."""
        return self.detector.examples

    def find(self, page: Page) -> Iterator[Finding]:
        """What the detector finds, if the page is in one case."""
        if page.casing != NORMAL:
            yield from self.detector.find(page)


# Towns in text that is all capitals or all small letters, by the words before them.


CASELESS_CITY = Caseless(
    TemplateDetector(
        "caseless_city",
        "places.txt",
        precedence=PLACE,
        examples=(
            ("THE FAMILY LIVES IN MOBILE NOW", (("MOBILE", "CITY"),)),
            ("SHE IS BACK FROM BELFAST AGAIN", (("BELFAST", "CITY"),)),
            ("THE FAMILY LIVES IN A HOUSE", ()),
        ),
    )
)


# Towns with state and ZIP in text that is all capitals or all small letters.


CASELESS_LOCATION = Caseless(
    Location(
        "caseless_location",
        "places.txt",
        examples=(
            (
                "LETTER TO HARTFORD CT 06116 TODAY",
                (("HARTFORD", "CITY"), ("CT", "STATE"), ("06116", "ZIP")),
            ),
            ("THE COST IS 10000 IN ALL OR SO", ()),
        ),
    )
)


# Organizations in text that is all capitals or all small letters.


CASELESS_ORGANIZATION = Caseless(
    TemplateDetector(
        "caseless_organization",
        "places.txt",
        precedence=FULL,
        examples=(
            ("PATIENT WAS SEEN AT MERCY HOSPITAL TODAY", (("MERCY HOSPITAL", "ORGANIZATION"),)),
            ("SENT FROM WANSBY HOSP TODAY BY CAR", (("WANSBY HOSP", "ORGANIZATION"),)),
            ("She was seen at mercy hospital.", ()),
            ("PATIENT WAS TAKEN TO THE HOSPITAL TODAY", ()),
        ),
    )
)


# Streets in text that is all capitals or all small letters.


CASELESS_STREET = Caseless(
    TemplateDetector(
        "caseless_street",
        "places.txt",
        precedence=ADDRESS,
        check=is_house_number,
        examples=(
            ("HE LIVES AT 43 PROSPECT TERRACE NOW", (("43 PROSPECT TERRACE", "STREET"),)),
            ("SHE WAS SEEN ON KELMAR BLVD TODAY", (("KELMAR BLVD", "STREET"),)),
            ("SHE TOOK 5 STEPS DOWN THE HALL", ()),
        ),
    )
)
