"""A quasi-identifier proposed from the data: small sets of columns that single most rows out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.identification import propose_quasi
from discreet.identification.inspect import inspect
from discreet.identification.inspection import Column, Inspection
from discreet.identification.singling_out import (
    MOST_ROWS,
    RowKeys,
    SetCounts,
    SinglesOut,
    count_alone,
    find_singling_out,
)
from discreet.policy.policy import Policy
from discreet.table import row_sample
from discreet.table.read import read

Look = Callable[..., Inspection]
Columns = dict[str, list[str]]


def made(rows: int = 600, seed: int = 3) -> Columns:
    """Names that say nothing; w, x and y together tell most rows apart, u and v nothing."""
    draws = np.random.default_rng(seed)
    sizes = {"w": 12, "x": 11, "y": 10, "u": 1, "v": 2}
    return {name: [f"#{n}" for n in draws.integers(0, size, rows)] for name, size in sizes.items()}


def unique_share(table: Columns, names: Sequence[str]) -> float:
    """By counting in plain Python."""
    rows = list(zip(*(table[name] for name in names), strict=True))
    counts = Counter(rows)
    return sum(counts[row] == 1 for row in rows) / len(rows)


def keys_of(table: Columns) -> RowKeys:
    names = tuple(table)
    source = read(pa.table({name: pa.array(values) for name, values in table.items()}))
    return RowKeys.of_table(source, names, len(table[names[0]]), 10**9)


def sets_of(data: RowKeys, names: Sequence[str]) -> list[SinglesOut]:
    counts = SetCounts(data)
    return find_singling_out(counts, names, (), lambda: counts)


def by_name(found: Inspection) -> dict[str, Column]:
    return {column.name: column for column in found.columns}


@pytest.mark.parametrize("seed", range(5))
def test_a_sort_of_keys_counts_what_plain_counting_does(seed: int) -> None:
    table = made(300, seed)
    data = keys_of(table)
    for size in range(1, 5):
        for names in combinations(table, size):
            unique, distinct = count_alone(data.together(names))
            assert unique / 300 == unique_share(table, names)
            assert distinct == len(set(zip(*(table[name] for name in names), strict=True)))


@pytest.mark.parametrize("seed", range(5))
def test_the_sets_are_all_minimal_ones_up_to_three_columns(seed: int) -> None:
    table = made(150 + 150 * seed, seed)
    data, names = keys_of(table), tuple(table)
    big = [
        set(one)
        for size in (1, 2, 3)
        for one in combinations(names, size)
        if unique_share(table, one) >= MOST_ROWS
    ]
    minimal = [one for one in big if not any(other < one for other in big)]
    found = [set(one.columns) for one in sets_of(data, names)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, minimal))
    assert minimal


def test_a_larger_set_is_found_where_no_small_one_does() -> None:
    draws = np.random.default_rng(1)
    table = {f"c{n}": [str(v) for v in draws.integers(0, 3, 400)] for n in range(12)}
    data, names = keys_of(table), tuple(table)
    (found,) = sets_of(data, names)
    assert len(found.columns) > 3
    assert found.share == unique_share(table, found.columns) >= MOST_ROWS
    for name in found.columns:  # none is there for nothing
        rest = [other for other in found.columns if other != name]
        assert unique_share(table, rest) < MOST_ROWS


def test_columns_left_as_they_are_do_not_single_most_rows_out_together() -> None:
    draws = np.random.default_rng(1)
    sizes = [2] * 4 + [3] * 20
    table = {
        f"c{n:02}": [f"#{v}" for v in draws.integers(0, size, 400)] for n, size in enumerate(sizes)
    }
    found = inspect(read(pa.table(table)))
    left = [column.name for column in found.columns if column.role == "other"]
    assert left
    assert len(left) < 24
    assert unique_share(table, left) < MOST_ROWS


def test_columns_that_single_people_out_together_become_quasi_and_say_how(
    look_at_table: Look,
) -> None:
    table = made()
    columns = by_name(look_at_table(table))
    assert {name for name, one in columns.items() if one.role == "quasi"} == {"w", "x", "y"}
    part = int(100 * unique_share(table, ["w", "x", "y"]))
    assert columns["w"].reasons == (f"with x and y it singles out {part} % of the rows",)
    assert columns["w"].doubt == "this follows from how it distinguishes rows, not from its name"
    assert columns["w"].proposal == "recoded"
    assert columns["u"].reasons == columns["v"].reasons == ("nothing points at a person",)


def test_the_policy_has_the_quasi_identifier_and_the_reason(
    look_at_table: Look, tmp_path: Path
) -> None:
    found = look_at_table(made())
    path = tmp_path / "policy.yaml"
    path.write_text(found.policy_text(), encoding="utf-8")
    assert Policy.load(path).quasi == ("w", "x", "y")
    assert "# With x and y it singles out" in found.policy_text()


def test_a_name_stays_the_first_reason(look_at_table: Look) -> None:
    table = made()
    table = {"zip": [f"02{int(v[1:]) + 100}" for v in table["w"]], **table}
    del table["w"]
    column = by_name(look_at_table(table))["zip"]
    assert column.reasons[0] == "its name says 'postal code'"
    assert column.reasons[-1].startswith("with x and y it singles out")
    assert column.doubt is None


def test_identifiers_sensitive_columns_and_what_is_withheld_take_no_part(
    look_at_table: Look,
) -> None:
    rows = 200
    table: dict[str, list[Any]] = {
        "email": [f"p{n}@example.org" for n in range(rows)],
        "salary": [1000 + n * 7 for n in range(rows)],
        "amount": [f"{n}.{n % 10}7" for n in range(rows)],
        "ward": ["A", "B"] * (rows // 2),
    }
    columns = by_name(look_at_table(table))
    assert [columns[name].role.value for name in table] == [
        "identifier", "sensitive", "other", "other",
    ]  # fmt: skip


def test_few_rows_prove_nothing(look_at_table: Look) -> None:
    table = {"a": ["x", "y", "z"] * 3, "b": ["p", "q", "r", "p", "q", "r", "q", "r", "p"]}
    assert not look_at_table({k: v[:9] for k, v in table.items()}).with_role("quasi")  # type: ignore[arg-type]


def test_a_large_table_is_counted_again_on_more_rows_than_the_sample(
    look_at_table: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sample nearly all rows stand alone; in the table they do not."""
    draws = np.random.default_rng(2)
    table = {n: [f"#{v}" for v in draws.integers(0, 20, 4000)] for n in ("w", "x")}
    monkeypatch.setattr(row_sample, "SAMPLE", 200)
    monkeypatch.setattr(propose_quasi, "SAMPLE", 200)
    assert unique_share({k: v[:200] for k, v in table.items()}, ["w", "x"]) > MOST_ROWS
    assert not [one for one in look_at_table(table).columns if one.role == "quasi"]
    monkeypatch.setattr(propose_quasi, "ROWS", 220)
    (first, _) = look_at_table(table).columns
    assert first.role == "quasi"
    assert "rows checked" in first.reasons[0]


def test_the_same_table_gives_the_same_proposal(look_at_table: Look) -> None:
    assert look_at_table(made()).facts() == look_at_table(made()).facts()


def test_no_value_is_in_the_reasons(look_at_table: Look) -> None:
    found = look_at_table(made())
    assert "#" not in "".join(reason for one in found.columns for reason in one.reasons)


def test_very_many_columns_take_little_time(look_at_table: Look) -> None:
    draws = np.random.default_rng(2)
    codes = draws.integers(0, 4, (300, 120))
    table = {f"c{n}": [f"#{v}" for v in row] for n, row in enumerate(codes)}
    assert {one.role for one in look_at_table(table).columns} == {"quasi"}


def test_columns_drawn_alike_are_treated_alike() -> None:
    """Together they single all rows out; none is released as it is just for coming first."""
    draws = np.random.default_rng(2).integers(0, 3, (300, 120))
    table = {f"c{n}": [f"#{v}" for v in draws[:, n]] for n in range(120)}
    found = inspect(read(pa.table(table)))
    assert {column.role.value for column in found.columns} == {"quasi"}
