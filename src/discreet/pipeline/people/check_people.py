"""Second opinion on people: who has the same whole record, counted in SQL from the release alone.

Each SQL table ``rows_0``, ``rows_1`` ... is one released table: ``c0`` is the column of people,
``c1`` and on are its quasi columns, ``n`` counts rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.models.evidence import Session, open_session
from discreet.models.k_anonymity import KAnonymity
from discreet.models.verdict import Verdict
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


@dataclass(frozen=True)
class ReleasedTable:
    """A released table: its column of people, and each quasi column by the policy's name for it."""

    table: Table
    entity: str
    quasi: Mapping[str, str]

    @property
    def there(self) -> dict[str, str]:
        """The quasi columns that the file has."""
        return {name: own for name, own in self.quasi.items() if own in self.table.columns}


@dataclass(frozen=True, eq=False)
class PeopleEvidence:
    """Released tables that are about the same people, loaded into a session."""

    session: Session
    tables: Sequence[ReleasedTable]
    counts: bool
    """Whether people are alike only if they have as many rows."""

    def load(self) -> None:
        """Count the different rows of each table."""
        for number, one in enumerate(self.tables):
            self.session.load(f"rows_{number}", one.table, [one.entity, *one.there.values()])

    def number(self, sql: str) -> int:
        """The one number that an answer has."""
        return int(self.session.row(sql)[0] or 0)

    def rows(self) -> list[int]:
        """Rows of each table."""
        places = range(len(self.tables))
        return [self.number(f"SELECT sum(n) FROM rows_{number}") for number in places]

    @property
    def every(self) -> str:
        """SQL of all rows of all tables: whose, and how many."""
        places = range(len(self.tables))
        return " UNION ALL ".join(f"SELECT {p} AS t, c0, n FROM rows_{p}" for p in places)

    def people(self) -> int:
        """How many people there are in all tables together."""
        return self.number(f"SELECT count(DISTINCT c0) FROM ({self.every})")

    def count_nameless(self) -> int:
        """How many rows do not say whose they are."""
        return self.number(f"SELECT sum(n) FROM ({self.every}) WHERE trim(coalesce(c0, '')) = ''")

    def smallest(self, columns: Sequence[str], k: int) -> tuple[int, int]:
        """People of the smallest class on some columns, and rows of classes with fewer than k.

        The different rows of a table are numbered; a person's record is the list of these numbers,
        sorted, each with how often it occurs (where numbers of rows count). Lists are compared as
        they are.
        """
        parts = [self._write_numbered_query(place, columns) for place in range(len(self.tables))]
        often = "n" if self.counts else "0"
        records = (
            f"SELECT c0, list({{'t': t, 'id': id, 'n': {often}}} ORDER BY t, id) AS record, "
            f"sum(n) AS n FROM ({' UNION ALL '.join(parts)}) GROUP BY c0"
        )
        found = self.session.row(
            f"SELECT min(people), sum(n) FILTER (WHERE people < {k}) FROM "
            f"(SELECT count(*) AS people, sum(n) AS n FROM ({records}) GROUP BY record)"
        )
        return int(found[0] or 0), int(found[1] or 0)

    def _write_numbered_query(self, place: int, columns: Sequence[str]) -> str:
        """SQL of the rows of a table with a number for each different combination of values."""
        own = enumerate(self.tables[place].there, start=1)
        fields = [f"c{number}" for number, name in own if name in columns]
        listed = "".join(f", {field}" for field in fields)
        group = f"(SELECT c0{listed}, sum(n) AS n FROM rows_{place} GROUP BY c0{listed})"
        if not fields:
            return f"SELECT {place} AS t, c0, 0 AS id, n FROM {group}"
        same = " AND ".join(f"mine.{f} IS NOT DISTINCT FROM known.{f}" for f in fields)
        known = (
            f"(SELECT {', '.join(fields)}, row_number() OVER () AS id "
            f"FROM (SELECT DISTINCT {', '.join(fields)} FROM rows_{place}))"
        )
        return f"SELECT {place} AS t, c0, id, n FROM {group} mine JOIN {known} known ON {same}"


def judge(evidence: PeopleEvidence, models: Sequence[Any], rule: Any) -> Iterator[Verdict]:
    """A verdict on each promise about people, on the column of people and on numbers of rows.

    Notes
    -----
    [Sweeney2001]_, sec. 5.1, with whole records in the place of rows. *Departures*: see
    docs/explain/people.md. *Cost*: one grouping of the released rows by person for each promise.
    """
    quasi = [name for one in evidence.tables for name in one.quasi]
    lacking = [n for one in evidence.tables for n in one.quasi if n not in one.there]
    rows = sum(evidence.rows())
    for model in models:
        columns = tuple(quasi if model.columns is None else model.columns)
        if absent := [name for name in columns if name in lacking]:
            note = f"could not be checked: the release has no column {', '.join(absent)}"
            yield Verdict(model.name, False, math.nan, model.k, rows, columns, note)
            continue
        smallest, at_risk = evidence.smallest(columns, model.k)
        note = "people are counted, by their whole records"
        if not rows:
            note += "; no rows are released, so the promise is empty"
        yield Verdict(model.name, at_risk == 0, smallest, model.k, at_risk, columns, note)
    if nameless := evidence.count_nameless():
        names = tuple(dict.fromkeys(one.entity for one in evidence.tables))
        note = "rows without a value in the column of people"
        yield Verdict("people", False, nameless, 0, nameless, names, note)
    yield from _judge_records(evidence, rule)


def _judge_records(evidence: PeopleEvidence, rule: Any) -> Iterator[Verdict]:
    """A verdict against people who have other numbers of rows than the policy lets them have."""
    if not rule.numbers:
        return
    listed = ", ".join(map(str, rule.numbers))
    wrong = f"n > {rule.numbers[0]}" if rule.kind == "cap" else f"n NOT IN ({listed})"
    each = f"SELECT sum(n) AS n FROM ({evidence.every}) GROUP BY t, c0"
    found = evidence.session.row(f"SELECT count(*), sum(n) FROM ({each}) WHERE {wrong}")
    if found[0]:
        note = f"people with another number of rows than people.records allows ({listed})"
        yield Verdict("records", False, int(found[0]), 0, int(found[1]), (), note)


# What holds of released tables that are about the same people.


@dataclass(frozen=True)
class PeopleVerdicts:
    """A verdict on every promise, and what was counted: rows of each table, and people."""

    verdicts: tuple[Verdict, ...]
    rows: tuple[int, ...]
    people: int


def check_people(tables: Sequence[ReleasedTable], policy: Policy, memory: str) -> PeopleVerdicts:
    """Count people anew, from the released tables alone, for the promises about people."""
    models = [model for model in policy.require if isinstance(model, KAnonymity)]
    without = [one for one in tables if one.entity not in one.table.columns]
    if without:
        names = tuple(dict.fromkeys(one.entity for one in without))
        where = ", ".join(one.table.name for one in without)
        note = f"could not be checked: {where} has no column {', '.join(names)}, that of people"
        verdicts = [Verdict(m.name, False, math.nan, m.k, 0, names, note) for m in models]
        return PeopleVerdicts(tuple(verdicts), (0,) * len(tables), 0)
    rule = policy.people.records
    with open_session(memory) as session:
        evidence = PeopleEvidence(session, tables, rule.counts)
        evidence.load()
        found = tuple(judge(evidence, models, rule))
        return PeopleVerdicts(found, tuple(evidence.rows()), evidence.people())
