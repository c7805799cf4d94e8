"""Discernibility and average class size, worked out by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from discreet.measures import AverageClassSize, Discernibility
from tests.measures.hand import measured, town

LIMIT = 8


def test_discernibility_adds_the_squares_of_the_classes() -> None:
    """Classes of 2, 2, 1, 1, 1, 1 rows."""
    assert measured(Discernibility(), (0, 0)) == 4 + 4 + 1 + 1 + 1 + 1


def test_a_suppressed_row_cannot_be_told_from_any_row() -> None:
    assert measured(Discernibility(), (0, 0), below=2) == 4 + 4 + 4 * 8


def test_average_class_size_is_rows_over_classes() -> None:
    assert measured(AverageClassSize(), (0, 0)) == pytest.approx(8 / 6)


def test_average_class_size_leaves_suppressed_rows_out() -> None:
    assert measured(AverageClassSize(), (0, 0), below=2) == 2


@pytest.mark.parametrize("measure", [Discernibility(), AverageClassSize()], ids=lambda m: m.name)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_no_node_between_two_scores_below_the_floor(measure, k: int) -> None:
    tables = town()
    nodes = {node: tables.counter.groups(node).rows for node in tables.lattice}
    for low, high in product(nodes, nodes):
        between = [n for n in nodes if low <= n <= high and all(map(_within, low, n, high))]
        failing = nodes[high][nodes[high] < k]
        floor = measure.floor(nodes[low], failing, int(failing.sum()), LIMIT)
        for node in between:
            kept = nodes[node][nodes[node] >= k]
            assert floor <= measure.score(kept, 8 - int(kept.sum())) + 1e-9


def _within(low: int, level: int, high: int) -> bool:
    return low <= level <= high


def test_no_class_is_left_where_all_rows_are_suppressed() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert Discernibility().score(nothing, 8) == 64
    assert AverageClassSize().score(nothing, 8) == 8
