"""Sweeney, section 4.3: the maps and the basic anonymous data system, on the data of figure 23."""

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet.attacks.evidence import Evidence, gather_evidence
from discreet.attacks.map_protection import (
    BasicAnonymousDataSystem,
    KMapProtection,
    NullMapProtection,
    WrongMapProtection,
)
from discreet.policy.policy import Policy

NAMES = ["Ann", "Abe", "Al"]
BIRTHS = ["10/2/61", "7/14/61", "3/8/61"]
ZIPS = ["02139", "02139", "02138"]
ILLS = ["Cardiac", "Cancer", "Liver"]
PRIVATE = pa.table({"name": NAMES, "birth": BIRTHS, "zip": ZIPS, "diagnosis": ILLS})
REGISTER = PRIVATE.select(["name", "birth", "zip"])
POLICY = Policy(
    columns={
        "name": {"role": "quasi"},
        "birth": {"role": "quasi", "hierarchy": {"dates": ["year"]}},
        "zip": {"role": "quasi", "hierarchy": {"prefix": [4, 3]}},
        "diagnosis": {"role": "sensitive"},
    },
    require=[{"k_anonymity": {"k": 2}}],
)
ADS0, NULL, WRONG = BasicAnonymousDataSystem(), NullMapProtection(), WrongMapProtection()


def judged(release: pa.Table, masked: tuple[str, ...] = ()) -> Evidence:
    return gather_evidence(PRIVATE, release, REGISTER, "name", policy=POLICY, masked=masked)


def released(names, births, zips, ills=ILLS) -> pa.Table:
    return pa.table({"name": names, "birth": births, "zip": zips, "diagnosis": ills})


def test_figure_23_identity_release_is_no_anonymous_data_system():
    found = judged(PRIVATE)
    verdict = ADS0(found)
    assert not verdict.holds
    assert verdict.rows == (1, 2, 3)
    assert KMapProtection(2)(found).rows == (1, 2, 3)
    assert NULL(found).rows == (1, 2, 3)
    assert WRONG(found).reasons == {"fit their own person": 3}


def test_figure_23_complete_suppression_is_an_anonymous_data_system():
    stars = ["*"] * 3
    found = judged(released(stars, stars, stars, stars))
    assert ADS0(found).holds
    assert KMapProtection(3)(found).holds
    assert NULL(found).holds


def test_figure_18_taking_names_away_is_not_enough():
    found = judged(PRIVATE.drop_columns(["name"]))
    assert found.links.correct_hits == 3
    assert ADS0(found).rows == (1, 2, 3)


def test_figure_19_strong_encryption_maps_to_nobody():
    hidden = ["Jcd", "Jwq", "Jxy"], ["x1", "x2", "x3"], ["y1", "y2", "y3"]
    found = judged(released(*hidden), masked=("name", "birth", "zip"))
    assert NULL(found).holds
    assert ADS0(found).holds
    assert KMapProtection(2)(found).reasons == {"fit nobody in the register": 3}
    assert WRONG(found).reasons == {"fit no subject": 3}


def test_figure_20_swapping_the_quasi_identifier_as_a_unit_maps_to_the_wrong_person():
    swapped = [2, 0, 1]
    found = judged(released(*([column[i] for i in swapped] for column in (NAMES, BIRTHS, ZIPS))))
    assert WRONG(found).holds
    assert ADS0(found).holds
    assert NULL(found).rows == (1, 2, 3)
    assert found.links.correct_hits == 0


def test_figure_20_a_swap_that_leaves_the_diagnosis_right_is_no_wrong_map():
    swapped = [2, 0, 1]
    columns = [[column[i] for i in swapped] for column in (NAMES, BIRTHS, ZIPS)]
    found = judged(released(*columns, ills=["Liver", "Cardiac", "Liver"]))
    assert WRONG(found).rows == (1, 2)


def test_wrong_map_cannot_be_done_for_two():
    two = PRIVATE.slice(0, 2)
    swapped = two.take([1, 0]).set_column(3, "diagnosis", two["diagnosis"])
    found = gather_evidence(two, swapped, REGISTER, "name", policy=POLICY)
    verdict = WRONG(found)
    assert not verdict.holds
    assert verdict.rows == ()
    assert "three" in verdict.refused


@pytest.mark.parametrize(("k", "holds"), [(2, True), (3, True), (4, False)])
def test_figure_21_generalization_maps_to_k(k, holds):
    found = judged(released(["*"] * 3, ["1961"] * 3, ["0213*"] * 3))
    assert KMapProtection(k)(found).holds is holds
    assert ADS0(found).holds
    assert found.links.expected_hits == pytest.approx(1.0)


def test_figure_21_k_is_counted_in_the_register_and_not_in_the_release():
    one = released(["*"], ["1961"], ["0213*"], ["Cardiac"])
    found = gather_evidence(PRIVATE.slice(0, 1), one, REGISTER, "name", policy=POLICY)
    assert KMapProtection(3)(found).holds


def test_property_9b_two_rows_that_fit_one_person_are_enough():
    """A row that leads to Al alone is no disclosure if another row may be Al's as well."""
    found = judged(released(["*", "*", "Al"], ["*", "1961", "*"], ["*", "*", "*"]))
    assert found.links.fits.tolist() == [3, 3, 1]
    assert ADS0(found).holds
    assert KMapProtection(2)(found).rows == (3,)


def test_property_9c_a_wrong_diagnosis_is_enough():
    lied = released(NAMES, BIRTHS, ZIPS, ["Cardiac", "Liver", "*"])
    assert ADS0(judged(lied)).rows == (1,)


def test_a_release_of_the_quasi_identifier_alone_tells_who_is_in_the_table():
    assert ADS0(judged(REGISTER)).rows == (1, 2, 3)
