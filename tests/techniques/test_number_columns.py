"""What all techniques on numbers share: kinds of columns, types, missing values, one seed."""

from __future__ import annotations

import decimal

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import EmptyTableError, ParameterError, TechniqueError, UnknownColumnError
from discreet.table.read import read
from discreet.techniques.microaggregate import Microaggregate
from discreet.techniques.noise import Noise, Perturb
from discreet.techniques.number_columns import find_missing_patterns
from discreet.techniques.outliers_to_median import OutliersToMedian
from discreet.techniques.round_values import RoundValues
from discreet.techniques.technique import Technique
from discreet.techniques.top_code import BottomCode, TopCode
from tests.techniques.made_numbers import column, kind, made, table


def all_of(*columns: str) -> list[Technique]:
    return [
        Noise(columns, 0.01),
        Perturb(columns),
        RoundValues(columns, 5, "random"),
        TopCode(columns, quantile=0.9),
        BottomCode(columns, quantile=0.1),
        OutliersToMedian(columns),
        Microaggregate(columns, 3),
    ]


each = pytest.mark.parametrize("technique", all_of("x"), ids=lambda t: t.name)


@each
def test_a_technique_says_what_it_is(technique: Technique) -> None:
    assert technique.protection in ("null-map", "wrong-map", "k-map")
    assert technique.keeps.endswith(".")


@each
@pytest.mark.parametrize("bad", [(), ("x", "x"), "x", (1,)])
def test_columns_must_be_a_tuple_of_names(technique: Technique, bad: object) -> None:
    with pytest.raises(ParameterError, match="columns"):
        type(technique)(**{**vars(technique), "columns": bad})


@each
def test_an_unknown_column_is_named(technique: Technique) -> None:
    with pytest.raises(UnknownColumnError, match="'x'"):
        technique(table(y=[1, 2]), 1)


@each
@pytest.mark.parametrize(
    "cells",
    [["secretword", "b"], ["02138", "02139"], [True, False], [float("inf"), 1.0], [None, None],
     [2**60, 1], ["nan", "1"], [b"1", b"2"]],
    ids=["words", "codes", "booleans", "infinite", "none", "identifiers", "nan", "bytes"],
)  # fmt: skip
def test_a_column_of_the_wrong_kind_is_refused_without_a_value(
    technique: Technique, cells: list[object]
) -> None:
    with pytest.raises(TechniqueError, match="column 'x'") as raised:
        technique(table(x=cells), 1)
    assert "secretword" not in str(raised.value) and "02138" not in str(raised.value)


@each
def test_an_empty_table_is_refused(technique: Technique) -> None:
    with pytest.raises(EmptyTableError):
        technique(table(x=pa.array([], pa.int64())), 1)


@each
def test_missing_values_stay_missing_and_are_told(technique: Technique) -> None:
    cells = [float(n) for n in range(20)]
    given = table(x=[*cells, None, None, None], y=["a"] * 23)
    released = technique(given, 1)
    assert [cell is None for cell in column(released, "x")] == [False] * 20 + [True] * 3
    assert any("3 missing values of 'x' stay missing" in notice for notice in released.notices)
    assert column(released, "y") == ["a"] * 23
    assert column(given, "x")[:20] == cells


@each
def test_text_stays_text_and_blanks_are_missing(technique: Technique) -> None:
    released = technique(table(x=[*map(str, range(20)), "", None, None]), 1)
    assert kind(released, "x") == "string"
    assert column(released, "x")[-3:] == [None, None, None]
    assert all(np.isfinite(float(cell)) for cell in column(released, "x")[:20])


@pytest.mark.parametrize("technique", all_of("age", "income"), ids=lambda t: t.name)
def test_one_seed_gives_one_release(technique: Technique) -> None:
    given = made(300)
    first, again = technique(given, 3), technique(given, 3)
    assert first.columns == given.columns
    assert column(first, "id") == column(given, "id")
    for name in ("age", "income"):
        assert column(first, name) == column(again, name)
    assert column(first, "income") != column(given, "income")


@pytest.mark.parametrize(
    "technique", [Noise(("x",)), Perturb(("x",)), RoundValues(("x",), 5, "random")]
)
def test_another_seed_gives_another_release(technique: Technique) -> None:
    given = table(x=[float(n) for n in range(50)])
    assert column(technique(given, 1), "x") != column(technique(given, 2), "x")


@pytest.mark.parametrize("type_", ["uint8", "int32", "float", "decimal128(6, 2)"])
def test_types_stay(type_: str) -> None:
    arrow = pa.decimal128(6, 2) if "decimal" in type_ else pa.type_for_alias(type_)
    cells = pa.array([decimal.Decimal(n) for n in range(40, 60)], pa.decimal128(6, 2)).cast(arrow)
    for technique in all_of("x"):
        released = technique(read(pa.table({"x": cells})), 1)
        exact = technique.name in ("perturb", "microaggregate")
        assert kind(released, "x") == ("double" if exact else type_)


def test_narrow_floating_point_numbers_do_not_become_infinite() -> None:
    cells = pa.array([3e38, -3e38] * 10, pa.float32())
    with pytest.raises(TechniqueError, match=r"type \(float\) cannot hold"):
        Noise(("x",), 1)(table(x=cells), 1)


@each
def test_numbers_too_large_to_compute_with_are_refused(technique: Technique) -> None:
    with pytest.raises(TechniqueError, match="beyond 1e\\+150"):
        technique(table(x=[1e308, 1.1e308, 1e200] * 5), 1)


@pytest.mark.parametrize("huge", [10**400, -(10**400)])
def test_a_parameter_beyond_all_numbers_is_refused(huge: int) -> None:
    for make in (
        lambda: Noise(("x",), huge),
        lambda: Noise(("x",), domain={"x": (huge, None)}),
        lambda: RoundValues(("x",), huge),
        lambda: TopCode(("x",), at=huge),
    ):
        with pytest.raises(ParameterError):
            make()


def test_numbers_that_the_type_cannot_hold_are_refused() -> None:
    with pytest.raises(TechniqueError, match="uint8"):
        Noise(("x",), 1)(table(x=pa.array(range(20), pa.uint8())), 1)


@pytest.mark.parametrize("technique", [TopCode(("x",), at=9), OutliersToMedian(("x",), 3)])
def test_text_that_is_not_changed_stays_as_it_is_written(technique: Technique) -> None:
    written = ["1.50", "2.250", "3.0", "4.00", "5.5", "90"]
    released = column(technique(table(x=written), 1), "x")
    assert released[:2] == written[:2]
    assert released[5] in ("9", "3")
    assert "3.0" not in released or released[5] != "3"


def test_patterns_of_missing_values_are_told_apart() -> None:
    missing = np.array([[0, 0], [1, 0], [0, 0], [0, 1], [1, 0]], bool)
    assert sorted(rows.tolist() for rows in find_missing_patterns(missing)) == [[0, 2], [1, 4], [3]]


@pytest.mark.parametrize(
    "technique", [Noise(("x",)), Perturb(("x",)), RoundValues(("x",), 5, "random")]
)
@pytest.mark.parametrize("seed", [-1, 0.5, "seven"])
def test_a_seed_that_makes_no_sense_is_refused(technique: Technique, seed: int) -> None:
    with pytest.raises(ParameterError, match="seed"):
        technique(table(x=[float(n) for n in range(9)]), seed)
