"""Column names of every kind come through a first policy unharmed."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from discreet import Policy, inspect


@pytest.mark.parametrize(
    "name", ["a\U0001f600", "größe", "x\x85y", "line\nbreak", 'a"b\\c', "no", "1.5"]
)
def test_a_name_comes_through_unharmed(name: str, tmp_path: Path) -> None:
    rows = pa.table(
        {name: [str(n % 3) for n in range(60)], "age": [str(20 + n) for n in range(60)]}
    )
    path = tmp_path / "policy.yaml"
    path.write_text(inspect(rows).policy_text())
    assert name in Policy.load(path).columns
