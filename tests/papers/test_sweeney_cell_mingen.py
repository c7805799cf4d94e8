"""[Sweeney2001]_, sec. 5.5: MinGen at the level of cells on figure 34."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.algorithms import Problem
from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.exact.exact import Exact, all_optima
from discreet.algorithms.k_similar.k_similar import clique_construct
from discreet.measures import Precision
from tests.papers.sweeney import FIGURE_32, FIGURE_33, FIGURE_34, Builders, problem


def people(builders: Builders, k: int, **more) -> Problem:
    return problem([row[:4] for row in FIGURE_34], builders, k, measure=Precision(), **more)


def distortion(tables: Problem, prec: float) -> float:
    """Levels as shares of their heights, all cells added up."""
    return (1 - prec) * tables.total * len(tables.frequency.columns)


def clusters(recoding: CellRecoding) -> set[frozenset[int]]:
    """Rows that are released alike, by the numbers of the thesis."""
    found: dict[tuple[int, ...], set[int]] = {}
    for number, codes in enumerate(zip(*recoding.codes, strict=True), 1):
        found.setdefault(tuple(codes), set()).add(number)
    return {frozenset(rows) for rows in found.values()}


@pytest.mark.parametrize(
    ("builders", "prec", "total"),
    [
        pytest.param(FIGURE_33, 0.8486, 7.2667, id="heights of figure 33"),
        pytest.param(FIGURE_32, 0.7917, 10, id="heights of figure 32"),
    ],
)
def test_the_least_distortion_of_figure_34(builders, prec: float, total: float) -> None:
    tables = people(builders, 2)
    found = Exact()(tables)
    assert found.search.proven
    assert found.measures["precision"] == pytest.approx(prec, abs=5e-5)
    assert distortion(tables, found.measures["precision"]) == pytest.approx(total, abs=5e-5)
    assert found.search.bound == found.measures["precision"]
    assert found.class_sizes.tolist() == [2] * 6


@pytest.mark.parametrize(
    ("builders", "total"),
    [
        pytest.param(FIGURE_33, 8.3, id="heights of figure 33"),
        pytest.param(FIGURE_32, 12, id="heights of figure 32"),
    ],
)
def test_gt1_of_figure_35_is_not_the_least(builders, total: float) -> None:
    tables = people(builders, 2)
    clique = clique_construct(tables, np.arange(12))
    gt1 = [(0, 1), (4, 5), (10, 11), (2, 3, 7), (6, 8, 9)]
    assert sum(map(clique.distortion, gt1)) == pytest.approx(total)
    assert distortion(tables, Exact()(tables).measures["precision"]) < total - 1


@pytest.mark.parametrize("builders", [FIGURE_32, FIGURE_33], ids=["figure 32", "figure 33"])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_each_answer_is_proven(builders, k: int) -> None:
    found = Exact()(people(builders, k))
    assert found.search.proven
    assert found.class_sizes.min() >= k


def test_all_best_releases_of_figure_34_are_listed() -> None:
    tables = people(FIGURE_33, 2)
    found = [clusters(one) for one in all_optima(tables)]
    always = {frozenset(pair) for pair in [(1, 2), (5, 6), (11, 12)]}
    assert all(always <= one for one in found)
    printed = [{1, 2}, {3, 4}, {5, 6}, {7, 10}, {8, 9}, {11, 12}]
    assert {frozenset(rows) for rows in printed} in found
    assert len(found) == len({frozenset(one) for one in found})


@pytest.mark.parametrize("column", ["race", "birth", "sex", "zip"])
def test_of_all_best_releases_the_data_holder_prefers_one(column: str) -> None:
    """Fig. 31, step 2.3: preferred()."""
    place = list(FIGURE_32).index(column)
    found = Exact()(people(FIGURE_32, 2, prefer=[column])).recoding
    tables = people(FIGURE_32, 2)

    def risen(one: CellRecoding) -> int:
        values = one.values[place]
        return int(((values.start[None, :] <= one.codes[place][:, None]).sum(axis=1) - 1).sum())

    assert risen(found) == min(risen(one) for one in all_optima(tables))
