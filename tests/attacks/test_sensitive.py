"""What classes tell of sensitive values."""

from __future__ import annotations

from collections import Counter, defaultdict

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
    found = Skewness(("zip",), ("ill",), limit=0.3)(table("zip ill", drawn))
    facts = found.found["columns"]["ill"]
    assert facts["largest_distance"] == pytest.approx(max(distances.values()))
    planted = tuple(n for n, row in enumerate(drawn, 1) if distances[row[0]] > 0.3 + 1e-9)
    assert found.rows == planted


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
