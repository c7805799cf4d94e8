"""Postcodes of letters and digits: British, Irish and Canadian."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page

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
