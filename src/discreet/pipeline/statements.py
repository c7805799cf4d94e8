"""Statements next to the promises of a release: what columns show, and what is not promised.

Every number here is counted, none is a promise: rows that are unique on all quasi columns, people
with several rows, columns whose values are as good as a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.display import dataclass, safe_repr
from discreet.engines.release import is_translated
from discreet.engines.table import EngineSource, find_engine_source
from discreet.hierarchy.spec import AS_FOUND, name_level
from discreet.identification.person_key import (
    find_key_kind,
    has_several_rows,
    is_id_name,
    is_of_others,
)
from discreet.models.evidence import Session, open_session
from discreet.pipeline.recode import Recoding
from discreet.policy.changed_table import list_applied
from discreet.policy.techniques import describe_changes, list_steps
from discreet.table.dictionary import Dictionary
from discreet.table.table import Role, Table, make_changed_error

if TYPE_CHECKING:
    from discreet.frequency.count import Counted
    from discreet.identification.person_key import KeyKind
    from discreet.policy.policy import Policy
    from discreet.table.cleaning import Cleaned


MEMORY = "75%"
"""What the counting may hold at most, of the machine's memory."""
ALONE = 0.1
"""A column in which this share of the rows has a value of its own is as good as a key to them."""
NEARLY_ALL = 0.9
"""Where this share of the rows has a value of its own, hardly any two rows share one."""
FEW_ROWS = 10
"""In fewer rows all values may differ by chance."""
FEW_COLUMNS = 8
"""Up to this many columns are grouped side by side in one pass."""
PSEUDONYMS = "pseudonyms, one per person"
FIXES_OF_ID = "leave it out, or make it an identifier that a pseudonym replaces (replace)"
FIXES = "round it (round_values), top-code it, release it in bands, or leave it out"

Ints = npt.NDArray[np.int64]


# What each column is released as.


def describe_released_columns(
    policy: Policy,
    levels: Mapping[str, int | None],
    heights: Mapping[str, int],
    people: Sequence[str] = (),
    cleaned: Sequence[Cleaned] | None = None,
) -> dict[str, str]:
    """What every column of a policy is released as, in words, such as ``year only``.

    ``people`` are columns that tell people apart; ``cleaned`` has the cells that were read as
    something else. Without it, what the policy asks for is told, whether or not there were any.
    """
    read = _describe_cleaning(policy, cleaned)
    done = describe_changes(policy, tuple(policy.columns))
    found = {}
    for name, column in policy.columns.items():
        changes = done.get(name, ())
        if column.replace is not None:
            found[name] = column.replace.told
        elif name in people:
            found[name] = PSEUDONYMS
        elif name not in policy.released:
            found[name] = "not released"
        elif name in levels:
            found[name] = _describe_level(
                column.hierarchy, levels[name], heights.get(name), changes, read.get(name, ())
            )
        else:
            scrubbed = ["scrubbed"] if column.scrub is not None else []
            done_to = [*scrubbed, *changes] or ["as it is"]
            found[name] = ", ".join([*done_to, *read.get(name, ())])
        if name in policy.quoted and name not in people:
            found[name] += ", formulas quoted"
    if policy.people is not None and not set(people) <= set(policy.columns):
        found[policy.people.column] = PSEUDONYMS
    return found


NO_WORDS, ZEROS = "words for missing made empty", "lost zeros put back"


def _describe_cleaning(
    policy: Policy, cleaned: Sequence[Cleaned] | None
) -> dict[str, tuple[str, ...]]:
    """What was done to the values of each column as they were read."""
    if cleaned is None:
        asked = policy.cleanings(policy.columns)
        done = {name: (bool(how.words), how.zeros) for name, how in asked.items()}
    else:
        done = {one.column: (bool(one.missing), bool(one.zeros)) for one in cleaned}
    return {
        name: (*([NO_WORDS] if words else ()), *([ZEROS] if zeros else ()))
        for name, (words, zeros) in done.items()
    }


def _describe_level(
    builder: Any,
    level: int | None,
    height: int | None,
    done: Sequence[str],
    read: Sequence[str] = (),
) -> str:
    """The level of a quasi column, of values as found or as techniques left them."""
    before = ", ".join(done)
    if level is None:
        told = f"cell by cell, of values {before}" if before else "cell by cell"
        return ", ".join([told, *read])
    name = name_level(builder, level, height)
    if name == AS_FOUND:
        name = ", ".join([before or name, *read])
    elif before:
        name = f"{name}, of values {before}"
    place = f"level {level} of {height}" if height is not None else f"level {level}"
    return f"{place} ({name})"


# Rows that are unique on all quasi columns.


@dataclass(frozen=True)
class UniqueRows:
    """Released rows that are alone on all quasi columns, or in classes below the k that is named.

    ``promised`` is the class size that holds for all quasi columns together, 1 if none does;
    ``named`` is the largest that any promise names, which a reader may take for it.
    """

    columns: tuple[str, ...]
    rows: int
    alone: int
    below: int
    smallest: int | None
    promised: int
    named: int

    @classmethod
    def of(cls, policy: Policy, sizes: Ints) -> UniqueRows:
        """From the sizes of the released classes of all quasi columns."""
        quasi = set(policy.quasi)
        joint = [m for m in policy.require if not m.columns or quasi <= set(m.columns)]
        promised = max((model.least_rows for model in joint), default=1)
        named = max((model.least_rows for model in policy.require), default=1)
        return cls(
            policy.quasi,
            int(sizes.sum()),
            int((sizes == 1).sum()),
            int(sizes[sizes < named].sum()),
            int(sizes.min()) if len(sizes) else None,
            promised,
            named,
        )

    @property
    def note(self) -> str:
        """What is not promised, in a sentence; empty where classes are as large as is said."""
        if self.smallest is None or (not self.alone and not self.below):
            return ""
        where = f"on {_list_names(self.columns)}{' together' if len(self.columns) > 1 else ''}"
        if not self.alone:
            return (
                f"no row is unique {where}, but {_format_share(self.below, self.rows)} are in "
                f"classes of fewer than {self.named:,}: anyone who knows these values of a person "
                "is left with that few rows"
            )
        told = f"{_format_share(self.alone, self.rows)} are unique {where}"
        if self.below > self.alone:
            told = f"{told}, and {self.below:,} are in classes of fewer than {self.named:,}"
        return f"{told}: anyone who knows these values of a person may find the row"

    def facts(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "columns": list(self.columns),
            "rows": self.rows,
            "rows_unique": self.alone,
            "share": self.alone / self.rows if self.rows else 0.0,
            "rows_below_k": self.below,
            "smallest_class": self.smallest,
            "promised": self.promised,
            "note": self.note,
        }


# People with several rows.


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


# Columns whose values are as good as a key.


@dataclass(frozen=True)
class IdentifyingColumn:
    """A released column that is not quasi, and in which many rows have a value of their own."""

    column: str
    role: str
    rows: int
    alone: int
    values: int
    diverse: bool = False
    """Whether l-diversity of the column is promised."""

    @property
    def note(self) -> str:
        """What follows, and what to do, in a sentence."""
        fixes = FIXES_OF_ID if is_id_name(self.column) else FIXES
        empty = (
            "; l_diversity of it says no more than the size of the classes, since hardly any two "
            "rows share a value"
            if self.diverse and self.alone >= NEARLY_ALL * self.rows
            else ""
        )
        return (
            f"{self.column} ({self.role}) identifies rows: "
            f"{_format_share(self.alone, self.rows)} have a unique value, and anyone "
            f"who knows it finds the row{empty}; {fixes}"
        )

    def facts(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "column": self.column,
            "role": self.role,
            "rows": self.rows,
            "rows_unique": self.alone,
            "share": self.alone / self.rows,
            "distinct": self.values,
            "note": self.note,
        }


def find_identifying_columns(
    policy: Policy, table: Table, counts: Mapping[tuple[str, ...], ValueCounts] | None = None
) -> tuple[IdentifyingColumn, ...]:
    """Released columns, other than quasi columns, whose values distinguish many rows.

    ``table`` is as it is released but for its quasi columns; ``counts`` are those of its columns,
    where they are at hand. Pseudonyms and scrubbed texts are left out, and so are values that
    techniques made untrue: nobody knows those of a person.
    """
    names = list_columns_to_judge(policy, table)
    if counts is None:
        counts = count_values(table, [(name,) for name in names])
    found = []
    for name in names:
        rows, alone, values = counts[name,]
        if rows >= FEW_ROWS and alone >= ALONE * rows:
            role = policy.columns[name].role.value
            diverse = any(m.name == "l_diversity" and m.sensitive == name for m in policy.require)
            found.append(IdentifyingColumn(name, role, rows, alone, values, diverse))
    return tuple(found)


def list_columns_to_judge(policy: Policy, table: Table) -> list[str]:
    """Released columns whose values somebody may know of a person, and that no class hides."""
    untrue = {n for step in list_steps(policy) if not step.technique.truthful for n in step.columns}
    released = {*policy.released}
    return [
        name
        for name in table.columns
        if name in released
        and name in policy.columns
        and name not in untrue
        and policy.columns[name].role in (Role.sensitive, Role.other)
    ]


def count_columns(
    policy: Policy, private: Table, source: Table, counted: Counted
) -> tuple[Mapping[tuple[str, ...], ValueCounts], Mapping[tuple[str, ...], ValueCounts]]:
    """The values of what may be a person's key, and of released columns that may be as good as one.

    Sensitive columns of promises are counted already. The rest takes one pass, or two if columns
    were changed before they were counted.
    """
    keys = [key.columns for key in find_person_keys(policy, private.columns)]
    known: dict[tuple[str, ...], ValueCounts] = {
        (name,): _count_sensitive_values(counted, name) for name in counted.frequency.sensitive
    }
    judged = [(name,) for name in list_columns_to_judge(policy, source) if (name,) not in known]
    if source is private:
        both = {**known, **count_values(source, list(dict.fromkeys([*keys, *judged])))}
        return both, both
    return count_values(private, keys), {**known, **count_values(source, judged)}


def _count_sensitive_values(counted: Counted, name: str) -> ValueCounts:
    """The values of a sensitive column, from the pass over the rows that counted them."""
    entries, values = counted.frequency.sensitive[name], counted.frequency.values[name]
    rows = np.bincount(entries.value, weights=entries.count, minlength=len(values))
    rows = rows[[value is not None for value in values]]
    return ValueCounts(int(rows.sum()), int((rows == 1).sum()), int((rows > 0).sum()))


def _format_share(part: int, whole: int) -> str:
    """Rows with their share, such as ``642 of 3,000 rows (21.4 %)``."""
    share = 100 * part / whole if whole else 0.0
    return f"{part:,} of {whole:,} rows ({share:.3g} %)"


def _list_names(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
