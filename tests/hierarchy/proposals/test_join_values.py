"""Which values are joined first, against a plain count of the information that is lost."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from discreet.hierarchy.proposals.join_values import (
    Costs,
    choose_sizes,
    cut_joins,
    join_all,
    join_neighbours,
)
from discreet.hierarchy.proposals.row_codes import Joint


def measure(groups, counts, columns):
    """Mutual information of groups and other columns times rows, by its definition."""
    width = counts.shape[1] // columns
    total = 0.0
    for column in range(columns):
        part = counts[:, column * width : (column + 1) * width]
        joined = np.array([part[list(group)].sum(axis=0) for group in groups])
        rows = joined.sum()
        for group, line in enumerate(joined):
            for other, cell in enumerate(line):
                if cell:
                    alone = joined[group].sum() * joined[:, other].sum() / rows
                    total += cell * math.log(cell / alone)
    return total


def make_joint(seed, values, columns=2, width=3):
    random = np.random.default_rng(seed)
    one = random.integers(0, 9, (values, width))
    one[:, 0] += 1
    other = np.stack([random.permutation(line) for line in one])  # each column counts all rows
    return Joint(np.concatenate([one, other], axis=1), columns)


@pytest.mark.parametrize("seed", range(8))
def test_the_pair_that_loses_least_information_is_joined_first(seed):
    joint = make_joint(seed, 7)
    rows = joint.counts[:, :3].sum(axis=1)
    groups = [{value} for value in range(7)]
    for one, other in join_all(Costs(joint, rows, 0.0)):
        before = measure(groups, *joint)
        lost = {}
        for first, second in combinations(range(len(groups)), 2):
            rest = [g for at, g in enumerate(groups) if at not in (first, second)]
            lost[first, second] = before - measure([*rest, groups[first] | groups[second]], *joint)
        pair = tuple(
            sorted(next(at for at, g in enumerate(groups) if v in g) for v in (one, other))
        )
        assert lost[pair] == pytest.approx(min(lost.values()), abs=1e-6)
        joined = groups[pair[0]] | groups[pair[1]]
        groups = [g for at, g in enumerate(groups) if at not in pair] + [joined]
    assert len(groups) == 1


def test_a_leaf_more_costs_the_rows_that_get_it():
    nothing = Joint(np.zeros((3, 0), dtype=np.int64), 0)
    joins = join_all(Costs(nothing, np.array([900, 5, 8]), 1.0))
    assert joins[0] == (1, 2)


def test_many_values_are_joined_as_few_are():
    joint = make_joint(1, 60)
    rows = joint.counts[:, :3].sum(axis=1)
    joins = join_all(Costs(joint, rows, 1.0))
    assert len(joins) == 59
    costs = Costs(joint, rows, 1.0)
    first = [costs.of(value, slice(value + 1, 60)).min() for value in range(59)]
    assert costs.of(joins[0][0], np.array([joins[0][1]]))[0] == min(first)
    assert len(np.unique(cut_joins(joins, 60, [1])[0])) == 1


def test_neighbours_only_are_joined_where_there_is_an_order():
    joint = make_joint(3, 9)
    joins = join_neighbours(Costs(joint, joint.counts[:, :3].sum(axis=1), 1.0))
    for level in cut_joins(joins, 9, [6, 4, 2]):
        assert (np.diff(level) >= 0).all()


@pytest.mark.parametrize("values", [3, 4, 7, 16, 42, 1000])
def test_levels_have_fewer_groups_each_and_the_last_has_two(values):
    sizes = choose_sizes(values, 3)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 2
    assert sizes[0] < values
    assert 1 <= len(sizes) <= 3


def test_levels_are_nested():
    joint = make_joint(5, 20)
    joins = join_all(Costs(joint, joint.counts[:, :3].sum(axis=1), 1.0))
    finer, coarser = cut_joins(joins, 20, [8, 3])
    assert len(np.unique(finer)) == 8
    assert len(np.unique(coarser)) == 3
    for group in np.unique(finer):
        assert len(np.unique(coarser[finer == group])) == 1
