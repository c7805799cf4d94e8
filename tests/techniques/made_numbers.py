"""Made tables of numbers for the tests of techniques."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from discreet.table.read import read
from discreet.table.table import Table


def made(rows: int = 4000) -> Table:
    """Ages (whole), weights and incomes (skewed), related to each other."""
    draw = np.random.default_rng(11)
    age = draw.integers(0, 95, rows)
    weight = 60 + 0.2 * age + draw.normal(0, 8, rows)
    income = np.exp(8 + 0.02 * age + draw.normal(0, 0.7, rows))
    return read(pa.table({"id": np.arange(rows), "age": age, "weight": weight, "income": income}))


def table(**columns: Any) -> Table:
    """A table of the columns given."""
    return read(pa.table(columns))


def column(found: Table, name: str) -> list[Any]:
    """The cells of a column."""
    return found.scan(native=[name]).read_all()[name].to_pylist()


def numbers(found: Table, *names: str) -> np.ndarray:
    """Columns of numbers side by side."""
    rows = found.scan(native=names).read_all()
    return np.column_stack([rows[name].to_numpy() for name in names])


def kind(found: Table, name: str) -> str:
    """The type of a column."""
    return str(found.scan(native=[name]).read_all()[name].type)
