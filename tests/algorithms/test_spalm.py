"""SPALM against all nodes of the lattice, each judged by counting people and rows."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.algorithms import Optimal, Problem, Spalm, spalm
from discreet.algorithms.claims import UnreachableError
from discreet.errors import TooLargeError
from discreet.models import KAnonymity
from tests.algorithms.made import problem as made
from tests.algorithms.people import (
    Row,
    World,
    policy,
    presence,
    problem,
    world_problem,
    worlds,
    write,
)
from tests.properties.strategies import examples

TOL = 1e-9


def generalized(asked: Problem, row: Row, node: tuple[int, ...]) -> Row:
    """A row as it is released at a node."""
    cells = []
    for cell, hierarchy, level in zip(row, asked.lattice.hierarchies, node, strict=True):
        ground = hierarchy.labels[0].index(cell)
        cells.append(str(hierarchy.labels[level][hierarchy.maps[level][ground]]))
    return tuple(cells)


def left_out(asked: Problem, world: World, node: tuple[int, ...]) -> int | None:
    """Rows that a node leaves out; None if those who then fit no class are told apart."""
    public, private, low, high = world
    people = Counter(generalized(asked, row, node) for row in public)
    rows = Counter(generalized(asked, row, node) for row in private)
    kept = {box for box, n in rows.items() if low - TOL <= n / people[box] <= high + TOL}
    gone = sum(n for box, n in rows.items() if box not in kept)
    nobody = sum(n for box, n in people.items() if box not in kept)
    if nobody and not low - TOL <= gone / nobody <= high + TOL:
        return None
    return gone


def best(asked: Problem, world: World) -> float | None:
    """The best precision of all nodes."""
    heights = [hierarchy.height for hierarchy in asked.lattice.hierarchies]
    found: list[float] = []
    for node in product(*(range(height + 1) for height in heights)):
        gone = left_out(asked, world, node)
        if gone is None or gone > asked.limit:
            continue
        steps = sum(level / height for level, height in zip(node, heights, strict=True) if height)
        share = gone / len(world[1])
        found.append(1 - (share + (1 - share) * steps / len(heights)))
    return max(found, default=None)


@pytest.mark.parametrize("algorithm", [Spalm(), Optimal()], ids=["spalm", "optimal"])
@examples(25)
@given(world=worlds(), suppress=st.sampled_from([0.0, 0.0, 0.2, 0.5, 1.0]))
def test_no_node_is_better(algorithm: Any, world: World, suppress: float) -> None:
    asked = world_problem(world, suppress, "precision")
    expected = best(asked, world)
    if expected is None:
        with pytest.raises(UnreachableError):
            algorithm(asked)
        return
    found = algorithm(asked)
    assert found.measures["precision"] == pytest.approx(expected, abs=1e-9)
    assert found.suppressed == left_out(asked, world, found.node)
    assert all(verdict.holds for verdict in found.verdicts)
    assert found.search.proven


@examples(15)
@given(world=worlds(), suppress=st.sampled_from([0.0, 0.3, 1.0]))
def test_it_is_as_good_as_optimal_in_loss_and_in_class_sizes(world: World, suppress: float) -> None:
    for measure in ("loss", "discernibility"):
        asked = world_problem(world, suppress, measure)
        one, other = Spalm()(asked), Optimal()(asked)
        assert one.measures[measure] == pytest.approx(other.measures[measure], abs=1e-9)


@examples(25)
@given(world=worlds())
def test_a_node_above_one_that_holds_holds(world: World) -> None:
    """Theorem 1, by counting; without rows left out."""
    asked = world_problem(world)
    heights = asked.lattice.top
    holds = {
        node: left_out(asked, world, node) == 0
        for node in product(*(range(height + 1) for height in heights))
    }
    for node in holds:
        for column, level in enumerate(node):
            above = (*node[:column], level + 1, *node[column + 1 :])
            assert not holds[node] or holds.get(above, True)


def test_a_lattice_of_too_many_nodes_is_left_to_optimal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spalm, "LARGEST", 3)
    with pytest.raises(TooLargeError, match="Use the algorithm optimal"):
        Spalm()(made(["p q", "r s"], [KAnonymity(1)]))


def test_out_of_time_the_best_so_far_is_released(tmp_path: Path) -> None:
    public = [(age, "x1", "m") for age in "11223344"]
    path = write(tmp_path / "public.csv", public)
    asked = problem(public[::2], policy([presence(path, 0.5, 0.5)]))
    found = Spalm()(asked, seconds=0.0)
    assert all(verdict.holds for verdict in found.verdicts)
    assert not found.search.proven
    assert found.search.bound is None
