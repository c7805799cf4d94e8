"""One pass with bounded memory: exact up to a limit, a repeatable sample beyond it."""

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet.identification import profile as module
from discreet.identification.inspect import inspect
from discreet.identification.profile import Profile, profile
from discreet.table import row_sample
from discreet.table.read import read


def _profile(values: list[str | None], limit: int = 100_000) -> Profile:
    (found,) = profile(read(pa.table({"x": pa.array(values, pa.string())})), limit)
    return found


def test_values_are_counted_exactly_up_to_the_limit() -> None:
    found = _profile([str(n % 50) for n in range(120)], limit=50)
    assert (found.distinct, found.exact, found.unique) == (50, True, 0)
    assert len(found.values) == 50


def test_beyond_the_limit_the_count_is_a_lower_bound() -> None:
    found = _profile([str(n) for n in range(120)], limit=50)
    assert not found.exact
    assert found.distinct >= 50
    assert found.unique is None


def test_counts_of_batches_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    values = pa.array([str(n % 7) for n in range(300_000)] + ["x", None])
    (found,) = profile(read(pa.table({"x": values})))
    assert (found.rows, found.missing, found.distinct, found.unique) == (300_002, 1, 8, 1)
    assert found.most_common == pytest.approx(1 / 7, abs=1e-4)


def test_the_sample_is_bounded_and_the_same_each_time() -> None:
    table = read(pa.table({"x": pa.array([f"v{n}" for n in range(400_000)])}))
    first, second = profile(table)[0], profile(table)[0]
    assert first.values == second.values
    assert len(first.values) == row_sample.SAMPLE
    assert first.all_differ


def test_the_sample_is_spread_over_the_table() -> None:
    table = read(pa.table({"x": pa.array([str(n) for n in range(400_000)])}))
    found = [int(value) for value in profile(table)[0].values]
    assert sum(found) / len(found) == pytest.approx(200_000, rel=0.05)


def test_numbers_that_count_the_rows_are_seen_over_batches() -> None:
    table = pa.table({"x": pa.array([str(n) for n in range(1, 300_001)])})
    assert profile(read(table))[0].counts_up
    assert inspect(read(table)).columns[0].recognized == "row number"


@pytest.mark.parametrize("values", [["1", "2", "4"], ["01", "02"], ["1", None], ["1"], ["a", "b"]])
def test_other_numbers_do_not_count_the_rows(values: list[str | None]) -> None:
    assert not _profile(values).counts_up


def test_marks_for_missing_are_counted_beyond_the_limit() -> None:
    table = read(pa.table({"x": pa.array(["?", *map(str, range(200_000)), *"????", "NA"])}))
    assert profile(table)[0].marks == {"?": 5, "NA": 1}


def test_long_values_stop_the_exact_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT_BYTES", 1000)
    found = _profile([f"{n}" * 100 for n in range(50)])
    assert not found.exact
    assert max(map(len, found.values)) <= row_sample.LONGEST


def test_values_all_twice_do_not_all_differ() -> None:
    assert not _profile([str(n // 2) for n in range(200)], limit=50).all_differ


def test_a_profile_does_not_show_its_values() -> None:
    assert "secret" not in repr(_profile(["secret"]))
