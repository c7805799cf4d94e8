"""Long numbers, and words of letters and digits, that identify somebody even without a cue."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from discreet.display import dataclass
from discreet.kinds.checksums import extract_digits
from discreet.scrubbing.detectors.cue import NUMBER, CueDetector, is_said_or_long
from discreet.scrubbing.detectors.detector import Shape, ShapeDetector, TemplateDetector
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import Page

_RANGE = re.compile(r"(\d{1,5})[-–/](\d{1,5})")
_QUANTITY = re.compile(r"\d{1,5}(?:[.,]\d+)?([A-Za-zµ]{1,4})(?:/\w+)?")
_OF_A_YEAR = re.compile(r"(?!(?:19|20)\d\d/)\d{4,6}/(?:\d\d|(?:19|20)\d\d)")
_FOUR_AND_FOUR = re.compile(r"(?!20)[2-9]\d{3} (?!19|20)\d{4}")
_PLATE = re.compile(r"[A-Z]{2}-\d{3}-[A-Z]{2}|\d{2,3}-[A-Z]{1,2}-\d{1,6}|\d\d-[A-Z]{2,3}-\d{1,2}")
_SIZE = re.compile(r"\d+[xX]\d+|\d+-\d+s|KB\d{6,7}|G\dP\d+|\d{4}(?:/\d{4})+")
"""Sizes, decades, system updates, obstetric histories, times of day."""

_TIMES = {"double": 2, "treble": 3, "triple": 3}
"""How many times the digit after a word is said."""


def is_spoken(page: Page, first: int, after: int) -> bool:
    """Whether words are digits said one by one, at least four of them."""
    lexicon = page.lexicon
    digit, large = lexicon.union("digit_word"), lexicon.union("number_word")
    tokens = page.tokens[first:after]
    if not any(lexicon.mask(token) & (digit | large) for token in tokens):
        return False
    count = letters = 0
    times = 1
    for token in tokens:
        word = lexicon.plains[token]
        mask = lexicon.mask(word)
        if mask & digit:
            count += times
        elif mask & large:
            count += 1
        elif len(word) == 1 and word.isalpha():
            letters += times
        times = _TIMES.get(word, 1)
    return count + letters > 3 and count > 1 and (not letters or count + letters > 4)


def is_reference(page: Page, first: int, after: int) -> bool:
    """Whether a number with marks or letters is not a range, quantity, standard or product."""
    text = page.text[page.start(first) : page.end(after - 1)]
    digits = sum(map(str.isdigit, text))
    if not digits:
        return is_spoken(page, first, after)
    letters = sum(map(str.isalpha, text))
    if text[0] == "#":
        return digits > 4 or (digits > 2 and page.tokens[first - 1].strip().istitle())
    if after - first == 2 and _FOUR_AND_FOUR.fullmatch(text):
        before = page.tokens[first - 1].strip() if first else ""
        return before in (",", ")", ":") or before.istitle()
    if _PLATE.fullmatch(text):
        return True
    if _SIZE.fullmatch(text):
        return False
    if _OF_A_YEAR.fullmatch(text):
        return digits > 5
    if digits < 4 or len(text) < 6 or re.search(r"[a-z]{4}(?=[-/]|$)", text):
        return False
    if "." in text or (" " in text and not letters):
        return (
            digits >= (8 if "-" in text else 9)
            and not ("." in text and "/" in text)
            and not re.fullmatch(r"\d{1,3}(?:\.\d{3})*|\d{1,3}(?: \d{3})* 000", text)
            and (not letters or "-" in text)
        )
    if not letters:
        parts_are_few = not _RANGE.fullmatch(text) and text.count("/") < 2
        return digits >= 7 and parts_are_few and not text.endswith("000")
    if _QUANTITY.fullmatch(text) or re.fullmatch(r"\d{4}s?|(?:19|20)\d\d[A-Z]\w?|FY\d+", text):
        return False
    head = re.match(r"[A-Za-z]*", text)
    word = head[0].lower() if head else ""
    lexicon = page.lexicon
    return (
        (digits > 5 and "-" not in text)
        or not word
        or not lexicon.mask(word) & (lexicon.bit("standard") | lexicon.bit("month"))
    )


REFERENCE_NUMBER = TemplateDetector(
    "reference_number",
    "numbers.txt",
    check=is_reference,
    examples=(
        ("filed as 32-841-09787", (("32-841-09787", "ID"),)),
        ("see CL-123456 or MN93567LM", (("CL-123456", "ID"), ("MN93567LM", "ID"))),
        ("2019-CV-12345 and 4471/A/2231", (("2019-CV-12345", "ID"), ("4471/A/2231", "ID"))),
        ("4471/a/22, inc-118606", (("4471/a/22", "ID"), ("inc-118606", "ID"))),
        ("box 4963990", (("4963990", "ID"),)),
        ("number 48213377", (("48213377", "ID"),)),
        ("#44712", (("#44712", "ID"),)),
        (
            "AHV 756.1234.5678.97, 1300 555 0122",
            (("756.1234.5678.97", "ID"), ("1300 555 0122", "ID")),
        ),
        (
            "seven one double oh two, nine nine three four",
            (("seven one double oh two, nine nine three four", "PHONE"),),
        ),
        ("Bo Fox (guard), 6318 7405. Officer Fox #3906", (("6318 7405", "PHONE"), ("#3906", "ID"))),
        ("it is two oh seven one", (("two oh seven one", "ID"),)),
        (
            "41523/98, 12345678Z, CD-456-EF, KA 05 MX 1234",
            (("41523/98", "ID"), ("12345678Z", "ID"), ("CD-456-EF", "ID"), ("KA 05 MX 1234", "ID")),
        ),
        (
            "one or two of three, from 2019 2020, or 3000 4000, six to eight, twenty five, 2023/24,"
            " 600x1200, KB6120937",
            (),
        ),
        (
            "2019-2020, 1.250.000.000, 1000-20000, 5000mg, COVID-2019, ISO-9001, 1000000, in 2020",
            (),
        ),
        ("mid-1990s, 3-bedroom, well-2000-known", ()),
    ),
)


# Numbers of cases, claims, orders, tickets and other documents, after a cue.


_VALUE = re.compile(NUMBER.pattern + r"|#?(?P<code>[A-Z0-9]{5,8})(?!\w)")
_TRAVEL = re.compile(r"book|confirm|reserv|locator|pnr", re.IGNORECASE)
_KEY = re.compile(r"\W?(\w+)\W{0,2}[:=>,]")
_FIELD = re.compile(
    r"(?:^|[a-z]_?|_)(?:id|no|nr|num|number|nbr|ref|reference|acct|account|mrn|ssn|pan|auth|sid|uid"
    r"|serial|policy|claim|iban|card|passport|licence|license|badge|employee|member|tracking)$",
    re.IGNORECASE,
)
_FIELD_IN_CAMEL = re.compile(r"(?:Id|ID|No|Nr|Num|Number|Ref|Account|Acct)$")
_NO_FIELD = re.compile(
    r"(?:thread|process|proc|port|version|page|line|row|sku|product|item|bug|rev)"
)


def is_number_of_paper(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether a value is long enough for its cue."""
    value, head = page.text[start:end], cue.strip()
    digits = sum(map(str.isdigit, value))
    if head[0] == "(":
        return digits > 2
    if head == "#":
        return digits > 4
    if re.match(r"n(?:os?|r)\b", head, re.IGNORECASE):
        return digits > 4 or (digits > 2 and not value.isdigit() and "." not in value)
    key = _KEY.match(head)
    if key and (
        not key[1].isalpha() or not (key[1].islower() or key[1].istitle() or key[1].isupper())
    ):
        return is_field(key[1]) and digits > 1
    if re.fullmatch(r"[A-Z]{2,6}\W*", head) and not is_paper(page, head):
        return digits > 4 and not value.endswith("000") and not re.search(r"[/.]", value)
    if digits < 2:
        return bool(_TRAVEL.search(head)) and value.isupper() and not is_word(page, value)
    return is_said_or_long(page, cue, start, end)


def is_field(key: str) -> bool:
    """Whether the name of a field says that it holds an identifying number."""
    if _NO_FIELD.search(key.lower()):
        return False
    return bool(_FIELD.search(key) if "_" in key else _FIELD_IN_CAMEL.search(key))


def is_paper(page: Page, cue: str) -> bool:
    """Whether the cue is a word for a document, in capitals."""
    lexicon = page.lexicon
    return bool(lexicon.mask(re.sub(r"\W", "", cue).lower()) & lexicon.union("paper"))


def is_word(page: Page, value: str) -> bool:
    """Whether letters are a word of the language."""
    lexicon = page.lexicon
    return bool(value.isalpha() and lexicon.mask(value.lower()) & lexicon.bit("ordinary"))


CUED_NUMBER = CueDetector(
    "cued_number",
    "numbers.txt",
    value=_VALUE,
    check=is_number_of_paper,
    examples=(
        ("Case No. 2019-CV-12345", (("2019-CV-12345", "ID"),)),
        ("claim number CL-123456", (("CL-123456", "ID"),)),
        ("Ticket #4471223", (("#4471223", "ID"),)),
        ("Case #: 2:19-cv-04567", (("2:19-cv-04567", "ID"),)),
        ("Order ID: 8H2KQ7", (("8H2KQ7", "ID"),)),
        ("your confirmation code is 8H2KQ7", (("8H2KQ7", "ID"),)),
        ("employee number 55231", (("55231", "ID"),)),
        ("Ref: 4471/A/22", (("4471/A/22", "ID"),)),
        ("In case 12 of 300 orders fail, order 20 tablets. Report No. 59, page number 33", ()),
        ("about order 4963990, ticket 5552/A/53", (("4963990", "ID"), ("5552/A/53", "ID"))),
        ("booking ref RK4LMP, locator QWZHTK", (("RK4LMP", "ID"), ("QWZHTK", "ID"))),
        ("(no. 20417/98), file no. 3 Cb 118/04", (("20417/98", "ID"), ("3 Cb 118/04", "ID"))),
        ("RUN # 31-220417, uid 90217", (("31-220417", "ID"), ("90217", "ID"))),
        (
            "library card K 0093 6614 58, case 2016R 009306",
            (("K 0093 6614 58", "ID"), ("2016R 009306", "ID")),
        ),
        (
            "LSBN 20771, group 31887, invoice 0936",
            (("20771", "ID"), ("31887", "ID"), ("0936", "ID")),
        ),
        ('{"orderRef": "A44-21", "cust_no": 44712}', (("A44-21", "ID"), ("44712", "ID"))),
        ("Suit No. 517/2021, Elector No. KD-204", (("517/2021", "ID"), ("KD-204", "ID"))),
        ("container MSKU 903617 5 came", (("MSKU 903617 5", "ID"),)),
        ("tracking: 1Z 607 K52 93 8016 3359", (("1Z 607 K52 93 8016 3359", "ID"),)),
        (
            "locker numbers 30965 and 30968, case 4471/A/22, 4471/B/23",
            (("30965", "ID"), ("30968", "ID"), ("4471/A/22", "ID")),
        ),
        ("Symphony No. 9, ABG 7.29/52/71", ()),
        (
            "identifier 0.025, ids 2/6 and 4/6, USD 50000, RFC 2616, WBC 12000, thread_id: 88,"
            " rowNo=1200, ISO 27001",
            (),
        ),
        ("Report: 2019 was good. Case: 45-year-old man.", ()),
    ),
)


# Numbers of sections, figures, pages and versions: kept, as they refer to a text.


SECTION_NUMBER = TemplateDetector(
    "section_number",
    "numbers.txt",
    keep=True,
    examples=(
        ("see section 3.2.1 and page 33", (("section 3.2.1", "SECTION"), ("page 33", "SECTION"))),
        ("version 10.0.19041.1", (("version 10.0.19041.1", "SECTION"),)),
        ("driver 7.2.4.305", (("driver 7.2.4.305", "SECTION"),)),
        ("upgraded it to 4.12.21", (("4.12.21", "SECTION"),)),
        ('"sku": "QRT-0098-BLK"', (('sku": "QRT-0098-BLK', "SECTION"),)),
        ("the page was 33 lines; call line 0304 255", ()),
    ),
)


# Amounts of money: kept, so that they are not taken for ids.


PRICE = TemplateDetector(
    "price",
    "numbers.txt",
    keep=True,
    examples=(
        ("$1,234.50 or € 20", (("$1,234.50", "PRICE"), ("€ 20", "PRICE"))),
        ("USD 500", (("USD 500", "PRICE"),)),
        ("call 255-1423", ()),
    ),
)


# Measurements, doses, laboratory values and shares: kept, so that they are not taken for ids.


def is_joined(page: Page, first: int, after: int) -> bool:
    """Whether one word is a number and its unit: 5mg."""
    if not page.tokens[first][0].isdigit():
        return False
    parts = re.fullmatch(r"\d+([^\W\d_]+)", page.tokens[first].strip())
    if not parts or (parts[1].isupper() and len(parts[1]) == 1 and parts[1] not in "LVWCFK"):
        return False
    return bool(page.lexicon.mask(parts[1].lower()) & page.lexicon.bit("unit"))


MEASUREMENT = TemplateDetector(
    "measurement",
    "numbers.txt",
    keep=True,
    examples=(
        ("took 5 mg twice", (("5 mg", "MEASUREMENT"),)),
        ("3.5 cm by 2 cm", (("3.5 cm", "MEASUREMENT"), ("2 cm", "MEASUREMENT"))),
        ("BP 120/80, temp 98.6 F", (("120/80", "MEASUREMENT"), ("98.6", "MEASUREMENT"))),
        (
            "12.5% of 1,250,000 people",
            (("12.5%", "MEASUREMENT"), ("1,250,000 people", "MEASUREMENT")),
        ),
        ("5-10 mg/dL", (("5-10 mg", "MEASUREMENT"),)),
        ("call 255-1423, in 2013 Ms Fox, 30962 H, 4 in the room", ()),
    ),
)

MEASURED = TemplateDetector(
    "measured",
    "numbers.txt",
    keep=True,
    check=is_joined,
    examples=(
        ("took 5mg or 250ml", (("5mg", "MEASUREMENT"), ("250ml", "MEASUREMENT"))),
        ("AB12345, 5xyz, 2016R", ()),
    ),
)


# Numbers of which most digits are masked: ***-**-1120, XXXX-1111.


MASKED = ShapeDetector(
    "masked",
    (
        Shape(
            "SSN",
            0.96,
            "masked",
            re.compile(r"[xX*#•](?<![\w*]\S)[xX*#•\d]{2}-?[xX*#•]{2}-?\d{4}(?!\w)"),
        ),
        Shape(
            "CARD",
            0.92,
            "masked",
            re.compile(
                r"[xX*•](?<![\w*]\S)[xX*•]{2,15}[ -]?(?:[xX*•]{4}[ -]?){0,3}\d{4}(?![\w]|-\d)"
            ),
        ),
        *(
            Shape(
                "CARD",
                0.97,
                "middle masked",
                re.compile(r"\d(?<![\w.]\d)\d{3}[ -]?(?:\d{2})?" + form + r"[ -]?\d{2,4}(?!\w)"),
                sign=sign,
            )
            for form, sign in (
                (r"\*{1,4}(?:[ -]?\*{2,8}){0,3}", "**"),
                (r"[xX]{2,4}(?:[ -]?[xX]{2,8}){0,3}", "xx"),
                (r"[xX]{2,4}(?:[ -]?[xX]{2,8}){0,3}", "XX"),
                (r"•{1,4}(?:[ -]?•{2,8}){0,3}", "••"),
            )
        ),
    ),
    examples=(
        ("xxx-xx-1120 and ***-**-1120", (("xxx-xx-1120", "SSN"), ("***-**-1120", "SSN"))),
        (
            "ending ****1111 or XXXX-XXXX-XXXX-1111",
            (("****1111", "CARD"), ("XXXX-XXXX-XXXX-1111", "CARD")),
        ),
        (
            "5105 **** **** 5100, 4012-88XX-XXXX-1881",
            (("5105 **** **** 5100", "CARD"), ("4012-88XX-XXXX-1881", "CARD")),
        ),
        ("xxx, ***, 2x4 and X-1120", ()),
    ),
)


# Numbers and user names that were found once with a cue, wherever else they occur.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3: what one detector finds is posted and helps the others.
#
# Departures: values are matched exactly, since numbers are not misspelt the way names are.
#
# Cost: one pass over the text.


KINDS = frozenset(
    {"ACCOUNT", "CARD", "DEVICE", "ID", "LICENSE", "PASSWORD", "PHONE", "RECORD", "SSN"}
    | {"USERNAME", "VEHICLE"}
)
SHORTEST = 5
_WITHOUT_DIGITS = ("USERNAME", "PASSWORD")
"""Kinds whose values may be words; values of other kinds must contain a digit."""


@dataclass(frozen=True)
class RepeatedDetector:
    """Finds other occurrences of what turn 1 found; in turn 2 only."""

    name: str

    def find(self, page: Page) -> Iterator[Finding]:
        """The same characters elsewhere, as separate words."""
        if page.turn == 1:
            return
        known = {
            page.text[f.start : f.end].strip("#@"): f
            for f in page.found
            if f.kind in KINDS and not f.keep and f.end - f.start >= SHORTEST
            if f.kind in _WITHOUT_DIGITS or _has_digit(page.text[f.start : f.end])
        }
        for value, starts in _find_all_words(page.text, known).items():
            for start in starts if len(starts) > 1 else ():
                yield known[value]._replace(
                    start=start,
                    end=start + len(value),
                    likelihood=0.9,
                    detector=self.name,
                    reason="found before",
                )


_AFTER_NO_WORD = re.compile(r"(?<![^\W_])\S")


def _find_all_words(text: str, values: Iterable[str]) -> dict[str, list[int]]:
    """Where each value is a separate word: one pass over the text, however many values."""
    starts: dict[str, list[int]] = {value: [] for value in values if value}
    lengths = defaultdict(set)
    shortest = min(map(len, starts), default=0)
    for value in starts:
        lengths[value[:shortest]].add(len(value))
    for place in _AFTER_NO_WORD.finditer(text) if starts else ():
        start = place.start()
        for length in lengths.get(text[start : start + shortest], ()):
            value = text[start : start + length]
            if value in starts and not text[start + length : start + length + 1].isalnum():
                starts[value].append(start)
    return starts


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


REPEATED = RepeatedDetector("repeated")


# Coordinates: latitude and longitude.


def is_place(text: str) -> bool:
    """Whether two decimal numbers can be latitude and longitude."""
    first, second = (float(n) for n in re.findall(r"-?\d+\.\d+", text)[:2])
    return abs(first) <= 180 and abs(second) <= 180 and len(extract_digits(text)) >= 6


COORDINATES = ShapeDetector(
    "coordinates",
    (
        Shape(
            "LOCATION",
            0.95,
            "latitude, longitude",
            re.compile(
                r"[-+\d](?<![\w.$€£][-+\d])(?<!\d[-+])\d{0,3}\.\d{3,}°?(?: ?[NSEW]\b)?, ?"
                r"[-+]?\d{1,3}\.\d{3,}°?(?: ?[NSEW]\b)?(?!\w)"
            ),
            check=is_place,
            sign=".",
        ),
        Shape(
            "LOCATION",
            0.95,
            "degrees",
            re.compile(
                r"\d(?<![\w.]\d)\d{0,2}(?:\.\d+)?°"
                r"(?:[ ]?\d{1,2}(?:\.\d+)?['′](?:[ ]?\d{1,2}(?:\.\d+)?(?:[\"″]|''))?)?[ ]?[NSEW]\b"
            ),
            sign="°",
        ),
    ),
    examples=(
        ("near 42.3601, -71.0589.", (("42.3601, -71.0589", "LOCATION"),)),
        ("[-76.2034,134.6532]", (("-76.2034,134.6532", "LOCATION"),)),
        ("40°26'46\" N", (("40°26'46\" N", "LOCATION"),)),
        ("at 40.7128° N, 74.0060° W", (("40.7128° N, 74.0060° W", "LOCATION"),)),
        ("from 1.5, 2.5 to 98.6° F and $12.345, 13.222", ()),
    ),
)
