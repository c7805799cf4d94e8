"""Every kind of table that can be read; loaded with the first table, since DuckDB comes with it."""

from __future__ import annotations

from discreet.table.files.archive import find_only_name
from discreet.table.files.arrow import open_arrow
from discreet.table.files.csv import open_csv
from discreet.table.files.duckdb import is_duckdb, open_duckdb
from discreet.table.files.excel import open_excel
from discreet.table.files.frames import open_frame
from discreet.table.files.json_lines import open_json_lines
from discreet.table.files.parquet import open_parquet
from discreet.table.files.parquet_folder import (
    is_pattern,
    open_parquet_folder,
    open_parquet_pattern,
)
from discreet.table.files.sqlite import open_sqlite
from discreet.table.files.statistics import open_statistics

__all__ = [
    "find_only_name",
    "is_duckdb",
    "is_pattern",
    "open_arrow",
    "open_csv",
    "open_duckdb",
    "open_excel",
    "open_frame",
    "open_json_lines",
    "open_parquet",
    "open_parquet_folder",
    "open_parquet_pattern",
    "open_sqlite",
    "open_statistics",
]
