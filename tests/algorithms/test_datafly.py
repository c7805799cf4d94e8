"""Datafly: what the papers' examples do not show."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.algorithms import Datafly
from discreet.algorithms.datafly import generalize
from discreet.errors import ParameterError
from discreet.hierarchy import Intervals, Prefix
from discreet.models import KAnonymity, LDiversity, TCloseness
from tests.algorithms.made import problem

BUILDERS = {"a": Prefix([4, 3]), "b": Intervals([5, 10, 20])}


def rows(seed: int, number: int = 80) -> list[str]:
    random = np.random.default_rng(seed)
    zips, ages = random.geometric(0.02, number) % 200, random.binomial(60, 0.4, number)
    sexes, secrets = random.choice(list("mf-"), number), random.choice(list("xxyz"), number)
    cells = zip(zips, ages, sexes, secrets, strict=True)
    return [f"{2000 + z:05} {age} {sex} {secret}" for z, age, sex, secret in cells]


@pytest.mark.parametrize("heuristic", ["distinct", "minimal"])
@pytest.mark.parametrize(
    "models",
    [
        [KAnonymity(4)],
        [KAnonymity(3), LDiversity("d", 3)],
        [TCloseness("d", 0.3)],
        [KAnonymity(6, ("a",)), KAnonymity(4, ("b", "c"))],
        [KAnonymity(5, ("a",))],
    ],
    ids=str,
)
@pytest.mark.parametrize("suppress", [0, 0.1, 0.5])
@pytest.mark.parametrize("seed", range(3))
def test_every_promise_is_kept(heuristic, models, suppress: float, seed: int) -> None:
    more = {"sensitive": "d", "hierarchies": BUILDERS, "suppress": suppress}
    tables = problem(rows(seed), models, **more)
    found = Datafly(heuristic)(tables)
    assert all(verdict.holds for verdict in found.verdicts)
    assert found.suppressed <= tables.limit


def test_a_complement_does_not_break_a_promise_that_has_its_own_columns() -> None:
    """One row of y goes; two more of the three of x may not, or the third stands alone."""
    tables = problem(["x 1", "x 2", "x 3", "y 1"], [KAnonymity(3, ("a",))], suppress=1)
    found = Datafly()(tables)
    assert [verdict.holds for verdict in found.verdicts] == [True]


@pytest.mark.parametrize("seed", range(8))
def test_the_minimal_heuristic_ends_where_no_column_can_be_lowered(seed: int) -> None:
    tables = problem(rows(seed), [KAnonymity(4)], quasi="a b c", hierarchies=BUILDERS)
    node = Datafly("minimal")(tables).node
    for column, level in enumerate(node):
        lower = (*node[:column], level - 1, *node[column + 1 :])
        assert level == 0 or tables.counter.groups(lower).rows.min() < 4


def test_the_first_of_columns_with_equally_many_values_is_generalized() -> None:
    found = Datafly()(problem(["p x", "q y"], [KAnonymity(2)]))
    assert found.node == (1, 1)
    found = Datafly()(problem(["p x", "p y", "q x", "q y"], [KAnonymity(2)]))
    assert found.node == (1, 0)


def test_a_table_that_keeps_the_promises_is_left_alone() -> None:
    found = Datafly()(problem(["p", "p", "q", "q"], [KAnonymity(2)]))
    assert (found.node, found.suppressed, found.search.nodes_checked) == ((0,), 0, 1)


def test_an_unknown_heuristic_is_refused() -> None:
    with pytest.raises(ParameterError, match="'heuristic' must be one of distinct, minimal"):
        Datafly("best")


VARIED = ["1 x", "2 x", "3 y", "4 y"]


@pytest.mark.parametrize(
    ("weights", "node"), [((1, 1), (1, 0)), ((2, 2), (1, 0)), ((2, 1), (1, 1))]
)
def test_the_lightest_column_is_generalized_first_then_the_most_varied(
    weights: tuple[float, float], node: tuple[int, int]
) -> None:
    tables = problem(VARIED, [KAnonymity(2)], weights=weights)
    assert Datafly()(tables).node == node


def test_only_columns_of_a_quasi_identifier_that_fails_are_generalized() -> None:
    """The rare value of b fails; a, though lighter and more varied, has nothing to do with it."""
    rows = ["1 x", "1 x", "2 x", "2 x", "3 x", "3 y"]
    models = [KAnonymity(2, ("a",)), KAnonymity(2, ("b",))]
    assert Datafly()(problem(rows, models, weights=(1, 5))).node == (0, 1)


def test_where_several_fail_the_lightest_column_goes_first() -> None:
    rows = ["1 x", "1 x", "2 x", "3 y"]
    models = [KAnonymity(2, ("a",)), KAnonymity(2, ("b",))]
    tables = problem(rows, models, weights=(5, 1))
    assert generalize(tables, (0, 0)) == (0, 1)
    assert Datafly()(tables).node == (1, 1)
