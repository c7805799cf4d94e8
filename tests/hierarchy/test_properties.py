"""What holds for every hierarchy, whatever builds it and whatever the values are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.hierarchy import (
    Cuts,
    Dates,
    Flat,
    Hierarchy,
    Intervals,
    Prefix,
    Tree,
    WithSuppression,
)

numbers = st.one_of(
    st.integers(-(10**25), 10**25).map(str),
    st.decimals(-1000, 1000, places=3).map(str),
    st.integers(0, 120).map("{:03}".format),
)
cases = st.one_of(
    st.tuples(st.just(Flat()), st.lists(st.one_of(st.none(), st.text()), unique=True)),
    st.tuples(
        st.sets(st.integers(1, 6), min_size=1).map(lambda kept: Prefix(sorted(kept, reverse=True))),
        st.lists(st.one_of(st.none(), st.text(alphabet="ab*0")), unique=True),
    ),
    st.tuples(
        st.builds(
            lambda width, factors, origin, low: Intervals(
                np.cumprod([width, *factors]).tolist(), origin, low, low + 40
            ),
            st.integers(1, 9),
            st.lists(st.integers(2, 4), max_size=3),
            st.integers(-9, 9),
            st.integers(-50, 50),
        ),
        st.lists(st.one_of(st.none(), numbers), unique=True),
    ),
    st.tuples(
        st.sampled_from([Cuts([[-5, 0, 1, 20], [0, 1], [1]]), Cuts([[0.5, 10**20], [0.5]])]),
        st.lists(st.one_of(st.none(), numbers), unique=True),
    ),
    st.tuples(
        st.sampled_from(
            [
                Dates(["day", "week"]),
                Dates(["month", "quarter", "half", "year", "3 years", "9 years"]),
                Dates(["month", "month of year"]),
                Dates(["day", "weekday"]),
            ]
        ),
        st.lists(st.one_of(st.none(), st.dates().map(str)), unique=True),
    ),
    st.tuples(
        st.just(Tree({"all": {"x": {"y": ["a", "b"], "z": ["c"]}, "d": None, "w": ["e", "f"]}})),
        st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", None]), unique=True),
    ),
)


@given(cases, st.booleans())
def test_levels_are_nested_and_end_in_one_root(case, suppressed):
    builder, values = case
    built = (WithSuppression(builder) if suppressed else builder).build("column", values)
    assert built.maps[0].tolist() == list(range(len(values)))
    assert built.labels[0] == tuple(values)
    assert built.size(built.height) == min(len(values), 1)
    for level in range(built.height):
        assert (built.step(level)[built.maps[level]] == built.maps[level + 1]).all()


@given(cases)
def test_leaves_add_up_to_all_leaves_at_every_level(case):
    builder, values = case
    built = builder.build("column", values)
    assert built.leaf_count == len(values)
    for level, counts in enumerate(built.leaves):
        assert counts.sum() == len(values)
        assert (counts == np.bincount(built.maps[level], minlength=built.size(level))).all()


@given(cases)
def test_labels_of_a_level_are_told_apart(case):
    builder, values = case
    for labels in builder.build("column", values).labels:
        assert len(set(labels)) == len(labels)


@given(cases)
def test_missing_values_stay_missing_below_the_root(case):
    builder, values = case
    built = builder.build("column", values)
    if None in values:
        code = values.index(None)
        path = [labels[codes[code]] for codes, labels in zip(built.maps, built.labels, strict=True)]
        assert path[:-1] == [None] * built.height
        assert path[-1] is not None


@given(st.lists(st.text(), min_size=1, unique=True), st.data())
def test_any_nested_labels_make_a_hierarchy(values, data):
    levels, below = [], values
    for _ in range(data.draw(st.integers(1, 4))):
        parents = {label: data.draw(st.sampled_from("uvwxyz")) for label in dict.fromkeys(below)}
        below = [parents[label] for label in below]
        levels.append(below)
    built = Hierarchy.from_labels("column", values, levels)
    for level, labels in enumerate(levels, 1):
        assert [built.labels[level][code] for code in built.maps[level]] == labels


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_values_decides_codes_only(order):
    values = ["02138", "02139", "02141"][::order]
    built = Prefix([4]).build("zip", values)
    assert dict(zip(values, (built.labels[1][code] for code in built.maps[1]), strict=True)) == {
        "02138": "0213*",
        "02139": "0213*",
        "02141": "0214*",
    }
