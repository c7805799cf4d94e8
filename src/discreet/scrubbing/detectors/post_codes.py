"""ZIP codes and numeric postcodes, recognized by what comes before them."""

from __future__ import annotations

import re

from discreet.scrubbing.detectors.detector import TemplateDetector
from discreet.scrubbing.page import Page


def is_no_year(page: Page, first: int, after: int) -> bool:
    """Whether four digits next to a city are not a year."""
    value = page.tokens[first].strip()
    is_year = after - first == 1 and len(value) == 4 and value[:2] in ("19", "20")
    before = page.tokens[first - 1].strip() if first else ""
    return not is_year or not (before == "," or before[-1:].isalpha())


ZIP = TemplateDetector(
    "zip",
    "places.txt",
    check=is_no_year,
    examples=(
        ("ZIP code: 02139", (("02139", "ZIP"),)),
        ("my zip is 02139-4307", (("02139-4307", "ZIP"),)),
        ("Postcode: LS1 4AP", (("LS1 4AP", "ZIP"),)),
        ("MA 02139", (("02139", "ZIP"),)),
        ("<PC>02139</PC>, CEP: 01310-100", (("02139", "ZIP"), ("01310-100", "ZIP"))),
        ("Bergen 500 03, Nelson 7010, New Zealand", (("500 03", "ZIP"), ("7010", "ZIP"))),
        ("Storgade 4, 8000 Bergen", (("8000", "ZIP"),)),
        ("Birkweg 20, 6414 Talheim, #11-08, 640317", (("6414", "ZIP"), ("640317", "ZIP"))),
        ("In May, 2019 Boston won 300 20 times at 1200 PM", ()),
        ("We counted 12345 cells.", ()),
    ),
)


# Postcodes of letters and digits: British, Irish and Canadian.


_FORM = re.compile(
    r"(?:[A-Z]{1,2}\d[A-Z\d]? {1,2}\d[ABD-HJLNP-UW-Z]{2}"
    r"|[ABCEGHJ-NPRSTVXY]\d[A-Z] {1,2}\d[A-Z]\d"
    r"|[AC-FHKNPRTV-Y]\d[\dW] {1,2}(?=\D?\d|\D\D\d)[\dAC-FHKNPRTV-Y]{4})",
    re.IGNORECASE,
)


def is_post_code(page: Page, first: int, after: int) -> bool:
    """Whether two tokens of letters and digits have the form of a postcode."""
    return _FORM.fullmatch(page.text, page.start(first), page.end(after - 1)) is not None


POST_CODE = TemplateDetector(
    "post_code",
    "places.txt",
    check=is_post_code,
    examples=(
        ("London SW1A 1AA", (("SW1A 1AA", "ZIP"),)),
        ("Ottawa K1A 0B1", (("K1A 0B1", "ZIP"),)),
        ("Galway H91 E2K3", (("H91 E2K3", "ZIP"),)),
        ("take 5mg 2x", ()),
    ),
)
