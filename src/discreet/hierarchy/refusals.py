"""Errors for a hierarchy that cannot be built or does not fit the values of its column."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.errors import HierarchyError


class AmbiguousDatesError(HierarchyError):
    """The dates of a column can be read in more than one way, and the ways disagree."""

    def __init__(
        self, column: str, dates: int, formats: Sequence[str], others: Sequence[str] = ()
    ) -> None:
        self.dates, self.formats, self.others = dates, tuple(formats), tuple(others)
        given = [f"'{form}'" for form in (*others, formats[0])]
        written = given[0] if len(given) == 1 else f"[{', '.join(given)}]"
        rest = f"; the others are {' and '.join(others)}" if others else ""
        super().__init__(
            what=f"{dates} of its different dates fit {' and '.join(formats)}, which disagree on "
            f"day and month{rest}",
            fix=f"Say which it is: dates: {{levels: [...], format: {written}}}.",
            column=column,
        )


class UnreadableValuesError(HierarchyError):
    """Values of the data are not of the kind that the hierarchy needs, such as numbers or dates."""

    def __init__(self, column: str, wanted: str, unreadable: int, total: int, fix: str) -> None:
        self.wanted, self.unreadable = wanted, unreadable
        what = f"{unreadable} of its {total} different values are not {wanted}"
        super().__init__(what=what, fix=fix, column=column)


def make_spec_error(key: str, what: str, fix: str) -> HierarchyError:
    """The error for a hierarchy in a policy that is not understood."""
    return HierarchyError(f"hierarchy, key '{key}'", what, fix)


def make_nesting_error(builder: str, finer: object, coarser: object, reason: str) -> HierarchyError:
    """The error for a level that does not follow from the one below, so values have two parents."""
    return HierarchyError(
        builder,
        f"level '{coarser}' cannot be above level '{finer}': {reason}",
        "Leave one of the two out, or change it so that each value of the lower level lies wholly "
        "in one value of the upper level.",
    )


def make_label_error(column: str, level: int, labels: int, where: str = "") -> HierarchyError:
    """The error for a value that would be released as another value, which would be false."""
    detail = f" ({where})" if where else ""
    return HierarchyError(
        what=f"at level {level} of the hierarchy {labels} "
        f"label{' is' if labels == 1 else 's are'} also a value that does not belong to "
        f"{'it' if labels == 1 else 'them'}{detail}, so a released cell would be read as that "
        "value",
        fix="Give groups names that are not values of the column.",
        column=column,
    )
