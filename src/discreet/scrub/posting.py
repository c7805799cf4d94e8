"""What winners of the first look put on the blackboard.

Notes
-----
[Sweeney2001]_, sec. 9.3: "an entity can only post values for its constituent entities and if there
are no constituents, it can post for itself".

Departures: mail addresses post the names in their first part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.scrub.blackboard import Blackboard
from discreet.scrub.finding import Finding
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.page import Page
from discreet.scrub.tokens import tokenize

ROLE = {
    "NAME": "posted_name",
    "ORGANIZATION": "posted_org",
    "TEAM": "posted_org",
    "CITY": "posted_place",
    "STREET": "posted_place",
}
"""The role under which the words of a kind are posted."""

_NO_NAME = ("title", "suffix", "particle", "heading", "relation", "role", "month", "weekday")


def post_findings(page: Page) -> None:
    """Post the words of the page's winners."""
    for finding in page.found:
        if finding.keep:
            continue
        if finding.kind == "EMAIL":
            words = _local_part(page.text[finding.start : finding.end], page.lexicon)
            role = "posted_name"
        elif finding.kind in ROLE:
            role = ROLE[finding.kind]
            words = _words(page, finding, names=role == "posted_name")
        else:
            continue
        for word in words:
            page.board.post(word, role)


def post_person(name: str, board: Blackboard) -> None:
    """Post the parts of a name that the data holder knows of."""
    for token in tokenize(name):
        if len(token.strip()) > 1 and token[0].isalpha():
            board.post(token, "posted_name")


def _words(page: Page, finding: Finding, names: bool) -> Iterator[str]:
    """The words of a finding that say who or what it is."""
    lexicon = page.lexicon
    skip, word = lexicon.union(*_NO_NAME), lexicon.bits["word"]
    sure = lexicon.union("sure_first", "sure_last") if names else 0
    common = 0 if names else lexicon.union("ordinary", "org_word")
    for token in page.tokens[page.token_at(finding.start) : page.token_at(finding.end - 1) + 1]:
        mask = lexicon.mask(token)
        if not mask & word or len(token.strip()) < 2:
            continue
        is_plain = mask & skip and not mask & sure
        if not is_plain and not mask & common:
            yield token


def _local_part(mail: str, lexicon: Lexicon) -> Iterator[str]:
    """The names in the part of a mail address before the @."""
    name, ordinary = lexicon.union("first", "last", "nick", "unknown"), lexicon.bits["ordinary"]
    parts = re.split(r"[._\-+\d]+", mail.partition("@")[0])
    for part in parts:
        mask = lexicon.mask(part) if len(part) > 2 else 0
        if mask & name and not mask & ordinary:
            yield part
