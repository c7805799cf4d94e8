"""Numbers of cases, claims, orders, tickets and other papers, after a cue."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import NUMBER, CueDetector, is_said_or_long
from discreet.scrub.page import Page

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
    """Whether a value is long enough for what its cue says."""
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
    """Whether the name of a field says that a number of somebody is in it."""
    if _NO_FIELD.search(key.lower()):
        return False
    return bool(_FIELD.search(key) if "_" in key else _FIELD_IN_CAMEL.search(key))


def is_paper(page: Page, cue: str) -> bool:
    """Whether the cue is a word for a paper, in capitals."""
    lexicon = page.lexicon
    return bool(lexicon.mask(re.sub(r"\W", "", cue).lower()) & lexicon.bit("paper"))


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
