"""The classes of any node, rolled up from the nearest finer node that was counted before."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.frequency import kernels, long_lists
from discreet.frequency.classes import Classes, Floats, Histogram, Ints, Mask, Reference
from discreet.frequency.frequency_list import Entries, Field, FrequencyList, KeyIndex, Packing
from discreet.hierarchy.lattice import Lattice, Node

Map = npt.NDArray[np.uint64]
Merged = tuple[npt.NDArray[np.uint64], Ints, npt.NDArray[np.int32]]
"""Keys and rows of coarser classes, and the one of each finer class (or of none)."""

DROPPED = -1
"""Stands for the level of a column that is left out of a quasi-identifier."""

KEPT_TABLES = 2048

LONG = 1 << 20
"""Groups from which on cells may be counted instead."""

MOST_CELLS = 1 << 25
"""Cells that are counted at most: a table of them takes a few hundred megabytes."""

WIDE_FIELD = 12
"""Bits of a field where tables are read so often that fewer, larger ones pay."""

KEPT_BYTES = 32 << 20
"""Memory for remembered nodes beyond the finest one; as much as that one takes, if it is more."""

MOST_KEPT_BYTES = 256 << 20
"""But never more: counting a node of a long list anew is cheap, and its rows are yet to come."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The classes of one node: packed keys, rows, tallies and sensitive values of each."""

    node: Node
    keys: npt.NDArray[np.uint64]
    rows: Ints
    tallies: Floats
    entries: Mapping[str, Entries]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def bytes(self) -> int:
        """Memory these classes hold."""
        own = self.keys.nbytes + self.rows.nbytes + self.tallies.nbytes
        return own + sum(e.owner.nbytes * 2 + e.count.nbytes for e in self.entries.values())


class ClassCounter:
    """Counts the classes of nodes, each from as few groups as possible, never from the rows.

    ``keys`` are those of the finest classes, where they are not packed codes (see
    :class:`discreet.pipeline.people.people_problem.PeopleCounter`).

    Notes
    -----
    The roll-up property: groups of a node are unions of the groups of any finer node. *Cost*: time
    linear in the groups of the nearest finer node that is still remembered; memory for the distinct
    tuples and at most as much again for remembered nodes.
    """

    def __init__(
        self,
        frequency: FrequencyList,
        lattice: Lattice,
        references: Mapping[str, Reference],
        keys: npt.NDArray[np.uint64] | None = None,
    ) -> None:
        self.lattice = lattice
        self.references = references
        self.total = frequency.total
        self.tallied = tuple(frequency.tallies)
        self.packing = Packing.of([hierarchy.size(0) for hierarchy in lattice.hierarchies])
        count = len(frequency)
        tallies = np.array(list(frequency.tallies.values())).reshape(len(frequency.tallies), count)
        self.base = Groups(
            lattice.bottom,
            self.packing.pack(frequency.codes, count) if keys is None else keys,
            frequency.rows,
            np.ascontiguousarray(tallies, dtype=np.float64),
            frequency.sensitive,
        )
        self._maps: dict[tuple[int, int, int], Map] = {}
        self._tables: dict[tuple[tuple[int, int, int], ...], Map] = {}
        self._kept: list[Groups] = [self.base]
        self._levels = np.array([lattice.bottom], dtype=np.int16)
        self._sizes = np.array([count], dtype=np.int64)
        self._used = np.zeros(1, dtype=np.int64)
        self._turn = 0
        self._most = self._room = min(max(KEPT_BYTES, self.base.bytes), MOST_KEPT_BYTES)
        self._lock = threading.Lock()

    def groups(self, node: Node, remember: bool = True) -> Groups:
        """Count the classes of a node."""
        finer = self._find_nearest(node)
        if finer.node == node:
            return finer
        changed = {c: node[c] for c in range(len(node)) if node[c] != finer.node[c]}
        needed = bool(finer.entries) or len(finer.tallies) > 0
        merged, _ = self.merge(finer, node, changed, self.lattice.space(node), needed)
        if remember:
            self._remember(merged)
        return merged

    def project(
        self, groups: Groups, columns: Sequence[int], kept: Mask | None = None
    ) -> tuple[Classes, npt.NDArray[np.int32]]:
        """The classes on some of the columns only, and the class that each group falls in.

        Groups not marked in ``kept`` are counted as if they had no rows. Tallies are of all groups,
        and there if no column is left out.
        """
        rows = groups.rows if kept is None else np.where(kept, groups.rows, 0)
        entries = groups.entries
        if kept is not None:
            entries = {name: _keep_entries(e, kept) for name, e in entries.items()}
        dropped = {c: DROPPED for c in range(len(groups.node)) if c not in columns}
        if not dropped:
            inverse = np.arange(len(groups), dtype=np.int32)
            tallies = dict(zip(self.tallied, groups.tallies, strict=True))
            return self._make_classes(rows, entries, tallies), inverse
        source = Groups(groups.node, groups.keys, rows, groups.tallies[:0], entries)
        merged, inverse = self.merge(source, groups.node, dropped, len(groups), True)
        return self._make_classes(merged.rows, merged.entries, {}), inverse

    def match_classes(self, known: Groups, groups: Groups) -> npt.NDArray[np.int32]:
        """The class of ``known`` that each of some classes of the same node is."""
        return KeyIndex(known.keys).find(groups.keys)

    def count_variety(self, groups: Groups) -> list[int]:
        """How many different values each column has among the classes that have rows."""
        keys = groups.keys[:, groups.rows > 0]
        columns = range(len(groups.node))
        return [len(np.unique(self.packing.unpack(keys, column))) for column in columns]

    def _make_classes(
        self, rows: Ints, entries: Mapping[str, Entries], tallies: Mapping[str, Floats]
    ) -> Classes:
        histograms = {
            name: Histogram(e.owner, e.value, e.count, self.references[name])
            for name, e in entries.items()
        }
        return Classes(rows, histograms, tallies)

    def merge(
        self, finer: Groups, node: Node, changed: Mapping[int, int], space: int, inverted: bool
    ) -> tuple[Groups, npt.NDArray[np.int32]]:
        """Merge groups after some columns changed their level.

        ``inverted`` asks for the coarser group of each finer one as well.
        """
        sizes = self._count_cells(finer.node, changed)
        fields = self.packing.join_columns(WIDE_FIELD) if len(finer) >= LONG else ()
        few = prod(sizes) <= min(MOST_CELLS, 2 * len(finer))
        if few and len(finer.keys) == 1 and 0 < len(fields) <= long_lists.FIELDS:
            keys, rows, inverse = self._merge_cells(finer, fields, changed, sizes, inverted)
        else:
            keys, rows, inverse = self._merge_keys(finer, changed, space, inverted)
        tallies = np.zeros((0, len(rows)))
        if len(finer.tallies):
            tallies = kernels.roll_up_tallies(finer.tallies, inverse, len(rows))
        entries = {}
        for name, e in finer.entries.items():
            size = len(self.references[name].counts)
            entries[name] = Entries(
                *kernels.roll_up_values(e.owner, e.value, e.count, inverse, size)
            )
        return Groups(node, keys, rows, tallies, entries), inverse

    def _merge_keys(
        self, finer: Groups, changed: Mapping[int, int], space: int, inverted: bool
    ) -> Merged:
        fields = [f for f in self.packing.fields if not changed.keys().isdisjoint(f.columns)]
        tables = [self._build_field_table(field, finer.node, changed) for field in fields]
        place = np.array([(f.word, f.shift, f.bits) for f in fields], dtype=np.int64).reshape(-1, 3)
        merged: Merged = kernels.roll_up(
            finer.keys,
            finer.rows,
            place[:, 0].copy(),
            place[:, 1].copy(),
            place[:, 2].copy(),
            np.concatenate(tables) if tables else np.zeros(1, dtype=np.uint64),
            np.cumsum([0, *map(len, tables)])[:-1],
            max(1, min(len(finer), space)),
            inverted,
        )
        return merged

    def _count_cells(self, node: Node, changed: Mapping[int, int]) -> list[int]:
        """How many different codes each column can have after some changed their level."""
        levels = (changed.get(column, level) for column, level in enumerate(node))
        return [
            1 if level == DROPPED else hierarchy.size(level)
            for hierarchy, level in zip(self.lattice.hierarchies, levels, strict=True)
        ]

    def _merge_cells(
        self,
        finer: Groups,
        fields: Sequence[Field],
        changed: Mapping[int, int],
        sizes: Sequence[int],
        inverted: bool,
    ) -> Merged:
        """Count each combination of codes that there could be, instead of looking for those met."""
        strides = np.cumprod([1, *sizes], dtype=np.int64)
        tables = []
        for field in fields:
            contents = np.arange(1 << field.bits)
            table = np.zeros(len(contents), dtype=np.uint32)
            for column in field.columns:
                level = finer.node[column]
                cells = self._map(column, level, changed.get(column, level)).astype(np.uint32)
                shift, bits = self.packing.shift[column] - field.shift, self.packing.bits[column]
                padded = np.zeros(1 << bits, dtype=np.uint32)
                padded[: len(cells)] = cells * np.uint32(strides[column])
                table += padded[(contents >> shift) & (len(padded) - 1)]
            tables.append(table)
        spare = long_lists.FIELDS - len(fields)
        tables += [np.zeros(1, dtype=np.uint32)] * spare
        merged: Merged = long_lists.roll_up_dense(
            finer.keys[0],
            finer.rows,
            np.array([field.shift for field in fields] + [0] * spare, dtype=np.int64),
            np.array([len(table) - 1 for table in tables], dtype=np.uint64),
            np.concatenate(tables),
            np.cumsum([0, *map(len, tables)])[:-1],
            np.array(sizes, dtype=np.int64),
            self.packing.shift,
            inverted,
        )
        return merged

    def _build_field_table(self, field: Field, node: Node, changed: Mapping[int, int]) -> Map:
        """New content of a field for each old one."""
        steps = tuple((c, node[c], changed.get(c, node[c])) for c in field.columns)
        if len(steps) == 1:
            return self._map(*steps[0])
        found = self._tables.get(steps)
        if found is None:
            found = self._tables[steps] = self._compose_maps(field, [self._map(*s) for s in steps])
            if len(self._tables) > KEPT_TABLES:
                del self._tables[next(iter(self._tables))]
        return found

    def _compose_maps(self, field: Field, maps: Sequence[Map]) -> Map:
        where = list(field.columns)
        table = np.empty(1 << field.bits, dtype=np.uint64)
        start = np.cumsum([0, *map(len, maps)])
        shift = self.packing.shift[where] - field.shift
        kernels.compose(table, shift, self.packing.bits[where], np.concatenate(maps), start)
        return table

    def _map(self, column: int, low: int, high: int) -> Map:
        """Codes at level ``low`` to codes at level ``high``, or to a single one if dropped."""
        found = self._maps.get((column, low, high))
        if found is None:
            hierarchy = self.lattice.hierarchies[column]
            found = np.zeros(hierarchy.size(low), dtype=np.uint64)
            if high != DROPPED:
                found[hierarchy.maps[low]] = hierarchy.maps[high]
            self._maps[column, low, high] = found
        return found

    def _find_nearest(self, node: Node) -> Groups:
        """The remembered node with the fewest groups among those finer than ``node``."""
        with self._lock:
            finer = (self._levels <= np.array(node, dtype=np.int16)).all(axis=1)
            place = int(np.where(finer, self._sizes, np.iinfo(np.int64).max).argmin())
            self._turn += 1
            self._used[place] = self._turn
            return self._kept[place]

    def forget_large(self) -> None:
        """Forget nodes of long lists: when their search is over, the rows need the memory."""
        with self._lock:
            while len(self._kept) > 1 and self._most - self._room > KEPT_BYTES:
                self._forget(1 + int(self._used[1:].argmin()))

    def _remember(self, groups: Groups) -> None:
        """Keep a node, and forget those that were not of use for longest to make room."""
        if len(groups) * 4 > len(self.base) * 3 or groups.bytes > self._most:
            return
        with self._lock:
            while groups.bytes > self._room:
                self._forget(1 + int(self._used[1:].argmin()))
            self._room -= groups.bytes
            self._turn += 1
            self._kept.append(groups)
            self._levels = np.vstack([self._levels, np.array([groups.node], dtype=np.int16)])
            self._sizes = np.append(self._sizes, len(groups))
            self._used = np.append(self._used, self._turn)

    def _forget(self, place: int) -> None:
        self._room += self._kept.pop(place).bytes
        self._levels = np.delete(self._levels, place, axis=0)
        self._sizes = np.delete(self._sizes, place)
        self._used = np.delete(self._used, place)


def _keep_entries(entries: Entries, kept: Mask) -> Entries:
    inside = kept[entries.owner]
    return Entries(entries.owner[inside], entries.value[inside], entries.count[inside])
