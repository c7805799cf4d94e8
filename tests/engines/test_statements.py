"""The statements as text, and what they answer on the reference engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from discreet.engines.duckdb import DUCKDB
from discreet.engines.engine import Column, Dialect
from discreet.engines.postgresql import POSTGRESQL
from discreet.engines.statements import (
    Recode,
    ReleasedColumn,
    write_counts,
    write_group_sizes,
    write_key,
    write_recode,
)

AGE = Column("age", "integer", exact=True)
PAY = Column("pay", "numeric")
TOWN = Column('to"wn', "text", is_text=True, exact=True)


def test_rows_are_grouped_by_the_value_and_text_is_made_once() -> None:
    assert write_counts(DUCKDB, "visits", [AGE]) == (
        'SELECT CAST(g0 AS VARCHAR) AS c0, n FROM (SELECT "age" AS g0, CAST(COUNT(*) AS BIGINT) '
        'AS n FROM visits AS t GROUP BY "age") AS groups'
    )


def test_numbers_with_several_texts_are_grouped_by_their_text() -> None:
    assert 'GROUP BY CAST("pay" AS text) COLLATE "C"' in write_counts(POSTGRESQL, "v", [PAY])


def test_texts_are_compared_as_bytes_whatever_their_collation() -> None:
    assert 'GROUP BY "to""wn" COLLATE "C"' in write_counts(POSTGRESQL, "v", [TOWN])
    assert write_key(POSTGRESQL, "t.a") == "COALESCE(CAST(t.a AS text) COLLATE \"C\", '')"


def test_only_sizes_leave_the_engine_where_values_are_counted() -> None:
    query = write_group_sizes(DUCKDB, "v", [AGE])
    assert query.startswith("SELECT size, CAST(COUNT(*) AS BIGINT) AS groups FROM (SELECT ")


@pytest.mark.parametrize("dialect", [DUCKDB, POSTGRESQL])
def test_a_row_without_a_map_row_is_left_out(dialect: Dialect) -> None:
    recode = Recode("v", (ReleasedColumn(AGE, "map"),), ((AGE, "put1"),), scrambled=False)
    assert " JOIN put1 AS m0 ON m0.value = " in write_recode(dialect, recode)
    assert "LEFT" not in write_recode(dialect, recode)


def test_rows_are_stored_in_a_keyed_order() -> None:
    recode = Recode("v", (ReleasedColumn(AGE, "native"),), (), chance="put1")
    assert " ORDER BY md5((SELECT key FROM put1) || " in write_recode(DUCKDB, recode)
    spread = write_recode(replace(DUCKDB, order="DISTRIBUTE BY {0} SORT BY {0}"), recode)
    assert " DISTRIBUTE BY md5((SELECT key FROM put1) || " in spread
    assert " SORT BY md5((SELECT key FROM put1) || " in spread
