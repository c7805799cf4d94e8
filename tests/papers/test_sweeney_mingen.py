"""[Sweeney2001]_, sec. 5.5: MinGen at the level of columns on figure 27."""

from __future__ import annotations

import pytest

from discreet.algorithms import Optimal, Solution
from discreet.measures import Precision, WeightedPrecision
from tests.papers.sweeney import FIGURE_27, FIGURES_28_AND_29, problem


def mingen(k: int, **more) -> Solution:
    return Optimal()(problem(FIGURE_27, FIGURES_28_AND_29, k, **more))


def test_for_k_2_the_minimal_distortion_is_gt_0_1() -> None:
    found = mingen(2, measure=Precision())
    assert found.node == (0, 1)
    assert found.search.proven
    assert found.measures["precision"] == pytest.approx(1 - 1 / 6)


@pytest.mark.parametrize(
    ("prefer", "node"),
    [
        pytest.param(["ethnicity"], (0, 1), id="sec. 5.5.1, GT[0,1] preferred"),
        pytest.param(["zip"], (1, 0), id="sec. 5.5.1, GT[1,0] preferred"),
    ],
)
def test_with_equation_3_two_tables_tie_and_the_data_holder_chooses(prefer, node) -> None:
    found = mingen(2, measure=WeightedPrecision("height"), prefer=prefer)
    assert found.node == node
    assert found.measures["weighted_precision"] == pytest.approx(0.8)
    assert found.search.proven


def test_without_a_preference_the_first_column_stays_finest() -> None:
    assert mingen(2, measure=WeightedPrecision("height")).node == (0, 1)


def test_a_preference_does_not_beat_a_better_score() -> None:
    assert mingen(2, measure=Precision(), prefer=["zip"]).node == (0, 1)


def test_a_table_that_satisfies_k_is_its_own_minimal_distortion() -> None:
    """Fig. 31, step 1."""
    found = mingen(1, measure=Precision())
    assert found.node == (0, 0)
    assert found.measures["precision"] == 1


@pytest.mark.parametrize("k", range(1, 13))
@pytest.mark.parametrize("measure", [Precision(), WeightedPrecision("height")])
def test_the_answer_is_the_best_of_all_nodes(k: int, measure) -> None:
    tables = problem(FIGURE_27, FIGURES_28_AND_29, k, measure=measure)
    scores = [
        tables.score(measure, groups, groups.rows * 0)
        for groups in map(tables.counter.groups, tables.lattice)
        if groups.rows.min() >= k
    ]
    assert Optimal()(tables).measures[measure.name] == pytest.approx(
        measure.convert_score(min(scores))
    )
