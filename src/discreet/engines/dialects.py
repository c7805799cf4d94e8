"""How engines that nobody has tried yet write what engines do not agree on.

The statements are the same for all engines, so what is known of these is written down and its text
is tested. No driver is here, and none of it was run: whoever adds one runs the shared tests first.
"""

from __future__ import annotations

from discreet.engines.engine import Dialect

SNOWFLAKE = Dialect(
    "Snowflake",
    bytewise="COLLATE({}, '')",
    seal="SHA2({}, 256)",
)
"""A driver must put small tables without quotes around names: others are folded to capitals."""

BIGQUERY = Dialect(
    "BigQuery",
    text_type="STRING",
    integer_type="INT64",
    text="CAST({} AS STRING)",
    bytewise="COLLATE({}, '')",
    digest="TO_HEX(MD5({}))",
    seal="TO_HEX(SHA256({}))",
    quote="`",
    random="RAND()",
)
"""Storage has no order, so that of the rows does not tell that of the private table."""

CLICKHOUSE = Dialect(
    "ClickHouse",
    text_type="String",
    integer_type="Int64",
    text="CAST({} AS Nullable(String))",
    digest="lower(hex(MD5({})))",
    seal="lower(hex(SHA256({})))",
    quote="`",
    create="CREATE TABLE {name} ENGINE = MergeTree ORDER BY tuple() AS {select}",
    random="rand()",
)
"""A driver must set ``join_use_nulls = 1``: a left join would fill in empty texts."""

NOT_VERIFIED = (SNOWFLAKE, BIGQUERY, CLICKHOUSE)
