"""Words of letters and digits, or with _, that hold a name or no word: names of users."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page

_CODE_AFTER = frozenset({"=", "(", "[", "<", "{"})
_USER_BEFORE = frozenset({"by", "user", "username", "from", "handle", "login", "account", "nick"})
_TYPIST = re.compile(r"[a-z]{2,4}\d{1,4}")
_WITH_DIGITS = re.compile(r"[A-Za-z]{3,}\d+|\d+[A-Za-z]{3,}\w*")


def is_user_name(page: Page, first: int, after: int) -> bool:
    """Whether letters with digits or _ hold a name or a word of no language, so are no product."""
    text = page.tokens[first].strip()
    if after < len(page.tokens) and page.tokens[after][0] == ">":
        return page.tokens[after].endswith(" ") and _word_before(page, first) == "<"
    if text.isalpha() or after - first > 2:
        timed = first > 1 and page.tokens[first - 1].strip().endswith(
            ("]", ")", "-", *"0123456789")
        )
        return after - first > 2 or len(text) > (3 if timed else 6)
    following = page.tokens[after].strip() if after < len(page.tokens) else ""
    if after - first == 2:
        return bool(_WITH_DIGITS.fullmatch(text)) and not is_standard(page, text)
    if not following and _word_before(page, first) in (".", "/") and _TYPIST.fullmatch(text):
        return True
    if following in _CODE_AFTER or is_standard(page, text):
        return False
    if following == ":" and re.fullmatch(r"[A-Za-z]{3,}\d+", text):
        return first == 0 or page.tokens[first - 1].endswith("\n")
    before = _word_before(page, first)
    if before == "@" or (before in _USER_BEFORE and re.fullmatch(r"[a-z]{3,}\d{1,4}", text)):
        return True
    if "_" in text:
        return is_joined_name(page, text, before, following)
    if before == "(" and re.fullmatch(r"[a-z]{5,}\d{1,3}", text):
        return True
    return bool(re.fullmatch(r"[A-Za-z]{4,}\d{2,4}|\d{2,4}[a-z]{5,}", text)) and _holds_a_name(
        page, text, ("first", "frequent_last")
    )


def is_joined_name(page: Page, text: str, before: str, following: str) -> bool:
    """Whether words joined by _ are a user's, and no name of a field of a program."""
    prose = (following != ":" or before.isalpha()) and before not in ("$", ".", '"', "'", "`")
    if prose and re.fullmatch(r"[a-z\d]+(?:_[a-z\d]+)*_?[a-z]{3,}\d{2,4}", text):
        return True
    if prose and before in _USER_BEFORE | {"its", "add"} and text.islower():
        return True
    if before in ("—", "–", "--") and not following:
        return True
    frequent = page.lexicon.bit("frequent") | page.lexicon.bit("heading")
    parts = re.findall(r"[a-z]+", text)
    is_plain = (prose or following == ":") and text.islower() and len(parts) > 1
    if is_plain and all(len(p) > 2 and not page.lexicon.mask(p) & frequent for p in parts):
        return True
    if re.search(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])", text):
        return following == ":" and _holds_a_name(page, text, ("first", "frequent_last"))
    return _holds_a_name(page, text, ())


def is_standard(page: Page, text: str) -> bool:
    """Whether a part is the name of a norm or a product."""
    parts = re.findall(r"[A-Za-z]+", text)
    return any(page.lexicon.mask(p.lower()) & page.lexicon.bit("standard") for p in parts)


def _holds_a_name(page: Page, text: str, more: tuple[str, ...]) -> bool:
    lexicon = page.lexicon
    odd = lexicon.union("unknown", "sure_first", "sure_last", *more)
    parts = re.findall(r"[A-Za-z]+", text)
    return any(len(part) > 3 and lexicon.mask(part.capitalize()) & odd for part in parts)


def _word_before(page: Page, first: int) -> str:
    """The word or mark before a token, in small letters; what closes a letter is like by."""
    if first > 1 and page.tokens[first - 1].strip() in (",", "\n", ",\n"):
        word = page.tokens[first - 2].strip().lower()
        if page.lexicon.mask(word) & page.lexicon.bit("closing"):
            return "by"
    return page.tokens[first - 1].strip().lower() if first else ""


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
        (
            "Closed by mreyes4. Ana Ruiz (aruiz12)",
            (("mreyes4", "USERNAME"), ("aruiz12", "USERNAME")),
        ),
        (
            "posted by moon_badger, or blue_kettle88",
            (("moon_badger", "USERNAME"), ("blue_kettle88", "USERNAME")),
        ),
        ("\nhelga_w: hi", (("helga_w", "USERNAME"),)),
        (
            "spelled G-R-A-V-E-S, that's k o v a c s",
            (("G-R-A-V-E-S", "NAME"), ("k o v a c s", "NAME")),
        ),
        ("[09:14] tkowal: ok\n<moon77> hi", (("tkowal", "USERNAME"), ("moon77", "USERNAME"))),
        (
            "AKF/tr41\nvelvet_turnip: hi\n— Hatters_For_Life",
            (
                ("tr41", "USERNAME"),
                ("velvet_turnip", "USERNAME"),
                ("Hatters_For_Life", "USERNAME"),
            ),
        ),
        ("n_0 > n_1, java.lang.IllegalStateException, the field due_date", ()),
        ("device_imei=3, Cust_ID (Integer), by 2024, A-B-C", ()),
        ("windows10, covid19, first_name, level42, mp3, iban: x, alpha_i", ()),
    ),
)
