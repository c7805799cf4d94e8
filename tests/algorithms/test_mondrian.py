"""Mondrian on tables whose cuts can be followed by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest

import discreet
from discreet.algorithms.claims import HeuristicError, UnreachableError, find_least_class_size
from discreet.algorithms.mondrian.mondrian import OUT_OF_TIME, Mondrian
from discreet.algorithms.problem import Problem
from discreet.errors import ParameterError
from discreet.frequency.count import count
from discreet.hierarchy import Hierarchy, Intervals, Tree
from discreet.hierarchy.refusals import UnreadableValuesError
from discreet.models import (
    AverageRisk,
    KAnonymity,
    LargestRisk,
    LDiversity,
    SampleUniques,
    TCloseness,
)
from discreet.pipeline.anonymize import Release
from discreet.pipeline.plan import list_promised_columns, plan_problem
from discreet.pipeline.prepare import Prepared
from discreet.pipeline.rows import RowAnswer
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.algorithms.made import NAMES, policy, problem, table
from tests.shared_data import shared

PATIENTS = ["M 25 53711", "F 25 53712", "M 26 53711", "M 27 53710", "F 27 53712", "M 28 53711"]
"""The example of the paper's introduction: sex, age and ZIP code."""

PLACES = Tree(
    {"all": {"north": {"n1": None, "n2": None}, "south": {"s1": None, "s2": None, "s3": None}}}
)


def classes(found: Any) -> Counter[tuple[str | None, ...]]:
    """How many rows are released as what."""
    recoding = found.recoding
    labels = [
        [values.labels[code] for code in codes]
        for values, codes in zip(recoding.values, recoding.codes, strict=True)
    ]
    told: Counter[tuple[str | None, ...]] = Counter()
    for key, rows in zip(zip(*labels, strict=True), recoding.rows.tolist(), strict=True):
        told[key] += rows
    return told


def numbers(texts: str, k: int, kind: Any = "strict") -> dict[str | None, int]:
    """One column of numbers cut into ranges."""
    found = Mondrian(kind, ("a",))(problem(texts.split(), [KAnonymity(k)]))
    return {key[0]: rows for key, rows in classes(found).items()}


def test_the_paper_s_patients_come_out_as_printed() -> None:
    """Sex first, then the men by age; the two women cannot be cut again."""
    found = Mondrian(ranges=("b", "c"))(problem(PATIENTS, [KAnonymity(2)]))
    assert classes(found) == {
        ("M", "25-26", "53711"): 2,
        ("M", "27-28", "53710-53711"): 2,
        ("F", "25-27", "53712"): 2,
    }
    assert found.levels == (0, None, None)
    assert (found.search.proven, found.search.bound, found.search.nodes_checked) == (False, None, 2)
    assert found.holds


def test_of_columns_that_are_as_wide_the_first_is_cut_unless_another_weighs_more() -> None:
    """By age first, the sides are too small to be cut by sex."""
    rows = [" ".join(row.split()[i] for i in (1, 0, 2)) for row in PATIENTS]
    found = Mondrian(ranges=("a", "c"))(problem(rows, [KAnonymity(2)]))
    assert classes(found) == {("25-26", "*", "53711-53712"): 3, ("27-28", "*", "53710-53712"): 3}
    weighted = problem(rows, [KAnonymity(2)], weights=[1, 2, 1])
    assert classes(Mondrian(ranges=("a", "c"))(weighted))["25-27", "F", "53712"] == 2


def test_a_value_is_cut_into_its_children() -> None:
    """North divides in two; of the south's three values one is too rare."""
    rows = [*["n1"] * 2, *["n2"] * 2, *["s1"] * 4, *["s2"] * 4, "s3"]
    found = Mondrian()(problem(rows, [KAnonymity(2)], hierarchies={"a": PLACES}))
    assert classes(found) == {("n1",): 2, ("n2",): 2, ("south",): 9}
    assert found.suppressed == 0


def test_children_that_a_class_has_not_got_are_no_obstacle() -> None:
    """The x have no s3, so their south is cut, while that of the y is not."""
    rows = [*["x s1", "x s2"] * 2, *["y s1", "y s2", "y s1", "y s3"]]
    found = Mondrian()(problem(rows, [KAnonymity(2)], hierarchies={"b": PLACES}))
    assert classes(found) == {("x", "s1"): 2, ("x", "s2"): 2, ("y", "south"): 4}


def test_a_table_of_one_value_is_left_alone() -> None:
    found = Mondrian()(problem(["p q", "p q"], [KAnonymity(2)]))
    assert classes(found) == {("p", "q"): 2}
    assert found.levels == (0, 0)


def test_next_to_the_median_the_better_cut_is_taken() -> None:
    assert numbers("1 2 2 2", 1) == {"1": 1, "2": 3}
    assert numbers("1 1 1 2", 1) == {"1": 3, "2": 1}
    assert numbers("1 2 2 2", 2) == {"1-2": 4}


def test_relaxed_cuts_divide_the_rows_that_have_the_median() -> None:
    assert numbers("1 2 2 2 2 3", 3) == {"1-3": 6}
    assert numbers("1 2 2 2 2 3", 3, "relaxed") == {"1-2": 3, "2-3": 3}
    assert numbers("1 2 2 2", 2, "relaxed") == {"1-2": 2, "2": 2}
    assert numbers("1 1 2 2 2 4 4 4", 4, "relaxed") == {"1-2": 4, "2-4": 4}


def test_relaxed_cuts_keep_rows_alike_together_under_a_sensitive_promise() -> None:
    """Four rows 2 x could be divided evenly; with whole tuples they go to one side."""
    rows = ["1 x s", "2 x t", "2 x s", "2 x t", "2 x s", "2 y s", "2 y t", "3 y t"]
    models = [KAnonymity(3), LDiversity("c", 2)]
    found = Mondrian("relaxed", ("a",))(problem(rows, models, sensitive="c"))
    assert not found.recoding.divides
    assert classes(found) == {("1-2", "x"): 5, ("2-3", "y"): 3}


def test_rows_released_alike_are_one_part() -> None:
    """Rows of one tuple may end in different classes that look the same."""
    found = Mondrian("relaxed", ("a",))(problem(["1", *["2"] * 15], [KAnonymity(2)]))
    assert classes(found) == {("1-2",): 2, ("2",): 14}
    assert found.recoding.rows.tolist() == [1, 1, 14]


def test_missing_numbers_are_kept_apart() -> None:
    assert numbers("1 2 3 4 - -", 2) == {"1-2": 2, "3-4": 2, None: 2}


def test_too_few_missing_numbers_to_stand_apart_take_the_value_of_the_hierarchy() -> None:
    rows = ["x 1", "x 2", "x 3", "x -", "y 1", "y 2", "y 5", "y 7"]
    found = Mondrian(ranges=("b",))(problem(rows, [KAnonymity(2)]))
    assert classes(found) == {("x", "*"): 4, ("y", "1-2"): 2, ("y", "5-7"): 2}
    assert found.cells_suppressed == 4


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ("-5 -1 -1 -5", "-5 to -1"),
        ("-5 3", "-5 to 3"),
        ("0.50 2.25", "0.5-2.25"),
        ("1e2 100", "100"),
        ("7 7.0", "7"),
    ],
)
def test_ranges_are_written_plainly(texts: str, told: str) -> None:
    rows = len(texts.split())
    assert numbers(texts, rows) == {told: rows}


def test_a_range_costs_the_values_that_it_covers() -> None:
    """1-3 covers three of five leaves and 9-11 two, though neither class holds all of the first."""
    rows = ["x 1", "x 3", "y 2", "y 2", "z 9", "z 11"]
    tables = problem(rows, [KAnonymity(2)], hierarchies={"b": Intervals([10])})
    found = Mondrian(ranges=("b",))(tables)
    assert classes(found) == {("x", "1-3"): 2, ("y", "2"): 2, ("z", "9-11"): 2}
    values = found.recoding.values[1]
    facts = {
        label: (leaves, step, mass)
        for label, leaves, step, mass in zip(
            values.labels, values.leaves, values.steps, values.mass, strict=True
        )
    }
    assert facts["1-3"] == (3, 0.5, 4)
    assert facts["2"] == (1, 0.0, 2)
    assert facts["9-11"] == (2, 1.0, 2)
    shares = [3 / 5, 3 / 5, 1 / 5, 1 / 5, 2 / 5, 2 / 5]
    lost = sum((share - 1 / 5) / (1 - 1 / 5) for share in shares) / 6
    assert found.measures["granularity"] == pytest.approx(1 - lost / 2)


@pytest.mark.parametrize("text", ["old", "02138", "12a"])
def test_a_column_of_ranges_must_hold_numbers(text: str) -> None:
    tables = problem([f"x {text}", "x 2", "x 3", "x -"], [KAnonymity(2)])
    with pytest.raises(UnreadableValuesError, match=r"column 'b': 1 of its 4 .* hierarchy") as told:
        Mondrian(ranges=("b",))(tables)
    assert text not in str(told.value)


def test_ranges_name_quasi_columns() -> None:
    with pytest.raises(ParameterError, match="'ranges' must be quasi columns; 'z' is none"):
        Mondrian(ranges=("z",))(problem(["p", "p"], [KAnonymity(2)]))
    with pytest.raises(ParameterError, match="a list of column names"):
        Mondrian(ranges="age")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="one of strict, relaxed"):
        Mondrian("loose")  # type: ignore[arg-type]


def test_a_cut_must_leave_every_side_diverse() -> None:
    rows = ["1 s", "1 t", "2 s", "2 t", "3 s", "3 s"]
    tables = problem(rows, [KAnonymity(2), LDiversity("b", 2)], sensitive="b")
    assert classes(Mondrian(ranges=("a",))(tables)) == {("1",): 2, ("2-3",): 4}


def test_a_promise_for_some_columns_is_kept_by_every_class() -> None:
    rows = ["1 s x", "1 s x", "2 t x", "2 t x", "1 s y", "2 t y"]
    tables = problem(rows, [KAnonymity(3, ("a",))])
    assert classes(Mondrian()(tables)) == {("1", "s", "*"): 3, ("2", "t", "*"): 3}


@pytest.mark.parametrize(
    ("models", "least"),
    [
        ([KAnonymity(3), KAnonymity(7, ("a",))], 7),
        ([LargestRisk(0.2)], 5),
        ([AverageRisk(0.3)], 4),
        ([AverageRisk(1.0)], 1),
        ([SampleUniques(0.1)], 2),
        ([SampleUniques(1)], 1),
        ([LDiversity("b", 3)], 3),
        ([TCloseness("b", 0.5)], 1),
    ],
    ids=str,
)
def test_the_least_class_size_of_all_promises(models: list[Any], least: int) -> None:
    tables = problem(["p x", "q y"], models, sensitive="b")
    assert find_least_class_size(tables) == least


def test_a_promise_that_the_table_itself_breaks_is_unreachable() -> None:
    with pytest.raises(UnreachableError):
        Mondrian()(problem(["p x", "q x"], [LDiversity("b", 2)], sensitive="b"))


def test_where_only_suppression_would_help_it_does_not_say_that_nothing_can() -> None:
    rows = ["p x", "p y", "q x", "q x", "q x", "q x"]
    model = LDiversity("b", 2, "entropy")
    with pytest.raises(HeuristicError):
        Mondrian()(problem(rows, [model], sensitive="b", suppress=0.9))


def test_when_time_is_up_classes_stay_as_they_are() -> None:
    found = Mondrian()(problem(["p", "p", "q", "q"], [KAnonymity(2)]), seconds=0)
    assert classes(found) == {("*",): 4}
    assert found.notes == (OUT_OF_TIME,)
    assert found.holds


def test_progress_is_told() -> None:
    told = []
    Mondrian()(problem(["p", "p", "q", "q"], [KAnonymity(2)]), progress=lambda *a: told.append(a))
    assert told == [(1,)]


def test_relaxed_without_ranges_says_that_it_changes_nothing() -> None:
    tables = problem(["p", "p", "q", "q"], [KAnonymity(2)])
    assert "none is named" in Mondrian("relaxed")(tables).notes[0]
    assert not Mondrian()(tables).notes


def test_a_release_of_ranges_is_written_and_verified() -> None:
    rows, wanted = table(PATIENTS), policy(NAMES[:3], [KAnonymity(2)], order="keep")
    release = _release(rows, wanted, Mondrian(ranges=("b", "c")))
    released = release.to_arrow()
    assert released.column("b").to_pylist() == [
        "25-26",
        "25-27",
        "25-26",
        "27-28",
        "25-27",
        "27-28",
    ]
    assert discreet.verify(released, wanted, original=rows).holds


def _release(rows: pa.Table, wanted: Policy, algorithm: Mondrian) -> Release:
    source = read(rows)
    counted = count(source, wanted.quasi, list_promised_columns(wanted), wanted.row_weight)
    tables = plan_problem(wanted, counted.frequency)
    prepared = Prepared(source, wanted, source, source)
    answer = RowAnswer(prepared, wanted, counted, tables, algorithm(tables))
    return Release(prepared, wanted, answer, 0.0)


def _adult(*models: Any, sensitive: str | None = None) -> Problem:
    folder = shared("data", "adult", "hierarchies")
    names = sorted(file.stem for file in folder.glob("*.csv"))
    columns: dict[str, Any] = {
        name: {"role": "quasi", "hierarchy": {"file": str(folder / f"{name}.csv")}}
        for name in names
    }
    if sensitive is not None:
        columns[sensitive] = {"role": "sensitive"}
    wanted = Policy(columns=columns, require=models)
    source = read(shared("data", "adult", "adult_arx.csv"))
    return plan_problem(
        wanted, count(source, wanted.quasi, list_promised_columns(wanted)).frequency
    )


@pytest.mark.parametrize("algorithm", [Mondrian(), Mondrian(ranges=("age",))], ids=str)
def test_adult_is_cut_until_no_class_can_be(algorithm: Mondrian) -> None:
    """Every class is tried again by hand along every column: none of the cuts is allowed."""
    tables = _adult(KAnonymity(5))
    found = algorithm(tables)
    assert found.holds
    assert found.suppressed == 0
    assert found.class_sizes.min() == 5
    assert found.measures["loss"] < discreet.algorithms.Datafly()(tables).measures["loss"]
    assert _uncut(tables, found, algorithm.ranges) == 0


def _uncut(tables: Problem, found: Any, ranges: tuple[str, ...]) -> int:
    """How many classes could still be cut at k = 5."""
    members: dict[tuple[Any, ...], list[int]] = {}
    codes = [c.tolist() for c in found.recoding.codes]
    for part, key in enumerate(zip(*codes, strict=True)):
        members.setdefault(key, []).append(part)
    frequency, rows = tables.frequency, found.recoding.rows
    missed = 0
    for parts in members.values():
        for c, hierarchy in enumerate(tables.lattice.hierarchies):
            ground = frequency.codes[c][found.recoding.owner[parts]]
            sides = _sides(hierarchy, ground.tolist(), hierarchy.column in ranges)
            sizes: Counter[Any] = Counter()
            for side, part in zip(sides, parts, strict=True):
                sizes[side] += int(rows[part])
            if hierarchy.column in ranges:
                below = [sum(n for v, n in sizes.items() if v <= cut) for cut in sizes]
                missed += any(5 <= b <= sum(sizes.values()) - 5 for b in below)
            else:
                missed += len(sizes) > 1 and min(sizes.values()) >= 5
    return missed


def _sides(hierarchy: Hierarchy, ground: list[int], number: bool) -> list[Any]:
    """The number of each part, or its value one level below the least common one."""
    if number:
        return [float(hierarchy.labels[0][g] or "nan") for g in ground]
    level = 0
    while len({int(hierarchy.maps[level][g]) for g in ground}) > 1:
        level += 1
    return [int(hierarchy.maps[max(0, level - 1)][g]) for g in ground]
