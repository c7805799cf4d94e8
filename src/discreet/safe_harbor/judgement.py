"""From what was counted in a column to how it stands with its rule."""

from __future__ import annotations

from discreet.identify.kind import Kind
from discreet.identify.recognizers import Item
from discreet.safe_harbor.checked import ColumnStanding, Question, Standing
from discreet.safe_harbor.other_columns import other_column, stray
from discreet.safe_harbor.read_columns import age_column, date_column, zip_column
from discreet.safe_harbor.seen import YEARS, Seen

PSEUDONYM = (
    "a keyed pseudonym is derived from the value that it stands for, and 164.514(c)(1) permits "
    "only codes that are not derived from or related to information about the person"
)
EXPERT = (
    "Leave it out; codes derived from identifiers need an expert's determination, 164.514(b)(1)"
)


def judged(seen: Seen, question: Question) -> ColumnStanding:
    """How a column stands with its rule: values decide, and a few that break it are enough."""
    found = _judged(seen, question)
    if found.standing is Standing.breaks or not seen.strays.total():
        return found
    return stray(seen)


def _judged(seen: Seen, question: Question) -> ColumnStanding:
    name, kind = seen.evidence.profile.name, seen.recognizer.kind if seen.recognizer else ""
    if name in question.replaced:
        return seen.stands(Standing.breaks, Item.OTHER, PSEUDONYM, EXPERT)
    if seen.evidence.kind is Kind.empty:
        return seen.stands(Standing.meets, None, "it holds no value")
    if name in question.codes:
        why = "a code that is not derived from the person, by your word (164.514(c))"
        return seen.stands(Standing.meets, Item.OTHER, why)
    if kind == "postal code":
        return zip_column(seen)
    if kind == "age":
        return age_column(seen, name in question.capped)
    if kind in YEARS or seen.evidence.kind is Kind.date:
        return date_column(seen, question)
    return other_column(seen)
