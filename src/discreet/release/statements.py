"""What a release says beside its promises: what columns show, and what is not promised of whom.

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
from discreet.hierarchy.level_name import AS_FOUND, level_name
from discreet.release.changed_table import applied
from discreet.release.checks.session import Session, open_session
from discreet.release.recode import Recoder, Recoding
from discreet.release.technique_parts import steps
from discreet.table.role import Role
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.frequency.count import Counted
    from discreet.release.policy import Policy

MEMORY = "75%"
"""What the counting may hold at most, of the machine's memory."""
ALONE = 0.1
"""A column in which this share of the rows has a value of its own is as good as a key to them."""
FEW_ROWS = 10
"""In fewer rows all values may differ by chance."""
NAMESAKES = 0.9
"""Names may repeat by chance; where fewer different ones are among the rows, people do."""
ROWS_OF_A_PERSON = 100
"""A column whose values have more rows than this on average is not taken for one of people."""
PSEUDONYMS = "pseudonyms, one a person"
FIXES = "round it (round_values), top-code it, release it in bands, or leave it out"

Ints = npt.NDArray[np.int64]


# What each column is released as.


def released_as(
    policy: Policy,
    levels: Mapping[str, int | None],
    heights: Mapping[str, int],
    people: Sequence[str] = (),
) -> dict[str, str]:
    """What every column of a policy is released as, in words, such as ``year only``.

    ``people`` are columns that tell people apart.
    """
    done: dict[str, list[str]] = {}
    for step in steps(policy):
        for name in step.columns:
            done.setdefault(name, []).append(step.technique.done)
    found = {}
    for name, column in policy.columns.items():
        changes = done.get(name, [])
        if column.replace is not None:
            found[name] = column.replace.told
        elif name in people:
            found[name] = PSEUDONYMS
        elif name not in policy.released:
            found[name] = "not released"
        elif name in levels:
            found[name] = _at_level(column.hierarchy, levels[name], heights.get(name), changes)
        else:
            scrubbed = ["scrubbed"] if column.scrub is not None else []
            found[name] = ", ".join([*scrubbed, *changes]) or "as it is"
        if name in policy.quoted and name not in people:
            found[name] += ", formulas quoted"
    if policy.people is not None and not set(people) <= set(policy.columns):
        found[policy.people.column] = PSEUDONYMS
    return found


def _at_level(builder: Any, level: int | None, height: int | None, done: Sequence[str]) -> str:
    """The level of a quasi column, of values as found or as techniques left them."""
    before = ", ".join(done)
    if level is None:
        return f"cell by cell, of values {before}" if before else "cell by cell"
    name = level_name(builder, level, height)
    if before:
        name = before if name == AS_FOUND else f"{name}, of values {before}"
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
        where = f"on {_listed(self.columns)}{' together' if len(self.columns) > 1 else ''}"
        told = f"{_share(self.alone, self.rows)} are unique {where}"
        if self.below > self.alone:
            told = f"{told}, and {self.below:,} are in classes of fewer than {self.named:,}"
        return f"{told}: whoever knows these values of a person may find the row"

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

    ``fewest`` and ``below`` are None where people could not be counted by class.
    """

    columns: tuple[str, ...]
    why: str
    rows: int
    people: int
    k: int
    classes: int | None = None
    fewest: int | None = None
    below: int | None = None

    @property
    def note(self) -> str:
        """What a promise about rows does not say of people, in a sentence."""
        name, these = " and ".join(self.columns), "repeats" if len(self.columns) == 1 else "repeat"
        told = f"{name} ({self.why}) {these}, {self.rows:,} rows of {self.people:,} people"
        if self.below is None:
            counted = "how many people are in a class could not be counted"
        elif self.k > 1:
            counted = (
                f"{self.below:,} of {self.classes:,} classes have fewer than {self.k:,} different "
                f"people, the smallest {self.fewest:,}"
            )
        else:
            counted = f"the smallest class has {self.fewest:,} people"
        fix = f"people: {{column: {self.columns[0]}}}"
        return f"{told}. Promises count rows: {counted}. To count people, add {fix} to the policy"

    def facts(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "columns": list(self.columns),
            "why": self.why,
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

    def repeats(self, rows: int, people: int) -> bool:
        """Whether so many different values in so many rows are people with several rows."""
        most = rows if self.sure else NAMESAKES * rows
        return people < most and people > 1 and people * ROWS_OF_A_PERSON >= rows


def person_keys(policy: Policy, present: Sequence[str]) -> Iterator[PersonKey]:
    """Columns that look like a person's key, likeliest first; quasi columns are none."""
    from discreet.identify.person_key import is_of_others, kind_of_key

    names = [name for name in present if name not in policy.quasi and name not in policy.sensitive]
    kinds = {name: kind_of_key(name) for name in names}
    for _, name in sorted((one.rank, name) for name, one in kinds.items() if one.rank is not None):
        kind = kinds[name]
        yield PersonKey((name,), f"its name says '{kind.kind}'", kind.sure, kind.decides)
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


def repeated_key(policy: Policy, table: Table) -> SeveralRows | None:
    """The first column that looks like a person's key and repeats, if any."""
    keys = list(person_keys(policy, table.columns))
    if not keys:
        return None
    names = list(dict.fromkeys(name for key in keys for name in key.columns))
    k = max((model.least_rows for model in policy.require), default=1)
    with open_session(MEMORY) as session:
        fields = {name: f"c{place}" for place, name in enumerate(names)}
        asked = []
        for key in keys:
            there = " AND ".join(f"{fields[name]} IS NOT NULL" for name in key.columns)
            told = ", ".join(fields[name] for name in key.columns)
            asked.append(f"count(*) FILTER ({there}), count(DISTINCT ({told})) FILTER ({there})")
        counts = session.stream(f"SELECT {', '.join(asked)} FROM rows", table.scan(text=names))[0]
    for place, key in enumerate(keys):
        rows, people = int(counts[2 * place]), int(counts[2 * place + 1])
        if key.repeats(rows, people):
            return SeveralRows(key.columns, key.why, rows, people, k)
        if key.decides and rows and rows == people:
            return None
    return None


PERSON = "\0person"
"""The column of people beside those of the private table, as numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class _WithPeople:
    """The source of a table, with one more column: a number for each person."""

    base: Any
    people: pa.Array
    width: int

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass; the column of people comes last."""
        own = [place for place in native if place != self.width]
        reader = self.base.scan(text, own, rows_per_batch)
        schema = reader.schema.append(pa.field(PERSON, self.people.type))

        def batches() -> Iterator[pa.RecordBatch]:
            start = 0
            for batch in reader:
                people = self.people.slice(start, batch.num_rows)
                start += batch.num_rows
                yield pa.RecordBatch.from_arrays([*batch.columns, people], schema=schema)

        return pa.RecordBatchReader.from_batches(schema, batches())


def people_by_class(
    found: SeveralRows, private: Table, source: Table, counted: Counted, recoding: Recoding
) -> SeveralRows:
    """Count the different people of each released class.

    ``private`` is the table before, ``source`` after its columns were changed, row by row. Where
    techniques chose or moved rows, they cannot be put side by side.

    Notes
    -----
    *Cost*: one pass over the rows; a number a row, and the pairs of a class and a person.
    """
    moved = any(one.technique.turn != "columns" for one in applied(source))
    people = _numbers(private, found.columns)
    if moved or len(people) != counted.frequency.total:
        return found
    quasi = counted.frequency.columns
    source = Table(
        source.name,
        (*source.columns, PERSON),
        _WithPeople(source.source, people, len(source.columns)),
    )
    with (
        Recoder(source, [*quasi, PERSON], counted, recoding).reader() as rows,
        open_session(MEMORY) as session,
    ):
        return _by_class(found, session, rows, len(quasi))


def _numbers(table: Table, columns: Sequence[str]) -> pa.Array:
    """A number for each person; null where a column is missing."""
    rows = table.scan(text=columns).read_all()
    codes, missing = np.zeros(rows.num_rows, dtype=np.int64), np.zeros(rows.num_rows, dtype=bool)
    for column in rows.columns:
        coded = column.combine_chunks().dictionary_encode()
        coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
        missing |= coded.indices.is_null().to_numpy(zero_copy_only=False)
        own = coded.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        if codes.any():  # of a second column: numbers stay below the number of rows
            codes = np.unique(codes, return_inverse=True)[1]
        codes = codes * max(1, len(coded.dictionary)) + own
    return pa.array(codes, mask=missing)


def people_of_file(found: SeveralRows, table: Table, quasi: Sequence[str]) -> SeveralRows:
    """Count the different people of each class of a released file."""
    with open_session(MEMORY) as session:
        return _by_class(found, session, table.scan(text=[*quasi, *found.columns]), len(quasi))


def _by_class(
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

    @property
    def note(self) -> str:
        """What follows, and what to do, in a sentence."""
        return (
            f"{self.column} ({self.role}) is as good as a key: {_share(self.alone, self.rows)} "
            f"have a value of their own, and whoever knows it finds the row; {FIXES}"
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


def identifying_columns(policy: Policy, table: Table) -> tuple[IdentifyingColumn, ...]:
    """Released columns beside the quasi columns whose values tell many rows apart.

    ``table`` is as it is released but for its quasi columns. Pseudonyms and scrubbed texts are left
    out, and so are values that techniques made untrue: nobody knows those of a person.

    Notes
    -----
    *Cost*: one pass; memory grows with the different values.
    """
    untrue = {n for step in steps(policy) if not step.technique.truthful for n in step.columns}
    names = [
        name
        for name in table.columns
        if name in policy.released
        and name in policy.columns
        and name not in untrue
        and policy.columns[name].role in (Role.sensitive, Role.other)
    ]
    if not names:
        return ()
    fields = [f"c{place}" for place in range(len(names))]
    asked = (
        f"SELECT name, sum(n), count(*) FILTER (n = 1), count(*) FROM (SELECT name, value, "
        f"count(*) AS n FROM (UNPIVOT rows ON {', '.join(fields)} INTO NAME name VALUE value) "
        "GROUP BY name, value) GROUP BY name"
    )
    with open_session(MEMORY) as session:
        counts = {row[0]: row[1:] for row in session.stream(asked, table.scan(text=names))}
    found = []
    for name, field in zip(names, fields, strict=True):
        rows, alone, values = (int(number) for number in counts.get(field, (0, 0, 0)))
        if rows >= FEW_ROWS and alone >= ALONE * rows:
            role = policy.columns[name].role.value
            found.append(IdentifyingColumn(name, role, rows, alone, values))
    return tuple(found)


def _share(part: int, whole: int) -> str:
    """Rows with their share, such as ``642 of 3,000 rows (21.4 %)``."""
    share = 100 * part / whole if whole else 0.0
    return f"{part:,} of {whole:,} rows ({share:.3g} %)"


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
