"""Passwords, PINs and keys after a cue, and keys that services give out."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.detector import Shape, ShapeDetector
from discreet.scrub.finding import FULL
from discreet.scrub.page import Page

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
    """Whether the value has a digit, a mark or odd capitals, or is an odd word after a colon."""
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
