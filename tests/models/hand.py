"""Classes small enough to work out by hand: each is written as the letters of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from discreet.frequency.classes import Classes, Histogram, Reference

COLUMN = "disease"


def reference(
    table: str, order: str | None = None, levels: Sequence[Sequence[int]] = ()
) -> Reference:
    """The whole private table; ``order`` are its values from low to high, then codes a level."""
    values = sorted(set(table))
    counts = np.array([Counter(table)[value] for value in values])
    ranks = {} if order is None else {None: np.array([order.index(value) for value in values])}
    maps = tuple(np.array(level, dtype=np.int32) for level in levels)
    return Reference(COLUMN, counts, ranks, maps)


def classes(*texts: str, table: str | None = None, **more) -> Classes:
    """One class a text, one sensitive value a letter; the table is all of them unless given."""
    whole = "".join(texts) if table is None else table
    codes = {value: code for code, value in enumerate(sorted(set(whole)))}
    entries = [
        (owner, codes[value], count)
        for owner, text in enumerate(texts)
        for value, count in Counter(text).items()
    ]
    owner, value, count = (np.array(part) for part in zip(*entries, strict=True))
    histogram = Histogram(
        owner.astype(np.int32), value.astype(np.int32), count, reference(whole, **more)
    )
    rows = np.array([len(text) for text in texts])
    return Classes(rows, {COLUMN: histogram})


def sizes(*rows: int) -> Classes:
    """Classes of these sizes, without sensitive values."""
    return Classes(np.array(rows, dtype=np.int64))
