"""l-diversity in its three kinds, on classes worked out by hand."""

from __future__ import annotations

import math

import pytest

from discreet.errors import ParameterError
from discreet.models import LDiversity
from tests.models.hand import COLUMN, classes


def distinct(ell: int) -> LDiversity:
    return LDiversity(COLUMN, ell)


def entropy(ell: float) -> LDiversity:
    return LDiversity(COLUMN, ell, "entropy")


def recursive(ell: int, c: float) -> LDiversity:
    return LDiversity(COLUMN, ell, "recursive", c=c)


def test_distinct_counts_different_values() -> None:
    assert distinct(2).fails(classes("aaa", "aab", "abc")).tolist() == [True, False, False]


def test_entropy_is_compared_with_the_logarithm_of_ell() -> None:
    """Three a and one b have entropy 0.562, of two evenly spread values 0.693."""
    found = entropy(2).judge_classes(classes("aaab", "aabbc"), ())
    assert found.measured == pytest.approx(math.exp(0.5623351446188083))
    assert (found.holds, found.rows_at_risk) == (False, 4)
    assert entropy(1.75).fails(classes("aaab", "aabbc")).tolist() == [False, False]


def test_entropy_asks_for_more_than_distinct_values() -> None:
    skewed = classes("aaaaaaaabc", "abc")
    assert not distinct(3).fails(skewed).any()
    assert entropy(3 - 1e-9).fails(skewed).tolist() == [True, False]


@pytest.mark.parametrize(
    ("c", "fails"),
    [
        pytest.param(2, True, id="4 < 2 * 2 is false"),
        pytest.param(2.1, False, id="4 < 2.1 * 2 is true"),
    ],
)
def test_recursive_compares_the_most_frequent_value_with_the_tail(c: float, fails: bool) -> None:
    """Counts 4, 2, 1, 1: for ell = 3 the tail is 2 rows."""
    assert recursive(3, c).fails(classes("aaaabbcd")).tolist() == [fails]


def test_recursive_with_ell_2_counts_all_but_the_most_frequent() -> None:
    assert recursive(2, 1).fails(classes("aabb", "aab", "aabbc")).tolist() == [True, True, False]


def test_recursive_fails_a_class_with_fewer_than_ell_values() -> None:
    found = recursive(3, 100).judge_classes(classes("ab"), ())
    assert (found.holds, found.measured) == (False, math.inf)
    assert found.facts()["measured"] is None


def test_the_verdict_measures_the_least_diverse_class() -> None:
    found = distinct(2).judge_classes(classes("abc", "aaab", "cc"), ("zip",))
    assert (found.holds, found.measured, found.limit, found.rows_at_risk) == (False, 1, 2, 2)
    assert COLUMN in found.note


def test_a_finer_node_keeps_nothing_of_a_class_with_too_few_values() -> None:
    assert distinct(2).count_keepable(classes("aaa", "aab")).tolist() == [0, 3]


def test_a_finer_node_keeps_all_of_a_class_that_passes() -> None:
    for model in (entropy(2), recursive(2, 2)):
        assert model.count_keepable(classes("aabb")).tolist() == [4]


def test_a_finer_node_can_keep_the_even_part_of_a_skewed_class() -> None:
    """Of five a and one b one each can be kept; the bound may be a little above, never below."""
    assert 2 <= entropy(2).count_keepable(classes("aaaaab"))[0] < 3


def test_only_distinct_fails_in_every_part_of_a_failing_class() -> None:
    hereditary = [model.hereditary for model in (distinct(2), entropy(2), recursive(2, 2))]
    assert hereditary == [True, False, False]


def test_a_class_has_at_least_as_many_rows_as_values() -> None:
    assert (distinct(3).least_rows, entropy(2.5).least_rows, recursive(4, 1).least_rows) == (
        3,
        3,
        4,
    )


@pytest.mark.parametrize(
    ("parameters", "key"),
    [
        ({"ell": 0}, "ell"),
        ({"ell": 2.5}, "ell"),
        ({"ell": "3"}, "ell"),
        ({"ell": math.nan}, "ell"),
        ({"ell": 0.5, "kind": "entropy"}, "ell"),
        ({"ell": 3, "kind": "deep"}, "kind"),
        ({"ell": 3, "kind": "recursive"}, "c"),
        ({"ell": 3, "kind": "recursive", "c": 0}, "c"),
        ({"ell": 3, "c": 2}, "c"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, key: str) -> None:
    with pytest.raises(ParameterError, match=f"l_diversity: '{key}' must be"):
        LDiversity(COLUMN, **parameters)
