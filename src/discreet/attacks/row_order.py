"""Row order: compares two files about the same people line by line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np
import scipy

from discreet.attacks.coded_rows import CodedRows, Grouped, list_row_numbers, number_rows
from discreet.attacks.meaning import Meaning, Reading, find_shared_columns, require_overlap
from discreet.attacks.outcome import Outcome
from discreet.attacks.related import find_related, mark_fewer_alike
from discreet.display import dataclass, safe_repr
from discreet.frequency.classes import Ints, Mask

# Whether the rows of two files are in the same order, and how likely that is by chance.


@dataclass(frozen=True, eq=False)
class InOrder:
    """The position of each row of the shorter file in the other, if they are in the same order.

    It can be from ``first`` to ``last``, and is ``sure`` where they are one; ``chance`` is at
    least the chance that shuffled rows would do as well.
    """

    first: Ints
    last: Ints
    chance: float

    @property
    def sure(self) -> Mask:
        """Rows that can be in only one place."""
        alone: Mask = self.first == self.last
        return alone


def align_in_order(labels: Ints, others: Ints, goes: Any) -> InOrder | None:
    """Align two files in order; None if some row then matches none.

    ``labels`` and ``others`` are the kinds of the rows in file order, ``goes`` says which kinds go
    together: a sparse matrix of truth. Where the second file has more rows, it may have some in
    between that the first lacks.

    Notes
    -----
    The chance is that of a random order: the permanent of the matrix over n!, which Bregman's bound
    on the permanent limits from above. Where rows are left out it is that for each choice of
    places, added up. Rows are found in order from both ends. *Cost*: one comparison a row.

    >>> from scipy import sparse
    >>> same = sparse.csr_matrix(np.eye(3, dtype=bool))
    >>> round(align_in_order(np.arange(3), np.arange(3), same).chance, 4)  # one order of 3!
    0.1667
    """
    if len(labels) == len(others):
        if not (np.asarray(goes[labels, others]).ravel() != 0).all():
            return None
        place = np.arange(len(labels), dtype=np.int64)
        return InOrder(place, place, _bound_chance(labels, others, goes))
    if len(labels) > len(others):
        return None
    fits = _list_fitting(goes)
    first = _find_places(labels, others, fits)
    if first is None:
        return None
    backwards = _find_places(labels[::-1], others[::-1], fits) or []
    last = len(others) - 1 - np.array(backwards[::-1], dtype=np.int64)
    return InOrder(np.array(first, dtype=np.int64), last, _bound_chance(labels, others, goes))


def _bound_chance(labels: Ints, others: Ints, goes: Any) -> float:
    """At least the chance that a random order fits everywhere."""
    many = np.bincount(others, minlength=goes.shape[1])
    degrees = np.asarray(goes.astype(np.int64) @ many).ravel()[labels]
    rows, places = len(labels), len(others)
    logs = sum(math.lgamma(d + 1) / d for d in degrees.tolist()) - math.lgamma(rows + 1)
    choices = math.lgamma(places + 1) - math.lgamma(rows + 1) - math.lgamma(places - rows + 1)
    return math.exp(min(0.0, logs + choices))


def _list_fitting(goes: Any) -> list[set[int]]:
    matrix = goes.tocsr()
    return [
        set(matrix.indices[start:end].tolist())
        for start, end in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    ]


def _find_places(labels: Ints, others: Ints, fits: list[set[int]]) -> list[int] | None:
    """The earliest place of each row in turn, or None."""
    places = []
    kinds = enumerate(others.tolist())
    for label in labels.tolist():
        wanted = fits[label]
        for place, kind in kinds:
            if kind in wanted:
                places.append(place)
                break
        else:
            return None
    return places


# The orders in which a release can be compared with another file, row by row.


@safe_repr
class AlignedRows(NamedTuple):
    """Rows of a release and the rows of the other file that are next to them.

    ``column`` is the one that the other file was sorted by: then only its value is known of a row.
    """

    by: str
    rows: Ints
    others: Ints
    chance: float
    column: str | None = None


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Rows of a release and of another file as kinds, and which kinds go together.

    Kinds are rows alike on the columns that both files have.
    """

    first: CodedRows
    second: CodedRows
    groups: tuple[Grouped, Grouped]
    goes: Any

    @classmethod
    def of(
        cls,
        first: CodedRows,
        second: CodedRows,
        shared: Sequence[str],
        meanings: Mapping[str, Meaning],
    ) -> SideBySide:
        """Group the rows of both files and find which groups go together."""
        groups = Grouped.by(first.classes(shared)), Grouped.by(second.classes(shared))
        files = zip((first, second), groups, strict=True)
        codes = [[file.codes[name][group.first] for name in shared] for file, group in files]
        one, other = find_related(codes[0], codes[1], [meanings[name].overlap for name in shared])
        pairs = (np.ones(len(one), np.bool_), (one, other))
        goes = scipy.sparse.csr_matrix(pairs, shape=(len(groups[0]), len(groups[1])))
        return cls(first, second, groups, goes)

    def align_by_line(self) -> Iterator[AlignedRows]:
        """Align line by line; either file may lack rows of the other."""
        labels, others = self.groups[0].of_row, self.groups[1].of_row
        turned = len(labels) > len(others)
        if turned:
            found = align_in_order(others, labels, self.goes.T.tocsr())
        else:
            found = align_in_order(labels, others, self.goes)
        if found is not None:
            own = np.nonzero(found.sure)[0]
            beside = found.first[own]
            rows, places = (beside, own) if turned else (own, beside)
            yield AlignedRows("row order", rows, places, found.chance)

    def align_sorted(self, name: str) -> Iterator[AlignedRows]:
        """Align with the other file sorted by one of its columns, ascending or descending."""
        rank = rank_texts(self.second.texts[name])[self.second.codes[name]]
        goes = self._goes_with_value(rank)
        for turn in (rank, -rank):
            order = np.argsort(turn, kind="stable")
            found = align_in_order(self.groups[0].of_row, rank[order], goes)
            if found is not None:
                value = rank[order]
                rows = np.nonzero(value[found.first] == value[found.last])[0]
                others = order[found.first[rows]]
                yield AlignedRows(f"sorted by {name}", rows, others, found.chance, name)

    def _goes_with_value(self, rank: Ints) -> Any:
        """Which kinds of the release match some row of the other file with a value."""
        wide = int(rank.max()) + 1
        pairs = np.unique(self.groups[1].of_row * wide + rank)
        where = (pairs // wide, pairs % wide)
        has = scipy.sparse.csr_matrix(
            (np.ones(len(pairs), np.int32), where), shape=(len(self.groups[1]), wide)
        )
        return (self.goes.astype(np.int32) @ has).astype(np.bool_).tocsr()


def rank_texts(texts: Sequence[str | None]) -> Ints:
    """The rank of each text: as numbers where all are, missing values first.

    >>> rank_texts(["10", "9", None]).tolist()
    [2, 1, 0]
    """
    keys: list[tuple[bool, Any]]
    try:
        keys = [(text is not None, float(text or 0)) for text in texts]
    except ValueError:
        keys = [(text is not None, text or "") for text in texts]
    order = sorted(range(len(texts)), key=keys.__getitem__)
    found = np.empty(len(texts), dtype=np.int64)
    found[order] = np.arange(len(texts))
    return found


def find_hidden_columns(release: CodedRows, private: CodedRows) -> list[str]:
    """Columns of the private table that a release generalizes or withholds."""
    shown = [
        name
        for name in release.columns
        if name in private.columns and set(release.texts[name]) <= set(private.texts[name])
    ]
    return [n for n in private.columns if n not in shown and len(private.texts[n]) > 1]


CHANCE = 0.002
"""For an earlier release, an order counts as the same if chance gives it less often."""

ORIGINAL = 0.0001
"""The same limit for the private table, for all the orders that are tried together."""


@dataclass(frozen=True)
class Unsorted:
    """Rows that are exposed once a release is compared with another file line by line.

    Parameters
    ----------
    quasi
        The columns that an intruder knows of a person.
    k
        A row is exposed if fewer than k rows equal it after matching by position.
    policy
        Its hierarchies say what released values stand for, and what a missing value means.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.1, with GT[0,1] and GT[1,0] of fig. 27. The order is the same if the
    rows go together at every position and a random order hardly ever does. *Departures*: either
    file may lack rows of the other. With the private table the attack also checks whether the
    release is sorted by a column that it generalizes or withholds: anyone who knows some values of
    that column then knows those in between. Several orders share the chance allowed. Under a
    policy with ``order: keep`` chance is not considered. *Cost*: a few passes over
    both files.

    >>> import pyarrow as pa
    >>> zips = ["02138", "02139", "02141", "02142"] * 3
    >>> first = pa.table({"zip": [z[:4] + "*" for z in zips], "sex": ["m", "f", "f", "m"] * 3})
    >>> second = pa.table({"zip": zips, "sex": ["*"] * 12})
    >>> Unsorted(("zip", "sex"), k=4)(second, first).rows_exposed
    12
    """

    quasi: tuple[str, ...]
    k: int = 2
    policy: Any = field(default=None, repr=False)

    def __call__(self, release: Any, other: Any, *, original: bool = False) -> Outcome:
        """Compare a release with an earlier one, or with the private table (``original``)."""
        first, second = CodedRows.of(release), CodedRows.of(other)
        shared = find_shared_columns(first, second)
        hidden = find_hidden_columns(first, second) if original else []
        reading = Reading.by(self.policy)
        used = dict.fromkeys([*shared, *self.quasi, *hidden])
        meanings = {
            name: reading.meaning(name, first, second, ground=original)
            for name in used
            if name in first.columns or name in second.columns
        }
        require_overlap(meanings, shared, first, second)
        files = SideBySide.of(first, second, shared, meanings)
        stand = [*files.align_by_line()]
        by_column = [laid for name in hidden for laid in files.align_sorted(name)]
        tried = stand + by_column
        allowed = ORIGINAL / (1 + 2 * len(hidden)) if original else CHANCE
        telling = [laid for laid in tried if laid.chance <= allowed]
        if original and getattr(self.policy, "order", None) == "keep":
            telling = stand or telling
        if telling:
            return self._report_exposed(files, telling, meanings)
        name = second.name
        note = (
            f"rows match those of {name} in order, but that may be chance"
            if tried
            else f"rows are not in the order of {name}"
        )
        more = {"other": name, "k": self.k, "by": None, "chance": None}
        return Outcome("unsorted", True, 0, note, found=more)

    def _report_exposed(
        self, files: SideBySide, telling: list[AlignedRows], meanings: Mapping[str, Meaning]
    ) -> Outcome:
        """The rows that are too rare in any of the orders that match."""
        marks = np.zeros(files.first.rows, dtype=np.bool_)
        others = np.zeros(files.second.rows, dtype=np.bool_)
        quasi = [name for name in self.quasi if name in meanings]
        for laid in telling:
            rare = _mark_rare(files, laid, quasi, meanings, self.k)
            marks[laid.rows[rare]] = True
            others[laid.others[rare]] = True
        by = ", ".join(dict.fromkeys(laid.by for laid in telling))
        chance = min(laid.chance for laid in telling)
        name, exposed = files.second.name, int(marks.sum())
        note = (
            f"rows are in the same order as in {name} ({by}), which happens at random at most once "
            f"in {1 / max(chance, 1e-9):,.0f} times; matched line by line, {exposed:,} rows have "
            f"fewer than {self.k} candidates"
        )
        more = {"other": name, "k": self.k, "by": by, "chance": chance}
        return Outcome(
            "unsorted",
            True,
            exposed,
            note,
            list_row_numbers(marks),
            earlier_rows=list_row_numbers(others),
            found=more,
        )


def _mark_rare(
    files: SideBySide,
    laid: AlignedRows,
    quasi: Sequence[str],
    meanings: Mapping[str, Meaning],
    k: int,
) -> Mask:
    """Which matched rows fewer than k rows equal on what both files say about them."""
    names = list(dict.fromkeys([*quasi, *([laid.column] if laid.column else ())]))
    if not len(laid.rows) or not names:
        return np.zeros(len(laid.rows), dtype=np.bool_)
    known = []
    for name in names:
        own = _take_codes(files.first, name, laid.rows)
        if laid.column in (None, name):
            known.append(meanings[name].meet(own, _take_codes(files.second, name, laid.others)))
        else:
            known.append(meanings[name].first[own])
    groups = Grouped.by(number_rows(known, len(laid.rows)))
    distinct = [codes[groups.first] for codes in known]
    owner = np.arange(len(groups), dtype=np.int64)
    within = [meanings[name].within for name in names]
    return mark_fewer_alike(distinct, owner, groups.rows, within, k)[groups.of_row]


def _take_codes(file: CodedRows, name: str, rows: Ints) -> Ints:
    told = name in file.columns
    return file.codes[name][rows] if told else np.zeros(len(rows), dtype=np.int64)
