"""The second pass over the rows: each batch recoded, suppressed rows left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution
from discreet.frequency.count import Counted
from discreet.frequency.frequency_list import KeyIndex
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.table.table import Table, make_changed_error

Codes = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
ROWS_PER_BATCH = 131_072
TEXTS = pa.dictionary(pa.int32(), pa.string())


class Recoding(Protocol):
    """What rows are released as, given the codes of their quasi columns."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi columns."""

    @property
    def untouched(self) -> frozenset[str]:
        """The quasi columns that are released as they are."""

    def recode(self, ground: Sequence[Codes]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column but untouched ones, and which rows are left out.

        The texts come as dictionaries, which hold those of rows that are left out too. None if a
        row is none of those that were counted. ``ground`` has the codes of a batch of rows, a quasi
        column each.
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
            ground = [self._encode_column(i, name, batch) for i, name in enumerate(self._quasi)]
            recoded = self._recoding.recode(ground)
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

    def _encode_column(self, place: int, name: str, batch: pa.RecordBatch) -> Codes:
        """Codes of a column as it was counted."""
        ground = self._counted.dictionaries[name].encode(batch.column(place))
        if len(self._counted.dictionaries[name]) != self._known[name]:
            raise make_changed_error(self._table.name)
        return ground


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

    def recode(self, ground: Sequence[Codes]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column, and which rows are left out."""
        owner = self._index.find(self._packing.pack(ground, len(ground[0])))
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
        self._drops = _Drops(solution, random) if solution.suppressed else None
        self._solution = solution

    @property
    def untouched(self) -> frozenset[str]:
        """The quasi columns that are released as they are."""
        if self._stars:
            return frozenset()
        levels = zip(self.columns, self._node, strict=True)
        return frozenset(name for name, level in levels if level == 0)

    def recode(self, ground: Sequence[Codes]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column, and which rows are left out."""
        levels = zip(ground, self._hierarchies, self._node, strict=True)
        codes = [hierarchy.maps[level][column] for column, hierarchy, level in levels]
        texts = {
            name: pa.DictionaryArray.from_arrays(pa.array(column), self._labels[name])
            for name, column in zip(self.columns, codes, strict=True)
        }
        if self._drops is None:
            return texts, None
        dropped = self._drops.of(self._packing.pack(codes, len(codes[0])))
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


def _star(texts: pa.DictionaryArray, dropped: Mask) -> pa.DictionaryArray:
    """The texts with ``*`` for those of suppressed rows."""
    labels = pa.concat_arrays([texts.dictionary, pa.array([SUPPRESSED], pa.string())])
    places = np.where(dropped, np.int32(len(labels) - 1), texts.indices.to_numpy())
    return pa.DictionaryArray.from_arrays(pa.array(places), labels)


class _Drops:
    """Which rows are suppressed: all of some classes, a random part of others."""

    def __init__(self, solution: Solution, random: np.random.Generator) -> None:
        self._index = KeyIndex(solution.groups.keys)
        rows, dropped = solution.groups.rows, solution.dropped
        self._whole = dropped == rows
        part = np.nonzero((dropped > 0) & ~self._whole)[0]
        shares = {int(g): np.array([rows[g] - dropped[g], dropped[g]]) for g in part}
        self._part = PartsByChance(shares, random)

    def of(self, keys: npt.NDArray[np.uint64]) -> Mask | None:
        """Whether each row of a batch is suppressed; None if a row is of no class."""
        group = self._index.find(keys)
        if (group < 0).any():
            return None
        dropped: Mask = self._whole[group]
        for here, part in self._part.of(group):
            dropped[here] = part == 1
        return dropped
