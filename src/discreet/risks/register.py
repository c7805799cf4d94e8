"""A register of the population: how many people in it look like each class of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Ints
from discreet.frequency.frequency_list import AnyCodes, FrequencyList, KeyIndex, Packing
from discreet.models.register_refusals import make_unmatched_error


@dataclass(frozen=True, eq=False)
class Register:
    """A counted register, seen from the classes of a table.

    ``people`` has, for each class of the table, the people of the register that look like it.
    ``values`` has, for each column, how many values of the table the register has, and of how many.
    Values are compared as they are written; where nobody fits, :meth:`of` refuses.
    """

    people: Ints
    size: int
    classes: int
    uniques: int
    values: Mapping[str, tuple[int, int]]

    @classmethod
    def of(cls, table: FrequencyList, register: FrequencyList) -> Register:
        """Find the classes of a table in a register that was counted on the same columns."""
        if table.columns != register.columns:
            wanted = f"counted on the columns of the table: {', '.join(table.columns)}"
            raise ParameterError("register", "columns", wanted)
        people = np.zeros(len(table), dtype=np.int64)
        place = _find_places(table, register)
        np.add.at(people, place[place >= 0], register.rows[place >= 0])
        values = {name: _count_met(table, register, name) for name in table.columns}
        if not people.any():
            raise make_unmatched_error(values)
        uniques = int((register.rows == 1).sum())
        return cls(people, register.total, len(register), uniques, values)

    def facts(self, rows: Ints) -> dict[str, Any]:
        """The register as plain data, for the rows of the table's classes."""
        return {
            "rows": self.size,
            "classes": self.classes,
            "uniques": self.uniques,
            "people_found": int(self.people.sum()),
            "values_found": {
                name: {"values": of, "found": met} for name, (met, of) in self.values.items()
            },
            "rows_not_found": int(rows[self.people == 0].sum()),
            "rows_more_than_people": int(rows[(self.people > 0) & (self.people < rows)].sum()),
            "rows_unique_in_register": int(rows[self.people == 1].sum()),
        }


def _count_met(table: FrequencyList, register: FrequencyList, name: str) -> tuple[int, int]:
    """How many values of a column are in the register too, and how many there are."""
    theirs = set(register.values[name])
    return sum(value in theirs for value in table.values[name]), len(table.values[name])


def _find_places(table: FrequencyList, register: FrequencyList) -> AnyCodes:
    """The table's class of each class of the register, or -1."""
    packing = Packing.of([max(1, len(table.values[name])) for name in table.columns])
    known = np.ones(len(register), dtype=np.bool_)
    codes = []
    for place, name in enumerate(table.columns):
        code_of = {value: code for code, value in enumerate(table.values[name])}
        other = np.array(
            [code_of.get(value, -1) for value in register.values[name]], dtype=np.int64
        )
        found = other[register.codes[place]] if len(other) else np.zeros(0, dtype=np.int64)
        known &= found >= 0
        codes.append(np.maximum(found, 0))
    keys = packing.pack(codes, len(register))
    index = KeyIndex(packing.pack(table.codes, len(table)))
    place_of = index.find(np.ascontiguousarray(keys))
    return np.where(known, place_of, -1)
