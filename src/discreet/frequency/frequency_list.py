"""The frequency list: each different combination of quasi values once, with its counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass, plural
from discreet.frequency.classes import Floats, Ints

Codes = npt.NDArray[np.int32]
AnyCodes = npt.NDArray[np.integer[Any]]
"""Codes in whatever integer type is large enough."""


@dataclass(frozen=True, eq=False)
class Entries:
    """How often each sensitive value goes with each tuple: (tuple, value, rows)."""

    owner: Codes
    value: Codes
    count: Ints


@dataclass(frozen=True, eq=False)
class FrequencyList:
    """All that a search needs to know of a table, whatever its number of rows.

    ``codes[c]`` holds column c's code of every distinct tuple and ``rows`` how many rows have that
    tuple. ``values`` are the texts behind the codes (None: missing). ``sensitive`` counts sensitive
    values by tuple; ``tallies`` are further sums by tuple, such as row weights or a population.

    Notes
    -----
    [Sweeney2001]_, sec. 6.2, step 1 of fig. 39. *Departures*: row numbers are not kept; the
    recoding is applied in a second pass over the rows. *Cost*: one pass, memory for the distinct
    tuples.
    """

    columns: tuple[str, ...]
    codes: tuple[AnyCodes, ...]
    rows: Ints
    values: Mapping[str, tuple[str | None, ...]]
    sensitive: Mapping[str, Entries] = field(default_factory=dict)
    tallies: Mapping[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        columns, rows = plural(len(self.columns), "column"), plural(self.total, "row")
        return f"FrequencyList({columns}, {len(self):,} different of {rows})"

    @property
    def total(self) -> int:
        """Number of rows of the table."""
        return int(self.rows.sum())
