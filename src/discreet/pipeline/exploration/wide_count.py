"""One count over every column that may play a part, and what follows from it without the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from discreet.display import dataclass
from discreet.frequency import kernels
from discreet.frequency.class_counter import ClassCounter
from discreet.frequency.count import Counted
from discreet.frequency.frequency_list import Entries, FrequencyList
from discreet.hierarchy import Flat
from discreet.hierarchy.lattice import Lattice, Node


@dataclass(frozen=True, eq=False)
class WideCount:
    """The different combinations of all candidate columns, from which others are rolled up.

    Notes
    -----
    *Cost*: memory for the different combinations; a roll-up looks at each of them, or at those of a
    finer set of columns that was asked for before.
    """

    counted: Counted
    counter: ClassCounter

    @classmethod
    def of(cls, counted: Counted) -> WideCount:
        """Set up the roll-ups of a counted table."""
        frequency = counted.frequency
        flat = tuple(Flat().build(name, frequency.values[name]) for name in frequency.columns)
        return cls(counted, ClassCounter(frequency, Lattice(flat), {}))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that were counted."""
        return self.counted.frequency.columns

    def covers(self, names: Iterable[str]) -> bool:
        """Whether all these columns were counted."""
        return set(names) <= set(self.columns)

    def count_rows(self, quasi: Sequence[str]) -> FrequencyList:
        """The rows of each class on some columns; its codes are left out."""
        groups = self.counter.groups(self._find_node(quasi))
        return FrequencyList(tuple(quasi), (), groups.rows, {})

    def narrow(self, quasi: Sequence[str], sensitive: Sequence[str]) -> Counted:
        """What a count of these columns alone would have given, but for the order of tuples."""
        frequency, base = self.counted.frequency, self.counter.base
        node = self._find_node(quasi)
        changed = {c: level for c, level in enumerate(node) if level != base.node[c]}
        space = self.counter.lattice.space(node)
        groups, inverse = self.counter.merge(base, node, changed, space, inverted=True)
        places = [self.columns.index(name) for name in quasi]
        packing = self.counter.packing
        owner = np.arange(len(frequency), dtype=np.int32)
        entries = {}
        for name in sensitive:
            codes = frequency.codes[self.columns.index(name)].astype(np.int32)
            size = len(frequency.values[name])
            found = kernels.roll_up_values(owner, codes, frequency.rows, inverse, size)
            entries[name] = Entries(*found)
        named = [*quasi, *sensitive]
        narrowed = FrequencyList(
            tuple(quasi),
            tuple(packing.unpack(groups.keys, place) for place in places),
            groups.rows,
            {name: frequency.values[name] for name in named},
            entries,
            dict(zip(frequency.tallies, groups.tallies, strict=True)),
        )
        return Counted(narrowed, {name: self.counted.dictionaries[name] for name in named})

    def _find_node(self, quasi: Sequence[str]) -> Node:
        """These columns as found, all others as one value."""
        hierarchies = self.counter.lattice.hierarchies
        return tuple(0 if one.column in quasi else one.height for one in hierarchies)
