"""Streets, with house number and flat or without; post boxes; American and European forms."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import ADDRESS
from discreet.scrub.page import Page

_MOST = 6
"""Characters of a house number."""


def is_house_number(page: Page, first: int, after: int) -> bool:
    """Whether a street that starts with letters and digits starts with a house number."""
    start = page.tokens[first].strip()
    if not start[0].isdigit():
        return True
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
        ("She took 5 steps down the road.", ()),
        ("Seen at 10:30 by the court.", ()),
        ("It was a two way street.", ()),
    ),
)
