"""The parts of joining, each against trying everything."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from discreet.attacks import related as related_module
from discreet.attacks.complementary import match_groups
from discreet.attacks.related import find_related, mark_fewer_alike
from discreet.attacks.row_order import align_in_order
from discreet.errors import TooLargeError
from tests.properties.strategies import examples

codes = st.lists(st.integers(0, 2), min_size=1, max_size=6)
relation = st.lists(st.booleans(), min_size=9, max_size=9).map(
    lambda bits: np.array(bits).reshape(3, 3)
)


@st.composite
def sides(draw: st.DrawFn) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    sizes = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    column = [st.lists(st.integers(0, 2), min_size=n, max_size=n).map(np.array) for n in sizes]
    columns = draw(st.integers(1, 3))
    return (
        [draw(column[0]) for _ in range(columns)],
        [draw(column[1]) for _ in range(columns)],
        [draw(relation) for _ in range(columns)],
    )


@pytest.mark.parametrize("small", [0, 1 << 12], ids=["by bitmaps", "by pairs"])
@examples(60)
@given(sides())
def test_related_rows_are_those_that_are_related_in_every_column(
    small: int, drawn: tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]
) -> None:
    left, right, relations = drawn
    expected = [
        (i, j)
        for i in range(len(left[0]))
        for j in range(len(right[0]))
        if all(r[a[i], b[j]] for a, b, r in zip(left, right, relations, strict=True))
    ]
    kept = related_module.SMALL
    related_module.SMALL = small
    try:
        one, other = find_related(left, right, [sparse.csr_matrix(r) for r in relations])
    finally:
        related_module.SMALL = kept
    assert [*zip(one.tolist(), other.tolist(), strict=True)] == expected


def test_too_many_pairs_are_refused_and_not_called_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(related_module, "MOST_PAIRS", 3)
    same = sparse.csr_matrix(np.ones((1, 1), dtype=bool))
    with pytest.raises(TooLargeError, match="more than 3 ways"):
        find_related([np.zeros(2, int)], [np.zeros(2, int)], [same])


@st.composite
def networks(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    rows, more = draw(st.integers(1, 4)), draw(st.integers(0, 1))
    bits = draw(st.lists(st.booleans(), min_size=rows * (rows + more), max_size=20))
    cells = (bits + [True] * 20)[: rows * (rows + more)]
    return np.array(cells).reshape(rows, rows + more), rows


@examples(100)
@given(networks())
def test_possible_pairs_are_those_of_some_complete_assignment(
    drawn: tuple[np.ndarray, int],
) -> None:
    goes, rows = drawn
    ways = [
        way
        for way in permutations(range(goes.shape[1]), rows)
        if all(goes[i, j] for i, j in enumerate(way))
    ]
    one, other = np.nonzero(goes)
    found = match_groups(one, other, np.ones(rows, int), np.ones(goes.shape[1], int))
    if not ways:
        assert found.assigned is None or found.assigned < rows
        return
    assert found.assigned == rows
    used = {pair for way in ways for pair in enumerate(way)}
    pairs = zip(one.tolist(), other.tolist(), strict=True)
    assert found.possible.tolist() == [pair in used for pair in pairs]
    alone = [any(j not in way for way in ways) for j in range(goes.shape[1])]
    assert found.alone[1].tolist() == alone


SETS = [{0}, {1}, {0, 1}, {0, 1, 2}]
WITHIN = sparse.csr_matrix(np.array([[a <= b for b in SETS] for a in SETS]))


@examples(60)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1),
       st.integers(1, 4))  # fmt: skip
def test_rows_are_alike_if_whoever_fits_the_one_fits_the_other(
    options: list[tuple[int, int, int]], k: int
) -> None:
    """Options are (group, set of the first column, set of the second)."""
    rows = np.array([1, 2, 1, 3])
    groups = sorted({group for group, _, _ in options})

    def fits(option: tuple[int, int, int]) -> int:
        alike = {
            group
            for group, first, second in options
            if SETS[option[1]] <= SETS[first] and SETS[option[2]] <= SETS[second]
        }
        return int(sum(rows[group] for group in alike))

    expected = [all(fits(o) < k for o in options if o[0] == group) for group in groups]
    owner, first, second = (np.array(column) for column in zip(*options, strict=True))
    found = mark_fewer_alike([first, second], owner, rows, [WITHIN, WITHIN], k)
    assert found[groups].tolist() == expected


@examples(60)
@given(networks())
def test_the_chance_of_an_order_is_never_understated(drawn: tuple[np.ndarray, int]) -> None:
    goes, rows = drawn
    if goes.shape[0] != goes.shape[1] or not all(goes[i, i] for i in range(rows)):
        return
    ways = [*permutations(range(rows))]
    right = sum(all(goes[i, j] for i, j in enumerate(way)) for way in ways) / len(ways)
    found = align_in_order(np.arange(rows), np.arange(rows), sparse.csr_matrix(goes))
    assert found is not None
    assert found.chance >= right - 1e-9


def test_rows_that_one_file_lacks_are_found_in_between() -> None:
    same = sparse.csr_matrix(np.eye(4, dtype=bool))
    found = align_in_order(np.array([0, 1, 3]), np.array([0, 1, 2, 2, 3]), same)
    assert found is not None
    assert found.first.tolist() == found.last.tolist() == [0, 1, 4]
    assert align_in_order(np.array([1, 0]), np.array([0, 1, 2]), same) is None
