"""Whatever is found, in whatever text: offsets exact, nothing else touched, nothing remains."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.scrubbing.finding import Finding
from discreet.scrubbing.replace import Replacer
from discreet.scrubbing.replace.kinds import REPLACERS
from discreet.scrubbing.replace.words import load_words
from tests.scrubbing.replace.applied import KEY

KINDS = [*REPLACERS, "TEAM"]
TEXT = st.text(st.characters(codec="utf-8"), max_size=60) | st.text(
    "aZ é9-/.:@#'\"\n,()", max_size=40
)
ENGLISH = load_words("en")
NAMES = [*ENGLISH.order("last")[::20], *ENGLISH.order("female")[::20], *ENGLISH.order("male")[::20]]


@st.composite
def _documents(draw: st.DrawFn) -> tuple[str, list[Finding]]:
    text = draw(TEXT)
    ends = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    return text, [Finding(a, b, draw(st.sampled_from(KINDS)), 0.9, "x", "x") for a, b in spans]


@settings(max_examples=150, deadline=None)
@given(
    _documents(),
    st.sampled_from(["pseudonym", "tag", "blank", "remove"]),
    st.sampled_from(["month", "month-only", "shift"]),
    st.sampled_from(["en", "de"]),
)
def test_any_finding_in_any_text(
    document: tuple[str, list[Finding]], style: str, dates: str, language: str
) -> None:
    text, findings = document
    replacer = Replacer(style=style, key=KEY, dates=dates, language=language)
    result = replacer.apply(text, findings, document="d")
    assert len(result.replacements) == len(findings)
    done = new_done = 0
    for finding, place in zip(findings, result.replacements, strict=True):
        assert (place.start, place.end, place.kind) == (finding.start, finding.end, finding.kind)
        assert text[done : place.start] == result.text[new_done : place.new_start]
        done, new_done = place.end, place.new_end
    assert text[done:] == result.text[new_done:]
    assert replacer.apply(text, findings, document="d") == result


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3), st.sampled_from("lut"), st.booleans()
)
def test_nothing_of_a_name_remains_and_its_shape_stays(
    names: list[str], case: str, comma: bool
) -> None:
    written = ", ".join(names) if comma else " ".join(names)
    written = {"l": written, "u": written.upper(), "t": written.title()}[case]
    replacer = Replacer(key=KEY)

    def again(text: str) -> str:
        return replacer.apply(text, [Finding(0, len(text), "NAME", 1, "x", "x")], document="d").text

    once = again(written)
    for old, new in zip(re.findall(r"\w+", written), re.findall(r"\w+", once), strict=True):
        assert len(old) < 4 or old.lower() not in new.lower()
    assert _shape(once) == _shape(written) == _shape(again(once))


def _shape(text: str) -> str:
    """Case and marks, whatever the length of words."""
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", text))
