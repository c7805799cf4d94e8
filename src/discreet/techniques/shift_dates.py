"""All dates of a person move by the same number of days, drawn for each person."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import field
from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueError
from discreet.replacement_key import ReplacementKey
from discreet.techniques.arrow_rows import (
    check_apart,
    check_names,
    make_generator,
    read_rows,
    take_column,
)
from discreet.techniques.date_columns import (
    DateColumn,
    Day,
    check_days,
    check_formats,
    check_inside,
    read_date_column,
)
from discreet.techniques.number_columns import is_text, replace_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.table.table import Table
    from discreet.techniques.arrow_rows import Ints
    from discreet.techniques.technique import Protection, Turn


# Which rows are of the same person, and what the dates of a person tell.


LATE = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False, repr=False)
class EntityRows:
    """The people of a table: `texts` has each of them once, `codes` the person of each row."""

    texts: pa.Array
    codes: Ints

    @property
    def people(self) -> int:
        """How many people there are."""
        return len(self.texts)

    @property
    def counted(self) -> str:
        """How many people there are, in words."""
        return f"{self.people:,} {'person' if self.people == 1 else 'people'}"

    def find_first_days(self, dates: Sequence[DateColumn]) -> Ints:
        """The first day of each person over all columns; LATE for a person without a date."""
        first = np.full(self.people, LATE)
        for column in dates:
            np.minimum.at(first, self.codes[column.there], column.days[column.there])
        return first

    def count_own_intervals(self, dates: Sequence[DateColumn]) -> int:
        """How many people have days since their first date that no other person has.

        The days of a person are summed as random-looking numbers of 64 bits, so that their order
        does not matter; two people taken for alike by accident are not to be expected.
        """
        first = self.find_first_days(dates)
        told = np.zeros(self.people, np.uint64)
        for place, column in enumerate(dates):
            codes = self.codes[column.there]
            since = (column.days[column.there] - first[codes]).astype(np.uint64)
            np.add.at(told, codes, _mix_numbers(since * np.uint64(len(dates)) + np.uint64(place)))
        _, counts = np.unique(told[first < LATE], return_counts=True)
        return int(np.count_nonzero(counts == 1))

    def count_outside_period(self, dates: Sequence[DateColumn], shifts: Ints) -> int:
        """How many people get a day before the first or after the last day of a column."""
        outside = np.zeros(self.people, np.bool_)
        for column in dates:
            codes, days = self.codes[column.there], column.days[column.there]
            if len(days):
                moved = days + shifts[codes]
                outside[codes[(moved < days.min()) | (moved > days.max())]] = True
        return int(np.count_nonzero(outside))


def check_entity(owner: str, entity: object) -> None:
    """Stop unless `entity` is the name of a column."""
    if not isinstance(entity, str) or not entity:
        raise ParameterError(owner, "entity", "the column that says whose row it is")


def find_entities(technique: str, rows: pa.Table, entity: str) -> EntityRows:
    """The people of a table, or an error: every row must say whose it is."""
    found = take_column(rows, entity)
    kind = found.type
    if not (is_text(kind) or pa.types.is_integer(kind) or pa.types.is_null(kind)):
        what = f"holds {kind}, and people are identified by texts or whole numbers"
        raise TechniqueError(technique, entity, what, "Name the column of their identifiers.")
    texts = found.cast(pa.string())
    coded = texts.dictionary_encode()
    blank = pc.equal(pc.utf8_trim_whitespace(coded.dictionary), "")
    missing = coded.indices.null_count
    if pc.any(blank).as_py():
        missing += int(pc.sum(blank.take(coded.indices)).as_py())
    if missing:
        what = f"does not say whose row it is in {missing:,} of {len(found):,} rows"
        raise TechniqueError(
            technique, entity, what, "Give these rows an identifier, or leave them out."
        )
    codes = np.asarray(coded.indices.to_numpy(zero_copy_only=False), np.int64)
    return EntityRows(coded.dictionary, codes)


def note_intervals(people: EntityRows, dates: Sequence[DateColumn]) -> str:
    """What the unchanged intervals reveal about the people in this table."""
    own = people.count_own_intervals(dates)
    return (
        "intervals between the dates of a person stay, and can tell who it is: "
        f"{own:,} of {people.counted} have intervals that nobody else has."
    )


def note_missing_dates(dates: Sequence[DateColumn]) -> list[str]:
    """A note on missing dates that stay missing."""
    counts = {column.name: int(np.count_nonzero(~column.there)) for column in dates}
    return [
        f"{count:,} missing {'cell stays' if count == 1 else 'cells stay'} missing in column "
        f"'{name}'."
        for name, count in counts.items()
        if count
    ]


def note_formats(dates: Sequence[DateColumn]) -> list[str]:
    """A note on columns with dates in several formats."""
    return [
        f"the dates of '{column.name}' were in {column.formats} formats, and all are written as "
        "2001-05-31 now."
        for column in dates
        if column.formats > 1
    ]


def _mix_numbers(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each number turned into one that looks random (the last steps of splitmix64)."""
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


FURTHEST = 36_525
"""A hundred years: no shift is longer."""


@dataclass(frozen=True)
class ShiftDates:
    """Move each person's dates by days drawn for that person, so that intervals stay.

    `entity` is the column that says whose row it is. `days` is the most that dates move, back or
    forth, or a pair (least, most), such as (-365, -1) for back only. With a `key` a person has the
    same shift in every table and release that is made with the same key, `days` and `weeks`;
    without one the seed draws it. `weeks` moves by whole weeks, so that weekdays stay. `formats`
    says how dates in text are written where 03/04/2001 could be March or April. `domain` gives the
    first and the last day that a column may have; a date that would leave it stops the run.

    Times of day stay. A column is written as it was: a text in its format, a type in its type;
    dates in several formats are all written as 2001-05-31.
    Missing dates stay missing; a row that does not say whose it is is refused.

    Parameters
    ----------
    columns
        The columns of dates.
    entity
        The column that says whose row it is.
    days
        The most days that dates move, back or forth, or a pair of the least and the most.
    key
        The key that decides the shift of a person, for the same shift in other releases.
    weeks
        Whether dates move by whole weeks, so that weekdays stay.
    formats
        How the dates of a text column are written, as in ``strptime``: ``%d.%m.%Y``, or a list of
        such formats. Without it the formats are found, each date being read in the one that it can
        have.
    domain
        The first and the last day that a column may have; null for no limit.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> days = ["28.2.2024", "1.3.2024", "5.3.2024"]
    >>> visits = read(pa.table({"who": ["a", "a", "b"], "day": days}))
    >>> moved = ShiftDates(("day",), "who", days=30)(visits, seed=4)
    >>> moved.scan(text=["day"]).read_all()["day"].to_pylist()
    ['13.3.2024', '15.3.2024', '1.4.2024']

    Notes
    -----
    [Sweeney2001]_, sec. 6.2: several rows of a person "and other information contained in the
    tuples, such as relative dates, can combine to reveal sensitive information". *Departures*: the
    thesis does not say how; moving whole histories is the practice of medical archives. A shift of
    0 can be drawn: were it left out, a date shown would be known to be wrong. Timestamps with a
    zone move by days of its clock, so an hour more or less can pass between two of them where
    summer time begins or ends; a time that the clock skips becomes the end of the gap. *Cost*: one
    pass; one keyed hash (BLAKE2b) a person if there is a key; the rows in memory.
    """

    columns: tuple[str, ...]
    entity: str
    days: int | tuple[int, int] = 180
    key: ReplacementKey | None = field(default=None, repr=False)
    weeks: bool = False
    formats: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    domain: Mapping[str, tuple[Day | None, Day | None]] = field(default_factory=dict)

    name: ClassVar[str] = "shift_dates"
    protection: ClassVar[Protection] = "null-map"
    turn: ClassVar[Turn] = "columns"
    truthful: ClassVar[bool] = False
    keeps: ClassVar[str] = (
        "Intervals between all dates of a person, times of day, and by whole weeks the weekdays."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "dates shifted by person"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_entity(self.name, self.entity)
        check_apart(self.name, self.columns, "entity", (self.entity,))
        if not isinstance(self.weeks, bool):
            raise ParameterError(self.name, "weeks", "true or false")
        if not _is_range(self.days):
            wanted = f"a whole number from 1 to {FURTHEST:,}, or a pair (least, most) of such"
            raise ParameterError(self.name, "days", wanted)
        if self._steps[1] < 2:
            wanted = f"a range of at least two shifts{' of whole weeks' if self.weeks else ''}"
            raise ParameterError(self.name, "days", wanted)
        if self.key is not None and not isinstance(self.key, ReplacementKey):
            raise ParameterError(self.name, "key", "a key from load_key(path), never the secret")
        object.__setattr__(self, "formats", check_formats(self.name, self.columns, self.formats))
        object.__setattr__(self, "domain", check_days(self.name, self.columns, self.domain))

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with its dates moved; the input is left as it is."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, (*self.columns, self.entity))
        people = find_entities(self.name, rows, self.entity)
        dates = [read_date_column(self.name, rows, c, self.formats.get(c)) for c in self.columns]
        shifts = (
            self._draw_shifts(rng, people)
            if self.key is None
            else self._derive_shifts(self.key, people)
        )
        new = {}
        for column in dates:
            moved = column.days + shifts[people.codes]
            check_inside(column, moved, self.domain.get(column.name, (None, None)))
            new[column.name] = column.back(moved)
        return replace_columns(table, rows, new, self._list_notices(people, dates, shifts))

    @property
    def _steps(self) -> tuple[int, int, int]:
        """The first shift in steps, how many there are, and the days of a step."""
        least, most = self._range
        step = 7 if self.weeks else 1
        return -(-least // step), most // step + (-least // step) + 1, step

    @property
    def _range(self) -> tuple[int, int]:
        return (-self.days, self.days) if isinstance(self.days, int) else self.days

    def _draw_shifts(self, rng: np.random.Generator, people: EntityRows) -> Ints:
        first, count, step = self._steps
        return (rng.integers(0, count, people.people) + first) * step

    def _derive_shifts(self, key: ReplacementKey, people: EntityRows) -> Ints:
        """By a hash of who it is; another range is another use of the key and draws anew."""
        first, count, step = self._steps
        use = f"{self.name} {first} {count} {step}".encode()
        secret = hmac.digest(key.secret, use, "sha256")
        texts = people.texts.cast(pa.binary()).to_numpy(zero_copy_only=False)
        raw = b"".join(blake2b(text, key=secret, digest_size=8).digest() for text in texts)
        words = np.frombuffer(raw, "<u8") % np.uint64(count)
        return np.asarray((words.astype(np.int64) + first) * step)

    def _list_notices(
        self, people: EntityRows, dates: Sequence[DateColumn], shifts: Ints
    ) -> list[str]:
        least, most = self._range
        same = int(np.count_nonzero(shifts == 0))
        told = [
            f"the dates of {people.counted} moved by {least} to {most} days"
            f"{' of whole weeks' if self.weeks else ''}, all dates of a person in "
            f"{', '.join(self.columns)} by the same; 0 was drawn for {same:,}.",
            note_intervals(people, dates),
            "a date that is known of a person, or of an event that all had, gives the shift away, "
            "and with it all other dates of that person.",
            f"seasons{'' if self.weeks else ', weekdays'} and holidays are no longer right.",
        ]
        told += _list_given_away(people, dates, shifts)
        if self.key is None:
            told.append("drawn at random, without a key: another step or table gets other shifts.")
        told += [*note_formats(dates), *note_missing_dates(dates)]
        return [f"{self.name}: {text}" for text in told]


def _list_given_away(people: EntityRows, dates: Sequence[DateColumn], shifts: Ints) -> list[str]:
    """What the shifted dates of this table reveal about the shifts."""
    told = []
    outside = people.count_outside_period(dates, shifts)
    if outside:
        told.append(
            f"{outside:,} of {people.counted} now have dates outside the period of the table, "
            "which bound their shift for anyone who knows that period."
        )
    seasons = [column.name for column in dates if column.offsets > 1]
    if seasons:
        told.append(
            f"the offsets from UTC in {', '.join(seasons)} stay, and tell summer from winter: "
            "write these times in one zone."
        )
    return told


def _is_range(days: object) -> bool:
    pair = days if isinstance(days, tuple) else (1, days)
    if len(pair) != 2 or not all(type(each) is int and abs(each) <= FURTHEST for each in pair):
        return False
    return bool(pair[0] < pair[1]) if isinstance(days, tuple) else bool(pair[1] >= 1)


# Dates released as days since the first date of the person.


@dataclass(frozen=True)
class RelativeDates:
    """Release when things happened to a person, counted from that person's first date.

    `entity` is the column that says whose row it is. Each date becomes a whole number of days since
    the first date that the person has in any of the `columns`: 0 there, never below. Times of day
    are dropped. The new columns are of whole numbers and can be quasi-identifiers with intervals as
    hierarchy. `formats` says how dates in text are written where 03/04/2001 could be March or
    April. Missing dates stay missing; a row that does not say whose it is is refused.

    Parameters
    ----------
    columns
        The columns of dates.
    entity
        The column that says whose row it is.
    formats
        How the dates of a text column are written, as in ``strptime``: ``%d.%m.%Y``, or a list of
        such formats. Without it the formats are found, each date being read in the one that it can
        have.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> days = ["28.2.2024", "1.3.2024", "5.3.2024"]
    >>> visits = read(pa.table({"who": ["a", "a", "b"], "day": days}))
    >>> since = RelativeDates(("day",), "who")(visits, seed=1)
    >>> since.scan(native=["day"]).read_all()["day"].to_pylist()
    [0, 2, 0]

    Notes
    -----
    [Sweeney2001]_, sec. 6.2 (relative dates can combine to reveal sensitive information).
    *Departures*: the thesis does not say how its system treats them. *Cost*: one pass; the rows in
    memory.
    """

    columns: tuple[str, ...]
    entity: str
    formats: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)

    name: ClassVar[str] = "relative_dates"
    protection: ClassVar[Protection] = "k-map"
    turn: ClassVar[Turn] = "columns"
    truthful: ClassVar[bool] = True
    keeps: ClassVar[str] = "Intervals in days between all dates of a person, and their order."
    by_chance: ClassVar[bool] = False
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "days since the first date of the person"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_entity(self.name, self.entity)
        check_apart(self.name, self.columns, "entity", (self.entity,))
        object.__setattr__(self, "formats", check_formats(self.name, self.columns, self.formats))

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with days instead of dates; nothing is drawn, and the input is left."""
        make_generator(self.name, seed)
        rows = read_rows(table, (*self.columns, self.entity))
        people = find_entities(self.name, rows, self.entity)
        dates = [read_date_column(self.name, rows, c, self.formats.get(c)) for c in self.columns]
        first = people.find_first_days(dates)[people.codes]
        new = {
            column.name: pa.array(column.days - first, pa.int64(), mask=~column.there)
            for column in dates
        }
        told = (
            "the calendar is gone: nothing can be said of seasons, weekdays or years.",
            note_intervals(people, dates),
            "how many rows a person has stays too; cap it where few have many.",
            *note_missing_dates(dates),
        )
        return replace_columns(table, rows, new, [f"{self.name}: {text}" for text in told])
