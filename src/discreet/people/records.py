"""The whole record of each person, and how many people share each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints, Mask, add_up
from discreet.frequency.count import distinct
from discreet.frequency.frequency_list import Codes
from discreet.people import kernels
from discreet.people.coded_rows import CodedRows

NOBODY = -1


@dataclass(frozen=True, eq=False)
class Records:
    """Each different record once: the tuples of its rows in no order, and its people.

    ``tuples[start[r]:start[r + 1]]`` are the tuples of record ``r`` and ``people[r]`` how many have
    it. ``codes[t]`` has the ground codes of tuple ``t``, -1 in columns of other tables than
    ``table[t]``. ``of`` is the record of each person, or -1 for somebody who is left out.
    """

    start: Ints
    tuples: Codes
    people: Ints
    codes: Codes
    table: Codes
    of: Codes

    def __len__(self) -> int:
        return len(self.people)

    @property
    def everyone(self) -> Ints:
        """All records."""
        return np.arange(len(self), dtype=np.int64)

    def rows_by_tuple(self) -> Floats:
        """How many rows there are with each tuple."""
        people = np.repeat(self.people, np.diff(self.start))
        return add_up(self.tuples, people, len(self.codes))

    def tuples_of(self, records: Ints) -> npt.NDArray[np.int64]:
        """The different tuples that some records have."""
        seen = np.zeros(len(self), dtype=np.bool_)
        seen[records] = True
        return np.unique(self.tuples[np.repeat(seen, np.diff(self.start))]).astype(np.int64)


def gathered(rows: Sequence[CodedRows], stays: Sequence[Mask], people: int, out: Mask) -> Records:
    """The records of people from the rows that stay; people marked in ``out`` have none."""
    codes, table, first = _side_by_side(rows)
    kept = [keep & ~out[one.person] for one, keep in zip(rows, stays, strict=True)]
    person = np.concatenate([one.person[keep] for one, keep in zip(rows, kept, strict=True)])
    tuples = np.concatenate(
        [one.tuple[keep] + at for one, keep, at in zip(rows, kept, first, strict=True)]
    )
    tuples = tuples[np.argsort(person, kind="stable")].astype(np.int32, copy=False)
    size = np.bincount(person, minlength=people)
    there = np.nonzero(size)[0]
    alike, home = _alike(there, _ends(size), tuples, codes, table)
    of = np.full(people, NOBODY, dtype=np.int32)
    of[there] = home
    one = np.empty(len(alike), dtype=np.int64)
    one[home[::-1]] = there[::-1]
    shown = np.zeros(people, dtype=np.bool_)
    shown[one] = True
    # records are numbered as people first have them, so the rows of the shown people are in order
    return Records(_ends(size[one]), tuples[np.repeat(shown, size)], alike, codes, table, of)


def _alike(
    people: Ints, start: Ints, tuples: Codes, codes: Codes, table: Codes
) -> tuple[Ints, Codes]:
    """How many people have each different record as found, and the record of each person."""
    columns = codes.shape[1]
    ground = np.arange(int(codes.max(initial=0)) + 1, dtype=np.int32)
    first, used = np.zeros(columns, dtype=np.int64), np.ones(columns, dtype=np.bool_)
    marks = kernels.fingerprints(people, start, tuples, codes, table, ground, first, used, False)
    _, alike, home = distinct(marks, np.ones(len(people), dtype=np.int64))
    return alike, home


def _ends(sizes: npt.NDArray[np.integer[Any]]) -> Ints:
    """Where each of some stretches begins, and where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _side_by_side(rows: Sequence[CodedRows]) -> tuple[Codes, Codes, list[int]]:
    """The tuples of all tables with columns for all, their tables, and where each begins."""
    tuples, columns = (sum(one.codes.shape[axis] for one in rows) for axis in (0, 1))
    codes = np.full((tuples, columns), -1, dtype=np.int32)
    table = np.empty(tuples, dtype=np.int32)
    row, column, first = 0, 0, []
    for number, one in enumerate(rows):
        high, wide = one.codes.shape
        codes[row : row + high, column : column + wide] = one.codes
        table[row : row + high] = number
        first.append(row)
        row, column = row + high, column + wide
    return codes, table, first
