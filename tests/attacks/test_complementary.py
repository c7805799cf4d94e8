"""Two releases joined: exactly what was planted is found, and nothing where nothing can be."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attacks.complementary import Complementary, Temporal
from discreet.errors import AttackError
from tests.attacks.made import table
from tests.properties.strategies import examples

NAMES = "zip year ill"
person = st.tuples(
    st.sampled_from(["111", "112", "121", "211"]),
    st.sampled_from(["1964", "1965", "1974"]),
    st.sampled_from(["flu", "gout"]),
)
people = st.lists(person, min_size=2, max_size=5)
levels = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=5, max_size=5)
Row = tuple[str, str, str]


def coarser(row: Row, level: tuple[int, int]) -> Row:
    """Zip digits and year digits off the end; all gone is ``*``."""
    code, year = row[0][: 3 - level[0]], row[1][: 4 - level[1]]
    return code + "*" * level[0] if code else "*", year + "*" * level[1], row[2]


def covers(text: str, ground: str) -> bool:
    return text == "*" or ground.startswith(text.rstrip("*"))


ZIPS = ("111", "112", "121", "211", "119", "129", "219", "199", "299", "999")
YEARS = ("1964", "1965", "1974", "1969", "1979", "1999")
DOMAIN = [(code, year) for code in ZIPS for year in YEARS]
"""Every value above, and one more under each label: values that nobody has."""


def means(row: Row) -> frozenset[tuple[str, str]]:
    return frozenset(p for p in DOMAIN if covers(row[0], p[0]) and covers(row[1], p[1]))


def exposed_by_brute_force(first: list[Row], second: list[Row], k: int) -> tuple[int, ...]:
    """Rows of the second like fewer than k rows, over all ways to put the two together."""
    allowed = [[a[2] == b[2] and bool(means(a) & means(b)) for b in second] for a in first]
    size = range(len(first))
    ways = [way for way in permutations(size) if all(allowed[i][way[i]] for i in size)]
    options = [{means(first[way.index(j)]) & means(second[j]) for way in ways} for j in size]

    def alike(option: frozenset[tuple[str, str]]) -> int:
        return sum(any(option <= other for other in own) for own in options)

    return tuple(j + 1 for j in size if all(alike(option) < k for option in options[j]))


@examples(40)
@given(people, levels, levels, st.integers(2, 3))
def test_rows_exposed_are_those_of_trying_every_assignment(
    rows: list[Row], one: list[tuple[int, int]], other: list[tuple[int, int]], k: int
) -> None:
    first = [coarser(row, level) for row, level in zip(rows, one, strict=False)]
    second = [coarser(row, level) for row, level in zip(rows, other, strict=False)]
    found = Complementary(("zip", "year"), k)(table(NAMES, second), table(NAMES, first))
    assert found.rows == exposed_by_brute_force(first, second, k)


@examples(20)
@given(people, levels, st.integers(2, 3))
def test_a_generalization_of_the_earlier_release_exposes_nothing_more(
    rows: list[Row], one: list[tuple[int, int]], k: int
) -> None:
    """Whole columns, so that the first release is what protects: both ways round."""
    first = [coarser(row, one[0]) for row in rows]
    second = [coarser(row, (max(one[0][0], z), max(one[0][1], y))) for row, (z, y) in
              zip(rows, one, strict=False)]  # fmt: skip
    classes = Counter(row[:2] for row in first)
    k = min(k, *classes.values())
    for a, b in ((first, second), (second, first)):
        if min(Counter(row[:2] for row in b).values()) >= k:
            assert not Complementary(("zip", "year"), k)(table(NAMES, b), table(NAMES, a)).succeeds


@examples(25)
@given(st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("ab")), min_size=2, max_size=8),
       st.integers(2, 4))  # fmt: skip
def test_releases_of_different_columns_give_away_just_the_rare_combinations(
    rows: list[tuple[str, str]], k: int
) -> None:
    """Each row has a problem of its own, so the releases are joined row by row."""
    first = table("zip ill", [(code, f"p{n}") for n, (code, _) in enumerate(rows)])
    second = table("sex ill", [(sex, f"p{n}") for n, (_, sex) in enumerate(rows)][::-1])
    counts = Counter(rows)
    planted = tuple(n + 1 for n, row in enumerate(rows[::-1]) if counts[row] < k)
    assert Complementary(("zip", "sex"), k)(second, first).rows == planted


def test_earlier_rows_that_were_rare_already_are_not_counted_but_rows_found_by_them_are() -> None:
    first = table(NAMES, "111 1964 flu, 112 1964 gout")
    found = Complementary(("zip", "year"), 2)(table(NAMES, "11* * flu, 11* * gout"), first)
    assert (found.rows, found.earlier_rows) == ((1, 2), ())


def test_columns_in_which_nothing_matches_are_an_error_and_not_safety() -> None:
    first, second = table("zip ill", "02138 flu"), table("zip ill", "9 flu")
    with pytest.raises(AttackError, match="no value of 'zip'"):
        Complementary(("zip",))(second, first)
    with pytest.raises(AttackError, match="no column in common"):
        Complementary(("zip",))(table("sex", "m"), first)


def test_no_value_is_told() -> None:
    first = table("zip ill", "SECRET1 flu, SECRET2 gout")
    found = Complementary(("zip",))(table("zip ill", "SECRET1 flu, * gout"), first)
    assert "SECRET" not in repr(found) + str(found.facts())


# a table that grew


@examples(15)
@given(people, st.integers(2, 3), st.integers(2, 4))
def test_new_rows_in_classes_of_their_own_expose_nobody(rows: list[Row], k: int, new: int) -> None:
    first = [coarser(row, (3, 2)) for row in rows]
    later = [*first, *[("999", "1999", "rash")] * max(new, k)]
    if len(first) >= k:
        found = Temporal(("zip", "year"), k)(table(NAMES, later), table(NAMES, first))
        assert (found.applies, found.rows, found.earlier_rows) == (True, (), ())


def test_a_new_row_does_not_hide_among_old_ones_of_which_more_is_known() -> None:
    first = table(NAMES, "111 1964 flu, 111 1964 gout")
    later = table(NAMES, "11* 1964 flu, 11* 1964 gout, 11* 1964 rash")
    assert Temporal(("zip", "year"), 2)(later, first).rows == (3,)


def test_without_new_rows_there_is_no_temporal_attack() -> None:
    first = table(NAMES, "111 1964 flu, 111 1964 gout")
    assert not Temporal(("zip", "year"))(first, first).applies
