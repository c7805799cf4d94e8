"""People are counted by their whole records, at every node, as brute force counts them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings

from discreet.pipeline.people.counted_people import PeopleTable, count_people
from discreet.pipeline.people.people_problem import PeopleCounter, PeopleProblem
from discreet.pipeline.plan import build_hierarchy
from discreet.policy.people import RecordRule
from discreet.table.read import read
from tests.pipeline.people.made_people import PEOPLE, Record, alike, policy_of, table_of

RANDOM = np.random.default_rng(1)


def problem_of(people: Sequence[Record], once: bool) -> PeopleProblem:
    policy = policy_of(2)
    whose = PeopleTable(read(table_of(people)), "who", ("zip", "sex"))
    counted = count_people([whose], RecordRule(), RANDOM)
    values = [d.values for d in counted.rows[0].dictionaries]
    hierarchies = [
        build_hierarchy(policy, name, own) for name, own in zip(policy.quasi, values, strict=True)
    ]
    return PeopleProblem(
        counted.records, hierarchies, policy.require, policy.measure, 0, [1, 1], (), once
    )


def sizes(counter: PeopleCounter, node: tuple[int, ...]) -> list[int]:
    groups = counter.groups(node)
    return sorted(int(rows) for rows in groups.rows for _ in range(rows))


@settings(max_examples=40)
@given(PEOPLE)
def test_classes_are_those_of_brute_force_at_every_node(people: list[Record]) -> None:
    for once in (False, True):
        counter = problem_of(people, once).people
        for node in counter.lattice:
            expected = alike(people, counter.lattice.hierarchies, node, once)
            assert sizes(counter, node) == sorted(expected), node


@settings(max_examples=20)
@given(PEOPLE)
def test_people_alike_stay_alike_when_columns_are_made_coarser(people: list[Record]) -> None:
    counter = problem_of(people, once=False).people
    homes = {node: counter.find_record_classes(counter.groups(node)) for node in counter.lattice}
    for fine, own in homes.items():
        for coarse, other in homes.items():
            if all(a <= b for a, b in zip(fine, coarse, strict=True)):
                pairs = {(int(a), int(b)) for a, b in zip(own, other, strict=True)}
                assert len(pairs) == len(set(own.tolist()))


def test_the_order_of_a_persons_rows_does_not_matter() -> None:
    people = [[("11", "f"), ("22", "m")], [("22", "m"), ("11", "f")]]
    assert sizes(problem_of(people, once=False).people, (0, 0)) == [2, 2]


def test_records_that_agree_column_by_column_are_not_alike() -> None:
    people = [[("11", "f"), ("22", "m")], [("11", "m"), ("22", "f")]]
    counter = problem_of(people, once=False).people
    assert sizes(counter, (0, 0)) == [1, 1]
    assert sizes(counter, (0, 1)) == [2, 2]


def test_the_number_of_rows_tells_people_apart_unless_it_is_ignored() -> None:
    people = [[("11", "f")], [("11", "f"), ("11", "f")]]
    assert sizes(problem_of(people, once=False).people, (0, 0)) == [1, 1]
    assert sizes(problem_of(people, once=True).people, (0, 0)) == [2, 2]


def test_a_quasi_identifier_of_some_columns_is_counted_on_those() -> None:
    people = [[("11", "f"), ("12", "m")], [("21", "f"), ("22", "m")], [("11", "f")]]
    counter = problem_of(people, once=False).people
    groups = counter.groups((0, 0))
    classes, home = counter.project(groups, (1,))
    assert sorted(classes.rows.tolist()) == [1, 2]
    assert len(set(home.tolist())) == 2


def test_suppressed_people_cost_all_their_rows() -> None:
    people = [[("11", "f")], [("11", "f")], [("22", "m"), ("22", "m"), ("22", "m")]]
    for once in (False, True):
        problem = problem_of(people, once)
        groups = problem.counter.groups((0, 0))
        dropped = np.where(groups.rows == 1, 1, 0)
        ones = [np.ones(h.size(0)) for h in problem.lattice.hierarchies]
        assert problem.people.price_dropped(groups, dropped, ones).tolist() == [3.0, 3.0]
