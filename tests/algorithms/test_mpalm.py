"""MPALM against the definition by counting, and its strategies on tables cut by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.mondrian.axes import NumberAxis
from discreet.algorithms.mpalm.mpalm import NO_RANGES, OUT_OF_TIME, Mpalm
from discreet.algorithms.mpalm.splitting import (
    COLUMNS_BY,
    VALUES_BY,
    Passing,
    choose_columns,
    choose_value,
    find_pieces,
)
from discreet.errors import HierarchyError, ParameterError, ReleaseError
from discreet.frequency.count import add_register, count
from discreet.models import DeltaPresence, KAnonymity, LDiversity
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.search import count_for_policy
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.algorithms.made import problem as made
from tests.algorithms.people import (
    NAMES,
    Row,
    World,
    boxes,
    holds,
    policy,
    presence,
    problem,
    stands_for,
    table,
    world_problem,
    worlds,
    write,
)
from tests.properties.strategies import examples

NINE = list(product(COLUMNS_BY, VALUES_BY))
nine = pytest.mark.parametrize(("columns_by", "values_by"), NINE)
quick = examples(12)


def cut(
    folder: Path, ages: str, inside: str, low: float, high: float, values_by: Any, **more: Any
) -> dict[str, int]:
    """One column of numbers, the others all alike; ``inside`` has a 1 for each private row."""
    public = [(age, "x1", "m") for age in ages.split()]
    private = [row for row, there in zip(public, inside, strict=True) if there == "1"]
    path = write(folder / "public.csv", public)
    asked = problem(private, policy([presence(path, low, high)]))
    found = boxes(Mpalm(values_by=values_by, ranges=("a",), **more)(asked))
    return {box[0]: rows for box, rows in found.items()}


@nine
@quick
@given(world=worlds())
def test_everybody_fits_one_class_at_most_and_is_in_it_with_a_chance_in_the_range(
    columns_by: Any, values_by: Any, world: World
) -> None:
    public, private, low, high = world
    asked = world_problem(world)
    for ranges in ((), ("a",)):
        found = Mpalm(columns_by, values_by, ranges=ranges)(asked)
        assert found.holds
        assert sum(boxes(found).values()) == len(private)
        assert holds(boxes(found), public, low, high)


@quick
@given(world=worlds())
def test_no_class_could_be_cut_again(world: World) -> None:
    """Cutting any class at any number, or into the children of its value, breaks the promise."""
    public, private, low, high = world
    asked = world_problem(world)
    found = boxes(Mpalm("best", "first", ranges=("a",))(asked))
    for box in found:
        rest = {b: rows for b, rows in found.items() if b != box}
        for finer in _finer(box, public, private):
            assert not holds({**rest, **finer}, public, low, high)


def _finer(box: Row, public: list[Row], private: list[Row]) -> list[dict[Row, int]]:
    """What a class could be cut into, as released texts with their rows."""
    people, own = (
        [r for r in rows if all(map(stands_for, NAMES, box, r))] for rows in (public, private)
    )
    ways = [
        [[r for r in people if int(r[0]) < at], [r for r in people if int(r[0]) >= at]]
        for at in sorted({int(person[0]) for person in people})[1:]
    ]
    if box[1] in ("all", "x", "y"):
        length = 1 if box[1] == "all" else 2
        ways.append(
            [[r for r in people if r[1][:length] == k] for k in {p[1][:length] for p in people}]
        )
    if box[2] == "*":
        ways.append([[r for r in people if r[2] == sex] for sex in "mf"])
    return [
        {_box(side): n for side in way if (n := sum(row in side for row in own))} for way in ways
    ]


def _box(side: list[Row]) -> Row:
    """The least texts that cover some people."""
    ages = sorted(int(person[0]) for person in side)
    age = str(ages[0]) if ages[0] == ages[-1] else f"{ages[0]}-{ages[-1]}"
    leaves, kinds, sexes = (
        {person[1] for person in side},
        {p[1][0] for p in side},
        {p[2] for p in side},
    )
    place = leaves.pop() if len(leaves) == 1 else kinds.pop() if len(kinds) == 1 else "all"
    return age, place, sexes.pop() if len(sexes) == 1 else "*"


def test_the_box_of_the_private_rows_alone_would_break_the_promise(tmp_path: Path) -> None:
    """Algorithm 2, line 20, as printed: whoever is outside that box is known to be absent."""
    public = [(age, "x1", "m") for age in "123456"]
    private = [public[2], public[3]]
    path = write(tmp_path / "public.csv", public)
    found = boxes(Mpalm(ranges=("a",))(problem(private, policy([presence(path, 1 / 3, 0.34)]))))
    assert found == {("1-3", "x1", "m"): 1, ("4-6", "x1", "m"): 1}
    assert holds(found, public, 1 / 3, 0.34)
    printed = {("3", "x1", "m"): 1, ("4", "x1", "m"): 1}
    assert not holds(printed, public, 1 / 3, 0.34)
    assert not holds(printed, public, 0.0, 0.34)


@pytest.mark.parametrize(("values_by", "left"), [("rows", 2), ("first", 1), ("values", 3)])
def test_of_the_cuts_that_are_allowed_each_strategy_takes_its_own(
    tmp_path: Path, values_by: Any, left: int
) -> None:
    """Of ages 1 to 6, six people have the first and two each other; half of each are inside."""
    public = [(age, "x1", "m") for age in "1111112233445566"]
    path = write(tmp_path / "public.csv", public)
    asked = problem(public[::2], policy([presence(path, 0.5, 0.5)]))
    passing, axis = Passing(asked), NumberAxis.of(asked.lattice.hierarchies[0], False, False)
    seen = find_pieces(axis, axis.rank[asked.frequency.codes[0]], passing.amounts)
    assert seen is not None
    side = choose_value(seen, passing, values_by)
    assert side is not None
    assert side.tolist() == [0] * left + [1] * (6 - left)


def test_a_cut_that_gives_somebody_away_is_not_made(tmp_path: Path) -> None:
    """At 1 | 2 nobody on the left is inside; 1, 2 | 3, 4 is the only cut that leaves half."""
    for values_by in VALUES_BY:
        assert cut(tmp_path, "1 2 3 4", "0110", 0.5, 0.5, values_by) == {"1-2": 1, "3-4": 1}


def test_parts_without_private_rows_are_cut_off_where_min_is_nothing(tmp_path: Path) -> None:
    assert cut(tmp_path, "1 2 3 4", "0110", 0.0, 0.5, "first") == {"1-2": 1, "3-4": 1}
    assert cut(tmp_path, "1 2 2 3 3 4", "010100", 0.0, 0.5, "first") == {"2": 1, "3": 1}


def two_ways(folder: Path, **more: Any) -> dict[Row, int]:
    """Either column can be cut, but not both."""
    public = [("1", "x1", "m"), ("2", "x1", "f"), ("1", "x1", "f"), ("2", "x1", "m")]
    path = write(folder / "public.csv", public)
    asked = problem(public[:2], policy([presence(path, 0.5, 0.5)]))
    return boxes(Mpalm(ranges=("a",), **more)(asked))


def test_columns_are_cut_in_the_order_that_is_asked_for(tmp_path: Path) -> None:
    by_age = {("1", "x1", "*"): 1, ("2", "x1", "*"): 1}
    by_sex = {("1-2", "x1", "m"): 1, ("1-2", "x1", "f"): 1}
    assert two_ways(tmp_path) == by_age
    assert two_ways(tmp_path, columns_by="priority") == by_age
    assert two_ways(tmp_path, columns_by="priority", priority=["c"]) == by_sex


def test_next_takes_turns_and_best_counts_the_values() -> None:
    ranks = np.array([[0, 1, 1], [0, 1, 2], [0, 0, 0]])
    assert choose_columns("next", (0, 1, 2), 1, ranks) == [1, 2, 0]
    assert choose_columns("priority", (2, 0, 1), 1, ranks) == (2, 0, 1)
    assert choose_columns("best", (0, 1, 2), 1, ranks) == [1, 0, 2]


def test_a_value_is_cut_into_all_its_children_or_not_at_all(tmp_path: Path) -> None:
    """Two of three children together could only be released as y, which the third is under."""
    public = [("1", leaf, "m") for leaf in ("y1", "y1", "y2", "y2", "y3", "y3")]
    path = write(tmp_path / "public.csv", public)
    asked = policy([presence(path, 0.5, 0.5)])
    found = boxes(Mpalm()(problem([public[0], public[2], public[4]], asked)))
    assert found == {("1", f"y{n}", "m"): 1 for n in (1, 2, 3)}
    found = boxes(Mpalm()(problem([public[0], public[2], public[3]], asked)))
    assert found == {("1", "y", "m"): 3}


def one_column(folder: Path, tree: Any, public: str, private: str, **more: Any) -> dict[Row, int]:
    """A column with a hierarchy of its own; half of the public must be private everywhere."""
    for name, cells in (("public.csv", public), ("private.csv", private)):
        (folder / name).write_text("\n".join(["p", *cells]) + "\n")
    column = {"role": "quasi", "hierarchy": {"tree": tree}}
    wanted = Policy(columns={"p": column}, require=[presence(folder / "public.csv", 0.5, 0.5)])
    counted = count_for_policy(read(folder / "private.csv"), wanted)
    return boxes(Mpalm(**more)(plan_problem(wanted, counted.frequency)))


def test_a_column_in_which_a_text_has_two_meanings_is_refused(tmp_path: Path) -> None:
    """``a`` is a leaf, and the value above ``c``: nobody could say whom a class of it fits."""
    tree = {"all": {"x": {"a": None, "b": None}, "a": {"c": None}}}
    with pytest.raises(HierarchyError, match="also a value"):
        one_column(tmp_path, tree, "aabbcc", "abc")


def test_a_range_that_reads_like_another_value_is_written_in_words(tmp_path: Path) -> None:
    """The file calls 2 and 3 by the name of 1-2, as the ages of adult do."""
    tree = {"*": {"1-2": {"2": None, "3": None}, "0": {"1": None, "4": None}}}
    found = one_column(tmp_path, tree, "1234", "13", ranges=("p",))
    assert found == {("1 to 2",): 1, ("3-4",): 1}


@pytest.mark.parametrize(
    ("inside", "found"), [("101010", {"1": 1, "2": 1, "None": 1}), ("111000", {"*": 3})]
)
def test_missing_numbers_leave_before_numbers_are_cut(
    tmp_path: Path, inside: str, found: dict[str, int]
) -> None:
    """If they cannot, the class is released as the value above numbers and missing ones."""
    public = [(age, "x1", "m") for age in ("1", "1", "2", "2", "", "")]
    private = [row for row, there in zip(public, inside, strict=True) if there == "1"]
    path = write(tmp_path / "public.csv", public)
    asked = problem(private, policy([presence(path, 0.5, 0.5)]))
    released = boxes(Mpalm(ranges=("a",))(asked))
    assert {box[0]: rows for box, rows in released.items()} == found


def test_class_sizes_and_people_of_a_register_can_be_promised_too(tmp_path: Path) -> None:
    public = [(age, "x1", "m") for age in "11223344"]
    path = write(tmp_path / "public.csv", public)
    promises = [presence(path, 0.5, 0.5), {"k_anonymity": {"k": 2}}]
    asked = problem(public[::2], policy(promises))
    found = Mpalm(ranges=("a",))(asked)
    assert boxes(found) == {("1-2", "x1", "m"): 2, ("3-4", "x1", "m"): 2}
    assert [verdict.measured for verdict in found.verdicts] == [0.5, 2]
    asked = problem(public[:1], policy([{"k_map": {"k": 3, "register": str(path)}}]))
    assert boxes(Mpalm(ranges=("a",))(asked)) == {("1-2", "x1", "m"): 1}


def test_without_a_register_the_table_is_its_own_public() -> None:
    rows = [(age, "x1", "m") for age in "112233"]
    found = Mpalm(ranges=("a",))(problem(rows, policy([{"k_anonymity": {"k": 2}}])))
    assert boxes(found) == {(age, "x1", "m"): 2 for age in "123"}


def test_a_strategy_for_numbers_without_numbers_is_said_to_be_idle() -> None:
    asked = problem([("1", "x1", "m")] * 2, policy([{"k_anonymity": {"k": 2}}]))
    assert Mpalm(values_by="first")(asked).notes == (NO_RANGES,)
    assert Mpalm(values_by="first", ranges=("a",))(asked).notes == Mpalm()(asked).notes == ()


def test_the_same_table_gives_the_same_release(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    public = [tuple(str(n) for n in random.integers(0, 9, 3)) for _ in range(60)]
    public = [(a, f"{'xy'[int(b) % 2]}{int(b) % 2 + 1}", "mf"[int(c) % 2]) for a, b, c in public]
    path = write(tmp_path / "public.csv", public)
    asked = policy([presence(path, 0.1, 0.7)])
    first, second = (boxes(Mpalm(ranges=("a",))(problem(public[:25], asked))) for _ in range(2))
    assert first == second
    assert list(first) == list(second)


def test_out_of_time_classes_are_coarse_but_keep_the_promise(tmp_path: Path) -> None:
    public = [(age, "x1", "m") for age in "11223344"]
    path = write(tmp_path / "public.csv", public)
    asked = problem(public[::2], policy([presence(path, 0.5, 0.5)]))
    found = Mpalm(ranges=("a",))(asked, seconds=-1.0)
    assert found.notes == (OUT_OF_TIME,)
    assert boxes(found) == {("1-2", "x1", "m"): 2, ("3-4", "x1", "m"): 2}
    assert found.holds


def test_a_promise_that_one_class_breaks_is_unreachable(tmp_path: Path) -> None:
    public = [("1", "x1", "m")] * 4
    path = write(tmp_path / "public.csv", public)
    asked = policy([presence(path, 0.0, 1.0), {"k_anonymity": {"k": 3}}])
    counted = count(read(table(public[:2])), NAMES)
    beside = add_register(counted, count(read(path), NAMES).frequency, asked.require[0].tally)
    with pytest.raises(UnreachableError, match="k_anonymity"):
        Mpalm()(plan_problem(asked, beside.frequency))


def test_other_promises_are_refused_by_name(tmp_path: Path) -> None:
    asked = made(["p q", "r q"], [LDiversity("b", 1)], sensitive="b")
    with pytest.raises(ReleaseError, match="l_diversity"):
        Mpalm()(asked)
    own = made(["p q", "r q"], [KAnonymity(1, columns=("a",))])
    with pytest.raises(ReleaseError, match="columns of its own"):
        Mpalm()(own)
    assert DeltaPresence in Mpalm.claims


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"columns_by": "width"}, "columns_by"),
        ({"values_by": "median"}, "values_by"),
        ({"ranges": "age"}, "ranges"),
        ({"columns_by": "priority", "priority": ["a", "a"]}, "priority"),
        ({"priority": ["a"]}, "priority"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(given: dict[str, Any], key: str) -> None:
    with pytest.raises(ParameterError, match=key):
        Mpalm(**given)


@pytest.mark.parametrize("key", ["ranges", "priority"])
def test_columns_that_are_not_quasi_are_refused(key: str) -> None:
    rows = [("1", "x1", "m")] * 2
    given: dict[str, Any] = {"columns_by": "priority", key: ["zip"]}
    with pytest.raises(ParameterError, match="'zip' is none"):
        Mpalm(**given)(problem(rows, policy([{"k_anonymity": {"k": 2}}])))
