"""Motwani and Xu, section 3: all minimal keys and quasi-identifiers, table 1 and adult."""

from __future__ import annotations

import pytest

from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.minimal_sets import METHODS, Method, MinimalSets
from discreet.identification.keys.minimum_key import Measure
from discreet.identification.keys.separation import measure as measured
from discreet.table.read import read
from tests.shared_data import shared

TABLE_1 = CodedTable.of_codes(
    ["age", "sex", "state"], [[20, 30, 40, 20, 40], [0, 0, 0, 1, 1], [0, 0, 1, 2, 0]]
)


@pytest.fixture(scope="module")
def adult() -> CodedTable:
    """The table of the paper: without fnlwgt, with the class, duplicates removed."""
    table = read(shared("data", "adult", "adult.csv"))
    columns = [name for name in table.columns if name != "fnlwgt"]
    return CodedTable.of(table, columns, drop_duplicates=True)


def sets(search: MinimalSets, table: CodedTable) -> set[frozenset[str]]:
    return {frozenset(one.columns) for one in search(table).sets}


@pytest.mark.parametrize("method", METHODS)
def test_table_1_all_minimal_keys(method: Method) -> None:
    found = sets(MinimalSets(method=method), TABLE_1)
    assert found == {frozenset({"age", "state"}), frozenset({"age", "sex"})}


def test_table_1_quasi_identifiers() -> None:
    """Section 1.1: age is 0.6-distinct and 0.8-separation, {sex, state} 0.8 and 0.9."""
    assert frozenset({"age"}) in sets(MinimalSets("distinct", 0.6), TABLE_1)
    assert frozenset({"age"}) in sets(MinimalSets("separation", 0.8), TABLE_1)
    assert frozenset({"age"}) not in sets(MinimalSets("separation", 0.81), TABLE_1)
    pair = frozenset({"sex", "state"})
    assert pair in sets(MinimalSets("distinct", 0.8), TABLE_1)
    assert pair not in sets(MinimalSets("distinct", 0.81), TABLE_1)
    assert pair in sets(MinimalSets("separation", 0.9), TABLE_1)
    assert pair not in sets(MinimalSets("separation", 0.91), TABLE_1)


def test_adult_has_fourteen_columns(adult: CodedTable) -> None:
    assert len(adult.columns) == 14
    assert len(adult) + adult.duplicates_removed == 32_561


def test_adult_minimum_key_has_13_columns_and_there_are_two(adult: CodedTable) -> None:
    """Section 5.4 prints 13. The two keys differ in which of two twin columns they hold."""
    found = MinimalSets()(adult)
    assert found.exact
    assert [len(one.columns) for one in found.sets] == [13, 13]
    one, two = (set(one.columns) for one in found.sets)
    assert one ^ two == {"education", "education-num"}


def test_adult_no_part_of_a_key_is_a_key(adult: CodedTable) -> None:
    for found in MinimalSets()(adult).sets:
        assert measured(adult, found.columns).is_key
        for left_out in found.columns:
            rest = [name for name in found.columns if name != left_out]
            assert not measured(adult, rest).is_key


def test_adult_level_by_level_with_two_sub_tables_finds_the_same(adult: CodedTable) -> None:
    """Section 5.3: two sub-tables, each a tenth of the next, instead of 6,590 s of counting."""
    paper = MinimalSets(method="levelwise", samples=(len(adult) // 100, len(adult) // 10))
    assert sets(paper, adult) == sets(MinimalSets(), adult)


@pytest.mark.parametrize(
    ("measure", "beta"), [("distinct", 0.9), ("separation", 0.9), ("separation", 0.5)]
)
def test_adult_quasi_identifiers_survive_pruning(
    adult: CodedTable, measure: Measure, beta: float
) -> None:
    """Section 5.3, delta = 0.01: "always able to find all minimal quasi-identifiers"."""
    exact = MinimalSets(measure, beta)(adult)
    assert exact.exact
    assert len(exact.sets) > 10
    pruned = MinimalSets(measure, beta, samples=(300, 3000), delta=0.01)
    assert sets(pruned, adult) == {frozenset(one.columns) for one in exact.sets}
