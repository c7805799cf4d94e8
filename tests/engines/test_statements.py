"""The statements as text, and what they answer on the reference engine."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from discreet.engines.dialects import BIGQUERY, CLICKHOUSE, NOT_VERIFIED, SNOWFLAKE
from discreet.engines.duckdb import DUCKDB
from discreet.engines.engine import Column, Dialect
from discreet.engines.postgresql import POSTGRESQL
from discreet.engines.statements import (
    Recode,
    ReleasedColumn,
    write_counts,
    write_group_sizes,
    write_key,
    write_native_values,
    write_recode,
    write_row_counts,
    write_row_seals,
)

AGE = Column("age", "integer", exact=True)
PAY = Column("pay", "numeric")
TOWN = Column('to"wn', "text", is_text=True, exact=True)


def test_rows_are_grouped_by_the_value_and_text_is_made_once() -> None:
    assert write_counts(DUCKDB, "visits", [AGE]) == (
        'SELECT CAST(g0 AS VARCHAR) AS c0, n FROM (SELECT "age" AS g0, CAST(COUNT(*) AS BIGINT) '
        'AS n FROM visits AS t GROUP BY "age") AS counted'
    )


def test_numbers_with_several_texts_are_grouped_by_their_text() -> None:
    assert 'GROUP BY CAST("pay" AS text) COLLATE "C"' in write_counts(POSTGRESQL, "v", [PAY])


def test_texts_are_compared_as_bytes_whatever_their_collation() -> None:
    assert 'GROUP BY "to""wn" COLLATE "C"' in write_counts(POSTGRESQL, "v", [TOWN])
    assert write_key(POSTGRESQL, "t.a") == "COALESCE(CAST(t.a AS text) COLLATE \"C\", '')"


def test_only_sizes_leave_the_engine_where_values_are_counted() -> None:
    query = write_group_sizes(DUCKDB, "v", [AGE])
    assert query.startswith("SELECT size, CAST(COUNT(*) AS BIGINT) AS times FROM (SELECT ")


@pytest.mark.parametrize("dialect", [DUCKDB, POSTGRESQL])
def test_a_row_without_a_map_row_is_left_out(dialect: Dialect) -> None:
    recode = Recode("v", (ReleasedColumn(AGE, "map"),), ((AGE, "put1"),), scrambled=False)
    assert " JOIN put1 AS m0 ON m0.value = " in write_recode(dialect, recode)
    assert "LEFT" not in write_recode(dialect, recode)


def test_rows_are_stored_in_a_keyed_order() -> None:
    recode = Recode("v", (ReleasedColumn(AGE, "native"),), (), chance="put1")
    plain = write_recode(DUCKDB, recode)
    assert plain.startswith('SELECT "age" FROM (SELECT "age", md5((SELECT key FROM put1) || ')
    assert plain.endswith(" AS placed ORDER BY place")
    assert '"age", hashtextextended((SELECT key FROM put1) || ' in write_recode(POSTGRESQL, recode)
    spread = write_recode(replace(DUCKDB, order="DISTRIBUTE BY {0} SORT BY {0}"), recode)
    assert spread.count("md5(") == 1
    assert spread.endswith(" DISTRIBUTE BY place SORT BY place")


def test_a_released_column_may_be_called_as_the_order_is() -> None:
    column = Column("Place", "text", is_text=True, exact=True)
    recode = Recode("v", (ReleasedColumn(column, "native"),), (), chance="put1")
    assert write_recode(DUCKDB, recode).endswith(" ORDER BY place_")


# Engines that nobody has tried: the text alone.

RESERVED = {
    "ALL", "AND", "AS", "BY", "CASE", "CROSS", "CURRENT", "END", "EXCEPT", "EXISTS", "FROM",
    "FULL", "GROUP", "GROUPING", "GROUPS", "HASH", "IN", "INTERVAL", "JOIN", "LEFT", "LIKE",
    "LIMIT", "NEW", "NO", "NOT", "NULL", "OF", "ON", "OR", "ORDER", "OUTER", "OVER", "PARTITION",
    "RANGE", "ROW", "ROWS", "SELECT", "SET", "SOME", "START", "TO", "UNION", "USING", "VALUES",
    "WHEN", "WHERE", "WINDOW", "WITH", "WITHIN",
}  # fmt: skip
"""Words that one of the engines takes for no name."""
RECODE = Recode(
    "v", (ReleasedColumn(AGE, "map"), ReleasedColumn(PAY, "changed")), ((AGE, "put1"),),
    ((PAY, "put2"),), ((0,),), "put3", "put4", "put5",
)  # fmt: skip


@pytest.mark.parametrize("dialect", NOT_VERIFIED, ids=lambda one: one.name)
def test_no_name_that_we_give_is_a_word_of_the_language(dialect: Dialect) -> None:
    texts = [
        write_recode(dialect, RECODE),
        write_counts(dialect, "v", [AGE, TOWN]),
        write_group_sizes(dialect, "v", [AGE]),
        write_native_values(dialect, "v", PAY),
        write_row_counts(dialect, ["v", "w"]),
        write_row_seals(dialect, "v", [AGE, TOWN], "put1"),
    ]
    for text in texts:
        names = re.findall(r"(?i)\bAS (\w+)(?! *\))\b", text)
        assert names and not {name.upper() for name in names} & RESERVED


@pytest.mark.parametrize(
    ("dialect", "key"),
    [
        (SNOWFLAKE, "COALESCE(COLLATE(CAST(t.a AS VARCHAR), ''), '')"),
        (BIGQUERY, "COALESCE(COLLATE(CAST(t.a AS STRING), ''), '')"),
        (CLICKHOUSE, "COALESCE(CAST(t.a AS Nullable(String)), '')"),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_value_is_looked_up_by_its_bytes(dialect: Dialect, key: str) -> None:
    assert write_key(dialect, "t.a") == key


def test_each_dialect_writes_names_digests_and_tables_in_its_own_way() -> None:
    assert [one.name_table(("s", "t")) for one in NOT_VERIFIED] == ['"s"."t"', "`s`.`t`", "`s`.`t`"]
    assert " COLLATE(md5((SELECT key FROM put5)" in write_recode(SNOWFLAKE, RECODE)
    assert " COLLATE(TO_HEX(MD5((SELECT key FROM put5)" in write_recode(BIGQUERY, RECODE)
    assert " lower(hex(MD5((SELECT key FROM put5)" in write_recode(CLICKHOUSE, RECODE)
    made = CLICKHOUSE.create.format(name="`x`", select="SELECT 1")
    assert made == "CREATE TABLE `x` ENGINE = MergeTree ORDER BY tuple() AS SELECT 1"
