"""Which rows are of the same person, and what the dates of a person tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueColumnError
from discreet.techniques.arrow_rows import column_of
from discreet.techniques.number_columns import is_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.techniques.arrow_rows import Ints
    from discreet.techniques.date_columns import DateColumn

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

    def first_days(self, dates: Sequence[DateColumn]) -> Ints:
        """The first day of each person over all columns; LATE for a person without a date."""
        first = np.full(self.people, LATE)
        for column in dates:
            np.minimum.at(first, self.codes[column.there], column.days[column.there])
        return first

    def with_intervals_of_their_own(self, dates: Sequence[DateColumn]) -> int:
        """How many people have days since their first date that no other person has.

        The days of a person are summed as random-looking numbers of 64 bits, so that their order
        does not matter; two people taken for alike by accident are not to be expected.
        """
        first = self.first_days(dates)
        told = np.zeros(self.people, np.uint64)
        for place, column in enumerate(dates):
            codes = self.codes[column.there]
            since = (column.days[column.there] - first[codes]).astype(np.uint64)
            np.add.at(told, codes, _mixed(since * np.uint64(len(dates)) + np.uint64(place)))
        _, counts = np.unique(told[first < LATE], return_counts=True)
        return int(np.count_nonzero(counts == 1))

    def moved_out_of_the_period(self, dates: Sequence[DateColumn], shifts: Ints) -> int:
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


def entity_rows(technique: str, rows: pa.Table, entity: str) -> EntityRows:
    """The people of a table, or an error: every row must say whose it is."""
    found = column_of(rows, entity)
    kind = found.type
    if not (is_text(kind) or pa.types.is_integer(kind) or pa.types.is_null(kind)):
        what = f"holds {kind}, and people are told apart by texts or whole numbers"
        raise TechniqueColumnError(technique, entity, what, "Name the column of their identifiers.")
    texts = found.cast(pa.string())
    coded = texts.dictionary_encode()
    blank = pc.equal(pc.utf8_trim_whitespace(coded.dictionary), "")
    missing = coded.indices.null_count
    if pc.any(blank).as_py():
        missing += int(pc.sum(blank.take(coded.indices)).as_py())
    if missing:
        what = f"does not say whose row it is in {missing:,} of {len(found):,} rows"
        raise TechniqueColumnError(
            technique, entity, what, "Give these rows an identifier, or leave them out."
        )
    codes = np.asarray(coded.indices.to_numpy(zero_copy_only=False), np.int64)
    return EntityRows(coded.dictionary, codes)


def intervals_notice(people: EntityRows, dates: Sequence[DateColumn]) -> str:
    """What the intervals that stay tell of the people of this table."""
    own = people.with_intervals_of_their_own(dates)
    return (
        "intervals between the dates of a person stay, and can tell who it is: "
        f"{own:,} of {people.counted} have intervals that nobody else has."
    )


def missing_dates(dates: Sequence[DateColumn]) -> list[str]:
    """What to say about missing dates that stay missing."""
    counts = {column.name: int(np.count_nonzero(~column.there)) for column in dates}
    return [
        f"{count:,} missing {'cell stays' if count == 1 else 'cells stay'} missing in column "
        f"'{name}'."
        for name, count in counts.items()
        if count
    ]


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each number turned into one that looks random (the last steps of splitmix64)."""
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
