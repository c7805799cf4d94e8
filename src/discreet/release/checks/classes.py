"""Classes of released rows by plain grouping, or by matching where a missing value fits any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discreet.release.checks.session import Session

Pattern = frozenset[str]
"""The fields of a tuple that are not missing."""


def count_classes(session: Session, name: str, fields: Sequence[str], wildcard: bool) -> None:
    """Make the SQL table ``name`` of ``id``, ``size``, ``members`` and the fields of each tuple."""
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

    Two tuples can only be compared on the fields that both have, so tuples with the same missing
    fields are joined by equality on the fields in common, after grouping by those: the work grows
    with the tuples, not with their square.
    """
    name = "matches"
    session.run(f"CREATE TEMP TABLE {name} (id BIGINT, value VARCHAR, n BIGINT)")
    for mine, shared, theirs in _comparisons(_patterns(session, classes, fields)):
        common = [field for field in fields if field in shared]
        wanted = " OR ".join(_has(fields, pattern) for pattern in theirs)
        chosen = f"{value} AS value" if value else "NULL AS value"
        other = (
            f"SELECT {_list(common)} {chosen}, sum(n) AS n FROM cells WHERE {wanted} "
            f"GROUP BY {_list(common)} {value or 'true'}"
        )
        same = " AND ".join(f"mine.{field} = other.{field}" for field in common)
        session.run(
            f"INSERT INTO {name} SELECT id, value, n FROM {classes} AS mine "
            f"JOIN ({other}) AS other ON {same or 'true'} WHERE {_has(fields, mine, 'mine.')}"
        )
    return name


def _patterns(session: Session, classes: str, fields: Sequence[str]) -> list[Pattern]:
    if not fields:
        return [frozenset()]
    flags = ", ".join(f"{field} IS NOT NULL" for field in fields)
    found = session.run(f"SELECT DISTINCT {flags} FROM {classes}")
    return [frozenset(f for f, has in zip(fields, row, strict=True) if has) for row in found]


def _comparisons(patterns: list[Pattern]) -> Iterator[tuple[Pattern, Pattern, list[Pattern]]]:
    """For each pattern, the others, together by the fields they have in common with it."""
    for mine in patterns:
        together: dict[Pattern, list[Pattern]] = {}
        for other in patterns:
            together.setdefault(mine & other, []).append(other)
        for shared, theirs in together.items():
            yield mine, shared, theirs


def _has(fields: Sequence[str], pattern: Pattern, prefix: str = "") -> str:
    tests = (f"{prefix}{f} IS {'NOT ' if f in pattern else ''}NULL" for f in fields)
    return f"({' AND '.join(tests) or 'true'})"


def _list(fields: Sequence[str]) -> str:
    return "".join(f"{field}, " for field in fields)
