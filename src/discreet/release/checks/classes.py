"""Classes of released rows by plain grouping, or by matching where a missing value fits any."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.release.checks.session import Session
from discreet.release.checks.unchecked import Unchecked

MOST_FIELDS = 120
"""Fields that a number can have a bit for."""


def count_classes(session: Session, name: str, fields: Sequence[str], wildcard: bool) -> None:
    """Make the SQL table ``name`` of ``id``, ``size``, ``members`` and the fields of each tuple."""
    if wildcard and len(fields) > MOST_FIELDS:
        raise Unchecked(f"missing values are matched on up to {MOST_FIELDS} columns")
    group = ", ".join(fields)
    session.run(
        f"CREATE TEMP TABLE {name} AS "
        f"SELECT row_number() OVER () AS id, * FROM ("
        f"SELECT {_list(fields)} sum(n)::BIGINT AS size, sum(n)::BIGINT AS members "
        f"FROM cells {'GROUP BY ' + group if fields else ''})"
    )
    if wildcard:
        matches = _matches(session, name, fields, value=None)
        session.run(
            f"UPDATE {name} SET size = found.size FROM "
            f"(SELECT id, sum(n)::BIGINT AS size FROM {matches} GROUP BY id) AS found "
            f"WHERE {name}.id = found.id"
        )
        session.run(f"DROP TABLE {matches}")


def count_values(
    session: Session,
    name: str,
    classes: str,
    fields: Sequence[str],
    value: str,
    wildcard: bool,
) -> None:
    """Make the SQL table ``name`` of ``id``, ``value``, ``n``: each class's sensitive values."""
    if wildcard:
        matches = _matches(session, classes, fields, value)
        session.run(
            f"CREATE TEMP TABLE {name} AS "
            f"SELECT id, value, sum(n)::BIGINT AS n FROM {matches} GROUP BY id, value"
        )
        session.run(f"DROP TABLE {matches}")
        return
    same = " AND ".join(f"class.{field} IS NOT DISTINCT FROM cells.{field}" for field in fields)
    session.run(
        f"CREATE TEMP TABLE {name} AS "
        f"SELECT id, cells.{value} AS value, sum(n)::BIGINT AS n "
        f"FROM cells JOIN {classes} AS class ON {same or 'true'} GROUP BY id, cells.{value}"
    )


def _matches(session: Session, classes: str, fields: Sequence[str], value: str | None) -> str:
    """Pair each tuple with the rows that agree with it wherever neither value is missing.

    Two tuples can only be compared on the fields that both have. So all tuples whose patterns have
    the same fields in common are joined at once, by equality on those fields, after grouping by
    them: the work grows with the tuples and the patterns, not with the square of the tuples.
    """
    name = "matches"
    session.run(f"CREATE TEMP TABLE {name} (id BIGINT, value VARCHAR, n BIGINT)")
    session.run(
        f"CREATE TEMP TABLE mine AS SELECT id, {_list(fields)} {_pattern(fields)} AS has "
        f"FROM {classes}"
    )
    session.run(
        f"CREATE TEMP TABLE theirs AS SELECT {_list(fields)} {value or 'NULL'} AS value, "
        f"{_pattern(fields)} AS has, sum(n) AS n FROM cells GROUP BY ALL"
    )
    for common in _in_common(session):
        _join(session, name, fields, common)
    session.run("DROP TABLE mine")
    session.run("DROP TABLE theirs")
    return name


def _join(session: Session, name: str, fields: Sequence[str], common: int) -> None:
    """Add the matches of tuples that have just the fields of this pattern in common."""
    chosen = [field for place, field in enumerate(fields) if common >> place & 1]
    same = "".join(f" AND mine.{field} = other.{field}" for field in chosen)
    session.run(
        f"INSERT INTO {name} SELECT mine.id, other.value, other.n "
        f"FROM (SELECT * FROM mine WHERE has & {common} = {common}) AS mine "
        f"JOIN (SELECT {_list(chosen)} value, has, sum(n) AS n FROM theirs "
        f"WHERE has & {common} = {common} GROUP BY {_list(chosen)} value, has) AS other "
        f"ON mine.has & other.has = {common}{same}"
    )


def _in_common(session: Session) -> list[int]:
    """The patterns of fields that two tuples have in common."""
    found = [int(row[0]) for row in session.run("SELECT DISTINCT has FROM mine")]
    return sorted({one & other for one in found for other in found})


def _pattern(fields: Sequence[str]) -> str:
    """SQL of a number that has a bit for each field that a tuple has."""
    kind = "BIGINT" if len(fields) < 62 else "HUGEINT"
    flags = (
        f" + CASE WHEN {field} IS NULL THEN 0 ELSE {1 << place} END::{kind}"
        for place, field in enumerate(fields)
    )
    return f"(0::{kind}{''.join(flags)})"


def _list(fields: Sequence[str]) -> str:
    return "".join(f"{field}, " for field in fields)
