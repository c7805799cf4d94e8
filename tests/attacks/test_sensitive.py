"""What classes tell of sensitive values."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attacks.homogeneity import Homogeneity
from discreet.attacks.skewness import Skewness
from tests.attacks.made import table
from tests.properties.strategies import examples

rows = st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("xyz")), min_size=1, max_size=9)


@examples(20)
@given(rows)
def test_classes_with_one_value_are_found_and_no_others(drawn: list[tuple[str, str]]) -> None:
    classes = defaultdict(set)
    for code, ill in drawn:
        classes[code].add(ill)
    found = Homogeneity(("zip",), ("ill",))(table("zip ill", drawn))
    if len({ill for _, ill in drawn}) == 1:
        assert not found.applies
        return
    if len({ill for _, ill in drawn}) == len(drawn):
        assert not found.applies
        return
    planted = tuple(n for n, row in enumerate(drawn, start=1) if len(classes[row[0]]) == 1)
    assert found.rows == planted


def test_homogeneity_counts_only_where_diversity_is_promised() -> None:
    release = table("zip ill", "1 flu, 1 flu, 2 flu, 2 gout")
    assert Homogeneity(("zip",), ("ill",), promised=("ill",))(release).breaks
    found = Homogeneity(("zip",), ("ill",), promised=())(release)
    assert (found.succeeds, found.breaks) == (True, False)


@examples(20)
@given(rows)
def test_distance_is_the_sum_of_gains(drawn: list[tuple[str, str]]) -> None:
    whole = Counter(ill for _, ill in drawn)
    distances = {}
    for code in {code for code, _ in drawn}:
        own = Counter(ill for other, ill in drawn if other == code)
        distances[code] = sum(
            max(0, own[ill] / own.total() - whole[ill] / whole.total()) for ill in whole
        )
    found = Skewness(("zip",), ("ill",), promised={"ill": 0.3})(table("zip ill", drawn))
    facts = found.found["columns"]["ill"]
    assert facts["largest_distance"] == pytest.approx(max(distances.values()))
    planted = tuple(n for n, row in enumerate(drawn, 1) if distances[row[0]] > 0.3 + 1e-9)
    assert found.rows == planted


DIFFERENT = ", ".join(f"{n // 4} {'flu' if n % 3 else 'gout'} {n}" for n in range(24))


@pytest.mark.parametrize("attack", [Homogeneity, Skewness])
def test_a_column_in_which_every_value_is_different_is_not_judged(attack: Any) -> None:
    release = table("zip ill pay", DIFFERENT)
    alone = attack(("zip",), ("pay",))(release)
    assert not alone.applies
    assert alone.note == "not judged, since every value is different: pay"
    both = attack(("zip",), ("ill", "pay"))(release)
    assert set(both.found["columns"]) == {"ill"}
    assert both.found["columns_not_judged"] == ["pay"]
    assert "not judged, since every value is different: pay" in both.note


def test_a_promise_about_different_values_is_judged_to_the_letter() -> None:
    release = table("zip ill pay", DIFFERENT)
    far = Skewness(("zip",), ("pay",), promised={"pay": 0.5})(release)
    assert far.breaks and far.rows_exposed == 24
    alone = table("zip pay", "1 10, 1 20, 2 30")
    assert Homogeneity(("zip",), ("pay",), promised=("pay",))(alone).rows == (3,)


def test_nearly_all_values_different_is_skewed_by_the_others_alone() -> None:
    """Two rows of 24 share a value; what sets their class apart is counted, and no other class."""
    pays = [str(n) for n in range(24)]
    pays[1] = pays[0]
    release = table("zip pay", ", ".join(f"{n // 4} {pay}" for n, pay in enumerate(pays)))
    found = Skewness(("zip",), ("pay",))(release)
    assert found.rows == (1, 2, 3, 4)
    assert found.found["columns"]["pay"]["largest_gain"] == pytest.approx(0.5 - 2 / 24)


def test_the_private_table_is_what_was_believed_before() -> None:
    release = table("zip ill", "1 flu, 1 gout")
    private = table("zip ill", "1 flu, 1 gout, 2 flu, 2 flu")
    facts = Skewness(("zip",), ("ill",))(release, private).found["columns"]["ill"]
    assert (facts["largest_gain"], facts["largest_ratio"]) == (0.25, 2.0)


def test_skewness_counts_only_where_closeness_is_promised() -> None:
    release = table("zip ill", "1 flu, 1 flu, 2 gout, 2 gout")
    assert Skewness(("zip",), ("ill",), promised={"ill": 0.4})(release).breaks
    assert not Skewness(("zip",), ("ill",), promised={"ill": 0.5})(release).succeeds
    assert not Skewness(("zip",), ("ill",), promised={})(release).breaks
