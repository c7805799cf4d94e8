"""Every kind of table that can be read; loaded with the first table, since DuckDB comes with it."""

from __future__ import annotations

from discreet.table.files.arrow import open_arrow
from discreet.table.files.csv import open_csv
from discreet.table.files.excel import open_excel
from discreet.table.files.frames import open_frame
from discreet.table.files.parquet import open_parquet
from discreet.table.files.sqlite import open_sqlite

__all__ = ["open_arrow", "open_csv", "open_excel", "open_frame", "open_parquet", "open_sqlite"]
