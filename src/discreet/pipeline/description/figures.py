"""The figures of a report, each a formula over counts."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from discreet.frequency.classes import Floats, Ints
from discreet.hierarchy.axes import read_range
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.hierarchy.places import HIGH, LOW
from discreet.pipeline.description.counted_table import CodedColumn, ColumnCounts
from discreet.pipeline.description.facts import Bin, Classes, LabelShare, NumberSummary
from discreet.risks.table_risk import BANDS

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_LABELS = 20
"""Values of a column that are listed; the others are added up."""
MOST_CATEGORIES = 100
"""Different values with which a column still is one of categories, for its dependence on others."""
_CODE = re.compile(r"[+-]?0\d")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)


def summarize_classes(sizes: Ints) -> Classes:
    """Classes by their size: the smallest, the average, and rows in bins of sizes."""
    rows = int(sizes.sum())
    return Classes(
        rows=rows,
        classes=len(sizes),
        smallest=int(sizes.min()) if len(sizes) else None,
        average=rows / len(sizes) if len(sizes) else None,
        unique_rows=int((sizes == 1).sum()),
        bins=[
            _make_bin(sizes, least, most)
            for least, most in zip(BANDS, (*BANDS[1:], None), strict=True)
        ],
    )


def _make_bin(sizes: Ints, least: int, end: int | None) -> Bin:
    inside = sizes[(sizes >= least) & (sizes < (end or math.inf))]
    most = None if end is None else end - 1
    return Bin(least=least, most=most, rows=int(inside.sum()), classes=len(inside))


# Dependence of two columns.


def measure_dependence(one: CodedColumn, other: CodedColumn, rows: Ints) -> float | None:
    """Cramer's V of two columns, from 0 (independent) to 1; None if a column has one value only.

    Notes
    -----
    [Cramer1946]_, ch. 21, p. 282: the root of chi-square over n times the smaller number of
    categories less one. *Departures*: none; no correction for small tables. Suppressed cells are
    left out, with the other cell of their row. *Cost*: one count of pairs.
    """
    kept = [_drop_suppressed(column) for column in (one, other)]
    there = (kept[0] >= 0) & (kept[1] >= 0)
    shape = (len(one.labels), len(other.labels))
    pairs = kept[0][there] * shape[1] + kept[1][there]
    table = np.bincount(pairs, weights=rows[there], minlength=shape[0] * shape[1]).reshape(shape)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    least = min(table.shape)
    if least < 2:
        return None
    total = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
    chi_square = float(((table - expected) ** 2 / expected).sum())
    return min(1.0, math.sqrt(chi_square / (total * (least - 1))))


def _drop_suppressed(column: CodedColumn) -> Ints:
    """The codes, -1 where the cell is suppressed."""
    hidden = np.array([label == SUPPRESSED for label in column.labels], dtype=np.bool_)
    codes = column.codes.astype(np.int64)
    if hidden.any():
        codes = np.where((codes >= 0) & hidden[codes], -1, codes)
    return codes


# Numbers in a column: values, or ranges by their middle.


def summarize_numbers(counts: ColumnCounts) -> NumberSummary | None:
    """Mean and quantiles of a column of numbers; None if some value is not a number.

    A range with two ends counts as its middle. Missing and suppressed cells are left out. Codes
    that begin with a zero are not numbers.
    """
    numbers, rows, ranges = [], [], False
    for value, number in zip(counts.values, counts.rows.tolist(), strict=True):
        if value is None or value in ("", SUPPRESSED) or not number:
            continue
        found = read_number(value)
        if found is None:
            return None
        ranges |= _NUMBER.fullmatch(value) is None
        numbers.append(found)
        rows.append(number)
    if not numbers:
        return None
    values, weights = np.array(numbers, dtype=np.float64), np.array(rows, dtype=np.int64)
    mean = float((values * weights).sum() / weights.sum())
    variance = float((weights * (values - mean) ** 2).sum() / weights.sum())
    if not math.isfinite(variance):
        return None
    order = np.argsort(values)
    return NumberSummary(
        count=int(weights.sum()),
        mean=mean,
        deviation=math.sqrt(variance),
        quantiles={
            str(share): _find_quantile(values[order], weights[order], share) for share in QUANTILES
        },
        ranges=ranges,
    )


def read_number(text: str) -> float | None:
    """The number that a text is, or the middle of a range; None if it is neither."""
    if _CODE.match(text):
        return None
    if _NUMBER.fullmatch(text):
        found = float(text)
        return found if math.isfinite(found) else None
    ends = read_range(text)
    if ends is None or LOW in ends or HIGH in ends:
        return None
    low, high = ends[0][1], ends[1][1]
    return float((Decimal(low) + Decimal(high)) / 2)


def _find_quantile(values: Floats, rows: Ints, share: float) -> float:
    """The quantile of rows put in order, linear between two neighbours."""
    last = np.cumsum(rows)
    place = share * (int(last[-1]) - 1)
    low, high = (
        float(values[np.searchsorted(last, at, side="right")])
        for at in (math.floor(place), math.ceil(place))
    )
    return low + (high - low) * (place - math.floor(place))


# The values of a column as they are listed.


def list_labels(after: ColumnCounts, before: ColumnCounts | None = None) -> list[LabelShare]:
    """The values of a column with their rows, largest first and the rest together.

    A missing value is an empty text, since None stands for the rest.
    """
    released = count_by_label(after)
    private = None if before is None else count_by_label(before)
    names = list(dict.fromkeys([*released, *(private or {})]))
    found = [
        LabelShare(
            label=name,
            after=released.get(name, 0),
            before=None if private is None else private.get(name, 0),
        )
        for name in names
    ]
    found = [one for one in found if one.after or one.before]
    found.sort(key=lambda one: (-one.after, -(one.before or 0), one.label or ""))
    return add_up_rest(found, MOST_LABELS)


def count_by_label(counts: ColumnCounts) -> dict[str, int]:
    """The rows of each value; missing and empty are the same."""
    found: dict[str, int] = {}
    for value, rows in zip(counts.values, counts.rows.tolist(), strict=True):
        found[value or ""] = found.get(value or "", 0) + rows
    return found


def add_up_rest(found: Sequence[LabelShare], most: int) -> list[LabelShare]:
    """The first of a list, and the others as one."""
    if len(found) <= most:
        return list(found)
    rest = found[most - 1 :]
    known = [one.before for one in rest if one.before is not None]
    together = LabelShare(
        label=None,
        after=sum(one.after for one in rest),
        before=sum(known) if len(known) == len(rest) else None,
    )
    return [*found[: most - 1], together]
