"""All that a search needs to know of the people of one or several tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import EmptyTableError, ReleaseError, SourceError
from discreet.frequency.classes import Floats, Ints, Mask, add_up
from discreet.frequency.compiled import compile_loop
from discreet.frequency.count import find_distinct
from discreet.frequency.frequency_list import Codes, Packing
from discreet.pipeline.people.person_column import count_lookalikes
from discreet.pipeline.progress import Progress, defer_interrupts
from discreet.policy.people import RecordRule
from discreet.table.dictionary import Dictionary
from discreet.table.table import Table, make_changed_error

# One pass over a table: whose each row is, and which combination of quasi values it has.


@dataclass(frozen=True, eq=False)
class CodedValues:
    """A sensitive column: the code of each row, and the values behind the codes."""

    row: Codes
    dictionary: Dictionary


@dataclass(frozen=True, eq=False)
class CodedRows:
    """The rows of a table as numbers: ``person`` and ``tuple`` have one entry a row.

    ``codes[t]`` are the ground codes of the quasi columns that rows with tuple ``t`` have.
    ``values`` has the sensitive columns that promises are about, by the policy's names for them.
    """

    table: Table
    entity: str
    quasi: tuple[str, ...]
    dictionaries: tuple[Dictionary, ...]
    people: Dictionary
    person: Codes
    tuple: Codes
    codes: Codes
    values: Mapping[str, CodedValues] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.person)

    def refuse_changed(self, batch: Sequence[Codes], first: int) -> None:
        """Stop where rows from ``first`` on, coded again, are not what was counted."""
        size = len(batch[0])
        rows = slice(first, first + size)
        known = [self.person[rows], *(self.codes[self.tuple[rows], c] for c in self._places)]
        if any(not np.array_equal(old, new) for old, new in zip(known, batch, strict=True)):
            raise make_changed_error(self.table.name)

    @property
    def _places(self) -> range:
        return range(len(self.quasi))


def code_rows(
    source: PeopleTable,
    people: Dictionary,
    progress: Callable[[int], None] | None = None,
) -> CodedRows:
    """Code the rows of a table; ``people`` may know people of other tables already.

    *Cost*: one pass; memory for two numbers a row, one more for each sensitive column that a
    promise is about, and for the distinct tuples.
    """
    table, entity, quasi = source.table, source.entity, source.quasi
    dictionaries = tuple(Dictionary() for _ in quasi)
    sensitive = {name: Dictionary() for name in source.sensitive}
    coders = (people, *dictionaries, *sensitive.values())
    parts: list[list[Codes]] = []
    missing = seen = 0
    for batch in table.scan(text=[entity, *quasi, *source.sensitive.values()]):
        missing += _count_blank(batch.column(0))
        parts.append([coder.encode(batch.column(c)) for c, coder in enumerate(coders)])
        seen += batch.num_rows
        if progress is not None:
            progress(seen)
    if not seen:
        raise EmptyTableError(table.name, "there are column names but no rows")
    if missing:
        raise NamelessError(table.name, entity, missing)
    person, *columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    columns, others = columns[: len(quasi)], columns[len(quasi) :]
    tuples, codes = _number_tuples(columns, [len(d) for d in dictionaries], len(person))
    values = {
        name: CodedValues(row, dictionary)
        for (name, dictionary), row in zip(sensitive.items(), others, strict=True)
    }
    return CodedRows(table, entity, quasi, dictionaries, people, person, tuples, codes, values)


def _count_blank(people: pa.Array) -> int:
    """How many rows do not say whose they are; spaces say nothing."""
    blank = pc.sum(pc.equal(pc.utf8_trim_whitespace(people), "")).as_py() or 0
    return int(people.null_count + blank)


def _number_tuples(columns: list[Codes], sizes: list[int], rows: int) -> tuple[Codes, Codes]:
    """The tuple of each row, and the codes of each tuple."""
    packing = Packing.of(sizes)
    keys, _, inverse = find_distinct(packing.pack(columns, rows), np.ones(rows, dtype=np.int64))
    codes: npt.NDArray[np.int32] = np.empty((keys.shape[1], len(sizes)), dtype=np.int32)
    for column in range(len(sizes)):
        codes[:, column] = packing.unpack(keys, column)
    return inverse, codes


# The compiled loops over the records of people: fingerprints of records, prices of records.
#
# A record is the tuples ``tuples[start[r]:start[r + 1]]``, each with its table and its codes (-1
# for columns of other tables). ``maps[first[c] + code]`` is a code at the level in question;
# columns that are not ``used`` count as if nobody saw them.


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ONE, _OTHER = np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344)


@compile_loop(inner=True)
def _mix_bits(x: Any) -> Any:
    """The finalizer of splitmix64: every bit of the answer depends on every bit given."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compile_loop(nogil=True)
def hash_records(
    records: Any,
    start: Any,
    tuples: Any,
    codes: Any,
    table: Any,
    maps: Any,
    first: Any,
    used: Any,
    once: Any,
) -> Any:
    """128 bits for each record that are the same for records alike, in any order of their rows.

    The sum over a record's tuples of a hash of each; ``once`` adds a tuple that repeats only once.
    """
    out = np.zeros((2, len(records)), np.uint64)
    for i in range(len(records)):
        low, high = start[records[i]], start[records[i] + 1]
        marks = np.empty((2, high - low if once else 0), np.uint64)
        for j in range(low, high):
            t = tuples[j]
            one = _mix_bits(_ONE + np.uint64(table[t]))
            other = _mix_bits(_OTHER + np.uint64(table[t]))
            for c in range(codes.shape[1]):
                if used[c] and codes[t, c] >= 0:
                    code = np.uint64(maps[first[c] + codes[t, c]] + 1)
                    one = _mix_bits(one + code * _GOLDEN)
                    other = _mix_bits(other ^ (code * _GOLDEN))
            if once:
                marks[0, j - low], marks[1, j - low] = one, other
            else:
                out[0, i] += one
                out[1, i] += other
        if once:
            order = np.argsort(marks[0])
            for j in range(len(order)):
                if j == 0 or marks[0, order[j]] != marks[0, order[j - 1]]:
                    out[0, i] += marks[0, order[j]]
                    out[1, i] += marks[1, order[j]]
    return out


@compile_loop(nogil=True)
def price(
    records: Any,
    mass: Any,
    start: Any,
    tuples: Any,
    codes: Any,
    maps: Any,
    first: Any,
    costs: Any,
    begin: Any,
) -> Any:
    """Sum ``mass * costs[begin[c] + level code]`` over the rows of records, for each column."""
    total = np.zeros(codes.shape[1], np.float64)
    for i in range(len(records)):
        if mass[i] != 0.0:
            for j in range(start[records[i]], start[records[i] + 1]):
                for c in range(codes.shape[1]):
                    code = codes[tuples[j], c]
                    if code >= 0:
                        total[c] += mass[i] * costs[begin[c] + maps[first[c] + code]]
    return total


# The whole record of each person, and how many people share each.


NOBODY = -1


@dataclass(frozen=True, eq=False)
class Records:
    """Each different record once: the tuples of its rows in no order, and its people.

    ``tuples[start[r]:start[r + 1]]`` are the tuples of record ``r`` and ``people[r]`` how many have
    it. ``codes[t]`` has the ground codes of tuple ``t``, -1 in columns of other tables than
    ``table[t]``. ``of`` is the record of each person, or -1 for somebody who is left out.
    """

    start: Ints
    tuples: Codes
    people: Ints
    codes: Codes
    table: Codes
    of: Codes

    def __len__(self) -> int:
        return len(self.people)

    @property
    def everyone(self) -> Ints:
        """All records."""
        return np.arange(len(self), dtype=np.int64)

    def rows_by_tuple(self) -> Floats:
        """How many rows there are with each tuple."""
        people = np.repeat(self.people, np.diff(self.start))
        return add_up(self.tuples, people, len(self.codes))

    def tuples_of(self, records: Ints) -> npt.NDArray[np.int64]:
        """The different tuples that some records have."""
        seen = np.zeros(len(self), dtype=np.bool_)
        seen[records] = True
        return np.unique(self.tuples[np.repeat(seen, np.diff(self.start))]).astype(np.int64)


def gather_records(
    rows: Sequence[CodedRows], stays: Sequence[Mask], people: int, out: Mask
) -> Records:
    """The records of people from the rows that stay; people marked in ``out`` have none."""
    codes, table, first = _stack_tables(rows)
    kept = [keep & ~out[one.person] for one, keep in zip(rows, stays, strict=True)]
    person = np.concatenate([one.person[keep] for one, keep in zip(rows, kept, strict=True)])
    tuples = np.concatenate(
        [one.tuple[keep] + at for one, keep, at in zip(rows, kept, first, strict=True)]
    )
    tuples = tuples[np.argsort(person, kind="stable")].astype(np.int32, copy=False)
    size = np.bincount(person, minlength=people)
    there = np.nonzero(size)[0]
    alike, home = _count_alike(there, _find_bounds(size), tuples, codes, table)
    of = np.full(people, NOBODY, dtype=np.int32)
    of[there] = home
    one = np.empty(len(alike), dtype=np.int64)
    one[home[::-1]] = there[::-1]
    shown = np.zeros(people, dtype=np.bool_)
    shown[one] = True
    # records are numbered as people first have them, so the rows of the shown people are in order
    return Records(_find_bounds(size[one]), tuples[np.repeat(shown, size)], alike, codes, table, of)


def _count_alike(
    people: Ints, start: Ints, tuples: Codes, codes: Codes, table: Codes
) -> tuple[Ints, Codes]:
    """How many people have each different record as found, and the record of each person."""
    columns = codes.shape[1]
    ground = np.arange(int(codes.max(initial=0)) + 1, dtype=np.int32)
    first, used = np.zeros(columns, dtype=np.int64), np.ones(columns, dtype=np.bool_)
    marks = hash_records(people, start, tuples, codes, table, ground, first, used, False)
    _, alike, home = find_distinct(marks, np.ones(len(people), dtype=np.int64))
    return alike, home


def _find_bounds(sizes: npt.NDArray[np.integer[Any]]) -> Ints:
    """Where each of some stretches begins, and where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _stack_tables(rows: Sequence[CodedRows]) -> tuple[Codes, Codes, list[int]]:
    """The tuples of all tables with columns for all, their tables, and where each begins."""
    tuples, columns = (sum(one.codes.shape[axis] for one in rows) for axis in (0, 1))
    codes = np.full((tuples, columns), -1, dtype=np.int32)
    table = np.empty(tuples, dtype=np.int32)
    row, column, first = 0, 0, []
    for number, one in enumerate(rows):
        high, wide = one.codes.shape
        codes[row : row + high, column : column + wide] = one.codes
        table[row : row + high] = number
        first.append(row)
        row, column = row + high, column + wide
    return codes, table, first


@dataclass(frozen=True)
class PeopleTable:
    """A table with the column of people and the quasi columns, as the table names them.

    ``sensitive`` are the columns that promises are about: the policy's name, and the table's.
    """

    table: Table
    entity: str
    quasi: tuple[str, ...]
    sensitive: Mapping[str, str] = field(default_factory=dict)


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
    def total(self) -> int:
        """How many people were counted."""
        return self.people

    @property
    def left_out(self) -> int:
        """How many people the rule on rows leaves out."""
        return int((self.records.of == NOBODY).sum())

    @property
    def lookalikes(self) -> int:
        """How many identifiers differ from others only in ways that seldom tell people apart."""
        return count_lookalikes(pa.array(self.rows[0].people.values, pa.string()))

    @property
    def apart(self) -> bool:
        """Whether there are several tables and nobody is in two of them."""
        each = [len(np.unique(one.person)) for one in self.rows]
        return len(each) > 1 and sum(each) == self.people


def count_people(
    tables: Sequence[PeopleTable],
    rule: RecordRule,
    random: np.random.Generator,
    progress: Progress | None = None,
) -> CountedPeople:
    """Read all tables, draw the rows that stay, and put the record of each person together.

    *Cost*: one pass over each table and some sorting; memory for a few numbers a row.
    """
    people = Dictionary()
    with defer_interrupts(progress) as tell:

        def report_rows(rows: int) -> None:
            tell(f"counting, {rows:,} rows")

        tell("counting")
        rows = tuple(code_rows(one, people, report_rows) for one in tables)
        many = len(people)
        stays = tuple(rule.draw_rows(one.person, many, random) for one in rows)
        out = np.zeros(many, dtype=np.bool_)
        for one, keep in zip(rows, stays, strict=True):
            there, left = _number_people(one, None, many), _number_people(one, keep, many)
            out |= (there > 0) & (left == 0)
        records = gather_records(rows, stays, many, out)
    return CountedPeople(rows, stays, records)


def _number_people(rows: CodedRows, keep: Mask | None, people: int) -> Ints:
    person = rows.person if keep is None else rows.person[keep]
    return np.bincount(person, minlength=people)


def limit_for(counted: CountedPeople, rule: RecordRule, suppress: float, k: int, name: str) -> int:
    """How many more people may be suppressed; refuse where the answer would be: too many."""
    if k > counted.people:
        raise _make_few_people_error(name, counted.people, k)
    limit = int(np.floor(suppress * counted.people + 1e-9))
    if counted.left_out > min(limit, counted.people - 1):
        least = rule.numbers[0]
        raise _make_few_rows_error(least, counted.left_out, counted.people, limit)
    return limit - counted.left_out


class NamelessError(SourceError):
    """Some rows do not say whose they are; ``uncounted`` says so without a number."""

    def __init__(self, table: str, column: str, rows: int) -> None:
        has = "1 row has" if rows == 1 else f"{rows:,} rows have"
        self.uncounted = f"some rows have no value in '{column}', the column of people"
        super().__init__(
            table,
            f"{has} no value in '{column}', the column of people, so it is unknown whose they are",
            "Give each row an identifier, or leave these rows out.",
            column=column,
        )


class FewPeopleError(ReleaseError):
    """There are too few people, or too few with enough rows; ``uncounted`` gives no number."""

    def __init__(self, what: str, uncounted: str) -> None:
        super().__init__(what)
        self.uncounted = uncounted


def _make_few_people_error(table: str, people: int, k: int) -> FewPeopleError:
    """k is larger than the number of people."""
    return FewPeopleError(
        f"{table} has rows of {people:,} {'person' if people == 1 else 'people'}, fewer than "
        f"k = {k:,}, so no release can be k-anonymous. Ask for a smaller k.",
        f"fewer than {k:,} people have rows that meet the condition",
    )


def _make_few_rows_error(least: int, below: int, people: int, limit: int) -> FewPeopleError:
    """The rule on numbers of rows leaves out more people than may be suppressed."""
    some = f"; the policy allows {limit:,}. List a smaller number first, or raise 'suppress'."
    everybody = ", and nobody would be left. List a smaller number first."
    return FewPeopleError(
        f"people.records: {below:,} of {people:,} people have fewer than {least:,} rows and "
        f"would be left out{everybody if below == people else some}",
        f"too many people have fewer than {least:,} rows (people.records)",
    )
