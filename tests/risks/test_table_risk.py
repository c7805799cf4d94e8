"""Prosecutor, journalist and marketer: counted, with a register, with weights, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError, RegisterError, SourceError
from discreet.frequency.count import Counted, count
from discreet.risks.journalist_risk import individual_risk
from discreet.risks.register import Register
from discreet.risks.table_risk import TableRisk, find_row_risk
from discreet.table.read import read

AGES = [30, 30, 30, 40, 40, 50]
TOWNS = list("aaabbc")


def counted(weight: Sequence[float] | None = None, **columns: Sequence[Any]) -> Counted:
    names = list(columns)
    more = {} if weight is None else {"weight": weight}
    table = read(pa.table({**columns, **more}))
    return count(table, names, weight=None if weight is None else "weight")


def test_the_three_intruders_by_hand() -> None:
    found = TableRisk(threshold=0.4)(counted(age=AGES, town=TOWNS).frequency)
    assert found.prosecutor.highest == 1.0
    assert found.prosecutor.average == pytest.approx(3 / 6)
    assert found.prosecutor.rows_at_risk == 3
    assert found.journalist.average == found.prosecutor.average
    assert "no population" in found.journalist.method
    assert found.marketer == pytest.approx(0.5)


def test_a_risk_just_at_the_threshold_is_not_above_it() -> None:
    found = TableRisk(threshold=0.2)(counted(age=[1] * 5 + [2] * 4).frequency)
    assert found.prosecutor.rows_at_risk == 4


def test_a_register_gives_the_journalist_by_hand() -> None:
    table = counted(age=AGES, town=TOWNS)
    people = counted(
        age=[40] * 4 + [30] * 10 + [50] * 1 + [60] * 5,
        town=["b"] * 4 + ["a"] * 10 + ["c"] + ["z"] * 5,
    )
    register = Register.of(table.frequency, people.frequency)
    found = TableRisk(threshold=0.2, k=5)(table.frequency, register)
    mean = (3 / 10 + 2 / 4 + 1 / 1) / 6
    assert found.marketer == pytest.approx(mean)
    assert found.journalist.average == pytest.approx(max(3 / 15, mean))
    assert found.journalist.highest == 1.0
    assert found.journalist.rows_at_risk == 3
    facts = found.facts()
    assert facts["population"]["size"] == 20
    assert facts["population"]["uniques"]["register"]["uniques"] == 1
    assert facts["population"]["k_map"][0]["rows_at_risk"] == 3
    assert facts["register"]["rows_unique_in_register"] == 1


def test_the_table_as_its_own_register_is_the_prosecutor() -> None:
    table = counted(age=AGES, town=TOWNS)
    found = TableRisk()(table.frequency, Register.of(table.frequency, table.frequency))
    assert found.journalist.average == pytest.approx(found.prosecutor.average)
    assert found.journalist.rows_at_risk == found.prosecutor.rows_at_risk


def test_rows_that_fit_nobody_by_hand() -> None:
    """Ten rows: 4 fit 8 people, 2 fit 2, 1 fits 1; 3 fit nobody.

    The marketer names 4/8 + 2/2 + 1/1 of ten rows. The journalist looks up the seven rows that fit
    somebody; picking a person and not a row he gets 3 classes of 11 people, which is less.
    """
    table = counted(age=[1] * 4 + [2] * 2 + [3] + [4] * 3)
    people = counted(age=[1] * 8 + [2] * 2 + [3] + [9] * 5)
    found = TableRisk()(table.frequency, Register.of(table.frequency, people.frequency))
    assert found.marketer == pytest.approx(2.5 / 10)
    assert found.journalist.average == pytest.approx(2.5 / 7)
    assert found.journalist.rows_at_risk == 3
    facts = found.facts()
    assert facts["expected_right"] == pytest.approx(2.5)
    assert facts["register"]["rows_not_found"] == 3
    assert facts["register"]["people_found"] == 11
    assert facts["register"]["values_found"] == {"age": {"values": 4, "found": 3}}


def test_the_journalist_may_pick_a_person_and_not_a_row() -> None:
    """Nine of ten rows fit 100 people each, one fits one: 2 classes of 101 people, or 1.09 / 10."""
    table = counted(age=[1] * 9 + [2])
    people = counted(age=[1] * 100 + [2])
    found = TableRisk()(table.frequency, Register.of(table.frequency, people.frequency))
    assert found.journalist.average == pytest.approx(1.09 / 10)
    table, people = counted(age=[1] * 9 + [2]), counted(age=[1] * 9 + [2] * 2)
    found = TableRisk()(table.frequency, Register.of(table.frequency, people.frequency))
    assert found.journalist.average == pytest.approx(2 / 11)
    assert found.marketer == pytest.approx(1.5 / 10)


def test_a_register_that_nobody_fits_is_refused_with_what_did_match() -> None:
    table = counted(age=["30-39", "40-49"], town=["secret", "b"])
    people = counted(age=["31", "42"], town=["b", "c"])
    with pytest.raises(RegisterError, match="age 0 of 2, town 1 of 2") as told:
        Register.of(table.frequency, people.frequency)
    assert "secret" not in str(told.value)


def test_missing_values_of_a_register_fit_missing_values() -> None:
    table = counted(age=[1, 1, 2], town=["a", None, "b"])
    people = counted(age=[1, 1, 9, 2], town=[None, "q", "a", "a"])
    register = Register.of(table.frequency, people.frequency)
    facts = TableRisk()(table.frequency, register).facts()
    assert facts["register"]["rows_not_found"] == 2
    assert facts["marketer"] == pytest.approx(1 / 3)


def test_a_register_with_fewer_people_than_rows_is_said_to_be_short() -> None:
    table, people = counted(age=[1, 1, 1, 2]), counted(age=[1, 2, 2])
    found = TableRisk()(table.frequency, Register.of(table.frequency, people.frequency))
    assert found.facts()["register"]["rows_more_than_people"] == 3
    assert found.marketer == pytest.approx((1 + 1 / 2) / 4)


def test_a_register_is_found_against_brute_force() -> None:
    random = np.random.default_rng(2)
    columns = {f"c{i}": random.integers(0, 4, 300).astype(str).tolist() for i in range(4)}
    others = {f"c{i}": random.integers(0, 5, 900).astype(str).tolist() for i in range(4)}
    table, people = counted(**columns), counted(**others)
    register = Register.of(table.frequency, people.frequency)
    seen = list(zip(*others.values(), strict=True))
    frequency = table.frequency
    for place in range(len(frequency)):
        own = tuple(
            frequency.values[name][codes[place]]
            for name, codes in zip(frequency.columns, frequency.codes, strict=True)
        )
        assert register.people[place] == seen.count(own)


def test_a_register_of_other_columns_is_refused() -> None:
    with pytest.raises(ParameterError, match="counted on the columns"):
        Register.of(counted(age=[1]).frequency, counted(town=["a"]).frequency)


def test_a_population_makes_the_risk_an_expectation() -> None:
    ages = [n // 15 for n in range(1500)]
    found = TableRisk(population=15_000)(counted(age=ages).frequency)
    assert found.journalist.method == "negative binomial"
    assert found.journalist.highest == pytest.approx(individual_risk(np.array([15]), 0.1)[0])
    assert found.marketer == pytest.approx(found.journalist.highest)
    assert found.facts()["population"]["sampling_fraction"] == pytest.approx(0.1)


def test_six_rows_of_sixty_people_do_not_decide_and_the_prosecutor_is_taken() -> None:
    found = TableRisk(population=60)(counted(age=AGES, town=TOWNS).frequency)
    assert found.journalist.average == found.prosecutor.average
    assert "as prosecutor, the most it can be: the sample allows" in found.journalist.method
    assert found.journalist.floor < found.journalist.ceiling <= found.prosecutor.average


def test_one_row_is_one_of_all_people_at_least() -> None:
    found = TableRisk(population=100)(counted(age=[1]).frequency)
    assert found.journalist.floor == pytest.approx(0.01)


def test_fine_columns_are_not_made_to_look_safe_by_a_large_population() -> None:
    """Every row is unique, and nothing says that anybody else in the population looks the same."""
    found = TableRisk(population=10**7)(counted(age=list(range(500))).frequency)
    assert found.journalist.average == found.prosecutor.average == 1.0
    assert found.marketer == 1.0
    assert found.journalist.method.startswith("as prosecutor, the most it can be")
    floor = found.facts()["journalist"]["floor"]
    assert 0 < floor < 0.01, "500 rows of ten million say next to nothing"


def test_equal_weights_are_the_same_as_a_population() -> None:
    weighed = TableRisk()(counted([10.0] * 6, age=AGES, town=TOWNS).frequency)
    plain = TableRisk(population=60)(counted(age=AGES, town=TOWNS).frequency)
    assert weighed.marketer == pytest.approx(plain.marketer)
    assert weighed.facts()["population"] == plain.facts()["population"]


def test_weights_that_differ_make_rare_people_safer_or_not_row_by_row() -> None:
    found = TableRisk()(counted([2, 3, 4, 50, 50, 1], age=AGES, town=TOWNS).frequency)
    expected = individual_risk(np.array([3, 2, 1]), np.array([3 / 9, 2 / 100, 1.0]))
    order = np.argsort(-found.class_rows)
    assert found.class_risk["journalist"][order] == pytest.approx(expected)
    estimates = found.facts()["population"]["uniques"]
    assert not any(one["applies"] for one in estimates.values())
    assert "unequal chances" in estimates["dankar"]["reason"]


def test_weights_that_differ_do_not_make_fine_columns_look_safe() -> None:
    weights = [20.0 + n % 7 for n in range(300)]
    found = TableRisk()(counted(weights, age=list(range(300))).frequency)
    assert found.journalist.average == 1.0
    assert "no model of the population fits" in found.journalist.method


def test_a_table_that_is_the_population_is_the_prosecutor() -> None:
    found = TableRisk(population=6)(counted(age=AGES, town=TOWNS).frequency)
    assert found.class_risk["journalist"] == pytest.approx(found.class_risk["prosecutor"])
    assert found.marketer == pytest.approx(found.prosecutor.average)


def test_weights_of_fewer_people_than_rows_are_refused() -> None:
    with pytest.raises(ParameterError, match="weight"):
        TableRisk()(counted([0.1] * 6, age=AGES, town=TOWNS).frequency)


def test_a_population_smaller_than_the_table_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least 6"):
        TableRisk(population=5)(counted(age=AGES).frequency)


@pytest.mark.parametrize("people", [10**11, 10**400])
def test_more_people_than_there_are_are_refused(people: int) -> None:
    with pytest.raises(ParameterError, match="at most 10,000,000,000"):
        TableRisk(population=people)(counted(age=AGES).frequency)


def test_bands_hold_every_row_once() -> None:
    facts = TableRisk()(counted(age=[1] * 120 + [2] * 7 + [3, 3, 4]).frequency).facts()
    bands = {band["from"]: band["rows"] for band in facts["rows_by_class_size"]}
    assert (bands[1], bands[2], bands[5], bands[100]) == (1, 2, 7, 120)
    assert sum(bands.values()) == facts["rows"]


@pytest.mark.parametrize("ages", [[7], [None, None, None], [1, 1, 1]])
def test_one_row_missing_values_and_equal_rows_have_an_answer(ages: list[int | None]) -> None:
    facts = TableRisk(population=100)(counted(age=pa.array(ages, pa.int64())).frequency).facts()
    assert facts["classes"] == 1
    assert facts["prosecutor"]["highest"] == pytest.approx(1 / len(ages))
    assert facts["uniques"] == (1 if len(ages) == 1 else 0)


def test_risk_row_by_row_is_in_the_order_of_the_file() -> None:
    table = read(pa.table({"age": [50, 30, 40, 30, 40, 30]}))
    known = count(table, ["age"])
    found = TableRisk()(known.frequency)
    risk = find_row_risk(table, known, found.class_risk["prosecutor"])
    assert risk == pytest.approx([1, 1 / 3, 1 / 2, 1 / 3, 1 / 2, 1 / 3])
    assert risk.mean() == pytest.approx(found.prosecutor.average)


def test_a_table_that_changed_between_the_passes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age\n1\n2\n")
    table = read(path)
    known = count(table, ["age"])
    path.write_text("age\n1\n3\n")
    with pytest.raises(SourceError, match="changed while it was being read"):
        find_row_risk(table, known, np.ones(2))
