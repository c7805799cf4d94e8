"""[Sweeney2001]_, sec. 5.3: k-minimal generalizations of figure 27, by trying every node."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import factorial, prod

import pytest

from discreet import anonymize
from discreet.algorithms import Datafly, Optimal
from discreet.algorithms.claims import UnreachableError
from discreet.errors import TooFewRowsError
from discreet.hierarchy.lattice import Node
from tests.papers.sweeney import (
    FIGURE_26,
    FIGURE_27,
    FIGURE_32,
    FIGURE_34,
    FIGURES_28_AND_29,
    policy,
    private_table,
    problem,
)

TABLES = problem(FIGURE_27, FIGURE_26, k=2)
STRATEGIES = {
    1: ((0, 0), (1, 0), (1, 1), (1, 2)),
    2: ((0, 0), (0, 1), (1, 1), (1, 2)),
    3: ((0, 0), (0, 1), (0, 2), (1, 2)),
}
"""Figure 30: the ways from the private table to the top."""


def smallest_class(node: Node) -> int:
    return int(TABLES.counter.groups(node).rows.min())


def minimal(k: int) -> set[Node]:
    """The nodes that satisfy k-anonymity and generalize no other node that does."""
    enough = [node for node in TABLES.lattice if smallest_class(node) >= k]
    return {
        node
        for node in enough
        if not any(
            other != node and all(a <= b for a, b in zip(other, node, strict=True))
            for other in enough
        )
    }


def strategies(top: Node) -> set[tuple[Node, ...]]:
    """Every path that raises one column at a time."""
    steps = [column for column, height in enumerate(top) for _ in range(height)]

    def walk(order: tuple[int, ...]) -> Iterator[Node]:
        node = [0] * len(top)
        yield tuple(node)
        for column in order:
            node[column] += 1
            yield tuple(node)

    return {tuple(walk(order)) for order in set(permutations(steps))}


@pytest.mark.parametrize(
    ("node", "largest_k"),
    [
        pytest.param((0, 1), 2, id="sec. 5.3, GT[0,1]"),
        pytest.param((1, 0), 3, id="sec. 5.3, GT[1,0]"),
        pytest.param((0, 2), 4, id="sec. 5.3, GT[0,2]"),
        pytest.param((1, 1), 6, id="sec. 5.3, GT[1,1]"),
    ],
)
def test_a_generalization_satisfies_the_printed_k(node: Node, largest_k: int) -> None:
    assert smallest_class(node) == largest_k


def test_for_k_2_the_minimal_generalizations_are_the_printed_two() -> None:
    assert minimal(2) == {(0, 1), (1, 0)}


def test_for_k_3_gt_1_1_is_not_minimal() -> None:
    assert minimal(3) == {(1, 0), (0, 2)}


def test_for_k_1_the_private_table_is_its_own_minimal_generalization() -> None:
    assert minimal(1) == {(0, 0)}


@pytest.mark.parametrize(
    ("k", "strategy", "expected"),
    [
        pytest.param(k, strategy, node, id=f"theorem 5, k={k}, strategy {strategy}")
        for k, nodes in {3: [(1, 0), (1, 1), (0, 2)], 2: [(1, 0), (0, 1), (0, 1)]}.items()
        for strategy, node in zip(STRATEGIES, nodes, strict=True)
    ],
)
def test_each_strategy_has_the_printed_local_minimum(k: int, strategy: int, expected: Node) -> None:
    found = next(node for node in STRATEGIES[strategy] if smallest_class(node) >= k)
    assert found == expected


@pytest.mark.parametrize("k", range(1, 13))
def test_every_minimal_generalization_is_a_local_minimum_of_some_strategy(k: int) -> None:
    """Theorem 5."""
    local = {
        next(node for node in strategy if smallest_class(node) >= k)
        for strategy in STRATEGIES.values()
    }
    assert minimal(k) <= local


def test_figure_30_has_three_strategies() -> None:
    assert strategies(TABLES.lattice.top) == set(STRATEGIES.values())


@pytest.mark.parametrize(
    ("rows", "builders"),
    [
        pytest.param(FIGURE_27, FIGURE_26, id="theorem 4, figure 26"),
        pytest.param(FIGURE_27, FIGURES_28_AND_29, id="theorem 4, figures 28 and 29"),
        pytest.param(FIGURE_34, FIGURE_32, id="theorem 4, figure 32"),
    ],
)
def test_there_are_as_many_strategies_as_theorem_4_says(rows, builders) -> None:
    """The factorial of the numerator is lost in the text."""
    top = problem(rows, builders, k=2).lattice.top
    assert len(strategies(top)) == factorial(sum(top)) // prod(map(factorial, top))


def test_with_as_many_rows_as_k_there_is_a_generalization() -> None:
    """Theorem 2, first half."""
    found = Optimal()(problem(FIGURE_27, FIGURE_26, k=12))
    assert found.node == TABLES.lattice.top


@pytest.mark.parametrize("algorithm", [Optimal(), Datafly()], ids=lambda a: a.name)
def test_with_fewer_rows_than_k_no_algorithm_finds_a_release(algorithm) -> None:
    """Theorem 2, second half."""
    with pytest.raises(UnreachableError):
        algorithm(problem(FIGURE_27, FIGURE_26, k=13))


def test_with_fewer_rows_than_k_the_table_is_refused_before_any_search() -> None:
    table = private_table(FIGURE_26, FIGURE_27)
    with pytest.raises(TooFewRowsError, match="12 rows, fewer than k = 13"):
        anonymize(table, policy(FIGURE_26, k=13))
