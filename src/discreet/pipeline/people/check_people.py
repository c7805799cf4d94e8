"""Second opinion on people: who has the same whole record, counted in SQL from the release alone.

Each SQL table ``rows_0``, ``rows_1`` ... is one released table: ``c0`` is the column of people,
``c1`` and on are its quasi columns, then the sensitive ones of promises; ``n`` counts rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.models.evidence import Reference, Session, open_session
from discreet.models.k_anonymity import KAnonymity
from discreet.models.l_diversity import LDiversity
from discreet.models.t_closeness import TCloseness
from discreet.models.verdict import TOLERANCE, Unchecked, Verdict
from discreet.policy.people import COUNTED, RecordRule
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


@dataclass(frozen=True)
class ReleasedTable:
    """A released table: its column of people, and each quasi column by the policy's name for it."""

    table: Table
    entity: str
    quasi: Mapping[str, str]
    sensitive: Mapping[str, str] = field(default_factory=dict)
    """The columns that promises are about, in the same way."""
    original: Table | None = None
    """The private table, if it is at hand."""

    @property
    def there(self) -> dict[str, str]:
        """The quasi columns that the file has."""
        return {name: own for name, own in self.quasi.items() if own in self.table.columns}

    @property
    def values(self) -> dict[str, str]:
        """The sensitive columns that the file has."""
        return {name: own for name, own in self.sensitive.items() if own in self.table.columns}


@dataclass(frozen=True, eq=False)
class PeopleEvidence:
    """Released tables that are about the same people, loaded into a session."""

    session: Session
    tables: Sequence[ReleasedTable]
    rule: RecordRule
    _made: dict[tuple[str, ...], str] = field(default_factory=dict)

    def load(self) -> None:
        """Count the different rows of each table."""
        for number, one in enumerate(self.tables):
            columns = [one.entity, *one.there.values(), *one.values.values()]
            self.session.load(f"rows_{number}", one.table, columns)

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
        """People of the smallest class on some columns, and rows of classes with fewer than k."""
        members = self.members(columns)
        found = self.session.row(
            f"SELECT min(people), sum(n) FILTER (WHERE people < {k}) FROM "
            f"(SELECT count(*) AS people, sum(n) AS n FROM {members} GROUP BY id)"
        )
        return int(found[0] or 0), int(found[1] or 0)

    def members(self, columns: Sequence[str]) -> str:
        """SQL table of people: ``c0``, ``id`` of their class on some columns, ``n`` rows.

        The different rows of a table are numbered; a person's record is the list of these numbers,
        sorted, each with how often it occurs (where numbers of rows count). Lists are compared as
        they are.
        """
        key = tuple(sorted(columns))
        if key not in self._made:
            name = self._made[key] = f"members_{len(self._made)}"
            parts = [self._write_numbered_query(place, columns) for place in self._places]
            often = "n" if self.rule.counts else "0"
            records = (
                f"SELECT c0, list({{'t': t, 'id': id, 'n': {often}}} ORDER BY t, id) AS record, "
                f"sum(n) AS n FROM ({' UNION ALL '.join(parts)}) GROUP BY c0"
            )
            self.session.run(
                f"CREATE TEMP TABLE {name} AS WITH records AS ({records}), classes AS (SELECT "
                f"record, row_number() OVER () AS id FROM (SELECT DISTINCT record FROM records)) "
                f"SELECT c0, id, n FROM records JOIN classes USING (record)"
            )
        return self._made[key]

    def find_field(self, column: str) -> tuple[int, str]:
        """The table that has a sensitive column, and what the column is called in SQL."""
        for place, one in enumerate(self.tables):
            if column in one.values:
                return place, f"c{1 + len(one.there) + list(one.values).index(column)}"
        raise Unchecked(f"the release has no column {column}")

    def write_kinds_query(self, rows: str | None = None) -> str:
        """SQL of people by ``kind``: how many rows they have in each table, where that counts."""
        each = f"SELECT t, c0, sum(n) AS n FROM ({rows or self.every}) GROUP BY t, c0"
        often = "n::BIGINT" if self.rule.counts else "0::BIGINT"
        return (
            f"SELECT c0, list({{'t': t, 'n': {often}}} ORDER BY t) AS kind FROM ({each}) "
            f"GROUP BY c0"
        )

    def count_whole(self, column: str) -> Reference:
        """SQL table of ``kind``, ``value``, and ``q``: the share of people of a kind who have it.

        All people are those of the private tables, if they are given. Of these the rule on rows
        leaves some rows, drawn at random, so people count with their chance to keep the value.
        """
        place, field_ = self.find_field(column)
        one = self.tables[place]
        name = self._made.setdefault(("whole", column), f"whole_{len(self._made)}")
        if any(each.original is None for each in self.tables):
            held = f"SELECT DISTINCT c0, {field_} AS value, 1 AS chance FROM rows_{place}"
            kinds = self.write_kinds_query()
            source = (
                "compared with the people of the released file itself, which differ from those of "
                "the private table when people were suppressed"
            )
        else:
            held, kinds = self._write_private_queries(place, one.values[column])
            source = "compared with the people of the private table"
        self.session.run(
            f"CREATE OR REPLACE TEMP TABLE {name} AS WITH kinds AS ({kinds}), many AS (SELECT "
            f"kind, count(*) AS people FROM kinds GROUP BY kind) SELECT kind, value, sum(chance) / "
            f"any_value(people) AS q FROM ({held}) JOIN kinds USING (c0) JOIN many USING (kind) "
            f"GROUP BY kind, value"
        )
        return Reference(name, source)

    def _write_private_queries(self, place: int, column: str) -> tuple[str, str]:
        """SQL of who has a value with which chance, and of the kinds of all people."""
        for number, one in enumerate(self.tables):
            assert one.original is not None
            named = [one.entity, *([column] if number == place else [])]
            self.session.run(f"DROP TABLE IF EXISTS private_{number}")
            self.session.load(f"private_{number}", one.original, named)
        every = " UNION ALL ".join(f"SELECT {p} AS t, c0, n FROM private_{p}" for p in self._places)
        each = f"SELECT t, c0, sum(n)::BIGINT AS r FROM ({every}) GROUP BY t, c0"
        kept = f"SELECT t, c0, r, {self._write_kept_rows()} AS n FROM ({each})"
        out = f"SELECT c0 FROM ({kept}) WHERE n = 0"
        kept = f"SELECT * FROM ({kept}) WHERE c0 NOT IN ({out})"
        drawn = (
            "CASE WHEN r - own < m THEN 1 ELSE 1 - exp(lgamma(r - own + 1) "
            "- lgamma(r - own - m + 1) + lgamma(r - m + 1) - lgamma(r + 1)) END"
        )
        held = (
            f"SELECT c0, value, {drawn} AS chance FROM (SELECT c0, c1 AS value, "
            f"sum(n)::BIGINT AS own FROM private_{place} GROUP BY c0, c1) JOIN "
            f"(SELECT c0, r, n AS m FROM ({kept}) WHERE t = {place}) USING (c0)"
        )
        return held, self.write_kinds_query(kept)

    def _write_kept_rows(self) -> str:
        """SQL of how many of a person's ``r`` rows the rule leaves."""
        if self.rule.kind == "cap":
            return f"least(r, {self.rule.numbers[0]})"
        if self.rule.kind == "group":
            steps = "".join(f" WHEN r >= {n} THEN {n}" for n in reversed(self.rule.numbers))
            return f"CASE{steps} ELSE 0 END"
        return "r"

    @property
    def _places(self) -> range:
        return range(len(self.tables))

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
    lacking += [n for one in evidence.tables for n in one.sensitive if n not in one.values]
    rows = sum(evidence.rows())
    for model in models:
        columns = tuple(quasi if model.columns is None else model.columns)
        if absent := [name for name in (*columns, model.sensitive) if name in lacking]:
            note = f"could not be checked: the release has no column {', '.join(absent)}"
            yield Verdict(model.name, False, math.nan, model.limit, rows, columns, note)
            continue
        found = _measure(evidence, model, columns)
        note = "; ".join(filter(None, ("people are counted, by their whole records", found.note)))
        if not rows:
            note += "; no rows are released, so the promise is empty"
        yield Verdict(
            model.name,
            found.at_risk == 0,
            found.measured,
            model.limit,
            found.at_risk,
            columns,
            note,
        )
    if nameless := evidence.count_nameless():
        names = tuple(dict.fromkeys(one.entity for one in evidence.tables))
        note = "rows without a value in the column of people"
        yield Verdict("people", False, nameless, 0, nameless, names, note)
    yield from _judge_records(evidence, rule)


@safe_repr
class Measured(NamedTuple):
    """The worst measure of all classes, the rows of those that fail, and what to say of it."""

    measured: float
    at_risk: int
    note: str = ""


def _measure(evidence: PeopleEvidence, model: Any, columns: Sequence[str]) -> Measured:
    if isinstance(model, KAnonymity):
        return Measured(*evidence.smallest(columns, model.k))
    members, (place, field_) = evidence.members(columns), evidence.find_field(model.column)
    held = (
        f"SELECT id, value, count(*) AS n FROM (SELECT DISTINCT id, c0, {field_} AS value "
        f"FROM rows_{place} JOIN {members} USING (c0)) GROUP BY id, value"
    )
    classes = f"SELECT id, count(*) AS people, sum(n) AS rows FROM {members} GROUP BY id"
    if isinstance(model, TCloseness):
        return _measure_closeness(evidence, model, members, held)
    return _measure_diversity(evidence, model, held, classes)


def _measure_diversity(
    evidence: PeopleEvidence, model: LDiversity, held: str, classes: str
) -> Measured:
    """Find the class of people whose values vary least.

    A person counts for each value that is in any of their rows. ``upto`` are the people who have
    the most frequent values, one value after the other; whoever has two of them counts twice.
    """
    ranked = (
        f"SELECT id, n, people, rows, row_number() OVER most AS place, sum(n) OVER most AS upto "
        f"FROM ({held}) JOIN ({classes}) USING (id) "
        f"WINDOW most AS (PARTITION BY id ORDER BY n DESC ROWS UNBOUNDED PRECEDING)"
    )
    ell, infinite = model.ell, "'inf'::DOUBLE"
    if model.kind == "entropy":
        measure, worst = "exp(-sum(n / people * ln(n / people)))", "min"
        fails = f"measured < {float(ell) - TOLERANCE!r}"
    elif model.kind == "recursive":
        beyond = f"any_value(people) - coalesce(max(upto) FILTER (WHERE place < {int(ell)}), 0)"
        measure = f"CASE WHEN {beyond} > 0 THEN max(n) / ({beyond}) ELSE {infinite} END"
        worst, fails = "max", f"measured >= {float(model.c or 0)!r} - {TOLERANCE}"
    else:
        measure = (
            f"CASE WHEN sum(n) < any_value(people) THEN {infinite} "
            f"ELSE 1 + count(*) FILTER (WHERE upto < people) END"
        )
        worst, fails = "min", f"measured < {int(ell)}"
    found = evidence.session.row(
        f"SELECT {worst}(measured), coalesce(sum(rows) FILTER (WHERE {fails}), 0) FROM "
        f"(SELECT id, {measure} AS measured, any_value(rows) AS rows FROM ({ranked}) GROUP BY id)"
    )
    return Measured(float(found[0] or 0), int(found[1]), f"{model.kind}, column {model.column}")


def _measure_closeness(
    evidence: PeopleEvidence, model: TCloseness, members: str, held: str
) -> Measured:
    """Find the class whose shares of people by value are farthest from all with as many rows.

    *Cost*: one grouping of the private table's rows by person and value, and of the release's.
    """
    whole = evidence.count_whole(model.column)
    kinds = (
        f"SELECT id, any_value(kind) AS kind, count(*) AS people, sum(n) AS rows "
        f"FROM {members} JOIN ({evidence.write_kinds_query()}) USING (c0) GROUP BY id"
    )
    shares = (
        f"SELECT id, kind, value, n / people AS p, rows FROM ({held}) JOIN ({kinds}) USING (id)"
    )
    compared = (
        f"SELECT id, any_value(own.kind) AS kind, any_value(rows) AS rows, sum(p) AS own, "
        f"sum(least(p, coalesce(q, 0))) AS common FROM ({shares}) AS own LEFT JOIN {whole.name} AS "
        f"whole ON own.kind = whole.kind AND own.value IS NOT DISTINCT FROM whole.value GROUP BY id"
    )
    found = evidence.session.row(
        f"SELECT max(measured), coalesce(sum(rows) FILTER (WHERE measured > "
        f"{float(model.t)!r} + {TOLERANCE}), 0) FROM (SELECT rows, greatest(own, coalesce(every, "
        f"0)) - common AS measured FROM ({compared}) LEFT JOIN (SELECT kind, sum(q) AS every FROM "
        f"{whole.name} GROUP BY kind) USING (kind))"
    )
    note = f"{model.distance} distance, column {model.column}, {whole.source}"
    return Measured(float(found[0] or 0), int(found[1]), note)


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
    models = [model for model in policy.require if isinstance(model, COUNTED)]
    without = [one for one in tables if one.entity not in one.table.columns]
    if without:
        names = tuple(dict.fromkeys(one.entity for one in without))
        where = ", ".join(one.table.name for one in without)
        note = f"could not be checked: {where} has no column {', '.join(names)}, that of people"
        verdicts = [Verdict(m.name, False, math.nan, m.limit, 0, names, note) for m in models]
        return PeopleVerdicts(tuple(verdicts), (0,) * len(tables), 0)
    rule = policy.people.records
    with open_session(memory) as session:
        evidence = PeopleEvidence(session, tables, rule)
        evidence.load()
        found = tuple(judge(evidence, models, rule))
        return PeopleVerdicts(found, tuple(evidence.rows()), evidence.people())
