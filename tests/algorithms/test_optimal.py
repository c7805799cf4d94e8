"""The optimal algorithm: the best of all nodes, ties settled as stated, limits of time kept."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from discreet.algorithms import Optimal, Problem
from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.optimal.optimal import LARGE
from discreet.hierarchy import Intervals, Prefix
from discreet.measures import ALL, Loss, Precision
from discreet.models import (
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LargestRisk,
    LDiversity,
    SampleUniques,
    TCloseness,
)
from tests.algorithms.made import problem

BUILDERS = {"a": Prefix([4, 3]), "b": Intervals([5, 10, 20]), "c": None}
MODELS = (
    [KAnonymity(3)],
    [LargestRisk(0.2)],
    [KAnonymity(2), LDiversity("d", 2)],
    [LDiversity("d", 2.2, "entropy")],
    [LDiversity("d", 2, "recursive", c=1.5)],
    [TCloseness("d", 0.4)],
    [DeltaDisclosure("d", 1.2)],
    [BetaLikeness("d", 1)],
    [AverageRisk(0.3)],
    [SampleUniques(0.1)],
    [KAnonymity(3, ("a",)), KAnonymity(2, ("b", "c")), KAnonymity(5, ("c",))],
)


def rows(seed: int, number: int = 60) -> list[str]:
    random = np.random.default_rng(seed)
    zips, ages = random.geometric(0.02, number) % 200, random.binomial(60, 0.4, number)
    sexes, secrets = random.choice(list("mf-"), number), random.choice(list("xxyz"), number)
    cells = zip(zips, ages, sexes, secrets, strict=True)
    return [f"{2000 + z:05} {age} {sex} {secret}" for z, age, sex, secret in cells]


def every_key(tables: Problem) -> list[tuple]:
    """Score, preferred levels, suppressed rows and levels of all allowed nodes."""
    attempts = map(tables.attempt, tables.lattice)
    return [
        (round(a.score, 12), tuple(a.node[c] for c in tables.prefer), a.suppressed, a.node)
        for a in attempts
        if a.score is not None
    ]


@pytest.mark.parametrize("models", MODELS, ids=str)
@pytest.mark.parametrize("measure", [measure() for measure in ALL], ids=lambda m: m.name)
@pytest.mark.parametrize("suppress", [0, 0.1, 1])
def test_the_answer_is_first_among_all_nodes(models, measure, suppress: float) -> None:
    """Score first, then fewer suppressed rows, then lower levels in the order of the columns."""
    more = {"sensitive": "d", "hierarchies": BUILDERS, "measure": measure, "suppress": suppress}
    tables = problem(rows(1), models, **more)
    expected = every_key(tables)
    if not expected:
        with pytest.raises(UnreachableError):
            Optimal()(tables)
        return
    found = Optimal()(tables)
    assert (found.suppressed, found.node) == min(expected)[2:]
    assert found.search.proven
    assert found.search.bound == pytest.approx(found.measures[measure.name], abs=1e-9)


@pytest.mark.parametrize("prefer", [[], ["a"], ["b"], ["c"], ["c", "b"], ["b", "c", "a"]])
@pytest.mark.parametrize("seed", range(4))
def test_ties_are_settled_by_the_preferred_columns_first(prefer, seed: int) -> None:
    """Precision has many ties: heights are small whole numbers."""
    more = {"measure": Precision(), "suppress": 0.2, "prefer": prefer}
    tables = problem(rows(seed), [KAnonymity(3)], quasi="a b c", hierarchies=BUILDERS, **more)
    assert Optimal()(tables).node == min(every_key(tables))[-1]


def square() -> list[str]:
    """Two columns that are alike: each has to go up, and it does not matter which."""
    return [f"{x} {y}" for x, y in product("pqr", "pqr")]


def test_without_a_preference_the_first_column_stays_finest() -> None:
    assert Optimal()(problem(square(), [KAnonymity(3)])).node == (0, 1)


@pytest.mark.parametrize(("prefer", "node"), [("a", (0, 1)), ("b", (1, 0))])
def test_of_equal_nodes_the_preferred_column_stays_finest(prefer: str, node) -> None:
    assert Optimal()(problem(square(), [KAnonymity(3)], prefer=[prefer])).node == node


def test_the_answer_does_not_depend_on_the_order_of_rows() -> None:
    mixed = rows(5)
    answers = set()
    for seed in range(5):
        shuffled = np.random.default_rng(seed).permutation(mixed).tolist()
        tables = problem(shuffled, [KAnonymity(3)], hierarchies=BUILDERS, suppress=0.1)
        answers.add(Optimal()(tables).node)
    assert len(answers) == 1


def test_a_column_with_more_weight_stays_finer() -> None:
    heavy_a = Optimal()(problem(square(), [KAnonymity(3)], weights=[3, 1]))
    heavy_b = Optimal()(problem(square(), [KAnonymity(3)], weights=[1, 3]))
    assert (heavy_a.node, heavy_b.node) == ((0, 1), (1, 0))


def large(columns: int, number: int = 600, types: int = 12) -> Problem:
    """A lattice far too large to try, five levels a column; rows are blurred copies of a few."""
    random = np.random.default_rng(2)
    typical = random.integers(64, size=(types, columns))[random.integers(types, size=number)]
    blurred = (typical + random.integers(-6, 7, size=typical.shape)) % 64
    cells = np.where(random.random(typical.shape) < 0.15, blurred, typical)
    builders = dict.fromkeys("abcdefghijklmnopqrst"[:columns], Intervals([4, 8, 16]))
    made = [" ".join(map(str, row)) for row in cells.tolist()]
    return problem(made, [KAnonymity(3)], hierarchies=builders, suppress=0.2)


def test_out_of_time_the_best_so_far_is_returned_with_a_bound() -> None:
    tables = large(columns=16)
    assert tables.lattice.nodes > LARGE
    found = Optimal()(tables, 1)
    assert not found.search.proven
    assert 0 <= found.search.bound < found.measures["loss"] <= 1
    assert (found.class_sizes >= 3).all()
    assert found.suppressed <= tables.limit


def test_out_of_time_on_a_smaller_lattice_there_is_an_answer_too() -> None:
    tables = large(columns=9)
    assert tables.lattice.nodes < LARGE
    found = Optimal()(tables, 0.05)
    assert not found.search.proven
    assert found.search.bound < found.measures["loss"]
    assert (found.class_sizes >= 3).all()


def test_for_a_measure_that_is_better_when_higher_the_bound_is_above() -> None:
    tables = large(columns=16)
    tables.measure = Precision()
    found = Optimal()(tables, 0.5)
    assert found.search.bound > found.measures["precision"]


def test_more_time_never_gives_a_worse_answer() -> None:
    tables = large(columns=9)
    scores = [Optimal()(tables, seconds).measures["loss"] for seconds in (0.01, 0.3)]
    assert scores[1] <= scores[0]


def test_progress_is_told() -> None:
    told: list[tuple] = []
    Optimal()(problem(rows(1), [KAnonymity(3)]), progress=lambda *args: told.append(args))
    assert told
    assert all(bound <= (best or 1) + 1e-9 for _, bound, best in told)


def test_weighted_rows_are_weighed_in_the_measure_but_not_in_k() -> None:
    """Three light rows and three heavy ones: k counts rows, the loss counts weight."""
    made = ["p 1", "p 1", "q 100", "q 100", "r 1"]
    more = {"quasi": "a", "row_weight": "b", "suppress": 0.2, "measure": Loss()}
    found = Optimal()(problem(made, [KAnonymity(2)], **more))
    assert (found.node, found.suppressed) == ((0,), 1)
    share = (202 / 3 + 1) / 203
    assert found.measures["loss"] == pytest.approx((share - 1 / 3) / (2 / 3))
