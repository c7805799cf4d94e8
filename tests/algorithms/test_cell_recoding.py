"""Releases that decide cell by cell: how they are counted and measured."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search, build_cell_solution
from discreet.errors import InternalError
from tests.papers import sweeney

GT1 = [(0, 1), (4, 5), (10, 11), (2, 3, 7), (6, 8, 9)]
"""The clusters of figure 35, rows counted from 0."""

UNKNOWN = Search(False, None, 0, 0)


def people(k: int = 2, **more: object) -> Problem:
    return sweeney.problem(sweeney.FIGURE_34, sweeney.FIGURE_33, k, measure="precision", **more)


def common_levels(problem: Problem, clusters: list[tuple[int, ...]]) -> np.ndarray:
    """The lowest levels at which the rows of each cluster look alike; tuples stand as rows do."""
    levels = np.zeros((len(problem.frequency), len(problem.lattice.hierarchies)), dtype=np.int64)
    for cluster in clusters:
        rows = list(cluster)
        for c, hierarchy in enumerate(problem.lattice.hierarchies):
            codes = problem.frequency.codes[c][rows]
            alike = [len(set(codes_at[codes].tolist())) == 1 for codes_at in hierarchy.maps]
            levels[rows, c] = alike.index(True)
    return levels


def at(problem: Problem, levels: np.ndarray, **more: object) -> CellRecoding:
    return recode_at_levels(problem, levels, **more)  # type: ignore[arg-type]


def test_gt1_of_figure_35_has_the_printed_precision() -> None:
    problem = people()
    solution = build_cell_solution(
        problem, "hand", at(problem, common_levels(problem, GT1)), UNKNOWN
    )
    assert round(solution.measures["precision"], 4) == 0.8271
    assert sorted(solution.class_sizes) == [2, 2, 2, 3, 3]
    assert solution.holds
    assert solution.levels == (None, 2, 0, None)


def test_a_suppressed_cell_costs_as_much_as_the_root() -> None:
    problem = people()
    levels = np.zeros((12, 4), dtype=np.int64)
    levels[0, 1] = 6
    solution = build_cell_solution(problem, "hand", at(problem, levels), UNKNOWN)
    assert solution.measures["precision"] == pytest.approx(1 - 1 / 48)
    assert solution.cells_suppressed == 1
    assert solution.levels == (0, 0, 0, 0)
    assert not solution.holds


def test_a_column_that_is_suppressed_everywhere_counts_as_a_column() -> None:
    problem = people()
    levels = np.zeros((12, 4), dtype=np.int64)
    levels[:, 1] = 5
    solution = build_cell_solution(problem, "hand", at(problem, levels), UNKNOWN)
    assert solution.cells_suppressed == 0
    assert solution.levels == (0, 5, 0, 0)


def test_rows_that_are_left_out_cost_everything() -> None:
    problem = people()
    kept = np.ones(12, dtype=np.bool_)
    kept[:3] = False
    solution = build_cell_solution(
        problem, "hand", at(problem, np.zeros((12, 4), dtype=np.int64), kept=kept), UNKNOWN
    )
    assert solution.suppressed == 3
    assert solution.measures["precision"] == pytest.approx(0.75)
    assert solution.class_sizes.sum() == 9


def test_classes_are_counted_by_what_is_released_not_by_level() -> None:
    """A blank and a root of one text look the same."""
    problem = people(k=12)
    levels = np.full((12, 4), 6, dtype=np.int64)
    levels[:, [0, 2]] = 3
    levels[:, 3] = 4
    levels[:5] = problem.lattice.top
    solution = build_cell_solution(problem, "hand", at(problem, levels), UNKNOWN)
    assert solution.class_sizes.tolist() == [12]


def test_every_row_is_accounted_for() -> None:
    problem = people()
    with pytest.raises(InternalError):
        at(
            problem,
            np.zeros((2, 4), dtype=np.int64),
            owner=np.array([0, 1]),
            rows=np.array([1, 1]),
        )


@pytest.mark.parametrize("measure", ["loss", "granularity", "non_uniform_entropy", "precision"])
def test_one_level_for_all_cells_measures_like_a_node(measure: str) -> None:
    from discreet.algorithms import Optimal

    problem = sweeney.problem(sweeney.FIGURE_34, sweeney.FIGURE_33, 2, measure=measure)
    best = Optimal()(problem)
    levels = np.tile(np.array(best.node), (12, 1))
    solution = build_cell_solution(problem, "hand", at(problem, levels), UNKNOWN)
    assert solution.measures == pytest.approx(dict(best.measures))
    assert sorted(solution.class_sizes) == sorted(best.class_sizes)
    assert solution.levels == best.node
