"""One pass over a table: whose each row is, and which combination of quasi values it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ChangedTableError, EmptyTableError, EntityMissingError
from discreet.frequency.count import distinct
from discreet.frequency.frequency_list import Codes
from discreet.frequency.packing import Packing
from discreet.table.dictionary import Dictionary
from discreet.table.table import Table


@dataclass(frozen=True, eq=False)
class CodedRows:
    """The rows of a table as numbers: ``person`` and ``tuple`` have one entry a row.

    ``codes[t]`` are the ground codes of the quasi columns that rows with tuple ``t`` have.
    """

    table: Table
    entity: str
    quasi: tuple[str, ...]
    dictionaries: tuple[Dictionary, ...]
    people: Dictionary
    person: Codes
    tuple: Codes
    codes: Codes

    def __len__(self) -> int:
        return len(self.person)

    def refuse_changed(self, batch: Sequence[Codes], first: int) -> None:
        """Stop where rows from ``first`` on, coded again, are not what was counted."""
        size = len(batch[0])
        rows = slice(first, first + size)
        known = [self.person[rows], *(self.codes[self.tuple[rows], c] for c in self._places)]
        if any(not np.array_equal(old, new) for old, new in zip(known, batch, strict=True)):
            raise ChangedTableError(self.table.name)

    @property
    def _places(self) -> range:
        return range(len(self.quasi))


def coded_rows(
    table: Table,
    entity: str,
    quasi: Sequence[str],
    people: Dictionary,
    progress: Callable[[], None] | None = None,
) -> CodedRows:
    """Code the rows of a table; ``people`` may know people of other tables already.

    *Cost*: one pass; memory for two numbers a row and for the distinct tuples.
    """
    dictionaries = tuple(Dictionary() for _ in quasi)
    coders = (people, *dictionaries)
    parts: list[list[Codes]] = []
    missing = 0
    for batch in table.scan(text=[entity, *quasi]):
        missing += _blank(batch.column(0))
        parts.append([coder.encode(batch.column(c)) for c, coder in enumerate(coders)])
        if progress is not None:
            progress()
    if not sum(len(part[0]) for part in parts):
        raise EmptyTableError(table.name, "there are column names but no rows")
    if missing:
        raise EntityMissingError(table.name, entity, missing)
    person, *columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    tuples, codes = _tuples(columns, [len(d) for d in dictionaries], len(person))
    return CodedRows(table, entity, tuple(quasi), dictionaries, people, person, tuples, codes)


def _blank(people: pa.Array) -> int:
    """How many rows do not say whose they are; spaces say nothing."""
    blank = pc.sum(pc.equal(pc.utf8_trim_whitespace(people), "")).as_py() or 0
    return int(people.null_count + blank)


def _tuples(columns: list[Codes], sizes: list[int], rows: int) -> tuple[Codes, Codes]:
    """The tuple of each row, and the codes of each tuple."""
    packing = Packing.of(sizes)
    keys, _, inverse = distinct(packing.pack(columns, rows), np.ones(rows, dtype=np.int64))
    codes: npt.NDArray[np.int32] = np.empty((keys.shape[1], len(sizes)), dtype=np.int32)
    for column in range(len(sizes)):
        codes[:, column] = packing.unpack(keys, column)
    return inverse, codes
