"""Diseases, signs and instruments named after people; kept."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Example, TemplateDetector, WordEnding
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import Page

EPONYM = TemplateDetector(
    "eponym",
    "special.txt",
    keep=True,
    examples=(
        ("He has Parkinson's disease.", (("Parkinson's disease", "MEDICAL"),)),
        ("Her Crohn's is worse.", (("Crohn's", "MEDICAL"),)),
        ("a Foley catheter", (("Foley catheter", "MEDICAL"),)),
        ("Glasgow Coma Scale 15", (("Glasgow Coma Scale", "MEDICAL"),)),
        ("non-Hodgkin lymphoma", (("Hodgkin lymphoma", "MEDICAL"),)),
        ("Mr. Parkinson and Ms. Graves came.", ()),
    ),
)


# Capitalized verbs that are also names: Will you, Mark the date; kept.


VERB = TemplateDetector(
    "verb",
    "special.txt",
    keep=True,
    examples=(
        ("Will you come? Mark the date.", (("Will", "VERB"), ("Mark", "VERB"))),
        ("Mark came.", ()),
    ),
)


# Drugs, by list and dose; kept.


DRUG = TemplateDetector(
    "drug",
    "special.txt",
    keep=True,
    examples=(
        ("currently on Lily Human Insulin", (("Lily Human Insulin", "DRUG"),)),
        ("Tylenol and Zyloprix 5 mg", (("Tylenol", "DRUG"), ("Zyloprix", "DRUG"))),
        ("Mary takes it.", ()),
    ),
)


# Drugs by the endings of international names: -pril, -statin, -cillin; kept.


_ENDINGS = WordEnding(
    "mab pril sartan statin cillin prazole olol dipine azepam azolam mycin floxacin cycline "
    "oxetine triptan gliptin gliflozin tidine setron azole tinib caine barbital thiazide "
    "profen xaban parin glitazone lukast terol ciclovir vudine semide zosin tropium"
)


@dataclass(frozen=True)
class DrugEnding:
    """Finds capitalized words with the ending of a drug name."""

    name: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Drug names; in turn 1 only."""
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


# Capitalized medical words, as in headings and lists; kept.


MEDICAL_TERM = TemplateDetector(
    "medical_term",
    "special.txt",
    keep=True,
    examples=(
        ("Diabetes Mellitus, type 2", (("Diabetes Mellitus", "MEDICAL"),)),
        ("Mary is well.", ()),
    ),
)
