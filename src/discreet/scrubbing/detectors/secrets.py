"""Passwords, PINs and keys after a cue, and API keys in the formats of known services."""

from __future__ import annotations

import re

from discreet.scrubbing.detectors.cue import CueDetector
from discreet.scrubbing.detectors.detector import Shape, ShapeDetector, TemplateDetector
from discreet.scrubbing.finding import FULL
from discreet.scrubbing.page import Page

_KEYS = tuple(
    Shape("PASSWORD", 0.96, "key of a service", re.compile(sign + rest), sign=sign)
    for sign, rest in (
        ("sk-", r"[A-Za-z0-9_-]{16,}"),
        ("sk_", r"[A-Za-z0-9_]{16,}"),
        ("pk_", r"[A-Za-z0-9_]{16,}"),
        ("AKIA", r"[0-9A-Z]{16}"),
        ("ghp_", r"[A-Za-z0-9]{30,}"),
        ("xox", r"[abp]-[\w-]{10,}"),
        ("AIza", r"[\w-]{30,}"),
        ("glpat-", r"[\w-]{15,}"),
    )
)

PASSWORD = ShapeDetector(
    "password",
    (
        *_KEYS,
        Shape(
            "PASSWORD",
            0.96,
            "web token",
            re.compile(r"eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?"),
            sign="eyJ",
        ),
        *(
            Shape(
                "PASSWORD",
                0.95,
                "secret of a program",
                re.compile(sign + r"[\"']?[:=] *[\"']?(?P<it>[^\s\"',;]{4,})"),
                sign=sign,
            )
            for sign in ("_PASSWORD", "_password", "_SECRET", "_TOKEN", "_KEY", "_secret", "_token")
        ),
        Shape(
            "PASSWORD",
            0.97,
            "private key",
            re.compile(r"-----BEGIN [A-Z ]*KEY-----[\w\s+/=]*(?:-----END [A-Z ]*KEY-----)?"),
            sign="-----BEGIN",
        ),
    ),
    precedence=FULL,
    examples=(
        ("key sk-abcdEFGH1234567890abcd", (("sk-abcdEFGH1234567890abcd", "PASSWORD"),)),
        ("AKIAIOSFODNN7EXAMPLE", (("AKIAIOSFODNN7EXAMPLE", "PASSWORD"),)),
        ("DB_PASSWORD: k8!Tulip_Drum", (("k8!Tulip_Drum", "PASSWORD"),)),
        ("the sk-learn package, reset_token now", ()),
    ),
)


_PHRASE = re.compile(r"(?:word|phrase|answer)s?\b.*(?:\bis\b|\bfor\b.*:|[:(\"“])", re.I | re.S)
_SIGN = re.compile(r"[:=(\"“'‘`]|\bis\b|\bwas\b|\bto\b", re.IGNORECASE)


def is_secret(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether the value has a digit, a mark or odd capitals, or is a rare word after a colon."""
    value, lexicon = page.text[start:end], page.lexicon
    if re.search(r"\b(?:pins?|codes?|combo|combination|keypad|keysafe|lockbox)\b", cue, re.I):
        return any(map(str.isdigit, value))
    if " " in value and not value[0].isdigit():
        quoted = page.text[start - 1] in '"“'
        return quoted or bool(re.search(r"\bfor\b.*:|(?:word|phrase) is\b", cue))
    if not value.isalpha() and not re.fullmatch(r"[\w]+['’-]\w+|\d{1,3}", value):
        return True
    mask = lexicon.mask(value.lower())
    if re.match(r"(?:safe|secret|security|code|memorable)", cue, re.I) and _PHRASE.search(cue):
        return len(value) > 3 and not mask & lexicon.bit("function_word")
    if cue.endswith("(") and re.search(r"verified|confirmed|given|correct|ok", cue, re.I):
        return len(value) > 3 and not mask & lexicon.bit("frequent")
    known = mask & lexicon.bit("ordinary") or (value.islower() and not _SIGN.search(cue))
    return not known or (not value.islower() and not value.istitle() and not value.isupper())


CUED_PASSWORD = CueDetector(
    "cued_password",
    "numbers.txt",
    value=re.compile(
        r"[\"'“‘`]?(?P<it>(?<=[\"“])\S[^\"”\n]{2,40}(?=[\"”])"
        r"|\d{3}[ -]\d{3}(?!\d)|[a-z]{3,}(?: [a-z]{3,}){1,2}(?=[.]?\s*(?:\n|$))"
        r"|(?!\()[^\s\"“”]{3,}(?<![.,;:!?'’`)\]])(?:[!?](?=[\s.,]|$))?)"
    ),
    check=is_secret,
    precedence=FULL,
    examples=(
        ("Password: Xy7$kl!", (("Xy7$kl!", "PASSWORD"),)),
        ("my password is hunter2.", (("hunter2", "PASSWORD"),)),
        ("PIN 4821", (("4821", "PASSWORD"),)),
        ("API key = 9f86d081884c7d65", (("9f86d081884c7d65", "PASSWORD"),)),
        ("one-time code is 482113", (("482113", "PASSWORD"),)),
        ("gate code changed to 2290#", (("2290#", "PASSWORD"),)),
        ("Door code is now 6617Y, key safe D2044", (("6617Y", "PASSWORD"), ("D2044", "PASSWORD"))),
        (
            "Safe word is heliotrope. Password confirmed (zinnia)",
            (("heliotrope", "PASSWORD"), ("zinnia", "PASSWORD")),
        ),
        ('security phrase "green heron 7"', (("green heron 7", "PASSWORD"),)),
        ("Password for pick-up: velvet badger", (("velvet badger", "PASSWORD"),)),
        ("The password is required. Password: see below", ()),
        ("A password reset failed, the code is long", ()),
    ),
)


# User names: words of letters and digits, or with _, that contain a name or no known word.


_CODE_AFTER = frozenset({"=", "(", "[", "<", "{"})
_USER_BEFORE = frozenset({"by", "user", "username", "from", "handle", "login", "account", "nick"})
_JOINED_WORDS = re.compile(r"[a-z\d]+(?:_[a-z\d]+)+")
_NUMBERED_END = re.compile(r"[a-z]{3}\d{2,4}\Z")
_TYPIST = re.compile(r"[a-z]{2,4}\d{1,4}")
_WITH_DIGITS = re.compile(r"[A-Za-z]{3,}\d+|\d+[A-Za-z]{3,}\w*")


def is_user_name(page: Page, first: int, after: int) -> bool:
    """Whether letters with digits or _ contain a name or an unknown word, so are not a product."""
    text = page.tokens[first].strip()
    if after < len(page.tokens) and page.tokens[after][0] == ">":
        return page.tokens[after].endswith(" ") and _find_word_before(page, first) == "<"
    if text.isalpha() or after - first > 2:
        timed = first > 1 and page.tokens[first - 1].strip().endswith(
            ("]", ")", "-", *"0123456789")
        )
        return after - first > 2 or len(text) > (3 if timed else 6)
    following = page.tokens[after].strip() if after < len(page.tokens) else ""
    if after - first == 2:
        return bool(_WITH_DIGITS.fullmatch(text)) and not is_standard(page, text)
    if not following and _find_word_before(page, first) in (".", "/") and _TYPIST.fullmatch(text):
        return True
    if following in _CODE_AFTER or is_standard(page, text):
        return False
    if following == ":" and re.fullmatch(r"[A-Za-z]{3,}\d+", text):
        return first == 0 or page.tokens[first - 1].endswith("\n")
    before = _find_word_before(page, first)
    if before == "@" or (before in _USER_BEFORE and re.fullmatch(r"[a-z]{3,}\d{1,4}", text)):
        return True
    if "_" in text:
        return is_joined_name(page, text, before, following)
    if before == "(" and re.fullmatch(r"[a-z]{5,}\d{1,3}", text):
        return True
    return bool(re.fullmatch(r"[A-Za-z]{4,}\d{2,4}|\d{2,4}[a-z]{5,}", text)) and _has_a_name(
        page, text, ("first", "frequent_last")
    )


def is_joined_name(page: Page, text: str, before: str, following: str) -> bool:
    """Whether words joined by _ are a user name and not a field name of a program."""
    prose = (following != ":" or before.isalpha()) and before not in ("$", ".", '"', "'", "`")
    if prose and _NUMBERED_END.search(text[-7:]) and _JOINED_WORDS.fullmatch(text):
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
        return following == ":" and _has_a_name(page, text, ("first", "frequent_last"))
    return _has_a_name(page, text, ())


def is_standard(page: Page, text: str) -> bool:
    """Whether a part is the name of a standard or a product."""
    parts = re.findall(r"[A-Za-z]+", text)
    return any(page.lexicon.mask(p.lower()) & page.lexicon.bit("standard") for p in parts)


def _has_a_name(page: Page, text: str, more: tuple[str, ...]) -> bool:
    lexicon = page.lexicon
    odd = lexicon.union("unknown", "sure_first", "sure_last", *more)
    parts = re.findall(r"[A-Za-z]+", text)
    return any(len(part) > 3 and lexicon.mask(part.capitalize()) & odd for part in parts)


def _find_word_before(page: Page, first: int) -> str:
    """The word or mark before a token, in small letters; the closing of a letter counts as "by"."""
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
