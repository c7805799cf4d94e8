"""Small tables in one line: rows separated by commas, cells by spaces, ``-`` missing."""

from __future__ import annotations

import pyarrow as pa


def table(names: str, rows: str | list[tuple[str, ...]]) -> pa.Table:
    """``table("zip ill", "02138 flu, 02139 gout")``."""
    lines = [tuple(row.split()) for row in rows.split(",")] if isinstance(rows, str) else rows
    columns = [*zip(*lines, strict=True)]
    return pa.table(
        {
            name: pa.array([None if cell == "-" else cell for cell in cells], pa.string())
            for name, cells in zip(names.split(), columns, strict=True)
        }
    )
