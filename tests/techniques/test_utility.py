"""What is said of a table before and after, worked out by hand where it can be."""

from __future__ import annotations

import json
from math import log2

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import EmptyTableError, ParameterError, UnknownColumnError
from discreet.table.read import read
from discreet.techniques.change_rows import SampleRows, Scramble
from discreet.techniques.suppress_values import SuppressValues
from discreet.techniques.swap import Swap
from discreet.techniques.utility import divergence, report_utility, total_variation
from tests.techniques.made_table import people

TABLE = people()


def test_nothing_is_lost_by_another_order_of_rows() -> None:
    found = report_utility(TABLE, Scramble()(TABLE, 1))
    assert found.distortion == 0
    assert all(part.total_variation == 0 for part in (*found.columns, *found.pairs))
    for part in found.columns:
        assert part.quantiles is None or set(part.quantiles.values()) == {0.0}


def test_total_variation_and_divergence_by_hand() -> None:
    """Shares 3/4, 1/4 against 1/4, 3/4: half of 1/2 + 1/2; 1 - H(1/4) bits."""
    before, after = np.array([3, 1]), np.array([10, 30])
    assert total_variation(before, after) == pytest.approx(0.5)
    entropy = -(0.25 * log2(0.25) + 0.75 * log2(0.75))
    assert divergence(before, after) == pytest.approx(1 - entropy)


def test_margins_and_pairs_of_a_small_table_by_hand() -> None:
    before = read(pa.table({"a": ["x", "x", "y", "y"], "b": ["u", "u", "v", "v"]}))
    after = read(pa.table({"a": ["x", "x", "y", "y"], "b": ["u", "v", "u", "v"]}))
    found = report_utility(before, after)
    assert [part.total_variation for part in found.columns] == [0, 0]
    assert found.pairs[0].total_variation == pytest.approx(0.5)


def test_swapping_a_unit_keeps_its_pairs_and_loses_others() -> None:
    pairs = {
        part.columns: part.total_variation
        for part in report_utility(TABLE, Swap(("zip", "age"))(TABLE, 1)).pairs
    }
    assert pairs["zip", "age"] == 0
    assert pairs["zip", "region"] > 0.4


def test_moments_and_correlations_are_those_of_numpy() -> None:
    rng = np.random.Generator(np.random.PCG64(3))
    x, y = rng.normal(size=500), rng.exponential(size=500)
    table = read(pa.table({"x": x, "y": y + x}))
    found = report_utility(table, read(pa.table({"x": 2 * x + 1, "y": y})))
    assert found.columns[0].before is not None and found.columns[0].after is not None
    assert found.columns[0].before.mean == pytest.approx(x.mean())
    assert found.columns[0].after.deviation == pytest.approx(2 * x.std())
    assert found.pairs[0].correlation_before == pytest.approx(np.corrcoef(x, y + x)[0, 1])
    assert found.pairs[0].correlation_after == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_quantiles_are_shifts_in_standard_deviations() -> None:
    x = np.arange(100.0)
    found = report_utility(read(pa.table({"x": x})), read(pa.table({"x": x + 2 * x.std()})))
    assert found.columns[0].quantiles is not None
    assert list(found.columns[0].quantiles.values()) == pytest.approx([2.0] * 5)


def test_a_column_left_out_counts_as_missing() -> None:
    dropped = report_utility(TABLE, SuppressValues(("zip",), drop=True)(TABLE, 1))
    blanked = report_utility(TABLE, SuppressValues(("zip",))(TABLE, 1))
    assert dropped == blanked
    assert dropped.columns[0].total_variation == 1
    assert dropped.columns[0].missing_after == 1
    assert dropped.columns[0].before is None


def test_new_values_are_told_from_rare_ones() -> None:
    names = [f"n{number}" for number in range(1000)]
    table = read(pa.table({"name": names}))
    assert report_utility(table, SampleRows(0.5)(table, 1)).columns[0].total_variation < 0.1
    others = read(pa.table({"name": [f"m{number}" for number in range(1000)]}))
    assert report_utility(table, others).columns[0].total_variation == 1


def test_numbers_that_became_text_are_new_values() -> None:
    after = read(pa.table({"x": ["low"] * 20}))
    found = report_utility(read(pa.table({"x": list(range(20))})), after)
    assert found.columns[0].total_variation == 1
    assert found.columns[0].after is None


def test_a_change_of_the_ends_alone_is_seen() -> None:
    table = read(pa.table({"x": np.arange(1000.0)}))
    found = report_utility(table, read(pa.table({"x": np.minimum(np.arange(1000.0), 950.0)})))
    assert found.columns[0].total_variation == pytest.approx(0.01, abs=0.002)


def test_infinite_numbers_are_left_out_of_moments() -> None:
    table = read(pa.table({"x": [*range(20), float("inf")], "y": list(range(21))}))
    found = report_utility(table, table)
    assert found.columns[0].before is not None
    assert found.columns[0].before.mean == pytest.approx(9.5)
    assert found.pairs[0].correlation_after == pytest.approx(1.0)


def test_few_values_have_no_moments() -> None:
    table = read(pa.table({"x": [1.5] * 3}))
    assert report_utility(table, table).columns[0].before is None


def test_facts_are_plain_data_without_cell_values() -> None:
    text = json.dumps(report_utility(TABLE, Swap(("job",))(TABLE, 1)).facts())
    assert "nurse" not in text and "02101" not in text
    assert set(json.loads(text)) == {
        "rows_before", "rows_after", "distortion", "columns", "pairs",
    }  # fmt: skip


def test_tables_without_rows_are_refused() -> None:
    empty = read(pa.table({"x": pa.array([], pa.int64())}))
    with pytest.raises(EmptyTableError):
        report_utility(empty, empty)


def test_changed_cells_and_squared_error_by_hand() -> None:
    """Of 0 to 9, twice, every second is 1 off: SSE/SST is 0.5 over a variance of 8.25."""
    x = np.tile(np.arange(10.0), 2)
    words, others = ["a", None, *"bbbbbbbb"] * 2, ["a", None, None, *"cbbbbbb"] * 2
    before = read(pa.table({"x": x, "job": words}))
    after = read(pa.table({"x": x + np.arange(20) % 2, "job": others}))
    number, word = report_utility(before, after, same_rows=True).columns
    assert (number.changed, word.changed) == (0.5, pytest.approx(0.2))
    assert number.loss == pytest.approx(0.5 / 8.25)
    assert word.loss is None
    assert report_utility(before, after).columns[0].loss is None


def test_tables_of_different_length_have_no_same_rows() -> None:
    with pytest.raises(ParameterError, match="as many rows"):
        report_utility(TABLE, SampleRows(0.5)(TABLE, 1), same_rows=True)


def test_only_the_columns_asked_for_and_their_pairs_are_compared() -> None:
    found = report_utility(TABLE, Swap(("job",))(TABLE, 1), ["job"])
    assert [part.column for part in found.columns] == ["job"]
    assert len(found.pairs) == len(TABLE.columns) - 1
    assert all("job" in part.columns for part in found.pairs)
    with pytest.raises(UnknownColumnError):
        report_utility(TABLE, TABLE, ["jbo"])


def test_a_wide_table_is_compared_column_by_column() -> None:
    wide = read(pa.table({f"c{n}": [str(n), "b"] for n in range(30)}))
    found = report_utility(wide, SuppressValues(("c1",))(wide, 1))
    assert not found.pairs and found.distortion == pytest.approx(1 / 30)


def test_a_few_changed_cells_cannot_be_worked_out_from_the_moments() -> None:
    pay = np.append(np.arange(20, 69), 987)
    age = np.arange(50) % 7
    table = read(pa.table({"pay": pay, "age": age}))
    cut = read(pa.table({"pay": np.minimum(pay, 90), "age": age}))
    found = report_utility(table, cut, same_rows=True)
    part = found.columns[0]
    assert (part.before, part.after, part.quantiles, part.loss) == (None, None, None, None)
    assert (found.pairs[0].correlation_before, found.pairs[0].correlation_after) == (None, None)
    assert found.columns[1].before is not None
    fewer = report_utility(table, read(pa.table({"pay": pay[1:], "age": age[1:]})))
    assert fewer.columns[0].before is None
