"""Sets of columns that single out more than a few percent, and what each quasi column adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest

from discreet.identification import propose_quasi
from discreet.identification.combinations import FEW_PERCENT, SHOWN
from discreet.identification.inspection import Inspection
from discreet.table import row_sample
from discreet.table.table import Role

Look = Callable[..., Inspection]
Columns = dict[str, list[str]]


def make_columns(rows: int = 500, seed: int = 3) -> Columns:
    draws = np.random.default_rng(seed)
    sizes = {"zip": 30, "age": 60, "sex": 2, "race": 4, "job": 12}
    return {name: [str(n) for n in draws.integers(0, size, rows)] for name, size in sizes.items()}


def unique_share(table: Columns, names: Sequence[str]) -> float:
    """By counting in plain Python."""
    rows = list(zip(*(table[name] for name in names), strict=True))
    counts = Counter(rows)
    return sum(counts[row] == 1 for row in rows) / len(rows)


@pytest.mark.parametrize("seed", range(4))
def test_shown_sets_are_minimal_and_their_shares_are_counted(
    look_at_table: Look, seed: int
) -> None:
    table = make_columns(500, seed)
    found = look_at_table(table).combinations
    assert 0 < len(found) <= SHOWN
    for one in found:
        assert one.singled_out_share == unique_share(table, one.columns) >= FEW_PERCENT
        for size in range(1, len(one.columns)):
            for part in combinations(one.columns, size):
                assert unique_share(table, part) < FEW_PERCENT


def test_the_smallest_sets_come_first_and_the_worst_of_a_size(look_at_table: Look) -> None:
    shown = [
        (len(one.columns), -one.singled_out_share)
        for one in look_at_table(make_columns()).combinations
    ]
    assert shown == sorted(shown)


def test_columns_that_single_nobody_out_show_nothing(look_at_table: Look) -> None:
    table = {"sex": ["M", "F"] * 100, "race": ["White", "Black"] * 100}
    found = look_at_table(table)
    assert found.combinations == ()
    assert {one.choice.share_with for one in found.columns if one.choice} == {0.0}


def test_every_quasi_column_says_what_happens_without_it(look_at_table: Look) -> None:
    table = make_columns()
    found = look_at_table(table)
    quasi = [one.name for one in found.with_role(Role.quasi)]
    assert len(quasi) >= 4
    for column in found.columns:
        if column.name not in quasi:
            assert column.choice is None
            continue
        assert column.choice is not None
        rest = [name for name in quasi if name != column.name]
        assert column.choice.share_with == unique_share(table, quasi)
        assert column.choice.share_without == unique_share(table, rest)


def test_a_role_that_only_counts_speak_for_is_a_choice(look_at_table: Look) -> None:
    draws = np.random.default_rng(3)
    table = {
        "sex": [str(n) for n in draws.integers(0, 2, 600)],
        **{name: [f"#{n}" for n in draws.integers(0, 14, 600)] for name in ("w", "x", "y")},
    }
    optional = {one.name: one.choice.optional for one in look_at_table(table).columns if one.choice}
    assert optional == {"sex": False, "w": True, "x": True, "y": True}


def test_columns_that_tell_rows_apart_alike_are_named_and_not_shown_twice(
    look_at_table: Look,
) -> None:
    table = make_columns()
    table["age_group"] = [f"{int(n)}" for n in table["age"]]
    found = look_at_table(table)
    same = {one.name: one.choice.same_as for one in found.columns if one.choice}
    assert (same["age"], same["age_group"], same["zip"]) == (("age_group",), ("age",), ())
    assert all("age_group" not in one.columns for one in found.combinations)


def test_a_large_table_is_counted_on_more_rows_than_the_sample(
    look_at_table: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_columns(4000)
    monkeypatch.setattr(row_sample, "SAMPLE", 200)
    monkeypatch.setattr(propose_quasi, "SAMPLE", 200)
    found = look_at_table(table)
    for one in found.combinations:
        assert (one.rows, one.singled_out_share) == (4000, unique_share(table, one.columns))


def test_facts_are_plain_data_without_values(look_at_table: Look) -> None:
    facts = look_at_table(make_columns()).facts()
    assert set(facts["combinations"][0]) == {"columns", "singled_out_share", "rows_checked"}
    choices = [one["choice"] for one in facts["columns"] if one["choice"]]
    assert set(choices[0]) == {
        "singled_out_share_with", "singled_out_share_without", "optional", "same_as",
    }  # fmt: skip
