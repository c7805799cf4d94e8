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
        ("the sk-learn package", ()),
    ),
)


def is_secret(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether the value has a digit, a mark or odd capitals, or is an odd word after a colon."""
    value = page.text[start:end]
    if "pin" in cue.lower() or "code" in cue.lower():
        return any(map(str.isdigit, value))
    if not value.isalpha() and not re.fullmatch(r"[\w]+['’-]\w+|\d{1,3}", value):
        return True
    known = page.lexicon.mask(value.lower()) & page.lexicon.bit("ordinary")
    return not known or (not value.islower() and not value.istitle() and not value.isupper())


CUED_PASSWORD = CueDetector(
    "cued_password",
    "numbers.txt",
    value=re.compile(r"[\"'“‘`]?(?P<it>[^\s\"“”]{3,}(?<![.,;:!?'’`)\]])(?:[!?](?=\s|$))?)"),
    check=is_secret,
    precedence=FULL,
    examples=(
        ("Password: Xy7$kl!", (("Xy7$kl!", "PASSWORD"),)),
        ("my password is hunter2.", (("hunter2", "PASSWORD"),)),
        ("PIN 4821", (("4821", "PASSWORD"),)),
        ("API key = 9f86d081884c7d65", (("9f86d081884c7d65", "PASSWORD"),)),
        ("one-time code is 482113", (("482113", "PASSWORD"),)),
        ("The password is required. Password: see below", ()),
    ),
)
