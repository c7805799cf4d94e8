"""People with several rows: whether a column shows them, and how many are in each class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from discreet.display import dataclass, safe_repr
from discreet.engines.release import is_translated
from discreet.engines.table import EngineSource, find_engine_source
from discreet.identification.person_key import (
    find_key_kind,
    has_several_rows,
    is_of_others,
)
from discreet.models.evidence import Session, open_session
from discreet.pipeline.recode import Recoding
from discreet.policy.changed_table import list_applied
from discreet.table.dictionary import Dictionary
from discreet.table.table import Role, Table, make_changed_error

if TYPE_CHECKING:
    from discreet.frequency.count import Counted
    from discreet.identification.person_key import KeyKind
    from discreet.policy.policy import Policy


MEMORY = "75%"
"""What the counting may hold at most, of the machine's memory."""
FEW_COLUMNS = 8
"""Up to this many columns are grouped side by side in one pass."""


@dataclass(frozen=True)
class SeveralRows:
    """A column that looks like a person's key and repeats, and how many people classes have.

    ``fewest`` and ``below`` are None where people could not be counted by class. ``unit`` is what
    is counted in the place of people where the column is of cases or households.
    """

    columns: tuple[str, ...]
    why: str
    rows: int
    people: int
    k: int
    classes: int | None = None
    fewest: int | None = None
    below: int | None = None
    unit: str = "people"

    @property
    def note(self) -> str:
        """What a promise about rows does not say of people, in a sentence."""
        name, these = " and ".join(self.columns), "repeats" if len(self.columns) == 1 else "repeat"
        told = f"{name} ({self.why}) {these}, {self.rows:,} rows of {self.people:,} {self.unit}"
        if self.below is None:
            counted = f"how many {self.unit} are in a class could not be counted"
        elif self.fewest is None:
            counted = "no row is released, so there are no classes to count"
        elif self.k > 1:
            counted = (
                f"{self.below:,} of {self.classes:,} classes have fewer than {self.k:,} different "
                f"{self.unit}, the smallest {self.fewest:,}"
            )
        else:
            counted = f"the smallest class has {self.fewest:,} {self.unit}"
        fix = f"people: {{column: {self.columns[0]}}}"
        return (
            f"{told}. Promises count rows: {counted}. To count {self.unit}, add {fix} to the policy"
        )

    def facts(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "columns": list(self.columns),
            "why": self.why,
            "unit": self.unit,
            "rows": self.rows,
            "people": self.people,
            "k": self.k,
            "classes": self.classes,
            "classes_below_k": self.below,
            "fewest_people": self.fewest,
            "note": self.note,
        }


@safe_repr
class PersonKey(NamedTuple):
    """Columns that look like a person's key, and why.

    ``sure`` if different people never share a value, so that any value that repeats is a person
    with several rows; ``decides`` if people who have one row each by it have one row each.
    """

    columns: tuple[str, ...]
    why: str
    sure: bool = False
    decides: bool = False
    unit: str = "people"
    bare: bool = False

    def repeats(self, rows: int, people: int) -> bool:
        """Whether this many distinct values in this many rows mean people with several rows."""
        return has_several_rows(rows, people, self.sure, self.bare)


def find_person_keys(policy: Policy, present: Sequence[str]) -> Iterator[PersonKey]:
    """Columns that look like a person's key, likeliest first; quasi columns are none."""
    counted = {*policy.quasi, *policy.sensitive}
    names = [name for name in present if name not in counted]
    kinds = {name: find_key_kind(name) for name in names}
    ranked = sorted((one.rank, name) for name, one in kinds.items() if one.rank is not None)
    keys = [_make_named_key(name, kinds[name]) for _, name in ranked]
    yield from (key for key in keys if key.unit == "people")
    for name in names:
        column = policy.columns.get(name)
        if column is None or column.role is not Role.identifier or is_of_others(name):
            continue
        if kinds[name].kind is None:
            yield PersonKey((name,), "role identifier")
    given = next((n for n in names if kinds[n].kind == "given name"), None)
    family = next((n for n in names if kinds[n].kind == "surname"), None)
    if given and family:
        yield PersonKey((given, family), "names of people")
    yield from (key for key in keys if key.unit != "people")


def _make_named_key(name: str, kind: KeyKind) -> PersonKey:
    why = f"its name says '{kind.kind}'"
    return PersonKey((name,), why, kind.sure, kind.decides, kind.unit, kind.bare)


@safe_repr
class ValueCounts(NamedTuple):
    """How many rows have a value, how many have one of their own, and how many differ."""

    rows: int = 0
    alone: int = 0
    values: int = 0


def count_values(
    table: Table, wanted: Sequence[tuple[str, ...]]
) -> dict[tuple[str, ...], ValueCounts]:
    """Count the values of columns, or of columns taken together, in one pass over the rows.

    Notes
    -----
    *Cost*: one pass; memory grows with the different values.
    """
    if not wanted:
        return {}
    source = find_engine_source(table)
    if source is not None:
        return {columns: _count_in_engine(table, source, columns) for columns in wanted}
    names = list(dict.fromkeys(name for columns in wanted for name in columns))
    fields = {name: f"c{place}" for place, name in enumerate(names)}
    values = [_join_fields([fields[name] for name in columns]) for columns in wanted]
    asked = ", ".join(f"{value} AS v{place}" for place, value in enumerate(values))
    groups = _write_sets_query if len(values) <= FEW_COLUMNS else _write_unpivoted_query
    query = (
        f"SELECT place, sum(n), count(*) FILTER (n = 1), count(*) FROM ("
        f"{groups([f'v{place}' for place in range(len(values))], f'SELECT {asked} FROM rows')}"
        ") WHERE value IS NOT NULL GROUP BY place"
    )
    with open_session(MEMORY) as session:
        found = {
            row[0]: row[1:] for row in session.stream(query, table.scan(text=names, coded=True))
        }
    return {
        columns: ValueCounts(*(int(number) for number in found.get(place, (0, 0, 0))))
        for place, columns in enumerate(wanted)
    }


def _count_in_engine(table: Table, source: EngineSource, columns: tuple[str, ...]) -> ValueCounts:
    """The values of columns counted where they are; only numbers come here, if values mean just
    what they say."""
    places = [table.columns.index(name) for name in columns]
    kinds = source.relation.columns
    if any(is_translated(table, place, kinds[place]) for place in places):
        return _count_values_read(table, columns)
    sizes = source.count_group_sizes(places)
    rows = sum(size * groups for size, groups in sizes.items())
    return ValueCounts(rows, sizes.get(1, 0), sum(sizes.values()))


def _count_values_read(table: Table, columns: tuple[str, ...]) -> ValueCounts:
    """The same from the different values, where these mean something else than they say."""
    with open_session(MEMORY) as session:
        session.load("cells", table, columns)
        there = " AND ".join(f"c{place} IS NOT NULL" for place in range(len(columns)))
        query = "SELECT coalesce(sum(n), 0), count(*) FILTER (n = 1), count(*) FROM cells"
        return ValueCounts(*(int(one) for one in session.row(f"{query} WHERE {there}")))


def _write_sets_query(columns: Sequence[str], source: str) -> str:
    """Each column grouped by itself in one pass; cheap for few columns, and only for those."""
    places = " ".join(f"WHEN grouping({one}) = 0 THEN {n}" for n, one in enumerate(columns))
    sets = ", ".join(f"({one})" for one in columns)
    return (
        f"SELECT CASE {places} END AS place, coalesce({', '.join(columns)}) AS value, "
        f"count(*) AS n FROM ({source}) GROUP BY GROUPING SETS ({sets})"
    )


def _write_unpivoted_query(columns: Sequence[str], source: str) -> str:
    """The same by a row for each cell, whose cost grows with the cells alone."""
    return (
        f"SELECT name[2:]::INTEGER AS place, value, count(*) AS n FROM (UNPIVOT ({source}) ON "
        f"{', '.join(columns)} INTO NAME name VALUE value) GROUP BY name, value"
    )


def _join_fields(fields: Sequence[str]) -> str:
    """Several columns as one text, missing if any is; lengths keep ``ab, c`` from ``a, bc``."""
    if len(fields) == 1:
        return fields[0]
    return " || ".join(f"length({field}) || ':' || {field}" for field in fields)


def find_repeated_key(
    policy: Policy, table: Table, counts: Mapping[tuple[str, ...], ValueCounts] | None = None
) -> SeveralRows | None:
    """The first column that looks like a person's key and repeats, if any.

    ``counts`` are those of its columns, where they are at hand.
    """
    keys = list(find_person_keys(policy, table.columns))
    if counts is None:
        counts = count_values(table, [key.columns for key in keys])
    k = max((model.least_rows for model in policy.require), default=1)
    for key in keys:
        rows, _, people = counts[key.columns]
        if key.repeats(rows, people):
            return SeveralRows(key.columns, key.why, rows, people, k, unit=key.unit)
        if key.decides and rows and rows == people:
            return None
    return None


def count_people_by_class(
    found: SeveralRows, private: Table, source: Table, counted: Counted, recoding: Recoding
) -> SeveralRows:
    """Count the different people of each released class.

    ``private`` is the table before, ``source`` after its columns were changed, row by row. Where
    techniques chose or moved rows, they cannot be put side by side.

    Notes
    -----
    *Cost*: one pass over the rows; memory grows with the pairs of a class and a person, and where
    columns were changed with the column that tells people apart.
    """
    people = None
    if find_engine_source(source) is not None:
        return found
    if source is not private:
        if any(one.technique.turn != "columns" for one in list_applied(source)):
            return found
        people = private.scan(text=found.columns).read_all()
        if people.num_rows != counted.frequency.total:
            return found
    quasi = len(counted.frequency.columns)
    fields = [pa.field(f"q{place}", pa.int32()) for place in range(quasi)]
    fields += [pa.field(f"p{place}", pa.string()) for place in range(len(found.columns))]
    batches = _encode_classes(found.columns, people, source, counted, recoding)
    with open_session(MEMORY) as session:
        rows = pa.RecordBatchReader.from_batches(pa.schema(fields), batches)
        return _count_by_class(found, session, rows, quasi)


def _encode_classes(
    columns: Sequence[str],
    people: pa.Table | None,
    source: Table,
    counted: Counted,
    recoding: Recoding,
) -> Iterator[pa.RecordBatch]:
    """Released rows: a number for each released quasi text, then what tells people apart."""
    quasi = counted.frequency.columns
    texts = {name: Dictionary() for name in quasi}
    start = 0
    for batch in source.scan(text=[*quasi, *(columns if people is None else ())]):
        cells = [counted.dictionaries[n].look_up(batch.column(i)) for i, n in enumerate(quasi)]
        recoded = recoding.recode(cells)
        if recoded is None:
            raise make_changed_error(source.name)
        released, dropped = recoded
        codes = [
            table[places] if name in recoding.untouched else texts[name].encode(released[name])
            for name, (table, places) in zip(quasi, cells, strict=True)
        ]
        keys = batch.columns[len(quasi) :]
        if people is not None:
            part = people.slice(start, batch.num_rows)
            keys = [column.combine_chunks() for column in part.columns]
        start += batch.num_rows
        names = [*(f"q{place}" for place in range(len(quasi)))]
        names += [f"p{place}" for place in range(len(keys))]
        made = pa.RecordBatch.from_arrays(
            [*map(pa.array, codes), *(key.cast(pa.string()) for key in keys)], names=names
        )
        yield made if dropped is None else made.filter(pa.array(~dropped))


def count_people_in_file(found: SeveralRows, table: Table, quasi: Sequence[str]) -> SeveralRows:
    """Count the different people of each class of a released file."""
    names = [*quasi, *found.columns]
    counted = table.count_rows(names)
    rows = table.scan(text=names) if counted is None else _drop_counts(counted)
    with open_session(MEMORY) as session:
        return _count_by_class(found, session, rows, len(quasi))


def _drop_counts(counted: pa.RecordBatchReader) -> pa.RecordBatchReader:
    """The different combinations alone: a person counts once, with however many rows."""
    schema = pa.schema(list(counted.schema)[:-1])
    batches = (pa.RecordBatch.from_arrays(one.columns[:-1], schema=schema) for one in counted)
    return pa.RecordBatchReader.from_batches(schema, batches)


def _count_by_class(
    found: SeveralRows, session: Session, rows: pa.RecordBatchReader, quasi: int
) -> SeveralRows:
    """Count people by class: the quasi columns come first, then those that tell people apart.

    A class whose rows all lack the key has nobody who is known, which is fewer than any k.
    """
    fields = [f"c{place}" for place in range(len(rows.schema))]
    there = " AND ".join(f"{field} IS NOT NULL" for field in fields[quasi:])
    classes, fewest, below = session.stream(
        f"SELECT count(*), min(people), count(*) FILTER (people < {found.k}) FROM (SELECT "
        f"count(DISTINCT ({', '.join(fields[quasi:])})) FILTER ({there}) AS people FROM rows "
        f"GROUP BY {', '.join(fields[:quasi])})",
        rows,
    )[0]
    return replace(found, classes=classes, fewest=fewest, below=below)
