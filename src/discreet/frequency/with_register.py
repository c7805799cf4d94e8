"""The people of a register beside the rows of a table, tuple by tuple."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from discreet.frequency import kernels
from discreet.frequency.classes import Floats
from discreet.frequency.count import Counted, distinct, narrow
from discreet.frequency.frequency_list import Entries, FrequencyList
from discreet.frequency.packing import Packing


def with_register(counted: Counted, register: FrequencyList, tally: str) -> Counted:
    """Add the counts of a register, with the tuples that only the register has.

    ``register`` is counted on the columns of the table, in their order, whatever it calls them. Its
    counts become the tally of that name; tuples that the table lacks have no rows. The dictionaries
    learn the values that only the register has, after those of the table.

    Notes
    -----
    *Cost*: linear in the distinct tuples of both.
    """
    table = counted.frequency
    values = dict(table.values)
    theirs = []
    for place, (name, other) in enumerate(zip(table.columns, register.columns, strict=True)):
        dictionary = counted.dictionaries[name]
        code = dictionary.encode(pa.array(list(register.values[other]), pa.string()))
        theirs.append(code[register.codes[place]])
        values[name] = dictionary.values
    sizes = [max(1, len(values[name])) for name in table.columns]
    packing = Packing.of(sizes)
    both = [np.concatenate([own, their]) for own, their in zip(table.codes, theirs, strict=True)]
    count = len(table) + len(register)
    rows = np.concatenate([table.rows, np.zeros(len(register), dtype=np.int64)])
    keys, rows, inverse = distinct(packing.pack(both, count), rows)
    amounts = _padded(table.tallies, register, tally, count)
    sums = kernels.roll_up_tallies(amounts, inverse, len(rows))
    entries = {
        name: Entries(
            *kernels.roll_up_values(
                e.owner, e.value, e.count, inverse[: len(table)], len(values[name])
            )
        )
        for name, e in table.sensitive.items()
    }
    tallies = dict(zip((*table.tallies, tally), sums, strict=True))
    codes = narrow(packing, keys, sizes)
    frequency = FrequencyList(table.columns, codes, rows, values, entries, tallies)
    return Counted(frequency, counted.dictionaries)


def _padded(
    tallies: Mapping[str, Floats], register: FrequencyList, tally: str, count: int
) -> Floats:
    """All tallies of the tuples of both, the register's last."""
    amounts = np.zeros((len(tallies) + 1, count))
    for place, sums in enumerate(tallies.values()):
        amounts[place, : len(sums)] = sums
    amounts[-1, count - len(register) :] = register.rows
    return amounts
