"""Says of each column which rule of safe harbor it falls under, and whether it meets it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import UnknownColumnError
from discreet.identify.evidence import Evidence
from discreet.identify.judge import judge
from discreet.identify.kind import Kind
from discreet.identify.profile import profile
from discreet.identify.recognizers import Item, Recognizer
from discreet.safe_harbor.ages import tally_ages
from discreet.safe_harbor.checked import Checked, ColumnStanding, Question, Standing
from discreet.safe_harbor.judgement import judged
from discreet.safe_harbor.places import tally_places
from discreet.safe_harbor.seen import YEARS, Seen, certain, recognized
from discreet.safe_harbor.strays import tally_strays
from discreet.safe_harbor.tally import Reader, counted
from discreet.safe_harbor.years import tally_dates
from discreet.safe_harbor.zips import tally_zips
from discreet.table.read import read
from discreet.table.table import Source, Table


def check_safe_harbor(table: Any, question: Question | None = None) -> Checked:
    """Check the columns of a table against the eighteen identifiers of HIPAA's safe harbor.

    Takes a Table, or whatever `discreet.read` does. Without a question the day is today, the ZIP
    table that of the package, and every column is released.

    >>> frame = pa.table({"zip": ["02138", "02139"] * 10, "sex": ["F", "M"] * 10})
    >>> [(one.rule, one.standing.value) for one in check_safe_harbor(frame).columns]
    [('B', 'breaks'), (None, 'meets')]

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2)(i). *Departures*: what a column is can only be guessed from
    its name and values; where that does not tell, a person must look. *Cost*: two passes over the
    columns that are released, in memory that does not grow with the rows.
    """
    table = table if isinstance(table, Table) else read(table)
    question = question or Question.on()
    for name in question.codes:
        if name not in table.columns:
            raise UnknownColumnError(table.name, name, table.columns)
    looked_at = [one for one in table.columns if _leaves(one, question)]
    seen = {one.evidence.profile.name: one for one in _seen(table, looked_at, question)}
    columns = tuple(
        judged(seen[name], question) if name in seen else _unseen(name, question)
        for name in table.columns
    )
    rows = max((one.evidence.profile.rows for one in seen.values()), default=0)
    return Checked(table.name, rows, question, columns, tuple(table.notices))


def _leaves(column: str, question: Question) -> bool:
    """Whether a column is looked at: it is released, and is no scrubbed text."""
    released = question.released is None or column in question.released
    return released and column not in question.scrubbed


def _unseen(column: str, question: Question) -> ColumnStanding:
    if column in question.dated:
        why = "its text is scrubbed so that dates keep more than the year"
        fix = "Write scrub: {dates: year}"
        return ColumnStanding(column, Item.DATES.value[1], Standing.breaks, why, fix)
    if column in question.scrubbed:
        why = "text that is scrubbed; no program finds all, so read some of it"
        return ColumnStanding(column, Item.OTHER.value[1], Standing.look, why)
    return ColumnStanding(column, None, Standing.meets, "it is not released")


def _seen(table: Table, columns: list[str], question: Question) -> list[Seen]:
    if not columns:
        return []
    part = _part(table, columns)
    evidences = [Evidence(one) for one in profile(part)]
    suspicions = [judge(one) for one in evidences]
    kinds = [recognized(*pair) for pair in zip(evidences, suspicions, strict=True)]
    readers = [_reader(*pair, question) for pair in zip(evidences, kinds, strict=True)]
    tallies: list[Counter[str]] = [Counter() for _ in columns]
    strays: list[Counter[str]] = [Counter() for _ in columns]
    for batch in part.scan(text=part.columns):
        for place, column in enumerate(batch.columns):
            reader = readers[place]
            if reader is not None:
                tallies[place] += counted(column, reader)
            if not certain(suspicions[place]):
                strays[place] += counted(column, tally_strays)
    return [Seen(*one) for one in zip(evidences, suspicions, kinds, tallies, strays, strict=True)]


def _reader(evidence: Evidence, kind: Recognizer | None, question: Question) -> Reader | None:
    """What counts the values of a column of this kind."""
    name = "" if kind is None else kind.kind
    if name == "postal code":
        return partial(tally_zips, table=question.zip_table)
    if name == "age":
        return tally_ages
    if name in YEARS or evidence.kind is Kind.date:
        return partial(tally_dates, cutoff=question.cutoff)
    return tally_places if name in ("city", "state") else None


@dataclass(frozen=True)
class _Columns:
    """Some columns of a source."""

    source: Source
    places: tuple[int, ...]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        texts, natives = ([self.places[one] for one in part] for part in (text, native))
        return self.source.scan(texts, natives, rows_per_batch)


def _part(table: Table, columns: list[str]) -> Table:
    place = {column: number for number, column in enumerate(table.columns)}
    places = tuple(place[column] for column in columns)
    return Table(table.name, tuple(columns), _Columns(table.source, places))
