"""Motwani and Xu: table 1, the claims of section 1.1, and the lines of tables 2 to 4 on adult.

Their adult table is not printed; it is the one without fnlwgt, with the class, duplicates removed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyarrow import csv

from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.growing import Partition
from discreet.identification.keys.masking import Masking
from discreet.identification.keys.minimum_key import MinimumKey
from discreet.identification.keys.samples import distinct_key_rows
from discreet.identification.keys.separation import measure
from tests.shared_data import shared


@pytest.fixture(scope="module")
def table_1() -> CodedTable:
    return CodedTable.of(
        pa.table(
            {
                "age": [20, 30, 40, 20, 40],
                "sex": ["Female", "Female", "Female", "Male", "Male"],
                "state": ["CA", "CA", "TX", "NY", "CA"],
            }
        )
    )


@pytest.fixture(scope="module", params=["32,561 rows", "30,162 rows"])
def adult(request: pytest.FixtureRequest) -> CodedTable:
    rows = csv.read_csv(shared("data", "adult", "adult.csv"))
    if request.param == "30,162 rows":
        for name in rows.column_names:
            if pa.types.is_string(rows[name].type):
                rows = rows.filter(pc.not_equal(rows[name], "?"))
    assert f"{rows.num_rows:,} rows" == request.param
    return CodedTable.of(rows.drop_columns(["fnlwgt"]), drop_duplicates=True)


@pytest.mark.parametrize(
    ("columns", "distinct", "separation", "pairs"),
    [
        (["age"], 0.6, 0.8, 8),
        (["sex"], 0.4, 0.6, 6),
        (["state"], 0.6, 0.7, 7),
        (["sex", "state"], 0.8, 0.9, 9),
        (["age", "sex"], 1.0, 1.0, 10),
    ],
)
def test_ratios_of_table_1(
    table_1: CodedTable, columns: Sequence[str], distinct: float, separation: float, pairs: int
) -> None:
    found = measure(table_1, columns)
    assert (found.distinct_ratio, found.separation_ratio) == (distinct, separation)
    assert found.pairs - found.pairs_alike == pairs


def test_minimum_key_of_table_1_has_two_columns(table_1: CodedTable) -> None:
    for exact in (True, False):
        found = MinimumKey(exact=exact)(table_1)
        assert found.columns in {("age", "state"), ("age", "sex")}


def test_masking_of_table_1(table_1: CodedTable) -> None:
    for exact in (True, False):
        assert Masking("distinct", 0.8, exact=exact)(table_1).publish == ("sex", "state")
        assert len(Masking("separation", 0.8, exact=exact)(table_1).publish) == 1


def with_classes(sizes: Sequence[int]) -> Partition:
    column = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
    return Partition.whole(len(column)).refine(column, len(sizes))


def test_section_1_1_half_distinct_can_separate_0_99() -> None:
    found = with_classes([2] * 50)
    assert found.distinct == 50
    assert found.separation_ratio == 1 - 50 / 4950
    assert found.separation_ratio == pytest.approx(0.99, abs=2e-4)


def test_section_1_1_half_distinct_can_separate_less_than_the_printed_least() -> None:
    """Printed: 0.75, and never below 2 alpha - alpha**2. Both hold for many rows only."""
    found = with_classes([1] * 49 + [51])
    assert (found.rows, found.distinct) == (100, 50)
    assert found.separation_ratio == pytest.approx(0.74242, abs=1e-5)
    assert found.separation_ratio < 2 * 0.5 - 0.5**2
    many = with_classes([1] * 49_999 + [50_001])
    assert many.separation_ratio == pytest.approx(0.75, abs=1e-4)


def test_section_1_1_the_printed_most_is_a_little_too_much() -> None:
    """Printed: as large as 1 - 2 (1 - alpha) / n. Equal classes of two reach the most there is."""
    assert with_classes([2] * 50).separation_ratio < 1 - 2 * 0.5 / 100


def test_table_2_masking_half_distinct_publishes_12_columns(adult: CodedTable) -> None:
    found = Masking("distinct", 0.5)(adult)
    assert len(found.publish) == 12
    assert found.measured is not None
    assert found.measured.distinct_ratio <= 0.5
    assert Masking("distinct", 0.5, exact=True)(adult).weight == 12


def test_table_3_masking_separation_publishes_5_columns(adult: CodedTable) -> None:
    wanted = {"capital-loss", "capital-gain", "native-country", "race", "income"}
    assert set(Masking("separation", 0.8)(adult).publish) == wanted
    assert Masking("separation", 0.8, exact=True)(adult).weight == 5


@pytest.mark.parametrize("seed", range(3))
def test_table_3_so_does_a_sample_of_50_000_pairs(adult: CodedTable, seed: int) -> None:
    found = Masking("separation", 0.8, sample=50_000, seed=seed)(adult)
    assert len(found.publish) == 5
    assert found.measured is not None
    assert found.measured.separation_ratio <= 0.8


def test_table_4_the_minimum_key_has_13_columns_and_greedy_finds_it(adult: CodedTable) -> None:
    assert len(adult.columns) == 14
    assert len(MinimumKey()(adult).columns) == 13
    found = MinimumKey(exact=True)(adult)
    assert (found.exact, len(found.columns)) == (True, 13)


@pytest.mark.parametrize("seed", range(3))
def test_table_4_distinct_greedy(adult: CodedTable, seed: int) -> None:
    """Printed: 13 columns, ratio 1. Some draws of the smaller table do with 12."""
    found = MinimumKey("distinct", epsilon=0.1, delta=0.01, seed=seed)(adult)
    assert found.promise is not None
    assert found.promise.sampled == distinct_key_rows(14, len(adult), 0.1, 0.01) < 2800
    assert found.measured is not None
    assert found.measured.distinct_ratio >= 0.9
    assert len(found.columns) in {12, 13}


@pytest.mark.parametrize("seed", range(3))
def test_table_4_separation_greedy(adult: CodedTable, seed: int) -> None:
    """Printed: 5 columns, ratio 0.99995. The set depends on the draw; the promise is 0.999."""
    found = MinimumKey("separation", epsilon=0.001, delta=0.01, seed=seed)(adult)
    assert found.measured is not None
    assert found.measured.separation_ratio >= 0.999
    assert 4 <= len(found.columns) <= 6


def test_table_4_five_columns_separate_nearly_all_pairs(adult: CodedTable) -> None:
    five = ["age", "occupation", "hours-per-week", "education", "relationship"]
    assert measure(adult, five).separation_ratio == pytest.approx(0.99996, abs=1e-5)


def test_masking_of_table_1_publishes_what_section_1_1_calls_a_quasi_identifier(
    table_1: CodedTable,
) -> None:
    """The printed answer for 0.8-distinct is a 0.8-distinct quasi-identifier; strict has none."""
    printed = measure(table_1, ["sex", "state"])
    assert printed.distinct_ratio == 0.8
    for measured_by, largest in (("distinct", 0.6), ("separation", 0.7)):
        found = Masking(measured_by, 0.8, exact=True, strict=True)(table_1)  # type: ignore[arg-type]
        assert len(found.publish) == 1
        assert getattr(found.measured, f"{measured_by}_ratio") <= largest
