"""Special uniques: rows that few columns already single out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError, TooLargeError
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.compiled import compile_loop
from discreet.frequency.frequency_list import FrequencyList
from discreet.frequency.plain import number_values
from discreet.models.parameters import require_real, require_whole

MOST_COLUMNS = 63
"""A set of columns is one machine word."""


@dataclass(frozen=True, eq=False)
class SpecialFindings:
    """Minimal sample uniques of a table, and the scores that follow from them.

    ``scores`` and ``dis_scores`` have one number a class of the table, ``smallest`` the columns of
    its smallest minimal unique, 0 where it has none. ``by_size`` counts minimal uniques of 1, 2 ...
    columns, ``by_column`` is the share of each column in the sum of all scores.
    """

    columns: tuple[str, ...]
    max_size: int
    uniques: int
    scores: Floats
    dis_scores: Floats | None
    smallest: Ints
    by_size: tuple[int, ...]
    by_column: tuple[float, ...]
    subsets: int

    @property
    def rows_special(self) -> int:
        """Rows that at most ``max_size`` columns single out."""
        return int((self.smallest > 0).sum())

    def facts(self) -> dict[str, Any]:
        """The findings as plain data."""
        found = np.bincount(self.smallest, minlength=self.max_size + 1)[1:]
        dis = self.dis_scores
        return {
            "max_size": self.max_size,
            "rows_special": self.rows_special,
            "rows_by_smallest": {str(i): int(n) for i, n in enumerate(found, start=1)},
            "minimal_uniques": {str(i): n for i, n in enumerate(self.by_size, start=1)},
            "highest_score": float(self.scores.max()),
            "average_score": float(self.scores.sum() / max(1, self.uniques)),
            "highest_dis_score": None if dis is None else float(dis.max()),
            "contributions": dict(zip(self.columns, self.by_column, strict=True)),
            "subsets": self.subsets,
        }


@dataclass(frozen=True)
class SpecialUniques:
    """Finds rows that a few columns single out, and scores how special they are.

    Parameters
    ----------
    max_size
        The most columns that a minimal sample unique may have, M.
    sampled
        The share of the population that is in the table, for DIS scores; none without it.

    Notes
    -----
    [Elliot2002]_; [Manning2008]_. A minimal sample unique of a row is a set of columns on which it
    is alone while it is alone on no smaller set of them. With c columns one of size s scores
    (c-s)(c-s-1)...(c-M+1), which is (c-s)! where M is c, and a row the sum of its own: as sdcMicro
    (original_scores) and ARX. DIS-SUDA as sdcMicro, [Templ2015]_: with s1 unique rows, s2 classes
    of two, sampling fraction pi, theta = pi s1 / (pi s1 + 2 (1-pi) s2), Q = 1 + (8-c)/20 and A =
    sum of score^-Q, it is 1 / (1 + (s1/theta - s1) / (score^Q A)). *Departures*: sets are tried in
    the order of numbers, so that every subset of a set comes before it; classes in which nobody can
    be singled out any more are left out (SUDA2 intersects lists of items). A missing value is a
    value; sdcMicro ignores it. A column's contribution is its part of each score, 1/s, so that all
    add up to 1; sdcMicro gives every column the whole. *Cost*: sets of up to
    M columns times the tuples left in them.

    >>> from discreet.frequency.count import count
    >>> from discreet.table.read import read
    >>> import pyarrow as pa
    >>> rows = {"sex": list("mmff"), "age": list("1122"), "town": list("aabb")}
    >>> table = read(pa.table({**rows, "job": list("xyxx")}))
    >>> SpecialUniques(2)(count(table, ["sex", "age", "town", "job"]).frequency).by_size
    (1, 3)
    """

    max_size: int = 3
    sampled: float | None = None

    def __post_init__(self) -> None:
        require_whole("special uniques", "max_size", self.max_size, 1)
        if self.sampled is not None:
            require_real("special uniques", "sampled", self.sampled, above=0, most=1)

    def __call__(
        self, frequency: FrequencyList, progress: Callable[[int], None] | None = None
    ) -> SpecialFindings:
        """Search a counted table; ``progress`` hears how many sets of columns were tried."""
        if not len(frequency):
            raise ParameterError("special uniques", "table", "a table with at least one row")
        columns = len(frequency.columns)
        if columns > MOST_COLUMNS:
            raise TooLargeError(
                "special uniques",
                f"there are {columns:,} columns, and sets of at most {MOST_COLUMNS:,} can be "
                "searched",
                "Name the quasi columns, that is, those that somebody could know about a person.",
                size=columns,
                most=MOST_COLUMNS,
            )
        most = min(self.max_size, columns)
        search = _Search(frequency, most, _list_scores(columns, most), progress)
        search.run()
        pairs = int((frequency.rows == 2).sum())
        uniques = int((frequency.rows == 1).sum())
        dis = None
        if self.sampled is not None:
            dis = _compute_dis_scores(search.scores, uniques, pairs, columns, self.sampled)
        total = float(search.scores.sum())
        shares = search.by_column / total if total else search.by_column
        return SpecialFindings(
            frequency.columns,
            most,
            uniques,
            search.scores,
            dis,
            search.smallest,
            tuple(search.by_size.tolist()),
            tuple(shares.tolist()),
            search.subsets,
        )


def find_fitting_size(columns: int, tuples: int, most: int = 3, work: float = 1e9) -> int:
    """The largest size of sets, up to ``most``, that can be searched in some ten seconds.

    >>> find_fitting_size(10, 30_000), find_fitting_size(60, 1_000_000)
    (3, 1)
    """
    sets = 0
    for size in range(1, most + 1):
        sets += math.comb(columns, size)
        if sets * tuples > work:
            return max(1, size - 1)
    return most


def _list_scores(columns: int, most: int) -> list[float]:
    """The score of a minimal unique of 1, 2 ... columns."""
    return [float(math.prod(columns - i for i in range(s, most))) for s in range(1, most + 1)]


def _compute_dis_scores(
    scores: Floats, uniques: int, pairs: int, columns: int, sampled: float
) -> Floats:
    special = scores > 0
    found = np.zeros(len(scores))
    if not special.any():
        return found
    power = scores[special] ** (1 + (8 - columns) / 20)
    wrong = 2 * (1 - sampled) * pairs / sampled  # s1/theta - s1
    found[special] = 1 / (1 + wrong / (power * (1 / power).sum()))
    return found


class _Search:
    """The sets of columns in the order of their numbers, each split from the set before it."""

    def __init__(
        self,
        frequency: FrequencyList,
        most: int,
        worth: list[float],
        progress: Callable[[int], None] | None,
    ) -> None:
        self.rows = frequency.rows
        self.codes = [np.ascontiguousarray(code, dtype=np.int32) for code in frequency.codes]
        self.sizes = [max(1, len(frequency.values[name])) for name in frequency.columns]
        self.most, self.worth, self.progress = most, worth, progress
        self.scores = np.zeros(len(frequency))
        self.smallest = np.zeros(len(frequency), dtype=np.int64)
        self.by_size = np.zeros(most, dtype=np.int64)
        self.by_column = np.zeros(len(self.codes))
        self.subsets = 0
        self._heads = np.full(len(frequency), -1, dtype=np.int64)
        self._nexts = np.empty(0, dtype=np.int64)
        self._masks = np.empty(0, dtype=np.uint64)
        self._used = 0

    def run(self) -> None:
        """Try every set; a table that is one row has nothing to tell it from."""
        everybody = np.arange(len(self.rows), dtype=np.int32)
        self._descend(everybody, np.array([0, len(everybody)]), 0, (), len(self.codes))

    def _descend(
        self, members: Any, starts: Any, subset: int, chosen: tuple[int, ...], below: int
    ) -> None:

        for column in range(below):
            self._make_room(len(members))
            wider = subset | (1 << column)
            kept, new_starts, alone, self._used = split(
                members,
                starts,
                self.codes[column],
                self.rows,
                self.sizes[column],
                np.uint64(wider),
                self._heads,
                self._nexts,
                self._masks,
                self._used,
            )
            self.subsets += 1
            if self.progress is not None:
                self.progress(self.subsets)
            self._record(alone, (*chosen, column))
            if len(chosen) + 1 < self.most and len(kept):
                self._descend(kept, new_starts, wider, (*chosen, column), column)

    def _record(self, alone: Any, chosen: tuple[int, ...]) -> None:
        size, worth = len(chosen), self.worth[len(chosen) - 1]
        self.scores[alone] += worth
        known = self.smallest[alone]
        self.smallest[alone] = np.where(known == 0, size, np.minimum(known, size))
        self.by_size[size - 1] += len(alone)
        self.by_column[list(chosen)] += worth * len(alone) / size

    def _make_room(self, more: int) -> None:
        if self._used + more > len(self._masks):
            room = max(2 * len(self._masks), self._used + more, 1 << 12)
            self._nexts = np.concatenate([self._nexts, np.empty(room, np.int64)])[:room]
            self._masks = np.concatenate([self._masks, np.empty(room, np.uint64)])[:room]


# The loop of the search for minimal sample uniques, and its twin for small tables.


def _split_plain(
    members: Any,
    starts: Any,
    codes: Any,
    rows: Any,
    size: Any,
    subset: Any,
    heads: Any,
    nexts: Any,
    masks: Any,
    used: Any,
) -> Any:
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    number, found = number_values(owner * size + codes[members])
    count = np.bincount(number, weights=rows[members], minlength=found)
    single = np.zeros(found, np.bool_)
    single[number[rows[members] == 1]] = True
    alone = members[(count == 1)[number]]
    minimal = np.ones(len(alone), np.bool_)
    seen = heads[alone]
    while (there := seen >= 0).any():
        seen = np.where(there, seen, 0)
        minimal &= ~(there & (masks[seen] & ~subset == 0))
        seen = np.where(there, nexts[seen], -1)
    alone = alone[minimal]
    new = used + np.arange(len(alone))
    masks[new], nexts[new], heads[alone] = subset, heads[alone], new
    goes_on = single & (count > 1)
    stays = goes_on[number]
    lengths = np.bincount(number, minlength=found)[goes_on]
    kept = members[stays][np.argsort(number[stays], kind="stable")]
    return kept, np.concatenate([[0], np.cumsum(lengths)]), alone, used + len(alone)


@compile_loop(plain=_split_plain)
def split(
    members: Any,
    starts: Any,
    codes: Any,
    rows: Any,
    size: Any,
    subset: Any,
    heads: Any,
    nexts: Any,
    masks: Any,
    used: Any,
) -> Any:
    """Split every class by one more column.

    ``members`` are tuples, class by class from ``starts``. A tuple that stands alone with one row
    is recorded unless a set of columns that was recorded for it lies within ``subset``. Classes in
    which somebody may still be singled out are kept. Gives their members and starts, the tuples
    that were recorded, and how many records there are.
    """
    kept = np.empty(len(members), np.int32)
    new_starts = np.empty(len(members) + 1, np.int64)
    alone = np.empty(len(members), np.int32)
    count = np.zeros(size, np.int64)
    single = np.zeros(size, np.bool_)
    place = np.zeros(size, np.int64)
    length = np.zeros(size, np.int64)
    touched = np.empty(size, np.int64)
    found = filled = classes = 0
    new_starts[0] = 0
    for number in range(len(starts) - 1):
        low, high = starts[number], starts[number + 1]
        different = 0
        for i in range(low, high):
            code = codes[members[i]]
            if length[code] == 0:
                touched[different] = code
                different += 1
            length[code] += 1
            count[code] += rows[members[i]]
            if rows[members[i]] == 1:
                single[code] = True
        for j in range(different):
            code = touched[j]
            if count[code] == 1:
                place[code] = -1
            elif single[code]:
                place[code] = filled
                filled += length[code]
                classes += 1
                new_starts[classes] = filled
            else:
                place[code] = -2
        for i in range(low, high):
            member = members[i]
            code = codes[member]
            if place[code] == -1:
                seen = heads[member]
                minimal = True
                while seen >= 0:
                    if masks[seen] & ~subset == 0:
                        minimal = False
                        break
                    seen = nexts[seen]
                if minimal:
                    masks[used] = subset
                    nexts[used] = heads[member]
                    heads[member] = used
                    used += 1
                    alone[found] = member
                    found += 1
            elif place[code] >= 0:
                kept[place[code]] = member
                place[code] += 1
        for j in range(different):
            code = touched[j]
            count[code] = length[code] = 0
            single[code] = False
    return kept[:filled], new_starts[: classes + 1], alone[:found], used
