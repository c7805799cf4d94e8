"""Joining a release to a register where the release holds generalized values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.attacks.linking import fits as looking
from discreet.attacks.linking.columns import Truth
from discreet.attacks.linking.fits import ColumnFits
from discreet.attacks.linking.link import link
from discreet.errors import AttackError, UnknownColumnError
from discreet.hierarchy.atoms import Atoms
from discreet.policy.policy import Policy

AGES = ["*", "20-29", "25-34", "30-39", "20-39", "21", "27", "33", "38", "55", None]
ZIPS = ["*", "0213*", "021**", "02138", "02139", "02141", "9"]
SEXES = ["*", "F", "M", None]
CELLS = st.tuples(*map(st.sampled_from, (AGES, ZIPS, SEXES)))
PEOPLE = st.tuples(
    *map(
        st.sampled_from,
        (["21", "27", "33", "38", "60", None], ["02138", "02139", "02141"], ["F", "M", None]),
    )
)
HIERARCHIES = {"age": {"intervals": [10]}, "zip": {"prefix": [4, 3]}, "sex": None}


def table(rows, names=("age", "zip", "sex")) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pa.table(
        {name: pa.array(cells, pa.string()) for name, cells in zip(names, columns, strict=True)}
    )


def policy_with(missing: str) -> Policy:
    columns = {n: {"role": "quasi", "hierarchy": h} for n, h in HIERARCHIES.items()}
    return Policy(columns=columns, require=[{"k_anonymity": {"k": 2}}], missing=missing)


POLICIES = {missing: policy_with(missing) for missing in ("value", "wildcard")}


def one_by_one(rows, people, policy) -> list[int]:
    """Every pair, by atoms."""
    atoms = [
        Atoms.of(
            name,
            [row[i] for row in rows],
            policy.columns[name].hierarchy,
            ground=[person[i] for person in people],
            wildcard=policy.missing.wildcard,
        )
        for i, name in enumerate(HIERARCHIES)
    ]
    return [
        sum(all(a.overlap(*pair) for a, *pair in zip(atoms, row, p, strict=True)) for p in people)
        for row in rows
    ]


def by_index(rows, people, policy) -> list[int]:
    """The same by the index of :func:`link`, without reading tables."""
    ours, theirs = (list(zip(*each, strict=True)) for each in (rows, people))
    texts = [list(dict.fromkeys(column)) for column in ours]
    values = [list(dict.fromkeys(column)) for column in theirs]
    wildcard = policy.missing.wildcard
    fits = [
        ColumnFits.of(
            Atoms.of(name, t, policy.columns[name].hierarchy, ground=v, wildcard=wildcard), t, v
        )
        for name, t, v in zip(HIERARCHIES, texts, values, strict=True)
    ]
    tuples = [np.array([*map(t.index, c)], np.int32) for t, c in zip(texts, ours, strict=True)]
    register = [np.array([*map(v.index, c)], np.int32) for v, c in zip(values, theirs, strict=True)]
    return looking.look_up(fits, tuples, register, np.ones(len(people), np.int64)).tolist()


@pytest.mark.parametrize("most_shapes", [24, 1, 0])
@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(CELLS, min_size=1, max_size=12, unique=True),
    people=st.lists(PEOPLE, min_size=1, max_size=12),
    missing=st.sampled_from(["value", "wildcard"]),
)
def test_it_finds_what_comparing_every_pair_finds(most_shapes, rows, people, missing):
    policy = POLICIES[missing]
    before, looking.MOST_SHAPES = looking.MOST_SHAPES, most_shapes
    try:
        assert by_index(rows, people, policy) == one_by_one(rows, people, policy)
    finally:
        looking.MOST_SHAPES = before


@settings(max_examples=12, deadline=None)
@given(
    rows=st.lists(st.tuples(CELLS, st.integers(0, 6)), min_size=1, max_size=8),
    people=st.lists(st.tuples(PEOPLE, st.integers(0, 5)), min_size=1, max_size=8),
)
def test_the_truth_is_found_among_the_entries_that_fit(rows, people):
    release = table([(*cells, str(key)) for cells, key in rows], (*HIERARCHIES, "id"))
    register = table([(*cells, str(key)) for cells, key in people], (*HIERARCHIES, "id"))
    policy = POLICIES["value"]
    links = link(release, register, policy=policy, truth="id", masked=list(HIERARCHIES))
    everyone = [cells for cells, _ in people]
    true = []
    for number, (_, key) in enumerate(rows):
        mine = [cells for cells, theirs in people if theirs == key]
        counts = one_by_one([cells for cells, _ in rows], mine, policy) if mine else None
        true.append(counts is not None and counts[number] > 0)
    assert links.true.tolist() == true
    fits = one_by_one([cells for cells, _ in rows], everyone, policy)
    assert links.fits.tolist() == fits
    assert links.correct_hits == sum(t and f == 1 for t, f in zip(true, fits, strict=True))
    assert links.expected_hits == pytest.approx(
        sum(1 / f for t, f in zip(true, fits, strict=True) if t)
    )


TOWN = table(
    [("21", "02138", "F"), ("27", "02138", "F"), ("33", "02139", "M"), ("38", "02141", "M")]
)


def test_the_overall_figures():
    release = table([("20-29", "0213*", "F"), ("33", "*", "M"), ("*", "*", "*"), ("21", "9", "F")])
    facts = link(release, TOWN).facts()
    assert facts["rows"] == 4
    assert facts["register_rows"] == 4
    assert facts["rows_fitting_none"] == 1
    assert facts["rows_fitting_one"] == facts["unique_hits"] == 1
    assert facts["smallest"] == 0
    assert facts["largest"] == 4
    assert facts["distribution"]["2-4"] == 2
    assert facts["expected_hits"] == pytest.approx(1 / 2 + 1 + 1 / 4)
    assert facts["blind_hits"] == 1.0
    assert facts["correct_hits"] is None
    assert facts["values"]["zip"] == {"released": 2, "matched": 1}


def test_rows_below_k_are_named_by_number():
    release = table([("20-29", "0213*", "F"), ("33", "*", "M")])
    assert link(release, TOWN).below(2).tolist() == [2]


def test_columns_of_other_names_are_mapped():
    register = TOWN.rename_columns(["Age", "ZIP code", "gender"])
    names = {"age": "Age", "zip": "ZIP code", "sex": "gender"}
    release = table([("20-29", "0213*", "F")])
    assert link(release, register, names).fits.tolist() == [2]


def test_other_names_ask_for_a_mapping_and_offer_close_ones():
    register = TOWN.rename_columns(["Age", "zipcode", "gender"])
    with pytest.raises(AttackError, match=r"age=Age, zip=zipcode") as error:
        link(table([("21", "02138", "F")]), register, policy=POLICIES["value"])
    assert "no column 'age', 'zip', 'sex'" in str(error.value)


def test_a_column_that_the_release_lacks_is_named():
    with pytest.raises(UnknownColumnError, match="'height'"):
        link(TOWN, TOWN, ["height"])


def test_no_value_found_in_a_column_is_refused_and_not_called_safe():
    release = table([("20/9/1965", "02138", "F"), ("14/2/1965", "02138", "M")])
    register = table([("1965-09-20", "02138", "F"), ("1965-02-14", "02138", "M")])
    with pytest.raises(AttackError, match=r"'age' \(0 of 2\)") as error:
        link(release, register)
    assert "1965" not in str(error.value)


def test_few_values_found_is_a_note():
    release = table([(age, "02138", "F") for age in ("21", "071", "072")])
    links = link(release, TOWN)
    assert len(links.notes) == 1
    assert links.notes[0].startswith("age: only 1 of 3")
    assert "071" not in links.notes[0]


def test_a_suppressed_column_needs_no_match():
    assert link(table([("*", "*", "F")]), TOWN).fits.tolist() == [2]


def test_the_truth_may_come_from_the_original_in_row_order():
    register = TOWN.append_column("name", pa.array(["Ann", "Bea", "Cal", "Dan"]))
    release = table([("33", "*", "M"), ("20-29", "*", "F")])
    truth = Truth("name", pa.table({"name": ["Cal", "Cal"]}))
    links = link(release, register, list(HIERARCHIES), truth=truth)
    assert links.true.tolist() == [True, False]
    assert links.correct_hits == 1
    with pytest.raises(AttackError, match="1 rows"):
        link(release, register, truth=Truth("name", pa.table({"name": ["Cal"]})))


def test_the_key_that_tells_the_truth_is_not_linked_by():
    register = TOWN.append_column("name", pa.array(["Ann", "Bea", "Cal", "Dan"]))
    release = pa.table({"sex": ["F", "M"], "name": ["Ann", "Cal"]})
    links = link(release, register, truth="name")
    assert dict(links.columns) == {"sex": "sex"}
    assert links.fits.tolist() == [2, 2]
    assert links.correct_hits == 0
    assert links.expected_hits == 1.0


def test_an_empty_release_fits_nothing():
    links = link(table([]), TOWN)
    assert links.rows == 0
    assert links.facts()["smallest"] is None


def test_progress_tells_the_rows_read():
    seen: list[int] = []
    link(table([("21", "*", "*")]), TOWN, progress=seen.append)
    assert seen == [4]


def test_many_levels_of_ranges_are_still_right():
    ends = [(a, b) for a in range(12) for b in range(a + 1, 25)]
    release = pa.table({"age": [f"{a}-{b}" for a, b in ends], "one": ["x"] * len(ends)})
    ages = np.random.default_rng(0).integers(0, 30, 200)
    people = pa.table({"age": [str(age) for age in ages], "one": ["x"] * 200})
    expected = [int(((ages >= a) & (ages <= b)).sum()) for a, b in ends]
    assert link(release, people).fits.tolist() == expected
