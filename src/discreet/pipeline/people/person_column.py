"""The column of people in one way of writing, so that nobody is taken for two people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.pipeline.people.people_notes import replaces_people
from discreet.pipeline.recode import is_text
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


def unify_people(table: Table, policy: Policy) -> Table:
    """The table with its identifiers of people trimmed, and accents written in one way (NFC).

    Pseudonyms that the policy puts in their place by ``replace`` are left as they are.
    """
    if replaces_people(policy):
        return table
    place = table.columns.index(policy.people.column)
    return replace(table, source=PeopleSource(table, place))


@dataclass(frozen=True)
class PeopleSource:
    """The rows of a table; texts in the column at ``place`` are in one way of writing."""

    table: Table
    place: int

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows; whole numbers in the column stay numbers."""
        reader = self.table.source.scan(text, native, rows_per_batch)
        kinds = [field.type for field in reader.schema]
        mine = [
            n for n, at in enumerate((*text, *native)) if at == self.place and is_text(kinds[n])
        ]
        for n in mine:
            kinds[n] = pa.string()
        schema = pa.schema([(f"c{n}", kind) for n, kind in enumerate(kinds)])

        def batches() -> Iterator[pa.RecordBatch]:
            for batch in reader:
                arrays = [
                    unify_spelling(a) if n in mine else a for n, a in enumerate(batch.columns)
                ]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, batches()) if mine else reader


def count_lookalikes(people: pa.Array) -> int:
    """How many identifiers are others but for capitals, zeros in front or a decimal .0 behind.

    >>> count_lookalikes(pa.array(["P01", "p01", "7", "007", "7.0", "8"]))
    3
    """
    plain = pc.replace_substring_regex(pc.utf8_lower(people), r"^0+|\.0+$", "")
    return len(people) - int(pc.count_distinct(plain).as_py())


def unify_spelling(people: pa.Array) -> pa.Array:
    """Identifiers without spaces at their ends, accents in one of the two ways Unicode has.

    >>> unify_spelling(pa.array([" P01", "P01", None])).to_pylist()
    ['P01', 'P01', None]
    """
    trimmed = pc.utf8_trim_whitespace(people.cast(pa.string()))
    if pc.all(pc.string_is_ascii(trimmed)).as_py() is not False:
        return trimmed
    return pc.utf8_normalize(trimmed, form="NFC")
