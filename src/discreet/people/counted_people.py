"""All that a search needs to know of the people of one or several tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import TooFewPeopleError, TooFewRecordsError
from discreet.frequency.classes import Ints, Mask
from discreet.people.coded_rows import CodedRows, coded_rows
from discreet.people.record_rule import RecordRule
from discreet.people.records import NOBODY, Records, gathered
from discreet.people.whose import lookalikes
from discreet.release.interrupts import deferred
from discreet.table.dictionary import Dictionary
from discreet.table.table import Table


@dataclass(frozen=True)
class PeopleTable:
    """A table with the column of people and the quasi columns, as the table names them."""

    table: Table
    entity: str
    quasi: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CountedPeople:
    """The rows of each table as numbers, which of them stay, and the records that they make up."""

    rows: tuple[CodedRows, ...]
    stays: tuple[Mask, ...]
    records: Records

    @property
    def people(self) -> int:
        """How many people there are, those whom the rule on rows leaves out included."""
        return len(self.records.of)

    @property
    def left_out(self) -> int:
        """How many people the rule on rows leaves out."""
        return int((self.records.of == NOBODY).sum())

    @property
    def lookalikes(self) -> int:
        """How many identifiers differ from others only in ways that seldom tell people apart."""
        return lookalikes(pa.array(self.rows[0].people.values, pa.string()))

    @property
    def apart(self) -> bool:
        """Whether there are several tables and nobody is in two of them."""
        each = [len(np.unique(one.person)) for one in self.rows]
        return len(each) > 1 and sum(each) == self.people


def count_people(
    tables: Sequence[PeopleTable], rule: RecordRule, random: np.random.Generator
) -> CountedPeople:
    """Read all tables, draw the rows that stay, and put the record of each person together.

    *Cost*: one pass over each table and some sorting; memory for a few numbers a row.
    """
    people = Dictionary()
    with deferred() as check:
        rows = tuple(coded_rows(one.table, one.entity, one.quasi, people, check) for one in tables)
        many = len(people)
        stays = tuple(rule.drawn(one.person, many, random) for one in rows)
        out = np.zeros(many, dtype=np.bool_)
        for one, keep in zip(rows, stays, strict=True):
            there, left = _numbers(one, None, many), _numbers(one, keep, many)
            out |= (there > 0) & (left == 0)
        records = gathered(rows, stays, many, out)
    return CountedPeople(rows, stays, records)


def _numbers(rows: CodedRows, keep: Mask | None, people: int) -> Ints:
    person = rows.person if keep is None else rows.person[keep]
    return np.bincount(person, minlength=people)


def limit_for(counted: CountedPeople, rule: RecordRule, suppress: float, k: int, name: str) -> int:
    """How many more people may be suppressed; refuse where the answer would be: too many."""
    if k > counted.people:
        raise TooFewPeopleError(name, counted.people, k)
    limit = int(np.floor(suppress * counted.people + 1e-9))
    if counted.left_out > min(limit, counted.people - 1):
        least = rule.numbers[0]
        raise TooFewRecordsError(least, counted.left_out, counted.people, limit)
    return limit - counted.left_out
