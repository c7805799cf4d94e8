"""Surnames that are also words for places: Rebecca Lane is a woman, 12 Rebecca Lane a street.

Notes
-----
[Sweeney2001]_, sec. 9.3: detectors compete for a stretch of text.

Departures: a street or an organization that consists of a first name and a common surname (Lane,
Church, Court) needs more evidence, such as a house number, "lives on", a town after it, or "the".
Otherwise it is taken for a person. Either way it is replaced; the difference is whether the second
word stays.

Cost: one check of the words around each such finding.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from discreet.scrubbing.casing import LOWER, UPPER
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import Page

_KINDS = ("STREET", "ORGANIZATION", "LOCATION", "CITY", "TEAM")
_MOST = 4
"""Most words and initials of a name with a title."""
_LONGEST_TITLE = 5
_MOST_INITIALS = 3
_REACH = 4
"""Words before a street that may say that somebody lives there."""
_ALONG = frozenset({"on", "off", "along", "down", "onto", "up", "across"})
_AT = frozenset({"at", "in", "near", "between", "behind", "outside", "towards"})
_TO = frozenset({"to", "from", "and"})
_THE = frozenset({"the", "at", "near", "outside", "inside", "in", "of", "behind", "attends"})
_DONE_ON = re.compile(
    r"(?:operat|call|check|perform|depend|rel[iy]|focus|updat|report|consult|wait|follow|examin|bas)"
    r"|(?:done|exam|carried|worked|count)$"
)
"""Verbs that take a person: operated on Rebecca Lane."""
_DID = frozenset({"was", "is", "has", "had", "came", "went", "said", "did"})
"""Verbs that follow a name but never the verb may: Rebecca May was."""
_ILLNESS = frozenset({"disease", "syndrome", "palsy", "sign", "test", "lymphoma", "tumor"})
_NAME_LABELS = frozenset(
    {"name", "fullname", "patient", "client", "resident", "insured", "guarantor"}
)
_LABELS = frozenset({"address", "street", "residence", "addr", "location", "addresses"})


def settle_names(page: Page, findings: list[Finding]) -> list[Finding]:
    """The findings, where those more likely to be a person than a place become names."""
    settled = [
        _settle(page, f) if f.kind in _KINDS and not f.keep else f
        for f in _join_labelled(page, findings)
    ]
    return _add_surnames(page, [f for f in settled if not _is_title(page, f)])


def _join_labelled(page: Page, findings: list[Finding]) -> list[Finding]:
    """The findings, with a town and a state after a name label joined: Name: Hill, Virginia."""
    joined: list[Finding] = []
    for finding in findings:
        before = joined[-1] if joined else finding
        if (
            finding.kind == "STATE"
            and before.kind == "CITY"
            and page.text[before.end : finding.start] == ", "
            and _is_labelled(page, page.token_at(before.start))
            and page.lexicon.has(page.text[finding.start : finding.end], "first")
        ):
            reason = f"{before.reason}, or a person"
            joined[-1] = before._replace(end=finding.end, kind="NAME", reason=reason, whole=True)
        else:
            joined.append(finding)
    return joined


def _is_labelled(page: Page, first: int) -> bool:
    """Whether a name label and a colon come before a token."""
    if first < 2 or page.tokens[first - 1].strip() != ":":
        return False
    return page.tokens[first - 2].strip().lower() in _NAME_LABELS


def _is_title(page: Page, finding: Finding) -> bool:
    """Whether only a title was taken for a place: the Dr of Dr Street."""
    if finding.kind not in _KINDS or finding.end - finding.start > _LONGEST_TITLE:
        return False
    return page.lexicon.has(page.text[finding.start : finding.end], "sure_title")


def _settle(page: Page, finding: Finding) -> Finding:
    first, after = page.token_at(finding.start), page.token_at(finding.end - 1) + 1
    words = [at for at in range(first, after) if page.tokens[at][0].isalnum()]
    if not 1 <= len(words) <= _MOST or page.start(first) != finding.start:
        return finding
    lexicon = page.lexicon
    title, initial = lexicon.union("sure_title", "greeting"), lexicon.bits["initial"]
    masks = {at: lexicon.mask(page.tokens[at]) for at in words}
    is_titled = _is_titled(page, first)
    if masks[words[0]] & title and len(words) > 1:
        is_titled, words = True, words[1:]
    full = [at for at in words if not masks[at] & initial]
    is_street = finding.kind == "STREET"
    if finding.kind in ("CITY", "LOCATION") and not masks[words[0]] & lexicon.bits["first"]:
        return finding
    if not is_street and _is_named_place(page, finding, masks[words[-1]]):
        return finding
    is_name = is_titled or any(masks[at] & initial for at in words)
    if not full or not _can_be_called(page, full, masks, is_name, is_street):
        return finding
    if not is_titled and _is_place(page, finding, first, after, masks[full[0]]):
        return finding
    reason = f"{finding.reason}, or a person"
    return finding._replace(start=page.start(words[0]), kind="NAME", reason=reason, whole=True)


def _can_be_called(
    page: Page, full: list[int], masks: dict[int, int], is_name: bool, is_street: bool
) -> bool:
    """Whether words can be a person's: first and last name, or one after Mrs. or an initial."""
    lexicon = page.lexicon
    if any(not masks[at] & lexicon.bits["word"] or page.tokens[at][0].islower() for at in full):
        return False
    first, sure = masks[full[0]], lexicon.union("sure_first", "given")
    is_often = is_street or masks[full[-1]] & lexicon.union("frequent_last", "street_type")
    is_new = is_often and first & lexicon.bits["unknown"]
    if not masks[full[-1]] & lexicon.bits["last"] and not (is_street and (first & sure or is_new)):
        return False
    if len(full) == 1:
        return is_name
    is_given = first & lexicon.union("first", "nick", "given")
    is_plain = first & lexicon.bits["ordinary"] and not first & sure
    return len(full) == 2 and bool(is_name or is_new or (is_given and not is_plain))


def _is_named_place(page: Page, finding: Finding, last: int) -> bool:
    """Whether the words are a town, or end in a word that only firms have: Marina Corp."""
    written = page.text[finding.start : finding.end].lower()
    is_town = written in page.lexicon.any_phrase("city", "state", "country")
    return is_town or bool(last & page.lexicon.union("legal_form", "company_word", "sure_legal"))


def _is_titled(page: Page, first: int) -> bool:
    """Whether Mrs. or Dr comes before a token."""
    before = first - 1
    if before > 0 and page.tokens[before].strip() == ".":
        before -= 1
    return before >= 0 and page.lexicon.has(page.tokens[before], "sure_title")


def _is_place(page: Page, finding: Finding, first: int, after: int, given: int) -> bool:
    """Whether the context says that it is a place."""
    tokens, lexicon = page.tokens, page.lexicon
    following = [token.strip() for token in tokens[after : after + 3]]
    if following and following[0][:1] in ("'", "’"):
        return False
    before = [token.strip().lower() for token in tokens[max(0, first - _REACH) : first]]
    last = before[-1] if before else ""
    if finding.kind != "STREET":
        return last in _THE or _is_town_after(page, after)
    if last == ":" and len(before) > 1 and before[-2] in _LABELS:
        return True
    if any(lexicon.has(word, "live_word") for word in before) and last in _ALONG | _AT | _TO:
        return True
    if last in _ALONG:
        return not any(map(_DONE_ON.match, before))
    if last in _AT and not given & lexicon.union("given", "sure_first"):
        return True
    return last.isdigit() or _is_town_after(page, after)


def _is_town_after(page: Page, after: int) -> bool:
    """Whether a comma and a town follow; MD after a comma is a degree."""
    tokens, lexicon = page.tokens, page.lexicon
    if after + 1 >= len(tokens) or tokens[after].strip() != ",":
        return False
    mask = lexicon.mask(tokens[after + 1])
    is_town = mask & lexicon.union("city", "sure_city", "state", "d5")
    is_other = mask & lexicon.union("first", "suffix", "month", "weekday")
    return bool(mask & lexicon.bits["sure_city"] or (is_town and not is_other))


def _add_surnames(page: Page, findings: list[Finding]) -> list[Finding]:
    """The findings, first names extended by a last name: Rebecca Drive, Bell, Rebecca.

    An illness named after somebody gives way, and so does a verb: Robert J. Chase.
    """
    taken = [(f.start, f.end) for f in findings if not _gives_way(f)]
    starts, ends = [start for start, _ in taken], [end for _, end in taken]
    settled, gone = [], []
    for finding in findings:
        if finding.kind == "NAME" and not finding.keep:
            start, end = _extend_to_last(page, finding)
            after = bisect_left(starts, finding.end)
            end = finding.end if after < len(starts) and starts[after] < end else end
            before = bisect_left(ends, start + 1)
            start = finding.start if ends[before] != finding.end else start
            if (start, end) != (finding.start, finding.end):
                gone.append((start, end))
                finding = finding._replace(start=start, end=end, whole=True)
        settled.append(finding)
    if not gone:
        return findings
    ends_gone = [end for _, end in gone]
    return [f for f in settled if not (_gives_way(f) and _overlaps_any(f, gone, ends_gone))]


def _overlaps_any(finding: Finding, spans: list[tuple[int, int]], ends: list[int]) -> bool:
    """Whether a finding overlaps one of some sorted, disjoint spans."""
    place = bisect_right(ends, finding.start)
    return place < len(spans) and spans[place][0] < finding.end


def _gives_way(finding: Finding) -> bool:
    return finding.keep and finding.detector in ("eponym", "verb")


def _extend_to_last(page: Page, finding: Finding) -> tuple[int, int]:
    """Start and end of a first name together with the last name next to it."""
    lexicon, tokens = page.lexicon, page.tokens
    first, after = page.token_at(finding.start), page.token_at(finding.end - 1) + 1
    mask = lexicon.mask(tokens[first])
    if (
        not mask & lexicon.union("sure_first", "given", "unknown")
        or mask & lexicon.bits["sure_city"]
    ):
        return finding.start, finding.end
    if any(
        tokens[at][0].isalnum() and len(tokens[at].strip()) > 1 for at in range(first + 1, after)
    ):
        return finding.start, finding.end
    place = _skip_initials(page, after)
    has_initial = any(len(tokens[at].strip()) == 1 for at in range(first + 1, place))
    if _is_last(page, place, has_initial) and tokens[place - 1][-1] in " \xa0":
        return finding.start, page.end(place)
    if after == first + 1 and _is_listed(page, first):
        return page.start(first - 2), finding.end
    return finding.start, finding.end


def _skip_initials(page: Page, place: int) -> int:
    """The place after initials: that of Lane in Rebecca J. Lane."""
    tokens, last = page.tokens, len(page.tokens) - 1
    for _ in range(_MOST_INITIALS):
        if place < last and tokens[place] == ". " and len(tokens[place - 1]) == 1:
            return place + 1
        if place >= last or len(tokens[place].strip()) > 1 or not tokens[place][0].isupper():
            return place
        place += 1
        if tokens[place].strip() == ".":
            place += 1
    return place


def _is_last(page: Page, place: int, has_initial: bool = False) -> bool:
    """Whether a token is a capitalized word after a first name that can be the last name."""
    tokens, lexicon = page.tokens, page.lexicon
    if place >= len(tokens) or page.casing == LOWER:
        return False
    mask = lexicon.mask(tokens[place])
    is_sure = mask & lexicon.union("frequent_last", "street_type")
    is_plain = mask & lexicon.union("function_word", "heading")
    following = [token.strip().lower() for token in tokens[place + 1 : place + 3]]
    if mask & lexicon.bits["month"]:
        is_sure = int(has_initial or bool(_DID & set(following[:1])))
        is_plain = 0 if is_sure else is_plain
    if page.casing == UPPER and (not is_sure or is_plain):
        return False
    if has_initial and is_plain:
        return False
    if not mask & lexicon.union("capitalized", "upper") or mask & lexicon.bits["weekday"]:
        return False
    if not mask & lexicon.union("last", "street_type", "sure_eponym"):
        return False
    is_dated = bool(mask & lexicon.bits["month"]) and bool(following) and following[0].isdigit()
    is_ill = any(word in _ILLNESS or lexicon.has(word, "condition") for word in following)
    return not is_dated and not is_ill


def _is_listed(page: Page, first: int) -> bool:
    """Whether a first name follows a last name and a comma that start a line or field."""
    tokens, lexicon = page.tokens, page.lexicon
    if first < 2 or tokens[first - 1] != ", " or page.casing == LOWER:
        return False
    mask = lexicon.mask(tokens[first - 2])
    plain = lexicon.union("function_word", "heading", "month", "weekday", "greeting", "closing")
    before = tokens[first - 3].strip() if first > 2 else ""
    is_month = mask & lexicon.bits["month"] and not before
    if not mask & lexicon.union("capitalized", "upper"):
        return False
    if mask & plain and before != ":" and not is_month:
        return False
    if not mask & lexicon.union("last", "street_type"):
        return False
    return not before.strip(':|;"-*')
