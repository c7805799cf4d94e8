"""Made-up tables for an inspection; nobody in them exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pytest

from discreet.identification.inspect import inspect
from discreet.identification.inspection import Column, Inspection
from discreet.table.read import read

Look = Callable[..., Column]


@pytest.fixture
def look() -> Look:
    """Inspect one column, given its name and values."""

    def look_at(name: str, values: Sequence[str | None]) -> Column:
        (column,) = inspect(read(pa.table({name: pa.array(values, pa.string())}))).columns
        return column

    return look_at


@pytest.fixture
def look_at_table() -> Callable[..., Inspection]:
    """Inspect a table, given its columns."""
    return lambda columns: inspect(read(pa.table({k: _texts(v) for k, v in columns.items()})))


def _texts(values: Sequence[Any]) -> pa.Array:
    return pa.array([None if v is None else str(v) for v in values], pa.string())
