"""Which finding wins a stretch of text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.scrubbing.finding import FULL, SINGLE, Finding
from discreet.scrubbing.resolve import resolve

TEXT = "Frank Graves of Boston"


def finding(start: int, end: int, likelihood: float = 0.8, precedence: int = SINGLE) -> Finding:
    return Finding(start, end, "NAME", likelihood, "d", "r", precedence)


def won(*findings: Finding) -> list[tuple[int, int]]:
    return [(f.start, f.end) for f in resolve(findings, 0.7, TEXT)]


def test_below_the_threshold_nothing_wins() -> None:
    assert won(finding(0, 5, 0.69)) == []


def test_more_constituents_go_before_more_likelihood() -> None:
    assert won(finding(0, 5, 0.99), finding(0, 12, 0.75, FULL)) == [(0, 12)]


def test_then_the_likelier_then_the_longer() -> None:
    assert won(finding(0, 5, 0.9), finding(0, 12, 0.8)) == [(0, 5), (6, 12)]
    assert won(finding(0, 5), finding(0, 12)) == [(0, 12)]


def test_what_a_loser_has_left_is_still_found_without_its_edges() -> None:
    assert won(finding(6, 22, 0.8), finding(0, 12, 0.9)) == [(0, 12), (13, 22)]


def test_a_special_finding_shields_its_characters_from_what_is_not_likelier() -> None:
    special = finding(6, 12, 0.9)._replace(keep=True)
    assert won(special, finding(0, 12, 0.9, FULL)) == [(0, 5), (6, 12)]
    assert won(special, finding(0, 12, 0.95, FULL)) == [(0, 12)]


spans = st.tuples(st.integers(0, 20), st.integers(1, 8), st.sampled_from([0.6, 0.7, 0.9]))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(spans, st.sampled_from([1, 4, 6]), st.booleans()), max_size=8))
def test_winners_do_not_overlap_and_cover_what_was_found(drawn: list) -> None:
    findings = [
        finding(start, min(start + size, len(TEXT)), likelihood, precedence)._replace(keep=keep)
        for (start, size, likelihood), precedence, keep in drawn
    ]
    winners = resolve(findings, 0.7, TEXT)
    assert all(a.end <= b.start for a, b in pairwise(winners))
    covered = {place for f in winners for place in range(f.start, f.end)}
    wanted = {p for f in findings if f.likelihood >= 0.7 for p in range(f.start, f.end)}
    assert {p for p in wanted if TEXT[p].isalnum()} <= covered <= wanted
