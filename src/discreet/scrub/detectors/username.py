"""Names of users: handles with @, and what follows words such as username or login."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.detector import Shape, ShapeDetector
from discreet.scrub.finding import FULL
from discreet.scrub.page import Page

USERNAME = ShapeDetector(
    "username",
    (
        Shape(
            "USERNAME",
            0.9,
            "handle",
            re.compile(r"@(?<![\w.@/]@)[A-Za-z_][\w.-]*\w(?!@)"),
            sign="@",
        ),
        Shape("USERNAME", 0.9, "between xx", re.compile(r"\bxx[a-wyz]\w{1,30}xx\b"), sign="xx"),
    ),
    precedence=FULL,
    examples=(
        ("He posts as xxlyrabirdxx there.", (("xxlyrabirdxx", "USERNAME"),)),
        ("Follow @ada_k.99 there.", (("@ada_k.99", "USERNAME"),)),
        ("write ada@example.org @ 5", ()),
    ),
)


_FIELD = re.compile(
    r"rep|assign|owner|author|creator|operator|primary|secondary|oncall|approver|review|commit|maint"
    r"|upload|poster|player|member|su|account|public|password|session|keyboard",
    re.IGNORECASE,
)


def is_no_word(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether the value is no ordinary word, unless a colon says that it is a value."""
    value = page.text[start:end]
    if _FIELD.match(cue) and not (value.islower() and value.isalnum() and len(value) > 4):
        return False
    if ":" in cue or "=" in cue:
        return len(value) > 2 and not (
            page.lexicon.mask(value.lower()) & page.lexicon.bit("frequent")
        )
    return len(value) > 2 and not (
        value.isalpha() and page.lexicon.mask(value.lower()) & page.lexicon.bit("ordinary")
    )


CUED_USERNAME = CueDetector(
    "cued_username",
    "numbers.txt",
    value=re.compile(r"@?(?P<it>[^\W_][\w.\-+]*\w)(?!\w)(?!['’]\w)"),
    check=is_no_word,
    precedence=FULL,
    examples=(
        ("Username: adak", (("adak", "USERNAME"),)),
        ("my user name is ada_k", (("ada_k", "USERNAME"),)),
        ("login wynqvrh053.", (("wynqvrh053", "USERNAME"),)),
        ("his Instagram handle is ada.lovelace1", (("ada.lovelace1", "USERNAME"),)),
        ("owner: tkowal, rep=jrowan", (("tkowal", "USERNAME"), ("jrowan", "USERNAME"))),
        ("the publickey for tkowal from", (("tkowal", "USERNAME"),)),
        (
            "Owner: Facilities, primary: yes, github: ada-k, password for the",
            (("ada-k", "USERNAME"),),
        ),
        ("The username is required; login failed; login ok; user: the", ()),
    ),
)
