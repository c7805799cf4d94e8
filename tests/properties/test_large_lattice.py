"""What is used on lattices too large to search through: bounds stay below, answers get better."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from discreet.algorithms.optimal.bounds import ColumnBound
from discreet.algorithms.optimal.box_search import BoxSearch, descend
from discreet.algorithms.optimal.optimal import ColumnGroups, improve, search_large
from tests.algorithms.made import problem
from tests.properties.strategies import Drawn, cases, examples

SECONDS = 20.0
ROUNDING = 1e-9


@pytest.mark.parametrize("measure", ["loss", "granularity", "precision", "non_uniform_entropy"])
@pytest.mark.parametrize("suppress", [0, 0.05, 0.3])
@pytest.mark.parametrize("seed", range(6))
def test_groups_of_columns_never_cost_more_than_any_allowed_node(
    seed: int, suppress: float, measure: str
) -> None:
    random = np.random.default_rng(seed)
    cells = random.integers(0, 2, (4, 3, 60)) + 10 * random.integers(0, 2, (4, 3, 60))
    rows = [" ".join("".join(map(str, cell)) for cell in row) for row in np.moveaxis(cells, 2, 0)]
    levels = {name: {"prefix": [4, 2, 1]} for name in "abcd"}
    tables = problem(
        rows,
        [{"k_anonymity": {"k": 2 + seed % 3}}],
        hierarchies=levels,
        suppress=suppress,
        measure=measure,
    )
    groups = ColumnGroups(tables)
    groups.search(SECONDS)
    assert groups.floors and tables.cost is not None
    scores = [a.score for a in map(tables.attempt, tables.lattice) if a.score is not None]
    bound = ColumnBound(tables, tables.cost, groups.floors)
    least = bound(tables.lattice.bottom, tables.attempt(tables.lattice.top))
    assert 0 < least <= min(scores) + ROUNDING
    assert sum(floor.columns.astype(int) for floor in groups.floors).tolist() == [1] * 4


@examples(50)
@given(drawn=cases())
def test_searching_around_a_node_ends_at_one_that_is_no_worse(drawn: Drawn) -> None:
    tables = drawn.problem()
    start, _ = descend(tables, SECONDS)
    if start is None or start.score is None:
        return
    better, _ = improve(tables, start, SECONDS)
    assert better.score is not None and better.suppressed <= tables.limit
    assert better.score <= start.score + ROUNDING


@examples(50)
@given(drawn=cases())
def test_with_time_enough_the_large_search_proves_the_best_node(drawn: Drawn) -> None:
    tables = drawn.problem()
    exact, large = BoxSearch(tables).run(), search_large(tables, SECONDS)
    assert large.proven
    if exact.best is None:
        assert large.best is None
    else:
        assert large.best is not None
        assert large.best.score == pytest.approx(exact.best.score, abs=ROUNDING)
        assert large.bound == pytest.approx(exact.bound, abs=ROUNDING)
