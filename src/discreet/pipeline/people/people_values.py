"""Which people have which sensitive values: what promises about values of people look at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.classes import Floats, Ints, Reference, add_up
from discreet.frequency.frequency_list import Codes, Entries
from discreet.pipeline.people.counted_people import NOBODY, CodedRows, CountedPeople
from discreet.policy.people import RecordRule


@dataclass(frozen=True, eq=False)
class Holders:
    """How many people of each record have each value in some row, and what that compares with.

    ``entries.owner`` are records, ``entries.value`` codes and ``entries.count`` people.
    """

    entries: Entries
    reference: Reference


@dataclass(frozen=True, eq=False)
class GroupedReference(Reference):
    """How many of the people with as many rows have each value; a code is of one such group.

    ``group[code]`` is the group, ``expected[code]`` the share of its people who have the value when
    the rule on rows has drawn theirs, and ``whole[group]`` what these shares add up to.
    """

    group: Codes = None  # type: ignore[assignment]
    expected: Floats = None  # type: ignore[assignment]
    whole: Floats = None  # type: ignore[assignment]


def count_holders(counted: CountedPeople, column: str) -> Holders:
    """The people who have each value of a column in at least one of the rows that stay."""
    rows, place = _find_rows(counted, column)
    values = rows.values[column]
    size = len(values.dictionary)
    person, value = _list_held(counted, place, values.row, size)
    entries = _count_by_record(counted.records.of[person], value, size)
    people = np.bincount(value, minlength=size).astype(np.int64)
    return Holders(entries, Reference(column, people))


def count_grouped_holders(counted: CountedPeople, column: str, rule: RecordRule) -> Holders:
    """The same, compared with all people who have as many rows, as the rule on rows leaves them.

    Which rows a rule leaves is drawn, so people count with the chance that a row with the value is
    among theirs: the comparison is the same whatever was drawn.
    """
    rows, place = _find_rows(counted, column)
    values = rows.values[column]
    size = len(values.dictionary)
    group = _group_people(counted, rule.counts)
    there = counted.records.of[rows.person] != NOBODY
    person, value, having = _count_pairs(rows.person[there], values.row[there], size)
    all_rows = np.bincount(rows.person, minlength=counted.people).astype(np.int64)
    chance = draw_chance(all_rows[person], having, rule.limit_rows(all_rows)[person])
    pair, code = np.unique(group[person].astype(np.int64) * size + value, return_inverse=True)
    owner = (pair // size).astype(np.int32)
    has_rows = (all_rows > 0) & (counted.records.of != NOBODY)
    members = np.bincount(group[has_rows], minlength=int(group.max(initial=0)) + 1)
    expected = np.bincount(code, weights=chance, minlength=len(pair)) / members[owner]
    whole = add_up(owner, expected, len(members))
    counts = np.bincount(code, minlength=len(pair)).astype(np.int64)
    held, own = _list_held(counted, place, values.row, size)
    known = np.searchsorted(pair, group[held].astype(np.int64) * size + own)
    entries = _count_by_record(counted.records.of[held], known.astype(np.int32), len(pair))
    reference = GroupedReference(column, counts, group=owner, expected=expected, whole=whole)
    return Holders(entries, reference)


def draw_chance(rows: Ints, having: Ints, kept: Ints) -> Floats:
    """The chance that ``kept`` of a person's rows, drawn at random, have one of ``having``.

    >>> draw_chance(np.array([4, 4, 2]), np.array([1, 4, 1]), np.array([2, 2, 2])).tolist()
    [0.5, 1.0, 1.0]
    """
    without = rows - having
    none = np.zeros(len(rows))
    some = without >= kept
    n, m, a = rows[some], kept[some], without[some]
    gammaln = scipy.special.gammaln
    ways = gammaln(a + 1) - gammaln(a - m + 1) + gammaln(n - m + 1) - gammaln(n + 1)
    none[some] = np.exp(ways)
    return np.asarray(1.0 - none, dtype=np.float64)


def _find_rows(counted: CountedPeople, column: str) -> tuple[CodedRows, int]:
    for place, rows in enumerate(counted.rows):
        if column in rows.values:
            return rows, place
    raise InternalError(f"the values of {column} were not counted")


def _list_held(
    counted: CountedPeople, place: int, row: Codes, size: int
) -> tuple[Ints, npt.NDArray[np.int32]]:
    """Each different pair of a person and a value among the rows that stay."""
    rows = counted.rows[place]
    keep = counted.stays[place] & (counted.records.of[rows.person] != NOBODY)
    person, value, _ = _count_pairs(rows.person[keep], row[keep], size)
    return person, value


def _count_pairs(
    person: Codes, value: Codes, size: int
) -> tuple[Ints, npt.NDArray[np.int32], Ints]:
    """The different pairs of a person and a value, and the rows of each."""
    pairs, rows = np.unique(person.astype(np.int64) * size + value, return_counts=True)
    return pairs // size, (pairs % size).astype(np.int32), rows.astype(np.int64)


def _count_by_record(record: Codes, value: Codes, size: int) -> Entries:
    owner, own, people = _count_pairs(record, value, size)
    return Entries(owner.astype(np.int32), own, people)


def _group_people(counted: CountedPeople, counts: bool) -> npt.NDArray[np.int64]:
    """People who have as many rows that stay in every table; or rows in the same tables."""
    pairs = zip(counted.rows, counted.stays, strict=True)
    each = [np.bincount(rows.person[keep], minlength=counted.people) for rows, keep in pairs]
    profile = np.stack(each, axis=1)
    profile = profile if counts else (profile > 0).astype(np.int64)
    _, group = np.unique(profile, axis=0, return_inverse=True)
    return np.asarray(group, dtype=np.int64).reshape(-1)
