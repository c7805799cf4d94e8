"""[Sweeney2001]_, sec. 5.3 and 5.4: number of generalizations, Prec, and weighted Prec."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measures import Measure, Precision, WeightedPrecision
from tests.papers.sweeney import (
    FIGURE_26,
    FIGURE_27,
    FIGURE_32,
    FIGURE_33,
    FIGURE_34,
    FIGURES_28_AND_29,
    problem,
)

TABLES = problem(FIGURE_27, FIGURES_28_AND_29, k=2)


def prec(node: tuple[int, ...], measure: Measure, dropped: int = 0) -> float:
    groups = TABLES.counter.groups(node)
    share = dropped / TABLES.total
    score = TABLES.score(measure, groups, (groups.rows * share).astype(np.int64))
    return measure.convert_score(score)


@pytest.mark.parametrize(
    ("node", "printed"),
    [
        pytest.param((1, 0), 0.75, id="sec. 5.4, GT[1,0]"),
        pytest.param((1, 1), 0.58, id="sec. 5.4, GT[1,1]"),
        pytest.param((0, 2), 0.67, id="sec. 5.4, GT[0,2]"),
        pytest.param((0, 1), 0.83, id="sec. 5.4, GT[0,1]"),
    ],
)
def test_precision_is_the_printed_one(node: tuple[int, ...], printed: float) -> None:
    assert round(prec(node, Precision()), 2) == printed


@pytest.mark.parametrize(
    ("node", "printed"),
    [
        pytest.param((1, 0), 0.8, id="sec. 5.4, equation 3, GT[1,0]"),
        pytest.param((1, 1), 0.6, id="sec. 5.4, equation 3, GT[1,1]"),
        pytest.param((0, 2), 0.6, id="sec. 5.4, equation 3, GT[0,2]"),
        pytest.param((0, 1), 0.8, id="sec. 5.4, equation 3, GT[0,1]"),
    ],
)
def test_precision_weighted_by_height_is_the_printed_one(
    node: tuple[int, ...], printed: float
) -> None:
    assert prec(node, WeightedPrecision("height")) == pytest.approx(printed, abs=1e-12)


@pytest.mark.parametrize("measure", [Precision(), WeightedPrecision("height")])
def test_the_private_table_has_precision_one(measure: Measure) -> None:
    assert prec(TABLES.lattice.bottom, measure) == 1


@pytest.mark.parametrize("measure", [Precision(), WeightedPrecision("height")])
def test_a_table_at_the_maximal_elements_has_precision_zero(measure: Measure) -> None:
    assert prec(TABLES.lattice.top, measure) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("node", [(0, 0), (1, 0), (0, 2)])
def test_a_table_with_all_rows_suppressed_has_precision_zero(node: tuple[int, ...]) -> None:
    assert prec(node, Precision(), dropped=TABLES.total) == pytest.approx(0, abs=1e-12)


def test_equal_weights_give_plain_precision() -> None:
    """Sec. 5.4: Prec is the special case where every weight is 1."""
    for node in TABLES.lattice:
        assert prec(node, WeightedPrecision()) == pytest.approx(prec(node, Precision()))


@pytest.mark.parametrize(
    ("rows", "builders", "nodes"),
    [
        pytest.param(FIGURE_27, FIGURE_26, 2 * 3, id="sec. 5.3, equation 1, figure 26"),
        pytest.param(FIGURE_27, FIGURES_28_AND_29, 3 * 4, id="equation 1, figures 28 and 29"),
        pytest.param(FIGURE_34, FIGURE_32, 2 * 5 * 2 * 3, id="equation 1, figure 32"),
        pytest.param(FIGURE_34, FIGURE_33, 3 * 6 * 3 * 4, id="equation 1, figure 33"),
    ],
)
def test_there_are_as_many_generalizations_as_equation_1_says(rows, builders, nodes) -> None:
    lattice = problem(rows, builders, k=2).lattice
    assert lattice.nodes == nodes == len(set(lattice))
