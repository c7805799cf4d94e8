"""The second pass over the rows: each batch recoded, suppressed rows left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution
from discreet.frequency.count import Counted
from discreet.frequency.frequency_list import KeyIndex, Packing
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.table.table import Table, make_changed_error

Codes = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
ROWS_PER_BATCH = 131_072
TEXTS = pa.dictionary(pa.int32(), pa.string())
Cells = tuple[Codes, npt.NDArray[np.integer[Any]]]
"""The codes of a batch of cells: a table, and the place of each cell in it."""

MOST_CELLS = 1 << 22
"""Combinations of codes that a table of what happens to each may have."""
KEPT, SUPPRESSED_ROW, BY_CHANCE, UNKNOWN = range(4)


class Recoding(Protocol):
    """What rows are released as, given the codes of their quasi columns."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi columns."""

    @property
    def untouched(self) -> frozenset[str]:
        """The quasi columns that are released as they are."""

    def recode(self, cells: Sequence[Cells]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column but untouched ones, and which rows are left out.

        The texts come as dictionaries, which hold those of rows that are left out too, and some
        twice. None if a row is none of those that were counted. ``cells`` has the codes of a batch
        of rows, a quasi column each.
        """

    def list_classes(self) -> tuple[dict[str, pa.Array], Ints]:
        """The released texts of each quasi column by class, and the rows of each that has some."""


class Recoder:
    """Turns rows of the private table into rows of the release, a batch at a time."""

    def __init__(
        self, table: Table, released: Sequence[str], counted: Counted, recoding: Recoding
    ) -> None:
        self._table, self._counted, self._recoding = table, counted, recoding
        self._quasi = counted.frequency.columns
        self._released = [name for name in table.columns if name in released]
        self._known = {name: len(counted.frequency.values[name]) for name in self._quasi}
        self._native = [
            name for name in self._released if name not in self._quasi or name in recoding.untouched
        ]

    @contextmanager
    def open_reader(self) -> Iterator[pa.RecordBatchReader]:
        """The release as a stream of batches, in the order of the private table."""
        scan = self._table.scan(text=self._quasi, native=self._native, coded=True)
        types = dict.fromkeys(self._released, TEXTS)
        native = self._find_places(scan.schema)
        types |= {name: scan.schema.field(place).type for name, place in native.items()}
        schema = pa.schema([(name, types[name]) for name in self._released])
        try:
            yield pa.RecordBatchReader.from_batches(
                schema, self._recode_batches(scan, schema, native)
            )
        finally:
            scan.close()

    def _find_places(self, scanned: pa.Schema) -> dict[str, int]:
        """Where the columns are that keep their own type.

        A quasi column of texts is not among them even if it is untouched: an empty text and a
        missing value count as the same, so they must look the same.
        """
        places = {name: len(self._quasi) + i for i, name in enumerate(self._native)}
        return {
            name: place
            for name, place in places.items()
            if name not in self._quasi or not is_text(scanned.field(place).type)
        }

    def _recode_batches(
        self, scan: pa.RecordBatchReader, schema: pa.Schema, native: dict[str, int]
    ) -> Iterator[pa.RecordBatch]:
        rows = 0
        for batch in scan:
            rows += batch.num_rows
            cells = [self._look_up(i, name, batch) for i, name in enumerate(self._quasi)]
            recoded = self._recoding.recode(cells)
            if recoded is None:
                raise make_changed_error(self._table.name)
            texts, dropped = recoded
            arrays = [
                batch.column(native[name]) if name in native else texts[name]
                for name in self._released
            ]
            made = pa.RecordBatch.from_arrays(arrays, schema=schema)
            yield made if dropped is None else made.filter(pa.array(~dropped))
        if rows != self._counted.frequency.total:
            raise make_changed_error(self._table.name)

    def _look_up(self, place: int, name: str, batch: pa.RecordBatch) -> Cells:
        """Codes of a column as it was counted."""
        cells = self._counted.dictionaries[name].look_up(batch.column(place))
        if len(self._counted.dictionaries[name]) != self._known[name]:
            raise make_changed_error(self._table.name)
        return cells


class ClassRows:
    """The rows of a release of quasi columns alone, from the counts: nothing is read again.

    They come class by class, so this is for releases whose rows are put into another order.
    """

    def __init__(self, table: Table, released: Sequence[str], recoding: Recoding) -> None:
        self._released = [name for name in table.columns if name in released]
        self._recoding = recoding

    @contextmanager
    def open_reader(self) -> Iterator[pa.RecordBatchReader]:
        """The release as a stream of batches."""
        schema = pa.schema([(name, TEXTS) for name in self._released])
        yield pa.RecordBatchReader.from_batches(schema, self._repeat_classes(schema))

    def _repeat_classes(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        texts, rows = self._recoding.list_classes()
        columns = [texts[name] for name in self._released]
        ends = np.cumsum(rows)
        for start in range(0, int(ends[-1]) if len(ends) else 0, ROWS_PER_BATCH):
            places = np.arange(start, min(start + ROWS_PER_BATCH, int(ends[-1])))
            owner = pa.array(np.searchsorted(ends, places, side="right"))
            yield pa.RecordBatch.from_arrays([c.take(owner) for c in columns], schema=schema)


def can_repeat_classes(table: Table, released: Sequence[str], recoding: Recoding) -> bool:
    """Whether a release has quasi columns alone, all as texts."""
    names = [name for name in table.columns if name in released]
    if not set(names) <= {*recoding.columns}:
        return False
    native = [name for name in names if name in recoding.untouched]
    if not native:
        return True
    with table.scan(native=native) as scan:
        return all(is_text(kind) for kind in scan.schema.types)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds texts, coded or not."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


# Which rows of a class go to which of its parts, where only the number of each is set.


class PartsByChance:
    """Deals the rows of some classes to their parts at random, as the rows come by.

    ``shares`` has, for each class, how many rows each of its parts takes.
    """

    def __init__(
        self, shares: Mapping[int, npt.NDArray[np.int64]], random: np.random.Generator
    ) -> None:
        self._dealt = {
            group: random.permutation(np.repeat(np.arange(len(sizes)), sizes))
            for group, sizes in shares.items()
        }
        self._classes = np.array(sorted(self._dealt), dtype=np.int64)
        self._met = dict.fromkeys(self._dealt, 0)

    def of(
        self, group: npt.NDArray[Any]
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """For each class met in a batch: which rows are of it, and the part that each goes to."""
        if not len(self._classes):
            return
        inside = np.nonzero(np.isin(group, self._classes))[0]
        order = inside[np.argsort(group[inside], kind="stable")]
        ends = np.nonzero(np.diff(group[order]))[0] + 1
        for here in np.split(order, ends):
            if len(here):
                own = int(group[here[0]])
                met = self._met[own]
                self._met[own] = met + len(here)
                yield here, self._dealt[own][met : met + len(here)]


# Rows recoded cell by cell: what a row is released as depends on all its quasi values.


class RowsByCell:
    """A cell-level recoding, applied to rows: found by their tuple, dealt to parts by chance."""

    def __init__(
        self, problem: Problem, recoding: CellRecoding, random: np.random.Generator
    ) -> None:
        self.columns = problem.frequency.columns
        self._packing = problem.counter.packing
        self._index = KeyIndex(problem.counter.base.keys)
        self._recoding = recoding
        self._labels = [pa.array(values.labels, pa.string()) for values in recoding.values]
        self._first = np.searchsorted(recoding.owner, np.arange(len(problem.frequency)))
        last = np.append(self._first[1:], len(recoding.owner))
        several = np.nonzero(last - self._first > 1)[0]
        shares = {int(t): recoding.rows[self._first[t] : last[t]] for t in several}
        self._chance = PartsByChance(shares, random)
        self._whole = bool(recoding.kept.all())

    @property
    def untouched(self) -> frozenset[str]:
        """The quasi columns that are released as they are."""
        kept = self._recoding.kept
        return frozenset(
            name
            for name, values, codes in zip(
                self.columns, self._recoding.values, self._recoding.codes, strict=True
            )
            if len(values.start) and (codes[kept] < values.start[1]).all()
        )

    def recode(self, cells: Sequence[Cells]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column, and which rows are left out."""
        owner = self._index.find(self._packing.pack_cells(cells))
        if (owner < 0).any():
            return None
        part = self._first[owner]
        for here, which in self._chance.of(owner):
            part[here] += which
        texts = {
            name: pa.DictionaryArray.from_arrays(pa.array(codes[part].astype(np.int32)), labels)
            for name, labels, codes in zip(
                self.columns, self._labels, self._recoding.codes, strict=True
            )
        }
        return texts, None if self._whole else ~self._recoding.kept[part]

    def list_classes(self) -> tuple[dict[str, pa.Array], Ints]:
        """The parts that are released, and the rows of each."""
        kept = self._recoding.kept & (self._recoding.rows > 0)
        texts = {
            name: pa.DictionaryArray.from_arrays(pa.array(codes[kept].astype(np.int32)), labels)
            for name, labels, codes in zip(
                self.columns, self._labels, self._recoding.codes, strict=True
            )
        }
        return texts, self._recoding.rows[kept]


# Rows recoded column by column: every column at one level, some rows left out.


class ColumnRecoding:
    """The node of a solution, applied to rows; suppressed rows are left out, or rows of ``*``."""

    def __init__(
        self, problem: Problem, solution: Solution, stars: bool, random: np.random.Generator
    ) -> None:
        self.columns = problem.frequency.columns
        self._hierarchies = problem.lattice.hierarchies
        self._node, self._stars = solution.node, stars
        self._packing = problem.counter.packing
        self._labels = {
            name: pa.array(h.labels[level], pa.string())
            for name, h, level in zip(self.columns, self._hierarchies, self._node, strict=True)
        }
        sizes = [h.size(level) for h, level in zip(self._hierarchies, self._node, strict=True)]
        self._drops = None
        if solution.suppressed:
            self._drops = _Drops(solution, self._packing, sizes, random)
        self._solution = solution

    @property
    def untouched(self) -> frozenset[str]:
        """The quasi columns that are released as they are."""
        if self._stars:
            return frozenset()
        levels = zip(self.columns, self._node, strict=True)
        return frozenset(name for name, level in levels if level == 0)

    def recode(self, cells: Sequence[Cells]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column, and which rows are left out.

        A value is recoded once: cells keep their places, in a table of other codes.
        """
        levels = zip(cells, self._hierarchies, self._node, strict=True)
        recoded = [
            (hierarchy.maps[level][table], places) for (table, places), hierarchy, level in levels
        ]
        texts = {
            name: _label_cells(codes, self._labels[name])
            for name, codes in zip(self.columns, recoded, strict=True)
        }
        if self._drops is None:
            return texts, None
        dropped = self._drops.of(recoded)
        if dropped is None or not self._stars:
            return None if dropped is None else (texts, dropped)
        return {name: _star(text, dropped) for name, text in texts.items()}, None

    def list_classes(self) -> tuple[dict[str, pa.Array], Ints]:
        """The classes that are released, and with stars a last one of all suppressed rows."""
        solution = self._solution
        kept = np.nonzero(solution.kept > 0)[0]
        keys, rows = solution.groups.keys[:, kept], solution.kept[kept]
        stars = self._stars and solution.suppressed > 0
        texts = {}
        for column, name in enumerate(self.columns):
            codes = self._packing.unpack(keys, column)
            labels = self._labels[name]
            if stars:
                labels = pa.concat_arrays([labels, pa.array([SUPPRESSED], pa.string())])
                codes = np.append(codes, np.int32(len(labels) - 1))
            texts[name] = pa.DictionaryArray.from_arrays(pa.array(codes), labels)
        return texts, np.append(rows, solution.suppressed) if stars else rows


def _label_cells(cells: Cells, labels: pa.Array) -> pa.DictionaryArray:
    """The texts of cells, in as short a dictionary as there is."""
    table, places = cells
    if len(table) < len(places):
        places, labels = places.astype(np.int32, copy=False), labels.take(pa.array(table))
    else:
        places = table[places]
    return pa.DictionaryArray.from_arrays(pa.array(places), labels)


def _star(texts: pa.DictionaryArray, dropped: Mask) -> pa.DictionaryArray:
    """The texts with ``*`` for those of suppressed rows."""
    labels = pa.concat_arrays([texts.dictionary, pa.array([SUPPRESSED], pa.string())])
    places = np.where(dropped, np.int32(len(labels) - 1), texts.indices.to_numpy())
    return pa.DictionaryArray.from_arrays(pa.array(places), labels)


class _Drops:
    """Which rows are suppressed: all of some classes, a random part of others.

    Where few combinations of released codes can be, what happens to each is in a table, so that no
    class has to be searched for.
    """

    def __init__(
        self,
        solution: Solution,
        packing: Packing,
        sizes: Sequence[int],
        random: np.random.Generator,
    ) -> None:
        self._packing, keys = packing, solution.groups.keys
        self._index = KeyIndex(keys)
        rows, dropped = solution.groups.rows, solution.dropped
        self._whole = dropped == rows
        part = np.nonzero((dropped > 0) & ~self._whole)[0]
        shares = {int(g): np.array([rows[g] - dropped[g], dropped[g]]) for g in part}
        self._part = PartsByChance(shares, random)
        self._fates: npt.NDArray[np.uint8] | None = None
        if prod(sizes) <= MOST_CELLS:
            self._strides = np.cumprod([1, *sizes])[:-1]
            self._fates = np.full(prod(sizes), UNKNOWN, dtype=np.uint8)
            fates = np.where(self._whole, SUPPRESSED_ROW, KEPT)
            fates[part] = BY_CHANCE
            codes = (packing.unpack(keys, column).astype(np.int64) for column in range(len(sizes)))
            cell = sum(code * stride for code, stride in zip(codes, self._strides, strict=True))
            self._fates[cell] = fates

    def of(self, cells: Sequence[Cells]) -> Mask | None:
        """Whether each row of a batch is suppressed; None if a row is of no class."""
        if self._fates is None:
            return self._search(self._packing.pack_cells(cells))
        fate = self._fates[self._find_cells(cells)]
        if fate.max(initial=0) == UNKNOWN:
            return None
        dropped: Mask = fate == SUPPRESSED_ROW
        open_ = np.nonzero(fate == BY_CHANCE)[0]
        if len(open_):
            some = [(table, places[open_]) for table, places in cells]
            group = self._index.find(self._packing.pack_cells(some))
            for here, part in self._part.of(group):
                dropped[open_[here]] = part == 1
        return dropped

    def _find_cells(self, cells: Sequence[Cells]) -> Ints:
        found = np.zeros(len(cells[0][1]), dtype=np.int64)
        more = np.empty_like(found)
        for (table, places), stride in zip(cells, self._strides, strict=True):
            found += np.take(table * stride, places, out=more, mode="clip")
        return found

    def _search(self, keys: npt.NDArray[np.uint64]) -> Mask | None:
        group = self._index.find(keys)
        if (group < 0).any():
            return None
        dropped: Mask = self._whole[group]
        for here, part in self._part.of(group):
            dropped[here] = part == 1
        return dropped
