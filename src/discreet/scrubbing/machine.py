"""The machine: detectors read a document twice, compete, and help each other by a blackboard.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111 and 112.

Departures: detectors run twice. The findings of the first turn are posted; the second turn, in
which only templates that use posts run, sees all of them, so the end of a letter helps with its
beginning.

Cost: linear in the text. Word classes are cached between documents, so use one Scrubber for many
documents. A search makes many findings and no cycles of objects: garbage collection, which would go
through all word lists again and again, waits for its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.scrubbing.blackboard import Blackboard
from discreet.scrubbing.casing import LOWER
from discreet.scrubbing.detectors import ALL, Detector
from discreet.scrubbing.detectors.detector import LateDetector
from discreet.scrubbing.field_labels import keep_labels
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.known_names import NAMED_KINDS, KnownNames, cover_known, mark_words
from discreet.scrubbing.languages.load import Language, load_language, pause_garbage_collection
from discreet.scrubbing.name_or_place import settle_names
from discreet.scrubbing.page import Page
from discreet.scrubbing.resolve import resolve
from discreet.scrubbing.templates.lexicon import Lexicon
from discreet.scrubbing.templates.tokens import tokenize

# What the winners of the first turn put on the blackboard.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3: "an entity can only post values for its constituent entities and if
# there are no constituents, it can post for itself".
#
# Departures: mail addresses post the names in their local part.


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
            words = _find_names_in_mail(page.text[finding.start : finding.end], page.lexicon)
            role = "posted_name"
        elif finding.kind in ROLE:
            role = ROLE[finding.kind]
            words = _list_words(page, finding, names=role == "posted_name")
        else:
            continue
        for word in words:
            page.board.post(word, role)


def post_person(name: str, board: Blackboard) -> None:
    """Post the parts of a name that the data holder listed."""
    for token in tokenize(name):
        if len(token.strip()) > 1 and token[0].isalpha():
            board.post(token, "posted_name")


def _list_words(page: Page, finding: Finding, names: bool) -> Iterator[str]:
    """The words of a finding that identify it."""
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


def _find_names_in_mail(mail: str, lexicon: Lexicon) -> Iterator[str]:
    """The names in the part of a mail address before the @."""
    name, ordinary = lexicon.union("first", "last", "nick", "unknown"), lexicon.bits["ordinary"]
    parts = re.split(r"[._\-+\d]+", mail.partition("@")[0])
    for part in parts:
        mask = lexicon.mask(part) if len(part) > 2 else 0
        if mask & name and not mask & ordinary:
            yield part


# Adjacent findings that are parts of one thing become one finding.
#
# Two detectors may each find half of a name: the hyphen or space between them would stay in the
# text, and each half would get a replacement of its own.


_JOINED = frozenset({"NAME", "ORGANIZATION", "TEAM", "STREET", "CITY", "LOCATION", "ID"})
_SAME = frozenset({"", " ", "-", "–", "/"})
"""What may be between halves of the same kind."""

_POINT = frozenset({".", ". "})
"""The same after one or two letters: an initial, St."""

_WITH_COMMA = frozenset({"NAME", "STREET"})
"""Kinds that are written with a comma inside: Graves, Frank; 12 Elm Street, Unit 3.

Two people with a comma between them become one finding too: names are replaced word by word, and
full names have a tag each, so the output is the same.
"""

_APART = frozenset({" ", "/"})
_PART = 4
"""Most characters of a part of an ID; longer parts with a space or slash between are two IDs."""

_HALVES = frozenset({"", "-", "–"})
"""What may be between halves of different kinds, which then are one word."""


def join(findings: Sequence[Finding], text: str) -> list[Finding]:
    """Findings in text order, with adjacent ones that belong together merged.

    Examples
    --------
    >>> halves = [Finding(0, 7, "NAME", 0.8, "a", "x"), Finding(8, 12, "NAME", 0.9, "b", "y")]
    >>> [(f.start, f.end) for f in join(halves, "Adeyemi-Cole")]
    [(0, 12)]
    """
    joined: list[Finding] = []
    for finding in findings:
        last = joined[-1] if joined else None
        if last is not None and _should_join(last, finding, text):
            joined[-1] = _join_pair(last, finding)
        else:
            joined.append(finding)
    starts = {finding.start for finding in joined}
    return [f if f.end in starts else _extend_to_point(f, text) for f in joined]


def _should_join(left: Finding, right: Finding, text: str) -> bool:
    if left.keep or right.keep or right.start - left.end > 2:
        return False
    if left.kind not in _JOINED or right.kind not in _JOINED:
        return False
    between = text[left.end : right.start]
    if left.kind != right.kind:
        return between in _HALVES
    if left.kind == "ID" and between in _APART:
        return min(left.end - left.start, right.end - right.start) <= _PART
    if between in _POINT:
        return not text[max(left.start, left.end - 3) : left.end - 2].isalnum()
    return between in _SAME or (between == ", " and left.kind in _WITH_COMMA)


def _join_pair(left: Finding, right: Finding) -> Finding:
    """One finding that covers both, with the higher likelihood."""
    surer = left if left.likelihood >= right.likelihood else right
    return surer._replace(start=left.start, end=right.end, whole=left.whole or right.whole)


def _extend_to_point(finding: Finding, text: str) -> Finding:
    """Include the point after an initial that ends a name, so that both are replaced."""
    end = finding.end
    if finding.kind != "NAME" or finding.keep or text[end : end + 1] != ".":
        return finding
    is_initial = text[end - 1].isalpha() and not text[max(0, end - 2) : end - 1].isalnum()
    return finding._replace(end=end + 1) if is_initial else finding


OFF_BY_DEFAULT = frozenset({"OCCUPATION", "RELATIVE_DATE"})
"""Kinds that are reported only on request: they identify nobody by themselves."""


@dataclass(frozen=True)
class Scrubber:
    """Finds personal information in text, with a likelihood and a reason for each finding.

    ``kinds`` limits what is found, ``special`` uses the special detectors that reduce false alarms,
    ``people`` are names known to the data holder, which are found wherever they occur, and
    ``likelihoods`` overrides those of templates by ``section/name``. Documents of one ``person``
    help each other.

    Examples
    --------
    >>> scrubber = Scrubber()
    >>> text = "Virginia P. Weston came. I feel better after seeing Virginia."
    >>> [text[f.start : f.end] for f in scrubber.find(text)]
    ['Virginia P. Weston', 'Virginia']
    """

    language: str = "en"
    threshold: float = 0.7
    kinds: frozenset[str] | None = None
    special: bool = True
    people: tuple[str, ...] = ()
    likelihoods: Mapping[str, float] = field(default_factory=dict)
    detectors: tuple[Detector, ...] = ALL
    _boards: dict[str, Blackboard] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ParameterError("scrub", "threshold", "from 0 to 1")
        if self.kinds is not None:
            object.__setattr__(self, "kinds", frozenset(self.kinds))
        known = load_language(self.language)
        object.__setattr__(
            self, "_words", known.with_likelihoods(self.likelihoods) if self.likelihoods else known
        )
        everybody = self._boards.setdefault("", Blackboard())
        for name in self.people:
            post_person(name, everybody)
        object.__setattr__(self, "_names", KnownNames(self.people))

    def find(self, text: str, person: str | None = None) -> list[Finding]:
        """The findings in a text, in order and without overlaps; kept ones are left out.

        ``person`` is any id of the person the text is about: findings in one document of a person
        help in the next.
        """
        with pause_garbage_collection():
            page, winners = self._find_winners(text, person)
            wanted = [f for f in winners if f.keep or self.is_wanted(f.kind)]
            return [f for f in join(self._add_names(page, wanted), text) if not f.keep]

    def find_all(self, text: str, person: str | None = None) -> list[Finding]:
        """Like ``find``, but with the findings of special detectors and of kinds not asked for."""
        return join(self._add_names(*self._find_winners(text, person)), text)

    def candidates(self, text: str, person: str | None = None) -> tuple[Page, list[Finding]]:
        """All findings of the detectors in a text, before they compete, and the page.

        The page's turn is 2 if the second turn found anything.
        """
        page, found = self._first_look(text, person)
        post_findings(page)
        page.turn = 2
        second = self._look(page)
        page.turn = 2 if second else 1
        return page, [*found, *second]

    def first_look(self, text: str) -> Page:
        """The page of a text after the first turn, before anything is posted."""
        return self._first_look(text, None)[0]

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon of the language."""
        return self._language().lexicon

    def post(self, name: str, person: str) -> None:
        """Add a name of a person, to be found in all documents of that person."""
        post_person(name, self._board(person))

    def forget(self, person: str) -> None:
        """Drop the blackboard of a person, so that memory does not grow with their number."""
        if person:
            self._boards.pop(person, None)

    def _first_look(self, text: str, person: str | None) -> tuple[Page, list[Finding]]:
        """The page with its winners, and all findings."""
        page = Page(text, self._language(), self._board(person))
        findings = self._look(page)
        page.found = resolve(findings, self.threshold, text)
        late = self._look(page, late=True)
        if late:
            findings += late
            page.found = resolve([*page.found, *late], self.threshold, text)
        page.found = keep_labels(page, settle_names(page, page.found))
        return page, findings

    def _find_winners(self, text: str, person: str | None) -> tuple[Page, list[Finding]]:
        page, found = self.candidates(text, person)
        if page.turn == 1:
            return page, page.found
        return page, keep_labels(page, settle_names(page, resolve(found, self.threshold, text)))

    def _add_names(self, page: Page, findings: list[Finding]) -> list[Finding]:
        """The findings, with the names the data holder listed and the full names of the text."""
        text, is_small = page.text, page.casing == LOWER
        is_named = self.is_wanted("NAME")
        listed: KnownNames = self.__dict__["_names"]
        covered = cover_known(text, findings, listed.find(text, is_small), "listed", is_named)
        covered = mark_words(text, covered, listed.words, NAMED_KINDS)
        full = {text[f.start : f.end] for f in covered if f.kind == "NAME" and not f.keep}
        names = KnownNames(name for name in full if " " in name.strip())
        return cover_known(text, covered, names.find(text), "name found in full", is_named)

    def _look(self, page: Page, late: bool = False) -> list[Finding]:
        findings: list[Finding] = []
        for detector in self.detectors:
            if isinstance(detector, LateDetector) == late:
                findings.extend(detector.find(page))
        return findings if self.special else [f for f in findings if not f.keep]

    def _language(self) -> Language:
        words: Language = self.__dict__["_words"]
        return words

    def _board(self, person: str | None) -> Blackboard:
        if person:
            return self._boards.setdefault(person, Blackboard(self._boards[""]))
        return Blackboard(self._boards[""])

    def is_wanted(self, kind: str) -> bool:
        """Whether findings of a kind are asked for."""
        return kind not in OFF_BY_DEFAULT if self.kinds is None else kind in self.kinds


def list_texts(text: str, findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """The found characters with their kind, as examples and tests write them."""
    return [(text[f.start : f.end], f.kind) for f in findings]
