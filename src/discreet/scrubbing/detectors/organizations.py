"""Companies: by their legal form, by words that end company names, by label.

Notes
-----
[Sweeney2001]_, sec. 9.3: what the first look found helps the second.

Departures: none.

Cost: in the second turn, a few checks of the words next to each organization found.
"""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Example, TemplateDetector
from discreet.scrubbing.finding import FULL, Finding
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.alphabet import NORMAL

_STAY = ("function_word", "title", "month", "weekday", "heading", "greeting", "closing", "role")
_TIES = ("&", "and", "of")
_MOST = 3
"""Most words that are added to an organization on one side."""


@dataclass(frozen=True)
class Organization:
    """Finds companies by templates, then extends each over adjacent capitalized words."""

    templates: TemplateDetector

    @property
    def name(self) -> str:
        """The name that findings carry."""
        return self.templates.name

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples of the templates."""
        return self.templates.examples

    def find(self, page: Page) -> Iterator[Finding]:
        """Where templates fit; in turn 2, the whole of what turn 1 found in pieces."""
        yield from self.templates.find(page)
        if page.turn == 1 or page.casing != NORMAL:
            return
        names = {f.start: f for f in page.found if f.kind == "NAME"}
        for found in page.found:
            if found.kind == "ORGANIZATION":
                first, after = page.token_at(found.start), page.token_at(found.end - 1) + 1
                start, end = _extend_left(page, first, names), _extend_right(page, after)
                if (start, end) != (first, after):
                    yield found._replace(
                        start=page.start(start),
                        end=page.end(end - 1),
                        likelihood=0.98,
                        detector=self.name,
                        reason="extended over adjacent words",
                        precedence=FULL,
                    )


def _is_part(page: Page, token: str) -> bool:
    """Whether a word can be part of an organization's name."""
    lexicon = page.lexicon
    return token[0].isupper() and not lexicon.mask(token) & lexicon.union(*_STAY)


def _extend_left(page: Page, first: int, names: dict[int, Finding]) -> int:
    """The first token, with the capitalized words before it that do not start a sentence."""
    tokens = page.tokens
    for _ in range(_MOST):
        place = first - 1
        if place > 0 and tokens[place].strip() in ("&", "-", "and") and _is_near(tokens, place):
            place -= 1
        if place < 1 or not _is_near(tokens, place) or not _is_part(page, tokens[place]):
            return first
        is_start = page.lexicon.has(tokens[place - 1], "stop") or tokens[place - 1][0] in '"“('
        name = names.get(page.start(place))
        is_plain = page.lexicon.has(tokens[place], "ordinary")
        if (is_start and is_plain) or (
            name is not None and " " in page.text[name.start : name.end]
        ):
            return first
        first = place
    return first


def _extend_right(page: Page, after: int) -> int:
    """The token after the last, with the capitalized words after it."""
    tokens = page.tokens
    for _ in range(_MOST):
        place = after
        if place + 1 < len(tokens) and tokens[place] in ("'s ", "’s "):
            place += 1
        if place >= len(tokens) or not _is_near(tokens, place - 1):
            return after
        tie = tokens[place].strip()
        if tie in _TIES and place + 1 < len(tokens) and _is_near(tokens, place):
            if not _is_tied(page, tie, tokens[place + 1]):
                return after
            place += 1
        if not _is_part(page, tokens[place]) or page.lexicon.has(tokens[place], "first"):
            return after
        after = place + 1
    return after


def _is_tied(page: Page, tie: str, token: str) -> bool:
    """Whether a short word ties the next one to an organization: Ace Tools of Selma."""
    lexicon = page.lexicon
    mask = lexicon.mask(token)
    if tie == "and":
        return bool(mask & lexicon.union("trade"))
    return tie == "&" or not mask & lexicon.bits["ordinary"]


def _is_near(tokens: list[str], place: int) -> bool:
    """Whether a token and the next one are in one line with a space between them."""
    return tokens[place][-1] in " \xa0" and not tokens[place].isspace()


ORGANIZATION = Organization(
    TemplateDetector(
        "organization",
        "places.txt",
        precedence=FULL,
        examples=(
            ("We called Marina Corp today.", (("Marina Corp", "ORGANIZATION"),)),
            ("Peabon Industries, Inc. paid.", (("Peabon Industries, Inc.", "ORGANIZATION"),)),
            ("Huber Logistik GmbH & Co. KG", (("Huber Logistik GmbH & Co. KG", "ORGANIZATION"),)),
            ("Garcia and Sons", (("Garcia and Sons", "ORGANIZATION"),)),
            ("Smith, Jones and Brown", (("Smith, Jones and Brown", "ORGANIZATION"),)),
            (
                "The claim against KELMARSH GLAZING (NORTH) LIMITED was allowed in part.",
                (("KELMARSH GLAZING (NORTH) LIMITED", "ORGANIZATION"),),
            ),
            (
                "shares of Delmenhorst Chemie S.A. fell",
                (("Delmenhorst Chemie S.A.", "ORGANIZATION"),),
            ),
            ("seen at Wetherden Family Practice", (("Wetherden Family Practice", "ORGANIZATION"),)),
            (
                "a bill from Bluebell Chimney Surgeons",
                (("Bluebell Chimney Surgeons", "ORGANIZATION"),),
            ),
            ("a night at The Pheasant Inn", (("The Pheasant Inn", "ORGANIZATION"),)),
            ("a room in Hotel Bellevaux", (("Hotel Bellevaux", "ORGANIZATION"),)),
            ("She left Tarporley Heath Primary.", (("Tarporley Heath Primary", "ORGANIZATION"),)),
            (
                "the Nagykovacsi maternity clinic",
                (("Nagykovacsi maternity clinic", "ORGANIZATION"),),
            ),
            ("Drama & Comedy, Kids & Family", ()),
            ("We ask Customer Services and Quality Assurance.", ()),
            ("The Company and its Services are limited.", ()),
            ("We work in a group.", ()),
        ),
    )
)


# Hospitals, clinics, schools, universities, banks, churches; not wards and departments.


_GENERAL = ("specialty", "institution", "medical", "general", "center_word", "heading")
_NAMED = ("fancy", "sure_last", "sure_first", "sure_city", "state", "country")


def is_a_certain_one(page: Page, first: int, after: int) -> bool:
    """Whether a word says which one it is, unlike the Cardiology Clinic or a High School."""
    if any(token.strip() in ("'s", "’s") for token in page.tokens[first:after]):
        return True
    return any(is_telling(page, token) for token in page.tokens[first:after] if token[0].isalpha())


def is_telling(page: Page, word: str) -> bool:
    """Whether a word distinguishes an organization from others of its kind."""
    lexicon = page.lexicon
    mask = lexicon.mask(word)
    if mask & lexicon.union(*_GENERAL):
        return False
    return not mask & lexicon.bits["ordinary"] or bool(mask & lexicon.union(*_NAMED))


INSTITUTION = TemplateDetector(
    "institution",
    "places.txt",
    precedence=FULL,
    check=is_a_certain_one,
    examples=(
        ("at St. Mary's Hospital.", (("St. Mary's Hospital", "ORGANIZATION"),)),
        ("seen at Massachusetts General today", (("Massachusetts General", "ORGANIZATION"),)),
        ("by Dr. Frank at Brigham's.", (("Brigham's", "ORGANIZATION"),)),
        ("First National Bank of Peabon", (("First National Bank of Peabon", "ORGANIZATION"),)),
        ("the University of Utrecht", (("University of Utrecht", "ORGANIZATION"),)),
        ("Mercy Medical Center", (("Mercy Medical Center", "ORGANIZATION"),)),
        ("Lincoln Elementary School", (("Lincoln Elementary School", "ORGANIZATION"),)),
        ("She goes to school and to the hospital.", ()),
        ("Seen in the Cardiology Clinic. He left High School.", ()),
        ("The Hospital has a ward. The Emergency Department is full.", ()),
    ),
)


# Employers and companies, recognized by the words before them: works at, engineer at, called.


EMPLOYER = TemplateDetector(
    "employer",
    "places.txt",
    precedence=FULL,
    examples=(
        ("She works at Northwind now.", (("Northwind", "ORGANIZATION"),)),
        ("He was employed by IBM.", (("IBM", "ORGANIZATION"),)),
        ("an engineer at Contoso", (("Contoso", "ORGANIZATION"),)),
        ("his employer, Hegstad Slating", (("Hegstad Slating", "ORGANIZATION"),)),
        ("He was laid off from Vantreight.", (("Vantreight", "ORGANIZATION"),)),
        ("She works at home and for the money.", ()),
    ),
)


# Teams, leagues and clubs that somebody belongs to.


TEAM = TemplateDetector(
    "team",
    "places.txt",
    precedence=FULL,
    examples=(
        (
            "competing again with the U. S. Junior Gymnastics team.",
            (("U. S. Junior Gymnastics team", "TEAM"),),
        ),
        ("plays for the Springfield Hawks.", (("Springfield Hawks", "TEAM"),)),
        ("Peabody Little League", (("Peabody Little League", "TEAM"),)),
        ("Zorbeth Rovers won.", (("Zorbeth Rovers", "TEAM"),)),
        ("Our team plays football for fun.", ()),
        ("Dear Support Team,", ()),
    ),
)


# Form fields that hold places and organizations: the label says what the rest of the line is.


FORM_FIELD = TemplateDetector(
    "form_field",
    "places.txt",
    precedence=FULL,
    examples=(
        ("Home address: Gale Hollow 3", (("Gale Hollow 3", "ADDRESS"),)),
        ("Employer: acme widgets", (("acme widgets", "ORGANIZATION"),)),
        ("Age: 5\nCountry: Chad", (("Chad", "COUNTRY"),)),
        ("City: Mobile", (("Mobile", "CITY"),)),
        ('{"state": "tx", "n": 3}', (("tx", "STATE"),)),
        ("<state>UT</state>", (("UT", "STATE"),)),
        ("<company>Zorb Tools</company>", (("Zorb Tools", "ORGANIZATION"),)),
        ("the city is nice", ()),
    ),
)
