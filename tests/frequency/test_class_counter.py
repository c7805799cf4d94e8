"""Classes rolled up from finer nodes are those that counting the rows anew would give."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from discreet.algorithms import Problem
from discreet.frequency import kernels
from discreet.frequency.class_counter import ClassCounter, Groups
from discreet.hierarchy import Intervals, Prefix
from discreet.models import KAnonymity, LDiversity
from tests.algorithms.made import problem

BUILDERS = {"a": Prefix([4, 3]), "b": Intervals([5, 10, 20])}


def rows(number: int = 300) -> list[str]:
    random = np.random.default_rng(7)
    zips, ages = random.integers(200, size=number), random.integers(60, size=number)
    sexes, diseases = random.choice(list("mf"), number), random.choice(list("xyzw"), number)
    return [
        f"{2000 + z:05} {age} {sex} {disease}"
        for z, age, sex, disease in zip(zips, ages, sexes, diseases, strict=True)
    ]


ROWS = rows()
TABLES = problem(ROWS, [KAnonymity(1), LDiversity("d", 1)], sensitive="d", hierarchies=BUILDERS)


def labels(tables: Problem, node: tuple[int, ...], row: str) -> tuple[str | None, ...]:
    """What a row is released as at a node."""
    found = []
    for name, cell, level in zip("abc", row.split()[:3], node, strict=True):
        place = tables.frequency.columns.index(name)
        hierarchy = tables.lattice.hierarchies[place]
        ground = hierarchy.labels[0].index(cell)
        found.append(hierarchy.labels[level][hierarchy.maps[level][ground]])
    return tuple(found)


def named(tables: Problem, groups: Groups) -> list[tuple[str | None, ...]]:
    columns = []
    for column, hierarchy in enumerate(tables.lattice.hierarchies):
        codes = tables.counter.packing.unpack(groups.keys, column)
        columns.append([hierarchy.labels[groups.node[column]][code] for code in codes])
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("node", list(TABLES.lattice), ids=str)
def test_classes_are_those_of_the_recoded_rows(node: tuple[int, ...]) -> None:
    groups = TABLES.counter.groups(node)
    found = dict(zip(named(TABLES, groups), groups.rows.tolist(), strict=True))
    assert len(found) == len(groups)
    assert found == Counter(labels(TABLES, node, row) for row in ROWS)


@pytest.mark.parametrize("node", [(1, 1, 0), (2, 3, 1), (0, 2, 1)])
def test_sensitive_values_are_rolled_up_with_their_classes(node: tuple[int, ...]) -> None:
    groups = TABLES.counter.groups(node)
    names, values = named(TABLES, groups), TABLES.frequency.values["d"]
    entries = groups.entries["d"]
    pairs = zip(entries.owner, entries.value, strict=True)
    found = [(*names[owner], values[value]) for owner, value in pairs]
    expected = Counter((*labels(TABLES, node, row), row.split()[3]) for row in ROWS)
    assert dict(zip(found, entries.count.tolist(), strict=True)) == expected
    assert len(found) == len(expected)


def test_the_way_to_a_node_does_not_matter() -> None:
    order = np.random.default_rng(0).permutation(list(TABLES.lattice))
    for node in map(tuple, order.tolist()):
        fresh = ClassCounter(TABLES.frequency, TABLES.lattice, TABLES.counter.references)
        near, far = TABLES.counter.groups(node), fresh.groups(node)
        assert sorted(near.rows.tolist()) == sorted(far.rows.tolist())
        assert len(near.entries["d"].count) == len(far.entries["d"].count)


def test_some_columns_alone_are_counted_as_such() -> None:
    groups = TABLES.counter.groups((0, 1, 0))
    classes, inverse = TABLES.counter.project(groups, [2])
    assert sorted(classes.rows.tolist()) == sorted(Counter(r.split()[2] for r in ROWS).values())
    assert np.bincount(inverse, weights=groups.rows).tolist() == classes.rows.tolist()


def test_groups_that_are_not_kept_count_as_empty() -> None:
    groups = TABLES.counter.groups((0, 1, 0))
    kept = np.zeros(len(groups), dtype=np.bool_)
    kept[:5] = True
    classes, _ = TABLES.counter.project(groups, [2], kept)
    assert classes.rows.sum() == groups.rows[:5].sum()
    assert classes.histograms["d"].count.sum() == groups.rows[:5].sum()


def test_row_weights_are_rolled_up_too() -> None:
    weighted = [f"{row.split()[0]} {n % 5}" for n, row in enumerate(ROWS)]
    tables = problem(weighted, [KAnonymity(1)], quasi="a", hierarchies=BUILDERS, row_weight="b")
    groups = tables.counter.groups((1,))
    expected: Counter[str] = Counter()
    for row in weighted:
        expected[row[:4] + "*"] += int(row.split()[1])
    names = [name for (name,) in named(tables, groups)]
    assert dict(zip(names, groups.tallies[0].tolist(), strict=True)) == dict(expected)


def test_keys_of_several_words_are_rolled_up_alike() -> None:
    """Twenty-six columns of up to 300 values need more than one word of 64 bits."""
    random = np.random.default_rng(3)
    wide = [" ".join(map(str, row)) for row in random.integers(300, size=(400, 26)).tolist()]
    wide += wide[:50]
    tables = problem(wide, [KAnonymity(1)])
    assert tables.counter.packing.words > 1
    assert sorted(tables.counter.groups((0,) * 26).rows.tolist()) == [1] * 350 + [2] * 50
    first = (0, *[1] * 25)
    expected = Counter(row.split()[0] for row in wide)
    groups = tables.counter.groups(first)
    assert sorted(groups.rows.tolist()) == sorted(expected.values())


def test_many_classes_are_merged_part_by_part_alike() -> None:
    random = np.random.default_rng(5)
    keys = np.unique(random.integers(0, 1 << 20, 50_000, dtype=np.uint64))[None, :]
    random.shuffle(keys[0])
    rows = random.integers(1, 9, keys.shape[1])
    table = np.arange(1 << 10, dtype=np.uint64) >> np.uint64(3)
    place = [np.array([number], dtype=np.int64) for number in (0, 10, 10)]
    rest = (table, np.zeros(1, dtype=np.int64), keys.shape[1], True)
    wanted = kernels.roll_up_narrow(keys, rows, *place, *rest)
    found = kernels.roll_up_parts(keys, rows, *place, *rest)
    assert dict(zip(found[0][0], found[1], strict=True)) == dict(
        zip(wanted[0][0], wanted[1], strict=True)
    )
    assert (found[0][0][found[2]] == wanted[0][0][wanted[2]]).all()
    none = kernels.roll_up_parts(keys, rows, *place, *rest[:-1], False)
    assert (none[0] == found[0]).all() and not len(none[2])
