"""Streets, with house number and flat or without; post boxes; American and European forms."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import ADDRESS
from discreet.scrub.page import Page

_MOST = 6
"""Characters of a house number."""
_CLOCK = re.compile(r"0\d[0-5]\d")
"""A time of day without a mark, as in logs."""


def is_house_number(page: Page, first: int, after: int) -> bool:
    """Whether a street that starts with letters and digits starts with a house number."""
    start = page.tokens[first].strip()
    if not start[0].isdigit():
        return True
    if _CLOCK.fullmatch(start):
        return False
    return len(start) <= _MOST and sum(map(str.isalpha, start)) <= 2 and not _is_time(page, first)


def _is_time(page: Page, first: int) -> bool:
    """Whether the number is the end of a time, date or amount: 10:30 Main Street."""
    return first > 0 and page.tokens[first - 1] in (":", "/", ".", "$", "€", "£")


STREET = TemplateDetector(
    "street",
    "places.txt",
    precedence=ADDRESS,
    check=is_house_number,
    examples=(
        ("He lives at 12 Main St Apt 4B.", (("12 Main St Apt 4B", "STREET"),)),
        ("Send it to P.O. Box 12, please.", (("P.O. Box 12", "STREET"),)),
        ("I met him at 221B Baker Street.", (("221B Baker Street", "STREET"),)),
        ("455 S. 10th Ave., Suite 300", (("455 S. 10th Ave., Suite 300", "STREET"),)),
        ("Adresse: 10 rue de la Paix", (("10 rue de la Paix", "STREET"),)),
        ("Berliner Straße 12", (("Berliner Straße 12", "STREET"),)),
        ("Calle Mayor 5", (("Calle Mayor 5", "STREET"),)),
        ("i am at 12 maple street", (("12 maple street", "STREET"),)),
        ("RR 2, Box 152", (("RR 2, Box 152", "STREET"),)),
        ("Flat 3, 12 High Street", (("Flat 3, 12 High Street", "STREET"),)),
        ("9120 Lehola 8 Apt. 3", (("9120 Lehola 8 Apt. 3", "STREET"),)),
        ("at ul. Lipowa 12", (("ul. Lipowa 12", "STREET"),)),
        ("Kossuth utca 9 is red", (("Kossuth utca 9", "STREET"),)),
        ("He has fourteen Marsden Close.", (("fourteen Marsden Close", "STREET"),)),
        ("75 Quince, Ste 9-F", (("75 Quince, Ste 9-F", "STREET"),)),
        ("at 62 County Road 9", (("62 County Road 9", "STREET"),)),
        ("Unit 3 Box 4 DPO AE 12345", (("Unit 3 Box 4 DPO AE 12345", "STREET"),)),
        ("USS Ardent FPO AA 12345", (("USS Ardent FPO AA 12345", "STREET"),)),
        ("by the corner of Elm and Third", (("the corner of Elm and Third", "STREET"),)),
        ("Cheviot House, 4 Sheep Market", (("Cheviot House, 4 Sheep Market", "STREET"),)),
        ("House 12-A, Street 5", (("House 12-A, Street 5", "STREET"),)),
        ("Carrera 7 # 45-12", (("Carrera 7 # 45-12", "STREET"),)),
        ("leads STE II III, RR 22, and 0455 Amio 300.", ()),
        ("She took 5 steps down the road.", ()),
        ("Seen at 10:30 by the court.", ()),
        ("It was a two way street.", ()),
    ),
)
