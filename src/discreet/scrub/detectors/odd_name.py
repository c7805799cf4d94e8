"""Words of letters and digits, or with _, that hold a name or no word: names of users."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page


def is_user_name(page: Page, first: int, after: int) -> bool:
    """Whether letters with digits or _ hold a name or a word of no language, so are no product."""
    text = page.tokens[first].strip()
    if page.tokens[after : after + 1] in ([":"], [": "]) and re.fullmatch(r"[A-Za-z]{3,}\d+", text):
        return first == 0 or page.tokens[first - 1].endswith("\n")
    if after - first == 2:
        return bool(
            re.fullmatch(r"[A-Za-z]{3,}\d+|\d+[A-Za-z]{3,}\w*", text)
        ) and not page.lexicon.mask(text.strip("0123456789").lower()) & page.lexicon.bit("standard")
    if text.isalpha() or after - first > 2:
        return after - first > 2 or len(text) > 6
    lexicon = page.lexicon
    parts = re.findall(r"[A-Za-z]+", text)
    odd = lexicon.bit("unknown") | lexicon.bit("sure_first") | lexicon.bit("sure_last")
    if "_" not in text:
        odd |= lexicon.bit("first") | lexicon.bit("frequent_last")
    elif re.search(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])", text):
        return False
    if "_" not in text and not re.fullmatch(r"[A-Za-z]{4,}\d{2,4}|\d{2,4}[a-z]{5,}", text):
        return False
    if any(lexicon.mask(part.lower()) & lexicon.bit("standard") for part in parts):
        return False
    return any(len(part) > 3 and lexicon.mask(part.capitalize()) & odd for part in parts)


ODD_NAME = TemplateDetector(
    "odd_name",
    "numbers.txt",
    check=is_user_name,
    examples=(
        (
            "write to hassan2005 or wynqvrh053",
            (("hassan2005", "USERNAME"), ("wynqvrh053", "USERNAME")),
        ),
        ("john_kowalski", (("john_kowalski", "USERNAME"),)),
        ("rogers.k and ada.rogers", (("rogers.k", "USERNAME"), ("ada.rogers", "USERNAME"))),
        ("\nrich88: hi there", (("rich88", "USERNAME"),)),
        ("with Ceapu30$ for now", (("Ceapu30$", "PASSWORD"),)),
        ("xxriverxx: hi there", (("xxriverxx", "USERNAME"),)),
        ("windows10, covid19, first_name, level42, mp3, iban: x, alpha_i", ()),
    ),
)
