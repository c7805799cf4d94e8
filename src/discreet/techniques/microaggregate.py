"""Microaggregation: small groups of near rows take the mean of their group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueError
from discreet.number_range import check_range, within
from discreet.techniques.arrow_rows import check_names, read_rows, take_column
from discreet.techniques.group_kernels import best_cuts, mdav
from discreet.techniques.number_columns import (
    NumberColumn,
    find_missing_patterns,
    note_missing_numbers,
    number_column,
    replace_columns,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.table.table import Table
    from discreet.techniques.number_columns import Floats
    from discreet.techniques.technique import Protection, Turn


# A column of categories as codes, and back.


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """One column: `values` are codes into `labels`, -1 where missing."""

    name: str
    values: NDArray[np.int64]
    labels: pa.Array

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is no label."""
        return self.values < 0

    def find_modes(self, groups: NDArray[np.int64]) -> tuple[pa.Array, float]:
        """The most frequent label of its group for each row, and the share of labels changed.

        Of labels as frequent as each other, the one that the table has more often (then the
        earlier) is taken. All rows of a group have a label, or none has.
        """
        kinds = max(1, len(self.labels))
        there = ~self.missing
        pairs, counts = np.unique(groups[there] * kinds + self.values[there], return_counts=True)
        owner, label = pairs // kinds, pairs % kinds
        order = np.lexsort((label, -counts, owner))
        first = np.flatnonzero(np.diff(owner[order], prepend=-1))
        mode = np.full(int(groups.max()) + 1, -1)
        mode[owner[order][first]] = label[order][first]
        codes = mode[groups]
        share = float(np.mean(codes[there] != self.values[there])) if there.any() else 0.0
        return self.labels.take(pa.array(codes, mask=codes < 0)), share


def label_column(rows: pa.Table, name: str) -> LabelColumn:
    """A column of any type as codes, the most frequent label first."""
    found = take_column(rows, name).dictionary_encode()
    codes = np.asarray(found.indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
    kinds = len(found.dictionary)
    order = np.argsort(-np.bincount(codes[codes >= 0], minlength=kinds), kind="stable")
    place = np.empty(kinds + 1, np.int64)
    place[order] = np.arange(kinds)
    place[-1] = -1
    return LabelColumn(name, place[codes], found.dictionary.take(pa.array(order)))


# Near rows into groups of at least k, in time that grows little faster than the rows.


BLOCK = 512
"""Rows of a block that MDAV looks through for each of its groups; more if k is large."""
GROUPS = 64
"""Most groups of a block: what sets the time of large tables."""
WORK = 10_000_000
"""Rows times groups of a block that a table may have at least: small tables are one block."""
DEEPEST = 64
"""Cuts at the middle of the range one after the other; then at the median, to come to an end."""
STEPS = 1_000_000_000
"""Most steps to group one column optimally; beyond it sorted blocks are used."""


def group_rows(
    points: list[Floats], labels: list[NDArray[Any]], k: int, variable: bool
) -> NDArray[np.int64]:
    """The number of the group of each row: 0 and up, each with at least k rows."""
    if len(points) == 1 and not labels:
        return _group_one_column(points[0], k, variable)
    rows = len([*points, *labels][0])
    numbers = np.column_stack(points) if points else np.zeros((rows, 0))
    codes = np.column_stack(labels) if labels else np.zeros((rows, 0), np.int64)
    most = max(min(GROUPS * k, max(BLOCK, 10 * k)), WORK * k // rows)
    order, starts = _split_blocks(np.hstack([numbers, _scale_codes(codes)]), most, k)
    kinds = int(codes.max(initial=0)) + 1
    numbers, codes = np.ascontiguousarray(numbers), np.ascontiguousarray(codes)
    return np.asarray(mdav(numbers, codes, order, starts, k, variable, kinds))


def _group_one_column(values: Floats, k: int, variable: bool) -> NDArray[np.int64]:
    order = np.argsort(values, kind="stable")
    groups = np.empty(len(values), np.int64)
    if variable and len(values) * 2 * k <= STEPS:
        groups[order] = best_cuts(values[order], k)
    else:
        last = len(values) // k - 1
        groups[order] = np.minimum(np.arange(len(values)) // k, last)
    return groups


def _scale_codes(codes: NDArray[Any]) -> Floats:
    """Codes of labels as numbers to split at: the frequent labels are at one side."""
    spread = codes.std(axis=0)
    return np.asarray((codes - codes.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _split_blocks(points: Floats, most: int, k: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows, those of a block together, and where each block starts and the last ends.

    Cuts a set of rows at the middle of its widest column until it is small enough: the few rows
    at a long end then stay together, where a cut at the median would deal them out over many
    blocks. Sizes are multiples of k but for one block, so that few groups need more than k rows.
    """
    order = np.arange(len(points))
    waiting, starts = [(0, len(points), 0)], []
    while waiting:
        low, high, depth = waiting.pop()
        if high - low <= most:
            starts.append(low)
            continue
        rows = order[low:high]
        part = points[rows]
        column = part[:, int(np.argmax(np.ptp(part, axis=0)))]
        cut = _cut(column, k, depth)
        order[low:high] = rows[np.argpartition(column, cut)]
        waiting += [(low + cut, high, depth + 1), (low, low + cut, depth + 1)]
    return order, np.array([*starts, len(points)])


def _cut(values: Floats, k: int, depth: int) -> int:
    """How many rows go to the lower side; at least k to each."""
    least, most = values.min(), values.max()
    low = len(values) // 2
    if depth < DEEPEST and least < most:
        low = int(np.count_nonzero(values < (least + most) / 2))
    return max(k, min(low // k * k, (len(values) - k) // k * k))


@dataclass(frozen=True)
class Microaggregate:
    """Put near rows into groups of at least `k`, and give all rows of a group the same values.

    Numbers become the mean of the group, the columns named in `categories` its most frequent
    value. In the columns together every released row is then like at least k - 1 others. `size`
    is `variable` (groups of k to 2k - 1 rows, as the data lie) or `fixed` (k rows, and up to
    2k - 1 in the last group of a block). One column of numbers of variable size has the least
    squared error there is, unless rows times 2k are more than a billion; then it is as fixed.

    Rows are grouped with those that miss the same values, and these stay missing (null); a
    pattern of missing values that fewer than k rows have is refused. Columns of numbers become
    float64 (text stays text). A notice of the table gives the number of groups and the loss: the
    squared error over the total sum of squares, columns weighed alike; in a category, the share of
    changed values. Nothing is random.

    Parameters
    ----------
    columns
        The columns that rows of a group get the same values in.
    k
        The least rows of a group.
    size
        ``variable`` groups have k to 2k - 1 rows as the data lie, ``fixed`` ones k rows.
    categories
        Those of the columns that hold words; a group gets its most frequent one.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"pay": [1, 2, 3, 10, 11, 12, 13]}))
    >>> Microaggregate(("pay",), k=3)(table, seed=0).scan(native=["pay"]).read_all().to_pydict()
    {'pay': [2.0, 2.0, 2.0, 11.5, 11.5, 11.5, 11.5]}

    Notes
    -----
    [HansenMukherjee2003]_ for one column; [DomingoFerrerMateoSanz2002]_ (MDAV) for several, with
    [SolanasMartinez2006]_ for variable size. *Departures*: with several columns the rows are first
    split into blocks of near rows, and MDAV works within a block, so the work does not grow with
    the square of the rows; groups at the edges of blocks are wider for it. Up to some thousand rows
    (the square root of ten million times k) are one block. A group
    grows by rows nearer to its middle than to any other row, with no parameter to set.
    Categories: a difference counts as one standard deviation. *Cost*: a sort, then
    rows times 2k for one column; rows times a few hundred distances for several.
    """

    columns: tuple[str, ...]
    k: int = field(metadata=within(2, whole=True))
    size: Literal["variable", "fixed"] = "variable"
    categories: tuple[str, ...] = ()

    name: ClassVar[str] = "microaggregate"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = "Means of the columns of numbers stay, and most of their covariances."
    by_chance: ClassVar[bool] = False
    by_value: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_range(self, "k")
        if self.size not in ("variable", "fixed"):
            raise ParameterError(self.name, "size", "variable or fixed")
        known = isinstance(self.categories, tuple) and all(
            name in self.columns for name in self.categories
        )
        if not known:
            raise ParameterError(self.name, "categories", "a tuple of some of the columns")

    @property
    def done(self) -> str:
        """A description of the change to a column."""
        return f"averaged over {self.k:,} or more near rows"

    def __call__(self, table: Table, seed: int) -> Table:
        """The grouped table; the input is left as it is, and the seed is not used."""
        rows = read_rows(table, self.columns)
        numbers = [
            number_column(self.name, rows, c) for c in self.columns if c not in self.categories
        ]
        labels = [label_column(rows, c) for c in self.columns if c in self.categories]
        groups = self._group_rows([*numbers, *labels], len(numbers))
        new: dict[str, pa.Array] = {}
        losses = []
        for column in numbers:
            values = average_groups(column.values, groups)
            losses.append(_measure_loss(column, values))
            new[column.name] = column.back(values, exact=True)
        for label in labels:
            new[label.name], lost = label.find_modes(groups)
            losses.append(lost)
        told = self._describe_groups(groups, float(np.mean(losses)))
        return replace_columns(table, rows, new, [*note_missing_numbers(numbers), told])

    def _group_rows(
        self, columns: Sequence[NumberColumn | LabelColumn], numbers: int
    ) -> NDArray[np.int64]:
        """The number of the group of each row; rows that miss the same values go together."""
        missing = np.column_stack([column.missing for column in columns])
        groups = np.zeros(len(missing), np.int64)
        met = 0
        for same in find_missing_patterns(missing):
            there = np.flatnonzero(~missing[same[0]])
            if len(same) < self.k:
                raise self._make_too_few_error(len(same))
            points = [_standardize(columns[i].values[same]) for i in there if i < numbers]
            labels = [columns[i].values[same] for i in there if i >= numbers]
            if len(there):
                part = group_rows(points, labels, self.k, self.size == "variable")
            else:
                part = np.zeros(len(same), np.int64)
            groups[same] = part + met
            met += int(part.max()) + 1
        return groups

    def _make_too_few_error(self, rows: int) -> TechniqueError:
        what = (
            f"and the others named have a pattern of missing values that only {rows:,} rows have, "
            f"fewer than k = {self.k}"
        )
        return TechniqueError(
            self.name, self.columns[0], what, "Leave these rows out, or name fewer columns."
        )

    def _describe_groups(self, groups: NDArray[np.int64], loss: float) -> str:
        sizes = np.bincount(groups)
        return (
            f"{self.name}: {len(sizes):,} groups of {sizes.min():,} to {sizes.max():,} rows; "
            f"information loss (SSE/SST) {loss:.4g}."
        )


def average_groups(values: Floats, groups: NDArray[np.int64]) -> Floats:
    """The mean of its group for each row."""
    return np.asarray((np.bincount(groups, weights=values) / np.bincount(groups))[groups])


def _standardize(values: NDArray[Any]) -> Floats:
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread or 1.0))


def _measure_loss(column: NumberColumn, values: Floats) -> float:
    there = ~column.missing
    total = float(((column.known - column.known.mean()) ** 2).sum())
    return float(((column.known - values[there]) ** 2).sum()) / total if total else 0.0
