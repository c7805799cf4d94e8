"""A made table of people for the tests of techniques."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from discreet.table.read import read
from discreet.table.table import Table
from discreet.techniques.arrow_rows import read_rows


def people(rows: int = 2000) -> Table:
    """Zip and region, age and a pay that grows with it, a job with a few missing."""
    rng = np.random.Generator(np.random.PCG64(7))
    zips = rng.integers(0, 12, rows)
    age = rng.integers(18, 90, rows)
    pay = 1000 + 40.0 * age + rng.normal(0, 600, rows)
    jobs = np.array(["nurse", "clerk", "cook", "judge"])[
        rng.choice(4, rows, p=[0.5, 0.3, 0.15, 0.05])
    ]
    return read(
        pa.table(
            {
                "zip": pa.array([f"021{zip_:02d}" for zip_ in zips]),
                "region": pa.array(np.where(zips < 6, "east", "west").tolist()),
                "age": pa.array(age),
                "pay": pa.array(pay),
                "job": pa.array(jobs.tolist(), mask=rng.random(rows) < 0.05),
            }
        )
    )


def column(table: Table, name: str) -> list[Any]:
    """The values of one column."""
    return list(read_rows(table).column(name).to_pylist())


def rows(table: Table) -> list[tuple[Any, ...]]:
    """All rows."""
    found = table.scan(native=table.columns).read_all()
    return list(zip(*(part.to_pylist() for part in found.columns), strict=True))
