"""Local recoding on written rows: what is moved, cut, left out, and what it is worth."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.local.ground import Promises, list_cheapest_nodes, list_walked_nodes
from discreet.algorithms.local.local import Local
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution
from discreet.frequency.count import count
from discreet.hierarchy import Prefix
from discreet.measures import Precision
from discreet.models import AverageRisk, KAnonymity, LDiversity, SampleUniques, TCloseness
from discreet.pipeline.plan import list_promised_columns, plan_problem
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.algorithms.made import problem
from tests.papers.sweeney import FIGURE_33, FIGURE_34, PEOPLE, private_table
from tests.shared_data import shared

Row = tuple[Any, ...]
ZIPS = {"a": Prefix([4, 3])}


def shown(tables: Problem, found: CellSolution) -> Counter[Row]:
    """Released rows and how often each occurs."""
    recoding = found.recoding
    parts: Counter[Row] = Counter()
    for part in np.nonzero(recoding.kept)[0]:
        cells = zip(recoding.values, recoding.codes, strict=True)
        parts[tuple(v.labels[c[part]] for v, c in cells)] += int(recoding.rows[part])
    assert parts.total() + found.suppressed == tables.total
    return parts


def solved(
    rows: list[str], models: list[Any], maker: Local | None = None, **more: Any
) -> Counter[Row]:
    tables = problem(rows, models, measure=Precision(), **more)
    return shown(tables, (maker or Local())(tables))


def test_each_class_has_levels_of_its_own() -> None:
    rows = ["02138", "02138", "02139", "02136", "02141", "02151"]
    found = solved(rows, [KAnonymity(2)], hierarchies=ZIPS)
    assert found == {("02138",): 2, ("0213*",): 2, ("021**",): 2}


def test_a_release_that_meets_the_bound_is_proven_best() -> None:
    rows = ["02138", "02138", "02139", "02136"]
    easy, hard = (
        problem(some, [KAnonymity(2)], measure=Precision(), hierarchies=ZIPS)
        for some in (rows, [*rows, "02141"])
    )
    assert Local()(easy).search.proven
    assert not Local()(hard).search.proven


def test_rows_of_one_tuple_go_different_ways_where_that_loses_less() -> None:
    """Two of the five can keep the single row company, and three stay as they are."""
    found = solved(["02138"] * 5 + ["02139"], [KAnonymity(3)], hierarchies=ZIPS)
    assert found == {("02138",): 3, ("0213*",): 3}


def test_rows_alike_stay_together_under_a_promise_about_sensitive_values() -> None:
    rows = [f"02138 {ill}" for ill in "vwxyz"] + ["02139 v"]
    models = [KAnonymity(3), LDiversity("b", 2)]
    assert solved(rows, models, hierarchies=ZIPS, sensitive="b") == {("0213*",): 6}


def test_a_class_is_cut_where_both_parts_keep_the_promises() -> None:
    rows = ["02138 x", "02139 y", "02141 x", "02142 y", "02138 x", "02141 y"]
    found = solved(rows, [TCloseness("b", 0.2)], hierarchies=ZIPS, sensitive="b")
    assert found == {("0213*",): 3, ("0214*",): 3}


def test_a_row_that_costs_the_others_more_than_it_is_worth_is_left_out() -> None:
    rows = ["x"] * 3 + ["y"]
    assert solved(rows, [KAnonymity(3)], suppress=0.25) == {("x",): 3}
    assert solved(rows, [KAnonymity(3)]) == {("*",): 4}


def test_nothing_is_left_out_that_costs_more_than_it_gains() -> None:
    found = solved(
        ["02138", "02139", "02141", "02151"], [KAnonymity(2)], suppress=1, hierarchies=ZIPS
    )
    assert found.total() == 4


def test_one_value_is_released_in_one_way_if_asked() -> None:
    rows = ["02138"] * 5 + ["02139"] + ["02141"] * 3
    found = solved(rows, [KAnonymity(3)], Local(consistent=True), hierarchies=ZIPS)
    assert found == {("0213*",): 6, ("02141",): 3}


def test_single_values_are_finer_than_their_column_where_they_can_be() -> None:
    """No level of the column would do: 02138 must rise to the level of 0215*, 02141 need not."""
    rows = ["02138 v", "02139 v", "02141 w", "02141 w", "02151 w", "02152 w"]
    found = solved(rows, [KAnonymity(2)], Local(consistent=True), hierarchies=ZIPS)
    assert found == {("0213*", "v"): 2, ("02141", "w"): 2, ("0215*", "w"): 2}


@pytest.mark.parametrize("heavy", ["p s", "q t"])
def test_rows_that_weigh_more_are_kept_finer(heavy: str) -> None:
    """The row in the middle goes to the side that weighs less."""
    rows = [f"{row} {9 if row == heavy else 1}" for row in ("p s", "p s", "p t", "q t", "q t")]
    tables = problem(rows, [KAnonymity(2)], quasi="a b", row_weight="c", measure=Precision())
    assert shown(tables, Local()(tables))[tuple(heavy.split())] == 2


def test_columns_that_weigh_more_are_kept_finer() -> None:
    rows = ["p s", "p t", "q s", "q t"]
    for weights, kept in (([3, 1], 0), ([1, 3], 1)):
        tables = problem(rows, [KAnonymity(2)], weights=weights)
        assert all(row[kept] != "*" for row in shown(tables, Local()(tables)))


def test_promises_about_the_table_come_down_to_a_class_size() -> None:
    rows = ["x", "y"]
    sizes = {AverageRisk(0.3): 4, AverageRisk(1): 1, SampleUniques(0.1): 2, SampleUniques(1): 1}
    for model, size in sizes.items():
        assert Promises(problem(rows, [model])).least == size
    assert Promises(problem(rows, [AverageRisk(0.001), KAnonymity(2)])).least == 1000


def test_a_class_that_breaks_a_promise_joins_the_nearest_with_which_it_keeps_it() -> None:
    """All of 0213* have x; 0214* is nearer than 03***, and has y."""
    rows = ["02138 x"] * 3 + ["02141 x", "02141 y", "02142 y", "03001 y", "03001 x", "03002 x"]
    found = solved(rows, [KAnonymity(3), LDiversity("b", 2)], hierarchies=ZIPS, sensitive="b")
    assert found == {("021**",): 6, ("0300*",): 3}


@pytest.mark.parametrize("model", [LDiversity("b", 4), TCloseness("b", 0.3), KAnonymity(8)])
def test_pairs_of_classes_are_judged_like_classes(model: Any) -> None:
    random = np.random.default_rng(3)
    rows = [f"{random.integers(40)} {random.choice(list('vwxyz'))}" for _ in range(90)]
    tables = problem(rows, [model, LDiversity("b", 2)], measure=Precision(), sensitive="b")
    promises = Promises(tables)
    home = random.integers(0, 12, len(tables.frequency))
    first, second = np.triu_indices(12, 1)
    together = [
        promises.fails(np.where(home == b, a, home), 12)[a]
        for a, b in zip(first, second, strict=True)
    ]
    assert promises.fails_joined(home, 12, first, second).tolist() == together
    assert len({*together}) == 2


def test_no_release_is_a_release_that_breaks_a_promise() -> None:
    with pytest.raises(UnreachableError, match="l_diversity"):
        solved(["x v", "y v"], [LDiversity("b", 2)], sensitive="b")


def test_rows_are_left_out_where_all_together_break_a_promise() -> None:
    """x and y are diverse enough by themselves; with all of z nothing is."""
    rows = ["x v", "x w", "y v", "y w", *["z v"] * 6]
    model = LDiversity("b", 2, "entropy")
    found = solved(rows, [model], sensitive="b", suppress=0.6)
    assert found == {("x",): 2, ("y",): 2}


def test_figure_34_is_released_better_than_the_paper_does() -> None:
    """Sec. 8.2.2 prints 0.83 for clusters of whole rows; 0.8486 is the best there is."""
    columns = {name: {"role": "quasi", "hierarchy": FIGURE_33[name]} for name in PEOPLE}
    policy = Policy(columns=columns, require=[KAnonymity(2)], measure="precision")
    frequency = count(read(private_table(PEOPLE, FIGURE_34)), policy.quasi, ()).frequency
    tables = plan_problem(policy, frequency)
    found = Local()(tables)
    assert 0.8271 < found.measures["precision"] < 0.84862
    assert found.search.bound >= 0.8486


def test_lattices_that_cannot_be_walked_whole_are_walked_in_part() -> None:
    random = np.random.default_rng(2)
    rows = [" ".join(random.choice(list("pqrs"), 24, p=[0.7, 0.1, 0.1, 0.1])) for _ in range(90)]
    tables = problem(rows, [KAnonymity(3)], measure=Precision())
    assert tables.lattice.nodes > 10**7
    found = Local()(tables)
    assert found.holds
    assert 0.3 < found.measures["precision"] <= found.search.bound


def test_nodes_come_by_rising_price_in_part_as_in_whole() -> None:
    prices = [np.array([0, 0.2, 0.5]), np.array([0, 0.1]), np.array([0, 0.05, 0.3, 0.4])]
    nodes, price = list_cheapest_nodes(prices, 24)
    _, cheap = list_cheapest_nodes(prices, 7)
    assert len(nodes) == 24
    assert (np.diff(price) >= 0).all()
    assert np.allclose(cheap, price[:8])
    assert {*map(tuple, list_walked_nodes(prices, 7).tolist())} >= {(0, 0, 0), (2, 1, 3)}


@pytest.fixture(scope="module")
def adult() -> Problem:
    return adult_problem([{"k_anonymity": {"k": 5}}])


def adult_problem(models: list[Any], sensitive: str | None = None, **more: Any) -> Problem:
    path = shared("data", "adult", "adult_arx.csv")
    columns: dict[str, Any] = {}
    for name in path.open().readline().strip().split(";"):
        file = shared("data", "adult", "hierarchies", f"{name}.csv")
        columns[name] = {"role": "quasi", "hierarchy": {"file": str(file)}}
    if sensitive:
        columns[sensitive] = {"role": "sensitive"}
    policy = Policy(columns=columns, require=models, measure="granularity", **more)
    return plan_problem(
        policy, count(read(path), policy.quasi, list_promised_columns(policy)).frequency
    )


def test_adult_is_better_than_arx_local_recoding(adult: Problem) -> None:
    """ARX reaches 0.941."""
    found = Local()(adult)
    assert found.class_sizes.min() == 5
    assert 0.948 < found.measures["granularity"] < found.search.bound < 0.97


def test_adult_diverse_in_occupations() -> None:
    tables = adult_problem(
        [{"k_anonymity": {"k": 5}}, {"l_diversity": {"column": "occupation", "ell": 3}}],
        "occupation",
    )
    found = Local()(tables)
    assert not found.recoding.divides
    assert 0.95 < found.measures["granularity"] < found.search.bound


def test_adult_diverse_in_salaries() -> None:
    """Classes by size alone, joined where all earn the same, keep more than classes judged first.

    Those had 0.715.
    """
    tables = adult_problem(
        [{"k_anonymity": {"k": 5}}, {"l_diversity": {"column": "salary-class", "ell": 2}}],
        "salary-class",
    )
    assert Local()(tables).measures["granularity"] > 0.87
