"""k-Similar: what the thesis leaves open, tables that are too large, and k kept on any table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given

from discreet.algorithms import Problem
from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.exact.exact import Exact
from discreet.algorithms.k_similar.k_similar import (
    MOST_COMBINATIONS,
    KSimilar,
    clique_construct,
    k_similar_run,
)
from discreet.algorithms.k_similar.minimums import (
    Cluster,
    add_tuple,
    choose_disjoint,
    common_tuples,
    find_complements,
    generate_minimums,
    partition,
)
from discreet.errors import ParameterError, ReleaseError, TooLargeError
from discreet.measures import Precision, WeightedPrecision
from discreet.models import KAnonymity, LargestRisk, LDiversity
from tests.algorithms.made import problem
from tests.properties.strategies import Drawn, examples
from tests.properties.test_exact import protects, tables

STAR = ["p p p p", "q p p p", "p q p p", "p p q p"]
"""The first row differs from each other row in one column, and those from each other in two."""

EQUIDISTANT = ["q p p p p", "p q p p p", "p p q p p", "p p p q p", "p p p p q"]
TWO_STARS = [
    "p p p p p p p",
    "q p p p p p p",
    "p q p p p p p",
    "p p q p p p p",
    "p p p p p p q",
    "p p p q p p q",
    "p p p p q p q",
    "p p p p p q q",
]
"""Two rows, each the nearest of three others and of each other."""


def made(rows: list[str], k: int = 2, **more) -> Problem:
    return problem(rows, [KAnonymity(k)], **{"measure": Precision()} | more)


def clusters(rows: list[str], k: int = 2) -> list[Cluster]:
    clique = clique_construct(made(rows, k), np.arange(len(rows)))
    return k_similar_run(clique, tuple(range(len(rows))), k, lambda: None)


def minimals(rows: list[str], k: int = 2) -> list[Cluster]:
    clique = clique_construct(made(rows, k), np.arange(len(rows)))
    return generate_minimums(clique, tuple(range(len(rows))), k)


def test_a_row_common_to_all_minimals_is_held_aside_and_then_divides_the_others() -> None:
    """Fig. 88, step E, and fig. 95: two of the outer rows end together, one with the middle."""
    mins = minimals(STAR)
    assert mins == [(0, 1), (0, 2), (0, 3)]
    assert find_complements(mins) == []
    assert common_tuples(mins) == (0,)
    assert clusters(STAR) == [(2, 3), (0, 1)]


def test_a_row_held_aside_joins_a_cluster_that_cannot_be_divided() -> None:
    """Fig. 95 looks for a cluster of 2k rows with the withheld ones; here there is none."""
    rows = [f"{row} p" for row in STAR] + ["p p p p q"]
    assert common_tuples(minimals(rows)) == (0,)
    assert clusters(rows) == [(0, 1, 2), (3, 4)]


def test_a_group_of_minimals_without_a_common_row_is_divided() -> None:
    """Fig. 93 asserts that there is one, and would not end."""
    mins = minimals(TWO_STARS)
    group, others = partition(mins)
    assert len(group) == 7
    assert others == []
    assert find_complements(mins) == []
    assert common_tuples(group) == ()
    found = clusters(TWO_STARS)
    assert min(map(len, found)) >= 2
    assert sorted(row for cluster in found for row in cluster) == list(range(8))


def test_complementary_minimums_that_share_rows_are_not_both_released() -> None:
    """All pairs of four rows are equally far apart: all six are complementary."""
    mins = minimals(EQUIDISTANT[:4])
    assert len(find_complements(mins)) == 6
    assert clusters(EQUIDISTANT[:4]) == [(0, 1), (2, 3)]


def test_complementary_minimums_leave_no_fewer_than_k_rows() -> None:
    assert choose_disjoint([(0, 1), (2, 3)], 5, 2) == [(0, 1)]
    assert choose_disjoint([(0, 1), (2, 3)], 4, 2) == [(0, 1), (2, 3)]
    assert clusters(EQUIDISTANT) == [(0, 1), (2, 3, 4)]


def test_minimals_that_join_through_a_later_one_are_one_partition() -> None:
    """Fig. 101 would leave the second behind."""
    assert partition([(0, 1), (2, 3), (1, 2), (7, 8)]) == ([(0, 1), (1, 2), (2, 3)], [(7, 8)])


def test_what_counts_for_a_withheld_row_is_how_much_distortion_rises() -> None:
    """Either cluster would cost the same afterwards, but the second has lost most of it before."""
    rows = ["p p p", "p p p", "q q q", "r r r", "s s s"]
    clique = clique_construct(made(rows, 2), np.array([0, 0, 1, 2, 3]))
    assert add_tuple(clique, (4,), [(0, 1), (2, 3)], 2) == [(0, 1), (2, 3, 4)]


def test_the_exact_variant_is_never_worse() -> None:
    for rows in (STAR, EQUIDISTANT, TWO_STARS):
        published, best = KSimilar()(made(rows)), KSimilar("exact")(made(rows))
        assert best.algorithm == "exact"
        assert best.measures["precision"] >= published.measures["precision"] - 1e-12


def test_rows_that_are_alike_count_one_by_one() -> None:
    found = KSimilar()(made(["p", "p", "p", "q", "q"]))
    assert found.class_sizes.tolist() == [3, 2]
    assert found.measures["precision"] == 1


def test_a_heavier_column_stays_finer() -> None:
    rows = ["p p", "p q", "q p", "q q"]
    for weights, levels in (([3, 1], (0, 1)), ([1, 3], (1, 0))):
        tables = made(rows, weights=weights, measure=WeightedPrecision())
        assert KSimilar()(tables).levels == levels


def test_largest_risk_is_a_class_size() -> None:
    tables = problem(EQUIDISTANT, [LargestRisk(0.25)], measure=Precision())
    assert KSimilar()(tables).class_sizes.tolist() == [5]


@pytest.mark.parametrize(("k", "most"), [(2, 200), (3, 50), (4, 27)])
def test_a_table_that_is_too_large_is_refused_with_the_size_that_is_not(k: int, most: int) -> None:
    assert math.comb(most, k) <= MOST_COMBINATIONS < math.comb(most + 1, k)
    rows = [f"{number % 3} {number % 5}" for number in range(most + 1)]
    with pytest.raises(TooLargeError, match=rf"k-similar can do {most}\. .* local"):
        KSimilar()(made(rows, k))


def test_other_promises_and_variants_are_refused_by_name() -> None:
    with pytest.raises(ParameterError, match="variant"):
        KSimilar("best")
    tables = problem(["p 1", "q 1"], [LDiversity("b", 1)], sensitive="b")
    with pytest.raises(ReleaseError, match="k-similar cannot promise l_diversity"):
        KSimilar()(tables)


def test_fewer_rows_than_k_are_refused_or_all_left_out() -> None:
    """Fig. 92, step 2."""
    with pytest.raises(UnreachableError):
        KSimilar()(made(STAR, k=5))
    assert KSimilar()(made(STAR, k=5, suppress=1)).suppressed == 4


def test_the_work_can_be_stopped() -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        KSimilar()(made(STAR), progress=stop)


@examples(150)
@given(drawn=tables(measures=(Precision(),), most_rows=14))
def test_every_class_has_k_rows_on_any_table_and_exact_is_as_good(drawn: Drawn) -> None:
    assume(drawn.case.models[0].k <= drawn.case.rows)
    found = KSimilar()(drawn.problem())
    protects(drawn, found)
    assert found.suppressed == 0
    best = Exact()(drawn.problem())
    assert best.measures["precision"] >= found.measures["precision"] - 1e-9
    bound = found.search.bound
    assert bound is None or bound >= best.measures["precision"] - 1e-9
