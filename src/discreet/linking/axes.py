"""Which axis reads the texts of a column: what its policy says, or what its values look like."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.hierarchy import Dates, File, Flat, Hierarchy, Intervals, Prefix, Tree, propose
from discreet.hierarchy.builder import Builder
from discreet.hierarchy.with_suppression import WithSuppression
from discreet.linking.code_axis import CodeAxis, is_masked
from discreet.linking.date_axis import DateAxis
from discreet.linking.leaf_axis import LeafAxis, written_down
from discreet.linking.number_axis import NumberAxis, is_number, read_range
from discreet.linking.places import Axis


def axis_of(
    column: str,
    builder: Builder | None,
    ground: Sequence[str],
    texts: Sequence[str],
    missing: bool,
) -> Axis:
    """The axis for a column: ``ground`` are values as found, ``texts`` those and released ones.

    ``missing`` says whether some are missing.
    """
    while isinstance(builder, WithSuppression):
        builder = builder.builder
    match builder:
        case Intervals():
            return NumberAxis(known=True)
        case Dates():
            return DateAxis.of(ground, texts, builder) or CodeAxis()
        case Prefix(_, mask):
            return CodeAxis(mask)
        case File() | Tree():
            return LeafAxis.of(*written_down(column, builder, ground))
        case Flat():
            return CodeAxis()
    if builder is None:
        return _guessed(ground, texts)
    if type(builder).__name__ == "Auto":  # of the layer above, which this one does not import
        proposed = propose(column, ground)
        dates = DateAxis.of(ground, texts, proposed) if isinstance(proposed, Dates) else None
        return dates or _guessed(ground, texts)
    built: Hierarchy = builder.build(column, [*ground, *([None] if missing else [])])
    return LeafAxis.of(built, ())


def _guessed(ground: Sequence[str], texts: Sequence[str]) -> Axis:
    """The axis that the values as found ask for, or if there are none the released texts."""
    released = [text for text in texts if text != "*"]
    if any(map(is_masked, released)):
        return CodeAxis()
    values = ground or released
    if not all(map(_may_be_day, values)) and _numeric(ground, released):
        return NumberAxis(known=False)
    dated = any(sign.isdecimal() for text in values for sign in text)
    return (DateAxis.of(ground, released, None) if dated else None) or CodeAxis()


def _may_be_day(text: str) -> bool:
    """Whether digits alone are a day of the last or this century, such as 19650920."""
    return len(text) == 8 and text.isdecimal() and text[:2] in ("19", "20")


def _numeric(ground: Sequence[str], released: Sequence[str]) -> bool:
    """Whether ranges are meant as ranges: values as found have numbers and no such texts.

    Without values as found all released texts must be numbers or ranges.
    """
    if ground:
        return any(map(is_number, ground)) and all(read_range(text) is None for text in ground)
    return all(is_number(text) or read_range(text) is not None for text in released)
