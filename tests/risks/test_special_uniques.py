"""Special uniques against every set of columns, and the scores that follow."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError, TooLargeError
from discreet.frequency.count import count
from discreet.frequency.frequency_list import FrequencyList
from discreet.risks.special_uniques import SpecialUniques, find_fitting_size
from discreet.table.read import read

Rows = list[tuple[str, ...]]


def frequency_of(rows: Rows) -> FrequencyList:
    names = [f"c{i}" for i in range(len(rows[0]))]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return count(read(pa.table(columns)), names).frequency


def every_set(rows: Rows, most: int) -> dict[tuple[str, ...], list[tuple[int, ...]]]:
    """The minimal sample uniques of each row, by trying everything."""
    found: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    for size in range(1, most + 1):
        for chosen in combinations(range(len(rows[0])), size):
            seen = Counter(tuple(row[i] for i in chosen) for row in rows)
            for row in rows:
                smaller = any(set(one) < set(chosen) for one in found.get(row, []))
                if seen[tuple(row[i] for i in chosen)] == 1 and not smaller:
                    found.setdefault(row, []).append(chosen)
    return found


def made(seed: int) -> tuple[Rows, int]:
    random = np.random.default_rng(seed)
    columns = int(random.integers(1, 7))
    values = [random.integers(0, int(random.integers(1, 6)), 40) for _ in range(columns)]
    rows = [tuple(map(str, row)) for row in zip(*values, strict=True)]
    return rows[: int(random.integers(1, 41))], int(random.integers(1, columns + 1))


@pytest.mark.parametrize("seed", range(30))
def test_minimal_uniques_are_those_of_every_set(seed: int) -> None:
    rows, most = made(seed)
    frequency = frequency_of(rows)
    found = SpecialUniques(most)(frequency)
    expected = every_set(rows, most)
    columns = len(rows[0])
    worth = {s: math.prod(columns - i for i in range(s, most)) for s in range(1, most + 1)}
    for place in range(len(frequency)):
        own = tuple(
            str(frequency.values[name][codes[place]])
            for name, codes in zip(frequency.columns, frequency.codes, strict=True)
        )
        sets = expected.get(own, [])
        assert found.scores[place] == sum(worth[len(one)] for one in sets)
        assert found.smallest[place] == min(map(len, sets), default=0)
    sizes = Counter(len(one) for sets in expected.values() for one in sets)
    assert found.by_size == tuple(sizes[s] for s in range(1, most + 1))


def test_with_all_columns_a_score_is_the_factorial_of_sdcmicro() -> None:
    rows = [("a", "x", "1", "p"), ("b", "x", "1", "p"), ("b", "y", "1", "p"), ("b", "y", "2", "p")]
    found = SpecialUniques(4)(frequency_of(rows))
    assert sorted(found.scores.tolist()) == [2, 2, 6, 6]


def test_contributions_add_up_to_one_and_name_the_column_that_tells() -> None:
    rows = [("a", "x", "1"), ("b", "x", "1"), ("c", "x", "1"), ("d", "x", "2"), ("d", "x", "2")]
    found = SpecialUniques(3)(frequency_of(rows))
    assert sum(found.by_column) == pytest.approx(1)
    assert found.by_column[0] == pytest.approx(1)


def test_dis_scores_are_as_sdcmicro_has_them() -> None:
    rows = [("a", "x", "1"), ("b", "x", "1"), ("b", "y", "1"), ("c", "z", "3"), ("c", "z", "3")]
    frequency = frequency_of(rows)
    found = SpecialUniques(3, sampled=0.1)(frequency)
    uniques, pairs = 3, 1
    theta = uniques * 0.1 / (uniques * 0.1 + 2 * pairs * 0.9)
    special = found.scores[found.scores > 0]
    power = special ** (1 + (8 - 3) / 20)
    expected = 1 / (1 + (uniques / theta - uniques) / (power * (1 / power).sum()))
    assert found.dis_scores is not None
    assert found.dis_scores[found.scores > 0] == pytest.approx(expected)
    assert (found.dis_scores[found.scores == 0] == 0).all()


def test_dis_scores_need_the_share_that_was_sampled() -> None:
    found = SpecialUniques(1)(frequency_of([("a",), ("b",)]))
    assert found.dis_scores is None
    assert found.facts()["highest_dis_score"] is None


def test_rows_that_come_twice_are_never_special() -> None:
    found = SpecialUniques(2)(frequency_of([("a", "x"), ("a", "x"), ("b", "y"), ("b", "y")]))
    assert found.rows_special == 0
    assert found.facts()["highest_score"] == 0.0
    assert sum(found.by_column) == 0


def test_sets_larger_than_the_table_are_the_table() -> None:
    assert SpecialUniques(9)(frequency_of([("a", "x"), ("b", "y")])).max_size == 2


def test_progress_hears_of_every_set() -> None:
    heard: list[int] = []
    rows, _ = made(3)
    found = SpecialUniques(2)(frequency_of(rows), heard.append)
    assert heard == list(range(1, found.subsets + 1))


def test_too_many_columns_are_refused_with_what_to_do() -> None:
    wide = frequency_of([tuple("a" for _ in range(64)), tuple("b" for _ in range(64))])
    with pytest.raises(TooLargeError, match="64 columns"):
        SpecialUniques(1)(wide)
    most = frequency_of([tuple("a" for _ in range(63)), tuple("b" for _ in range(63))])
    assert SpecialUniques(1)(most).by_size == (126,)


def test_sizes_shrink_where_tables_are_wide_and_long() -> None:
    assert find_fitting_size(5, 1000) == 3
    assert find_fitting_size(100, 10**7) == 1


def test_parameters_that_cannot_be_are_refused() -> None:
    for wrong in (lambda: SpecialUniques(0), lambda: SpecialUniques(2, sampled=0)):
        with pytest.raises(ParameterError):
            wrong()
