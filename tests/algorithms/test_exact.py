"""The exact algorithm: ties, limits, refusals, and tables of a useful size."""

from __future__ import annotations

import numpy as np
import pyarrow.csv as pc
import pytest

from discreet.algorithms import Optimal, Problem
from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.exact.all_optima import all_optima
from discreet.algorithms.exact.best_placement import (
    best_placement,
    find_first_placement,
    solve,
    solve_flow,
)
from discreet.algorithms.exact.boxes import boxes
from discreet.algorithms.exact.exact import Exact
from discreet.algorithms.exact.placement import Clock
from discreet.algorithms.exact.row_prices import row_prices
from discreet.algorithms.local.local import Local
from discreet.errors import ReleaseError, TooLargeError
from discreet.frequency.count import count
from discreet.hierarchy import File, Intervals, Prefix, Tree
from discreet.measures import ALL, AverageClassSize, Discernibility, Granularity, Loss, Precision
from discreet.models import KAnonymity, LargestRisk, LDiversity
from discreet.pipeline.plan import plan_problem
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.algorithms.made import problem
from tests.shared_data import shared

BUILDERS = {"a": Prefix([4, 3]), "b": Intervals([5, 10, 20]), "c": None}
LINEAR = [m() for m in ALL if m not in (Discernibility, AverageClassSize, Loss)]


def rows(seed: int, number: int = 60) -> list[str]:
    random = np.random.default_rng(seed)
    zips, ages = random.geometric(0.02, number) % 200, random.binomial(60, 0.4, number)
    sexes = random.choice(list("mf-"), number)
    return [f"{2000 + z:05} {age} {sex}" for z, age, sex in zip(zips, ages, sexes, strict=True)]


def made(seed: int, k: int = 2, number: int = 60, **more) -> Problem:
    more = {"hierarchies": BUILDERS, "measure": Granularity()} | more
    return problem(rows(seed, number), [KAnonymity(k)], **more)


@pytest.mark.parametrize("measure", LINEAR, ids=lambda m: m.name)
@pytest.mark.parametrize("suppress", [0, 0.1])
def test_cells_with_levels_of_their_own_lose_less_than_columns(measure, suppress: float) -> None:
    tables = made(1, measure=measure, suppress=suppress)
    cells, columns = Exact()(tables), Optimal()(tables)
    assert cells.search.proven
    assert cells.search.bound == pytest.approx(cells.measures[measure.name], abs=1e-9)
    assert cells.class_sizes.min() >= 2
    assert cells.suppressed <= tables.limit
    name, sign = measure.name, measure.convert_score(0) - measure.convert_score(1)
    assert sign * (cells.measures[name] - columns.measures[name]) > 0.01


def test_rows_that_are_alike_may_be_released_in_different_ways() -> None:
    """Of four equal rows, two keep company with rows that would else lose everything."""
    wanted = Tree({"*": {"x": ["p", "q"], "y": ["r", "s"]}})
    table = ["p 1", "p 1", "p 1", "p 1", "q 1"]
    tables = problem(table, [KAnonymity(2)], hierarchies={"a": wanted}, measure=Granularity())
    found = Exact()(tables)
    assert found.recoding.divides
    assert sorted(found.class_sizes) == [2, 3]
    assert found.search.proven


def test_a_suppressed_row_is_left_out_only_where_that_loses_less() -> None:
    table = ["p 1", "p 1", "q 2", "q 2", "r 3"]
    kept, dropped = (
        Exact()(problem(table, [KAnonymity(2)], measure=Granularity(), suppress=share))
        for share in (0, 0.2)
    )
    assert (kept.suppressed, dropped.suppressed) == (0, 1)
    assert dropped.measures["granularity"] == pytest.approx(0.8)
    assert kept.measures["granularity"] == pytest.approx(0.4)


@pytest.mark.parametrize(("prefer", "level"), [("a", 0), ("b", 1)])
def test_of_equal_releases_the_preferred_column_stays_finest(prefer: str, level: int) -> None:
    """Four rows make a square: pairs along one side or the other lose equally much."""
    table = ["p p", "p q", "q p", "q q"]
    tables = problem(table, [KAnonymity(2)], measure=Precision(), prefer=[prefer])
    found = Exact()(tables)
    assert found.levels == ((0, 1), (1, 0))[level]
    assert len(all_optima(tables)) == 2


def test_all_optima_can_be_cut_short() -> None:
    table = [f"{a} {b}" for a in "pqrs" for b in "pqrs"]
    tables = problem(table, [KAnonymity(2)], measure=Precision())
    assert len(all_optima(tables, most=5)) == 5


def test_how_good_the_answer_is_does_not_depend_on_the_order_of_rows() -> None:
    values = []
    for seed in range(4):
        shuffled = np.random.default_rng(seed).permutation(rows(5, 20)).tolist()
        tables = problem(shuffled, [KAnonymity(2)], hierarchies=BUILDERS, measure=Precision())
        values.append(Exact()(tables).measures["precision"])
    assert values == pytest.approx(values[:1] * 4, abs=1e-12)


def test_the_same_problem_has_the_same_answer() -> None:
    one, other = Exact()(made(3)).recoding, Exact()(made(3)).recoding
    for a, b in zip(one.codes, other.codes, strict=True):
        assert a.tolist() == b.tolist()
    assert one.rows.tolist() == other.rows.tolist()


def test_values_with_one_text_make_one_class_whatever_their_levels() -> None:
    """A group that is called like the group of others can hide among them at a finer level."""
    wanted = Tree({"*": {"group": {"first": ["p", "q"]}, "other": {"group": ["r"]}}})
    table = ["p 1", "q 1", "r 1"]
    tables = problem(table, [KAnonymity(3)], hierarchies={"a": wanted}, measure=Granularity())
    found = Exact()(tables)
    assert found.class_sizes.tolist() == [3]
    assert found.measures["granularity"] == pytest.approx(1 - (0.5 + 0.5 + 0) / 3 / 2)
    assert found.search.proven


def test_loss_is_proven_on_a_small_table() -> None:
    found = Exact()(made(1, measure=Loss(), number=12))
    assert found.search.proven
    assert found.search.bound == found.measures["loss"]


def test_loss_of_a_larger_table_is_bounded_and_not_called_proven() -> None:
    tables = made(1, measure=Loss(), number=60)
    found = Exact()(tables, seconds=20)
    assert not found.search.proven
    assert 0.8 * found.measures["loss"] < found.search.bound < found.measures["loss"]
    assert found.measures["loss"] < Optimal()(tables).measures["loss"]


def test_where_missing_values_match_any_nothing_is_claimed() -> None:
    found = Exact()(made(2, wildcard=True))
    assert found.holds
    assert not found.search.proven
    assert found.search.bound is None
    assert found.notes


def test_out_of_time_there_is_a_release_and_a_bound() -> None:
    tables = made(4, k=5, number=400)
    found = Exact()(tables, seconds=0.3)
    assert found.class_sizes.min() >= 5
    assert not found.search.proven
    quick = Local()(tables).measures["granularity"]
    assert quick <= found.measures["granularity"] <= found.search.bound <= 1


def test_more_time_never_gives_a_worse_answer() -> None:
    tables = made(4, k=3, number=150)
    values = [Exact()(tables, seconds).measures["granularity"] for seconds in (0.01, 5)]
    assert values[0] <= values[1]


@pytest.mark.parametrize("measure", [Granularity(), Loss()], ids=lambda m: m.name)
def test_progress_is_told_and_may_stop_the_search(measure) -> None:
    told: list[tuple] = []
    Exact()(made(1, measure=measure), progress=lambda *args: told.append(args))
    solution = Exact()(made(1, measure=measure))
    better = min if measure.name == "loss" else max
    reached = solution.measures[measure.name]
    assert told
    assert all(better(bound, reached) == pytest.approx(bound) for _, bound in told)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Exact()(made(1, measure=measure), progress=stop)


def test_largest_risk_is_a_class_size() -> None:
    tables = problem(rows(1), [LargestRisk(0.25)], hierarchies=BUILDERS, measure=Precision())
    assert Exact()(tables, seconds=5).class_sizes.min() >= 4


def test_fewer_rows_than_k_are_all_left_out_or_refused() -> None:
    assert Exact()(made(1, k=9, number=5, suppress=1)).suppressed == 5
    with pytest.raises(UnreachableError):
        Exact()(made(1, k=9, number=5))


@pytest.mark.parametrize("measure", [Discernibility(), AverageClassSize()])
def test_measures_of_classes_are_refused_by_name(measure) -> None:
    with pytest.raises(ReleaseError, match=f"{measure.name}.*granularity, precision"):
        Exact()(made(1, measure=measure))


def test_promises_about_sensitive_values_are_refused_by_name() -> None:
    tables = problem(rows(1), [LDiversity("c", 2)], sensitive="c")
    with pytest.raises(ReleaseError, match="exact cannot promise l_diversity"):
        Exact()(tables)


def test_a_table_that_is_too_large_is_refused_with_the_size_that_is_not(monkeypatch) -> None:
    monkeypatch.setattr(f"{boxes.__module__}.MOST_TUPLES", 30)
    with pytest.raises(TooLargeError, match=r"exact can do 30\. Use the algorithm local"):
        Exact()(made(1))
    monkeypatch.setattr(f"{boxes.__module__}.MOST_TUPLES", 1000)
    monkeypatch.setattr(f"{boxes.__module__}.MOST_PAIRS", 800)
    with pytest.raises(TooLargeError, match=r"at 40 combinations of levels each.* can do 20"):
        Exact()(made(1))


def test_rows_flow_into_open_boxes_in_whole_numbers() -> None:
    tables = made(6, k=3, suppress=0.1, number=40)
    found = boxes(tables, tables.cost, 3)
    everything = np.ones(len(found.member), dtype=np.bool_)
    best = solve(found, everything, 30).placement
    opened = np.isin(found.box, found.box[best.rows > 0])
    again = solve_flow(found, np.nonzero(opened)[0])
    assert again.valid
    assert again.cost == pytest.approx(best.cost)


def test_the_first_placement_is_a_release_no_better_than_the_best() -> None:
    tables = made(6, k=3, number=40)
    found = boxes(tables, tables.cost, 3)
    clock = Clock(30, lambda *_: None)
    first = find_first_placement(found, row_prices(found, clock))
    best = best_placement(found, clock)
    assert first.valid
    assert best.proven
    assert best.prices.priced.bound - 1e-6 <= best.placement.cost <= first.cost + 1e-9


@pytest.mark.parametrize("k", [2, 3])
def test_a_hundred_rows_of_adult_are_solved(k: int) -> None:
    """Six columns; for k = 3 the time may end before the proof, but not far from it."""
    data = pc.read_csv(
        shared("data", "adult", "adult_arx.csv"),
        parse_options=pc.ParseOptions(delimiter=";"),
        convert_options=pc.ConvertOptions(column_types={"age": "string"}),
    )
    names = ["sex", "age", "race", "marital-status", "education", "workclass"]
    chosen = np.random.default_rng(0).choice(len(data), 100, replace=False)
    columns = {
        name: {
            "role": "quasi",
            "hierarchy": File(shared("data", "adult", "hierarchies", f"{name}.csv")),
        }
        for name in names
    }
    wanted = Policy(columns=columns, require=[KAnonymity(k)], measure=Granularity())
    counted = count(read(data.take(np.sort(chosen)).select(names)), wanted.quasi)
    found = Exact()(plan_problem(wanted, counted.frequency), seconds=10)
    assert found.class_sizes.min() >= k
    assert found.search.proven or k > 2
    assert 0 <= found.search.bound - found.measures["granularity"] < 0.01
