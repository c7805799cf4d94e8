"""Classes that were rolled up from classes are those that plain counting of the rows finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.algorithms import Problem
from discreet.frequency import class_counter
from discreet.frequency.class_counter import ClassCounter
from discreet.frequency.count import count
from discreet.frequency.frequency_list import KeyIndex
from discreet.hierarchy import Hierarchy
from discreet.hierarchy.lattice import Lattice
from tests.properties.reference import Case, Node
from tests.properties.strategies import Drawn, Rows, cases, examples

Class = tuple[Any, ...]


def labels(counter: ClassCounter, node: Node, keys: Any) -> list[Class]:
    """What the packed keys of a node stand for."""
    columns = []
    for place, (hierarchy, level) in enumerate(zip(counter.lattice.hierarchies, node, strict=True)):
        codes = counter.packing.unpack(keys, place)
        columns.append([hierarchy.labels[level][code] for code in codes])
    return list(zip(*columns, strict=True))


def rolled_up(counter: ClassCounter, node: Node, remember: bool) -> dict[str, Any]:
    """Rows, weight and sensitive values of every class of a node, by its labels."""
    groups = counter.groups(node, remember)
    names = labels(counter, node, groups.keys)
    assert len(set(names)) == len(names)
    values: dict[str, Counter[Any]] = {}
    for column, entries in groups.entries.items():
        values[column] = Counter()
        for owner, value, number in zip(entries.owner, entries.value, entries.count, strict=True):
            values[column][names[owner], int(value)] += int(number)
        assert len(values[column]) == len(entries.owner)
    return {
        "rows": dict(zip(names, groups.rows.tolist(), strict=True)),
        "weights": [dict(zip(names, tally, strict=True)) for tally in groups.tallies.tolist()],
        "values": values,
    }


def counted(case: Case, problem: Problem, node: Node) -> dict[str, Any]:
    """The same from the rows, one by one."""
    released = case.released(node)
    weights: dict[Class, float] = defaultdict(float)
    for key, weight in zip(released, case.row_weights or (), strict=False):
        weights[key] += weight
    values = {}
    for column in problem.frequency.sensitive:
        code = {v: c for c, v in enumerate(problem.frequency.values[column])}
        cells = case.cells[column]
        values[column] = Counter(zip(released, (code[cell] for cell in cells), strict=True))
    return {
        "rows": dict(Counter(released)),
        "weights": [] if case.row_weights is None else [dict(weights)],
        "values": values,
    }


@examples(60)
@given(drawn=cases(), room=st.sampled_from([0, 2000, 1 << 20]), data=st.data())
def test_classes_are_the_same_in_whatever_order_nodes_are_counted(
    drawn: Drawn, room: int, data: st.DataObject
) -> None:
    """Also where there is room for few nodes to be remembered, or for none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_counter, "KEPT_BYTES", room)
        case, problem = drawn.case, drawn.problem()
    assert problem.total == case.rows
    for node in data.draw(st.lists(st.sampled_from(list(case.nodes)), min_size=1, max_size=12)):
        remember = data.draw(st.booleans())
        assert rolled_up(problem.counter, node, remember) == counted(case, problem, node)


@examples(40)
@given(drawn=cases(), data=st.data())
def test_some_columns_of_a_node_are_counted_as_rows_are(drawn: Drawn, data: st.DataObject) -> None:
    case, problem = drawn.case, drawn.problem()
    node = data.draw(st.sampled_from(list(case.nodes)))
    places = sorted(data.draw(st.sets(st.integers(0, len(node) - 1))))
    groups = problem.counter.groups(node)
    names = labels(problem.counter, node, groups.keys)
    kept = data.draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names)))
    classes, inverse = problem.counter.project(groups, places, np.array(kept))
    staying = {name for name, keep in zip(names, kept, strict=True) if keep}
    plain = Counter(
        tuple(row[place] for place in places) for row in case.released(node) if row in staying
    )
    for name, own in zip(names, inverse, strict=True):
        assert classes.rows[own] == plain[tuple(name[place] for place in places)]
    assert len(classes) == len({tuple(name[place] for place in places) for name in names})
    for histogram in classes.histograms.values():
        amounts = classes.sum_by_class(histogram, histogram.count)
        assert amounts.tolist() == classes.rows.tolist()


def wide(columns: int, rows: int, values: int, seed: int) -> tuple[ClassCounter, list[Any]]:
    """A table of numbers with hierarchies that halve them again and again, and its counter."""
    random = np.random.default_rng(seed)
    few = random.integers(0, values, (max(1, rows // 3), columns))
    cells = few[random.integers(0, len(few), rows)]
    names = [f"c{place}" for place in range(columns)]
    table = Rows({name: cells[:, place].tolist() for place, name in enumerate(names)})
    frequency = count(table, names).frequency  # type: ignore[arg-type]
    built = [halves(name, frequency.values[name], values) for name in names]
    return ClassCounter(frequency, Lattice(tuple(built)), {}), cells.tolist()


def halves(name: str, found: Sequence[Any], values: int) -> Hierarchy:
    levels, width = [], 1
    while width < values:
        width *= 16
        levels.append([f"{width}:{int(value) // width}" for value in found])
    return Hierarchy.from_labels(name, found, levels)


def plain_counts(cells: list[Any], node: Node) -> Counter[Class]:
    def label(value: int, level: int) -> str:
        return f"{16**level}:{value // 16**level}" if level else str(value)

    return Counter(tuple(map(label, row, node)) for row in cells)


@pytest.mark.parametrize(
    ("columns", "rows", "values", "words"),
    [(40, 300, 7, 2), (40, 300, 200, 5), (64, 200, 2, 1), (65, 200, 2, 2)],
    ids=["40 small columns", "40 columns", "64 bits", "65 bits"],
)
def test_keys_of_several_words_are_counted_as_rows_are(
    columns: int, rows: int, values: int, words: int
) -> None:
    counter, cells = wide(columns, rows, values, seed=columns)
    assert counter.packing.words == words
    random, top = np.random.default_rng(rows), counter.lattice.top
    nodes = [tuple(int(random.integers(0, height + 1)) for height in top) for _ in range(12)]
    for node in [*nodes, top, counter.lattice.bottom, *nodes]:
        assert rolled_up(counter, node, True)["rows"] == dict(plain_counts(cells, node))


@pytest.mark.parametrize("room", [0, 20_000])
def test_nodes_that_were_forgotten_to_make_room_are_counted_anew(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_counter, "KEPT_BYTES", room)
    counter, cells = wide(5, 600, 32, seed=2)
    random = np.random.default_rng(1)
    for _ in range(200):
        node = tuple(int(random.integers(0, height + 1)) for height in counter.lattice.top)
        assert rolled_up(counter, node, True)["rows"] == dict(plain_counts(cells, node))


@pytest.mark.parametrize("columns", [3, 40], ids=["one word", "several words"])
def test_every_row_finds_its_class(columns: int) -> None:
    counter, _ = wide(columns, 400, 200, seed=9)
    node = tuple(1 if place % 2 else 0 for place in range(columns))
    groups = counter.groups(node)
    index = KeyIndex(groups.keys)
    assert index.find(groups.keys).tolist() == list(range(len(groups)))
    absent = groups.keys.copy()
    absent[0] ^= np.uint64(1 << 63)
    assert (index.find(absent) == -1).all()


def test_columns_of_more_than_two_to_the_sixteen_values_stay_apart() -> None:
    random, rows = np.random.default_rng(3), (1 << 16) + 500
    cells = np.stack([random.permutation(rows) for _ in range(4)], axis=1)
    cells = np.vstack([cells[:45_000], cells[:300], cells[45_000:], cells[:100]])
    names = ["c0", "c1", "c2", "c3"]
    table = Rows({n: cells[:, c].tolist() for c, n in enumerate(names)}, batch=3000)
    frequency = count(table, names).frequency  # type: ignore[arg-type]
    built = []
    for name in names:
        values = frequency.values[name]
        by_hundreds = [str(int(value) // 1000) for value in values]
        built.append(Hierarchy.from_labels(name, values, [by_hundreds, ["0"] * len(values)]))
    counter = ClassCounter(frequency, Lattice(tuple(built)), {})
    assert counter.packing.words == 2
    for node in [(0, 0, 0, 0), (0, 1, 2, 1), (2, 1, 2, 0), (1, 1, 2, 2), (2, 2, 2, 2)]:
        width = np.array([1, 1000, 1 << 20])[list(node)]
        plain, number = np.unique(cells // width, axis=0, return_counts=True)
        found = rolled_up(counter, node, True)["rows"]
        assert found == dict(zip(map(tuple, plain.astype(str).tolist()), number, strict=True))


def test_counting_goes_on_when_a_column_outgrows_its_bits() -> None:
    """Rows that come again are found, whatever was packed anew since they first came."""
    numbers = [*range(14_000), *range(500), *range(900)]
    columns = {"c0": [n // 3 for n in numbers], "c1": [n % 3 for n in numbers]}
    columns["s"] = [n % 2 for n in numbers]
    frequency = count(Rows(columns, batch=100), ["c0", "c1"], ["s"]).frequency  # type: ignore[arg-type]
    plain = Counter(zip(columns["c0"], columns["c1"], strict=True))
    texts = [[int(str(frequency.values[name][code])) for code in codes]
             for name, codes in zip(frequency.columns, frequency.codes, strict=True)]  # fmt: skip
    tuples = list(zip(*texts, strict=True))
    assert dict(zip(tuples, frequency.rows.tolist(), strict=True)) == dict(plain)
    assert len(tuples) == len(plain)
    entries = frequency.sensitive["s"]
    assert entries.count.sum() == len(numbers)
    assert len(entries.owner) == len(plain)
