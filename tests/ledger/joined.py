"""What somebody knows who holds several releases and can tell which rows are the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

Cells = dict[str, tuple[int, str]]
"""What a row says: the level and the text of each quasi column."""


@dataclass(frozen=True)
class Held:
    """A release as its reader has it: the rows by an id that is released as it is."""

    rows: Mapping[str, Cells]

    @classmethod
    def of(cls, released: pa.Table, levels: Mapping[str, int | None], key: str = "id") -> Held:
        told = {c: level for c, level in levels.items() if level is not None}
        rows = released.to_pylist()
        return cls({r[key]: {c: (level, r[c]) for c, level in told.items()} for r in rows})


def known_groups(
    releases: Sequence[Held], among: Held | None = None
) -> Counter[tuple[tuple[str, int, str], ...]]:
    """Rows (those of one release) by the finest that any of the releases says of each column."""
    known: dict[str, Cells] = defaultdict(dict)
    for release in releases:
        for row, cells in release.rows.items():
            for column, cell in cells.items():
                known[row][column] = min(known[row].get(column, cell), cell)
    return Counter(
        tuple(sorted((column, *cell) for column, cell in cells.items()))
        for row, cells in known.items()
        if among is None or row in among.rows
    )


def vanished_groups(releases: Sequence[Held]) -> Counter[tuple[int, int, tuple[object, ...]]]:
    """Rows of a class of one release that a later release lacks."""
    found: Counter[tuple[int, int, tuple[object, ...]]] = Counter()
    for i, earlier in enumerate(releases):
        for j in range(i + 1, len(releases)):
            for row, cells in earlier.rows.items():
                if row not in releases[j].rows:
                    found[i, j, tuple(sorted(cells.items()))] += 1
    return found
