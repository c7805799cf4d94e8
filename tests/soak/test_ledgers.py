"""The checks of the soak see what several releases give away together."""

from __future__ import annotations

import pytest

from soak.ledgers import Held, check_growing, check_parts
from soak.part import ProductError

AGES = ("21", "23", "31", "38")
TABLE = [
    {"key": f"r{n}", "zip": "02138", "age": AGES[n // 2], "sex": "fm"[n % 2], "place": "Oslo"}
    | {"illness": ("flu", "gout")[n // 2 % 2]}
    for n in range(8)
]
EVERYBODY = frozenset(row["key"] for row in TABLE)


def _held(age: int | None, sex: int | None, rows: list[int], met: frozenset[str]) -> Held:
    """A release with age in decades (level 2) or as found, and sex as found or ``*``."""
    found = {}
    for number in rows:
        row, cells = TABLE[number], {}
        if age is not None:
            cells["age"] = row["age"] if age == 0 else f"{row['age'][0]}0-{row['age'][0]}9"
        if sex is not None:
            cells["sex"] = row["sex"] if sex == 0 else "*"
        found[row["key"]] = cells
    levels = {"age": age, "sex": sex}
    return Held("lab", {n: at for n, at in levels.items() if at is not None}, found, met)


def test_releases_that_cross_are_seen() -> None:
    crossed = [_held(0, 1, list(range(8)), EVERYBODY), _held(2, 0, list(range(8)), EVERYBODY)]
    for one in crossed:
        check_growing([one], 2)
    with pytest.raises(ProductError, match="1 alike"):
        check_growing(crossed, 2)


def test_a_row_that_a_later_release_lacks_is_seen() -> None:
    first, second = _held(2, 1, list(range(8)), EVERYBODY), _held(2, 1, list(range(7)), EVERYBODY)
    with pytest.raises(ProductError, match="fewer than k rows of a class are left out later"):
        check_growing([first, second], 2)


def test_parts_that_differ_by_one_row_are_seen() -> None:
    most = frozenset(EVERYBODY - {"r0"})
    parts = [_held(2, 1, list(range(8)), EVERYBODY), _held(2, 1, list(range(1, 8)), most)]
    for one in parts:
        check_parts([one], TABLE, k=2, ell=0)
    with pytest.raises(ProductError, match="somebody fits 1 rows of the parts, k is 2"):
        check_parts(parts, TABLE, k=2, ell=0)


def test_parts_that_tell_a_sensitive_value_are_seen() -> None:
    young = frozenset(("r0", "r1"))
    parts = [_held(2, None, [0, 1, 2, 3], frozenset(("r0", "r1", "r2", "r3")))]
    check_parts(parts, TABLE, k=2, ell=2)
    with pytest.raises(ProductError, match="sensitive value is known"):
        check_parts([*parts, _held(2, None, [0, 1], young)], TABLE, k=2, ell=2)
