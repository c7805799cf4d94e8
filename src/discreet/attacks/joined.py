"""Two files about the same people, put together: what is known then of each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from discreet.attacks.alike import rows_alike
from discreet.attacks.coded_rows import CodedRows, Grouped
from discreet.attacks.matching import Matching, matching
from discreet.attacks.meaning import Meaning, Reading, require_overlap, shared_columns
from discreet.attacks.related import related
from discreet.display import dataclass
from discreet.errors import UnknownColumnError
from discreet.frequency.classes import Ints, Mask


@dataclass(frozen=True, eq=False)
class Joined:
    """What joining two files gives: rows of each that fewer than k rows are like by then.

    Of the first file, rows that fewer were like before count only if joining leaves fewer still.
    ``alone`` counts rows of each file that go with no row of the other; ``assigned`` is how many
    rows can be put together at once, None where that was not sought; ``pruned`` says whether pairs
    that no complete assignment has were left out.
    """

    first: Mask
    second: Mask
    alone: tuple[int, int]
    assigned: int | None
    pruned: bool


@dataclass(frozen=True, eq=False)
class _Side:
    groups: Grouped
    codes: Mapping[str, Ints]

    @classmethod
    def of(cls, file: CodedRows, columns: Sequence[str]) -> _Side:
        groups = Grouped.by(file.classes([name for name in columns if name in file.columns]))
        codes = {
            name: file.codes[name][groups.first]
            if name in file.columns
            else np.zeros(len(groups), dtype=np.int64)
            for name in columns
        }
        return cls(groups, codes)


def join(
    first: CodedRows, second: CodedRows, quasi: Sequence[str], reading: Reading, k: int
) -> Joined:
    """Join an earlier file with a later one on what they share, as far as it can be known.

    Notes
    -----
    A row goes with a row of the other file if they can be equal in every shared column. If all rows
    of the shorter file can be assigned to rows of the other at once, it is taken that they are:
    pairs that occur in no such assignment are left out. Else a row that goes with some row is taken
    to be one of those. Rows are compared on the quasi columns of both files together.
    """
    shared = shared_columns(first, second)
    wanted = [name for name in quasi if name in first.columns or name in second.columns]
    if not wanted:
        raise UnknownColumnError(second.name, next(iter(quasi), ""), second.columns)
    used = list(dict.fromkeys([*shared, *wanted]))
    meanings = {name: reading.meaning(name, first, second) for name in used}
    require_overlap(meanings, shared, first, second)
    sides = _Side.of(first, used), _Side.of(second, used)
    codes = [[side.codes[name] for name in shared] for side in sides]
    one, other = related(codes[0], codes[1], [meanings[name].overlap for name in shared])
    rows = sides[0].groups.rows, sides[1].groups.rows
    found = matching(one, other, rows[0], rows[1])
    pruned = found.assigned == min(first.rows, second.rows)
    if pruned:
        one, other = one[found.possible], other[found.possible]
    lone = _lone(one, other, (len(rows[0]), len(rows[1])), found, pruned)
    marked = _marked(sides, (one, other), lone, [(n, meanings[n]) for n in wanted], k)
    return Joined(
        marked[0][sides[0].groups.of_row],
        marked[1][sides[1].groups.of_row],
        (_rows_without(one, rows[0]), _rows_without(other, rows[1])),
        found.assigned,
        pruned,
    )


def _lone(
    one: Ints, other: Ints, sizes: tuple[int, int], found: Matching, pruned: bool
) -> tuple[Ints, Ints]:
    """Groups that may be nobody of the other file."""
    firsts = np.setdiff1d(np.arange(sizes[0]), one)
    seconds = np.setdiff1d(np.arange(sizes[1]), other)
    if pruned:
        firsts = np.union1d(firsts, np.nonzero(found.alone[0])[0])
        seconds = np.union1d(seconds, np.nonzero(found.alone[1])[0])
    return firsts, seconds


def _marked(
    sides: tuple[_Side, _Side],
    pairs: tuple[Ints, Ints],
    lone: tuple[Ints, Ints],
    meanings: list[tuple[str, Meaning]],
    k: int,
) -> tuple[Mask, Mask]:
    """For both files, the groups that fewer than k rows are like."""
    met = [
        meaning.meet(sides[0].codes[name][pairs[0]], sides[1].codes[name][pairs[1]])
        for name, meaning in meanings
    ]
    within = [meaning.within for _, meaning in meanings]
    before = _before(sides[0], meanings, within, k)
    marked: list[Any] = []
    for number, side in enumerate(sides):
        owner = np.concatenate([pairs[number], lone[number]])
        known = []
        for place, (name, meaning) in enumerate(meanings):
            own = (meaning.first, meaning.second)[number]
            known.append(np.concatenate([met[place], own[side.codes[name][lone[number]]]]))
        marked.append(rows_alike(known, owner, side.groups.rows, within, k))
    return marked[0] < np.minimum(before, k), marked[1] < k


def _before(side: _Side, meanings: list[tuple[str, Meaning]], within: list[Any], k: int) -> Ints:
    """The rows like each group of the first file before anything is joined."""
    own = [meaning.first[side.codes[name]] for name, meaning in meanings]
    groups = np.arange(len(side.groups), dtype=np.int64)
    return rows_alike(own, groups, side.groups.rows, within, k)


def _rows_without(partnered: Ints, rows: Ints) -> int:
    """Rows of the groups that are in no pair."""
    mask = np.ones(len(rows), dtype=np.bool_)
    mask[partnered] = False
    return int(rows[mask].sum())
