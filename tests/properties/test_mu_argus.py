"""mu-Argus and complementary suppression on any table, against brute force."""

from __future__ import annotations

from collections import Counter
from itertools import combinations as choose
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.algorithms import Problem
from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.claims import HeuristicError, UnreachableError
from discreet.algorithms.complementary import complementary
from discreet.algorithms.mu_argus.blank_alike import (
    build_looks,
    find_fewest_alike,
    find_least_cells,
)
from discreet.algorithms.mu_argus.mu_argus import MuArgus
from discreet.algorithms.mu_argus.suppression import (
    choose_cells_greedily,
    count_blanked_cells,
    find_fewest_cells,
)
from discreet.algorithms.suppressed_cells import infer_cells
from discreet.models import KAnonymity
from tests.algorithms.made import problem
from tests.properties.strategies import Drawn, cases, examples

Row = tuple[str | None, ...]


def class_sized(drawn: Drawn) -> tuple[Problem, int]:
    """The case with its promises made for all columns, and the k that they come down to."""
    models = [type(m)(**{**vars(m), "columns": None}) for m in drawn.case.models]
    wanted = drawn.policy.replace(require=models)
    return Drawn(drawn.case, wanted).problem(), max(m.least_rows for m in models)


def ranked(asked: Problem, draw: st.DataObject) -> dict[str, Any]:
    """Each column under one of the three ranks."""
    names = asked.frequency.columns
    ranks = draw.draw(st.lists(st.integers(0, 2), min_size=len(names), max_size=len(names)))
    return {
        key: tuple(name for name, rank in zip(names, ranks, strict=True) if rank == number)
        for number, key in enumerate(("most", "more", "identifying"))
    }


def looks(recoding: CellRecoding) -> Counter[Row]:
    """Every released row, by its texts."""
    found: Counter[Row] = Counter()
    for part in np.nonzero(recoding.kept)[0]:
        columns = zip(recoding.values, recoding.codes, strict=True)
        found[tuple(v.labels[codes[part]] for v, codes in columns)] += int(recoding.rows[part])
    return found


def check_cells(asked: Problem, recoding: CellRecoding, levels: tuple[int, ...]) -> None:
    """Every row is there once, each cell at its column's level or suppressed."""
    rows = np.bincount(recoding.owner, weights=recoding.rows, minlength=len(asked.frequency))
    assert (rows == asked.frequency.rows).all()
    assert recoding.kept.all()
    for c, hierarchy in enumerate(asked.lattice.hierarchies):
        ground = asked.frequency.codes[c][recoding.owner]
        values = recoding.values[c]
        told = [hierarchy.labels[levels[c]][code] for code in hierarchy.maps[levels[c]][ground]]
        for code, text in zip(recoding.codes[c], told, strict=True):
            assert values.labels[code] == text or code == values.blank


@examples(80)
@given(cases(kind="size"), st.booleans(), st.sampled_from(["greedy", "fewest"]))
def test_the_complete_variant_keeps_k_or_there_are_too_few_rows(
    drawn: Drawn, complement: bool, suppression: Any
) -> None:
    asked, k = class_sized(drawn)
    algorithm = MuArgus(complementary=complement, suppression=suppression)
    if asked.total < k:
        with pytest.raises((UnreachableError, HeuristicError)):
            algorithm(asked)
        return
    found = algorithm(asked)
    assert found.holds
    assert found.suppressed == 0
    assert min(looks(found.recoding).values()) >= k
    check_cells(asked, found.recoding, algorithm.session(asked).levels)
    if complement:
        assert not infer_cells(asked, found.recoding, k).cells
    assert looks(algorithm(asked).recoding) == looks(found.recoding)


@examples(60)
@given(cases(kind="size"), st.data(), st.sampled_from(["greedy", "fewest"]))
def test_the_published_variant_takes_a_value_out_of_each_rare_combination_it_tests(
    drawn: Drawn, draw: st.DataObject, suppression: Any
) -> None:
    asked, k = class_sized(drawn)
    assume(asked.total >= k)
    algorithm = MuArgus("published", **ranked(asked, draw), suppression=suppression)
    session, found = algorithm.session(asked), algorithm(asked)
    check_cells(asked, found.recoding, session.levels)
    plain = recode_at_levels(asked, np.tile(session.levels, (len(asked.frequency), 1)))
    before = texts(plain)
    assert list(found.recoding.owner) == list(plain.owner)
    lost = blanks(found.recoding)
    for part, row in enumerate(before):
        rare = [c for c in session.combinations if alike(before, plain.rows, row, c) < k]
        assert all(lost[part, list(c)].any() for c in rare)
        assert rare or not lost[part].any()
    safe = min(looks(found.recoding).values()) >= k
    assert found.holds == safe or (found.holds and asked.requirement.wildcard)


def texts(recoding: CellRecoding) -> list[Row]:
    columns = list(zip(recoding.values, recoding.codes, strict=True))
    return [tuple(v.labels[c[p]] for v, c in columns) for p in range(len(recoding.rows))]


def blanks(recoding: CellRecoding) -> Any:
    columns = zip(recoding.values, recoding.codes, strict=True)
    return np.stack([codes == values.blank for values, codes in columns], axis=1)


def alike(rows: list[Row], counts: Any, row: Row, columns: tuple[int, ...]) -> int:
    same = [all(other[c] == row[c] for c in columns) for other in rows]
    return int(counts[same].sum())


@examples(80)
@given(cases(kind="size"), st.data())
def test_after_complementary_suppression_counts_give_nothing_away_and_k_is_kept(
    drawn: Drawn, draw: st.DataObject
) -> None:
    """Whatever cells were suppressed and rows left out before, on levels that may be mixed."""
    asked, k = class_sized(drawn)
    count, columns = len(asked.frequency), len(asked.frequency.columns)
    random = np.random.default_rng(draw.draw(st.integers(0, 2**32)))
    top = np.array(asked.lattice.top)
    mixed = random.integers(0, top + 2, (count, columns))
    level = np.tile(random.integers(0, top + 2), (count, 1))
    levels = mixed if draw.draw(st.booleans()) else level
    levels = np.where(random.random((count, columns)) < 0.2, top + 1, levels)
    kept = random.random(count) < draw.draw(st.sampled_from([0.8, 1.0]))
    assume(asked.frequency.rows[kept].sum() >= k)
    before = recode_at_levels(
        asked, levels, kept=kept, blank=draw.draw(st.sampled_from(["*", None]))
    )
    after = complementary(asked, before, k)
    assert not infer_cells(asked, after, k).cells
    assert min(looks(after).values()) >= k
    assert after.suppressed == before.suppressed
    assert count_blanked_cells(after) >= count_blanked_cells(before)
    rows = np.bincount(after.owner, weights=after.rows, minlength=count)
    assert (rows == asked.frequency.rows).all()
    released = set(zip(before.owner, *before.codes, strict=True))
    for part in zip(after.owner, *after.codes, strict=True):
        assert any(came_from(part, old, after) for old in released)


def came_from(part: Any, old: Any, after: CellRecoding) -> bool:
    """Whether a part is an old one of the same tuple, with some cells suppressed."""
    blank = [values.blank for values in after.values]
    cells = zip(part[1:], old[1:], blank, strict=True)
    return part[0] == old[0] and all(new in (was, star) for new, was, star in cells)


def partitions(rows: list[Any]) -> Any:
    """All ways to put rows into heaps."""
    if not rows:
        yield []
        return
    for heaps in partitions(rows[1:]):
        yield [[rows[0]], *heaps]
        for place in range(len(heaps)):
            yield [*heaps[:place], [rows[0], *heaps[place]], *heaps[place + 1 :]]


def cells_of(heap: list[list[str]]) -> int:
    return len(heap) * sum(len(set(cells)) > 1 for cells in zip(*heap, strict=True))


@examples(60)
@given(st.lists(st.lists(st.sampled_from("xyz"), min_size=3, max_size=3), min_size=2, max_size=7))
def test_the_fewest_cells_are_those_of_the_best_partition(rows: list[list[str]]) -> None:
    k = 2
    asked = problem([" ".join(row) for row in rows], [KAnonymity(k)])
    plain = recode_at_levels(asked, np.zeros((len(asked.frequency), 3), dtype=int))
    found = find_fewest_alike(asked, plain, k)
    assert found is not None
    best = min(
        sum(map(cells_of, heaps))
        for heaps in partitions(rows)
        if all(len(heap) >= k for heap in heaps)
    )
    assert count_blanked_cells(found) == best
    assert min(looks(found).values()) >= k
    assert find_least_cells(build_looks(asked, plain), k) <= best
    assert find_least_cells(build_looks(asked, plain), k, seconds=0) <= best


@examples(100)
@given(st.data())
def test_the_fewest_cells_of_a_row_are_a_smallest_cover_of_its_outliers(
    draw: st.DataObject,
) -> None:
    columns = draw.draw(st.integers(2, 6))
    every = [c for size in (2, 3) for c in choose(range(columns), size)]
    some = draw.draw(st.lists(st.sampled_from(every), min_size=1, max_size=12, unique=True))
    unsafe = np.array(draw.draw(st.lists(st.booleans(), min_size=len(some), max_size=len(some))))
    found = find_fewest_cells(unsafe[None, :], some, columns)
    outliers = [set(c) for c, bad in zip(some, unsafe, strict=True) if bad]
    best = min(
        size
        for size in range(columns + 1)
        for taken in choose(range(columns), size)
        if all(outlier & set(taken) for outlier in outliers)
    )
    assert found.cells.sum() == found.least.sum() == best
    chosen = set(np.nonzero(found.cells[0])[0])
    assert all(outlier & chosen for outlier in outliers)
    greedy = choose_cells_greedily(unsafe[None, :], some, columns)
    assert greedy.sum() >= best
    assert all(outlier & set(np.nonzero(greedy[0])[0]) for outlier in outliers)
