"""Known names are replaced whole, whatever a detector takes a part of them for.

Rebecca Lane is a patient and not a lane if the data holder listed her, if she is the person of the
row, or if the text has her full name elsewhere.

Notes
-----
[Sweeney2001]_, sec. 9.3: the detector with the highest precedence wins.

Departures: a known name does not compete. A finding of another kind that has it inside (12 Rebecca
Lane) keeps its kind, but none of its words stay; any other finding gives way.

Cost: one pass over the words of a text, with a look-up for each.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrubbing.finding import BLOCK, Finding
from discreet.scrubbing.replace.words import fold_word

_LETTER = r"[^\W\d_][\u0300-\u036f]*"
_WORD = re.compile(rf"(?:{_LETTER})+(?:['’`´](?:{_LETTER}){{2,}})*")
"""A word; the s of a possessive is not part of it, the O' of O'Brien is."""
_BETWEEN = re.compile(r"[\s.,'’`´\-\u2010-\u2015_^|/\u00ad\u200b-\u200d]{1,4}")
"""What may stand between two words of a name."""
_MOST_INITIALS = 3
_MOST_WORDS = 16
"""Most words of a name; a longer run of words is a list of names, not a name."""
_PLACES = ("STREET", "ADDRESS")
_MAY_STAY = ("STATE", "COUNTRY", "DATE", "AGE", "OCCUPATION", "RELATIVE_DATE")
"""Kinds that may come out as they went in: a known name that is all of one is a name."""

NAMED_KINDS = ("STREET", "ADDRESS", "ORGANIZATION", "TEAM", "CITY", "LOCATION", "NAME", "BLOCK")
"""Kinds of which the replacement keeps some words: Street, Hospital, Captain."""

Span = tuple[int, int]


@safe_repr
class _Word(NamedTuple):
    start: int
    end: int
    text: str


class _Node:
    """A tree of the words of names, so that time does not grow with the number of names."""

    __slots__ = ("ends", "following")

    def __init__(self) -> None:
        self.following: dict[str, _Node] = {}
        self.ends: set[str] = set()

    def add(self, order: Iterable[str], end: str) -> None:
        """Add the words of a name in one order."""
        node = self
        for word in order:
            node = node.following.setdefault(word, _Node())
        node.ends.add(end)

    def follow(self, text: str, words: Sequence[_Word], place: int) -> Iterator[tuple[int, bool]]:
        """The places after names that start at a word, shortest first, initials between or not.

        Each with whether the first name comes first.
        """
        node, at, skipped = self.following.get(words[place].text), place, 0
        while node is not None:
            if node.ends:
                yield at + 1, "plain" in node.ends
            at += 1
            while at < len(words) and len(words[at].text) == 1:
                if skipped == _MOST_INITIALS or not _is_near(text, words, at):
                    return
                at, skipped = at + 1, skipped + 1
            if at >= len(words) or not node.following or not _is_near(text, words, at):
                return
            node = node.following.get(words[at].text)


class KnownNames:
    """Names to search for: in any case, with or without middle initials, last name first or last.

    A one-word name must be capitalized in the text, unless ``small``.

    Examples
    --------
    >>> names = KnownNames(["Rebecca J. Lane"])
    >>> text = "Seen: LANE, REBECCA. The lane was closed; Rebecca Lane's car, R. Lane."
    >>> [text[start:end] for start, end in names.find(text)]
    ['LANE, REBECCA', 'Rebecca Lane', 'R. Lane']
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._orders = _Node()
        """The names as a tree of their words, in the order in which they may be written."""
        self._initials: set[tuple[str, str]] = set()
        self._ones: set[str] = set()
        self.words: set[str] = set()
        """Every word of two letters and more."""
        for name in names:
            self._add(name)

    def __bool__(self) -> bool:
        return bool(self.words)

    def _add(self, name: str) -> None:
        last, comma, rest = name.partition(",")
        all_words = _split_words(f"{rest} {last}" if comma and rest.strip() else name)
        words = tuple(word.text for word in all_words if len(word.text) > 1)
        self.words.update(words)
        if not words:
            return
        if len(words) == 1:
            self._ones.add(words[0])
        for order in (words[:_MOST_WORDS], (words[0], words[-1])) if len(words) > 1 else ():
            self._orders.add(order, "plain")
            self._orders.add((order[-1], *order[:-1]), "turned")
        first = all_words[0].text
        if len(all_words) > 1:
            self._initials.add((first[0], words[-1]))

    def find(self, text: str, small: bool = False) -> list[Span]:
        """Where the names are, in order; no two overlap."""
        if not self.words or not text:
            return []
        found: list[Span] = []
        words = _split_words(text)
        place = 0
        while place < len(words):
            after = self._at(text, words, place, small)
            if after > place:
                found.append((words[place].start, words[after - 1].end))
                place = after
            else:
                place += 1
        return found

    def _at(self, text: str, words: Sequence[_Word], place: int, small: bool) -> int:
        """The place after the longest name that starts at a word, or the place itself."""
        word = words[place]
        best = place
        for after, is_plain in self._orders.follow(text, words, place):
            if is_plain or small or _is_written(text, words, place, after):
                best = after
        if best > place:
            return best
        if len(word.text) == 1 and place + 1 < len(words):
            after = place + 1
            while len(words[after].text) == 1 and after - place < _MOST_INITIALS:
                after += 1
                if after == len(words):
                    return place
            is_near = all(_is_near(text, words, at) for at in range(place + 1, after + 1))
            if is_near and (word.text, words[after].text) in self._initials:
                return after + 1 if text[words[after].start].isupper() or small else place
        if word.text in self._ones and (small or not text[word.start : word.end].islower()):
            return place + 1
        return place


def _split_words(text: str) -> list[_Word]:
    return [_Word(m.start(), m.end(), _fold_letters(m[0])) for m in _WORD.finditer(text)]


@lru_cache(maxsize=1 << 16)
def _fold_letters(word: str) -> str:
    word = fold_word(word)
    return word if word.isalpha() else "".join(filter(str.isalpha, word))


def _is_near(text: str, words: Sequence[_Word], place: int) -> bool:
    return _BETWEEN.fullmatch(text, words[place - 1].end, words[place].start) is not None


def _is_written(text: str, words: Sequence[_Word], place: int, after: int) -> bool:
    """Whether words in last-name-first order are a name: he will mark it is not Mark Will."""
    written = text[words[place].start : words[after - 1].end]
    return "," in written or all(text[one.start].isupper() for one in words[place:after])


def cover_known(
    text: str,
    findings: Iterable[Finding],
    spans: Iterable[Span],
    reason: str,
    is_named: bool = True,
) -> list[Finding]:
    """The findings, in order, extended so that every known span is in one that is ``whole``.

    Without ``is_named`` no finding is added, because names were not asked for.

    Examples
    --------
    >>> street = Finding(3, 15, "STREET", 0.96, "street", "number")
    >>> [held] = cover_known("At Rebecca Lane.", [street], [(3, 15)], "listed")
    >>> held.kind, held.whole
    ('STREET', True)
    """
    left = sorted(findings)
    new: list[Finding] = []
    ends = [finding.end for finding in left]
    for start, end in spans:
        place = bisect_right(ends, start)
        around = place < len(left) and left[place].start <= start and end <= left[place].end
        if around and _may_hold(left[place], start, end):
            left[place] = left[place]._replace(whole=True)
        elif is_named:
            kind = "ID" if any(map(str.isdigit, text[start:end])) else "NAME"
            new.append(Finding(start, end, kind, 1.0, "known", reason, BLOCK, whole=True))
    return sorted([*new, *_cut_outside(left, new, text)]) if new else left


def _may_hold(finding: Finding, start: int, end: int) -> bool:
    """Whether a finding may keep its kind with a known name inside."""
    is_all = (finding.start, finding.end) == (start, end)
    return not finding.keep and not (finding.kind in _MAY_STAY and is_all)


def _cut_outside(
    findings: Iterable[Finding], spans: Sequence[Finding], text: str
) -> Iterator[Finding]:
    """The parts of the findings outside the spans, which are sorted and disjoint."""
    ends = [span.end for span in spans]
    for finding in findings:
        start, place = finding.start, bisect_right(ends, finding.start)
        if place == len(spans) or spans[place].start >= finding.end:
            yield finding
            continue
        while place < len(spans) and spans[place].start < finding.end:
            yield from _trim_finding(finding, start, spans[place].start, text)
            start, place = spans[place].end, place + 1
        yield from _trim_finding(finding, start, finding.end, text)


def _trim_finding(finding: Finding, start: int, end: int, text: str) -> Iterator[Finding]:
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    if start < end and not finding.keep:
        yield finding._replace(start=start, end=end)


def mark_words(
    text: str, findings: Iterable[Finding], words: set[str], kinds: tuple[str, ...]
) -> list[Finding]:
    """The findings; those of some kinds that contain a word of a known name become ``whole``.

    The last word of a street is exempt: Oak Street is not John Street.
    """
    marked = []
    for finding in findings:
        if finding.kind in kinds and not finding.whole and not finding.keep:
            inside = _split_words(text[finding.start : finding.end])
            known = [one.text in words for one in inside]
            is_street = finding.kind in _PLACES
            if any(known[:-1] if is_street and len(known) > 1 else known):
                finding = finding._replace(whole=True)
        marked.append(finding)
    return marked
