"""Drugs by the endings of international names: -pril, -statin, -cillin; kept."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.word_ending import WordEnding
from discreet.scrub.finding import Finding
from discreet.scrub.page import Page

_ENDINGS = WordEnding(
    "mab pril sartan statin cillin prazole olol dipine azepam azolam mycin floxacin cycline "
    "oxetine triptan gliptin gliflozin tidine setron azole tinib caine barbital thiazide "
    "profen xaban parin glitazone lukast terol ciclovir vudine semide zosin tropium"
)


@dataclass(frozen=True)
class DrugEnding:
    """Finds capitalized words that end as names of drugs do."""

    name: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Drugs; in turn 1 only."""
        if page.turn == 1:
            for place in _ENDINGS.places(page):
                if page.tokens[place][0].isupper():
                    start, end = page.start(place), page.end(place)
                    yield Finding(start, end, "DRUG", 0.92, self.name, "ending", keep=True)


DRUG_ENDING = DrugEnding(
    "drug_ending",
    examples=(
        ("Start Lisinopril and Atorvastatin.", (("Lisinopril", "DRUG"), ("Atorvastatin", "DRUG"))),
        ("In April the Cabrils came.", ()),
    ),
)
