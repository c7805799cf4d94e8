"""The first and the last day that a column of dates may have."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import ParameterError, TechniqueColumnError

if TYPE_CHECKING:
    from discreet.techniques.arrow_rows import Ints
    from discreet.techniques.date_columns import DateColumn

Day = date | str


def checked_days(
    owner: str, columns: tuple[str, ...], domain: Any
) -> dict[str, tuple[str | None, str | None]]:
    """The limits of some of the columns, each day written 2001-05-31; or an error."""
    if not isinstance(domain, Mapping) or not set(domain) <= set(columns):
        raise ParameterError(owner, "domain", "a pair of days for some of the columns")
    found = {column: _limits(limits) for column, limits in domain.items()}
    right = {column: limits for column, limits in found.items() if limits is not None}
    if len(right) < len(found):
        wanted = "for each column (first, last) as days like 2001-05-31, or None"
        raise ParameterError(owner, "domain", wanted)
    return right


def check_inside(column: DateColumn, days: Ints, limits: tuple[Day | None, Day | None]) -> None:
    """Stop if any day leaves the domain of its column."""
    first, last = (None if limit is None else _number(str(limit)) for limit in limits)
    outside = np.zeros(len(days), np.bool_)
    if first is not None:
        outside |= days < first
    if last is not None:
        outside |= days > last
    count = int(np.count_nonzero(outside & column.there))
    if count:
        told = " and ".join(
            f"{word} {limit}"
            for word, limit in zip(("from", "to"), limits, strict=True)
            if limit is not None
        )
        of = int(np.count_nonzero(column.there))
        raise TechniqueColumnError(
            column.technique,
            column.name,
            f"would get {count:,} of {of:,} dates that are not {told}",
            "Move them by fewer days, or only back, such as days: [-365, -1]; or widen the domain.",
        )


def _limits(limits: object) -> tuple[str | None, str | None] | None:
    if not isinstance(limits, tuple | list) or len(limits) != 2:
        return None
    try:
        first, last = (None if limit is None else _day(limit) for limit in limits)
    except (TypeError, ValueError):
        return None
    return (first, last) if first is None or last is None or first <= last else None


def _day(limit: object) -> str:
    if isinstance(limit, datetime) or not isinstance(limit, date | str):
        raise TypeError
    return limit.isoformat() if isinstance(limit, date) else date.fromisoformat(limit).isoformat()


def _number(day: str) -> int:
    return int(np.datetime64(day, "D").astype(np.int64))
