"""The made town: the right size, the printed figures, the same for the same seed."""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np
import pytest

from discreet.sample.calibration import PRINTED
from discreet.sample.story import FIGURES, KNOWN, link, measure_unique_share
from discreet.sample.town import Town, encode_csv, make


@cache
def town(seed: int) -> Town:
    return make(seed)


def share(seed: int, figure: str) -> float:
    voters = town(seed).voters
    return measure_unique_share([voters[name] for name in FIGURES[figure]])


@pytest.mark.parametrize("figure", FIGURES, ids=lambda name: f"sec. 2.4.4, fig. 16: {name}")
def test_uniqueness_is_close_to_the_printed_figure(figure: str) -> None:
    assert share(0, figure) == pytest.approx(getattr(PRINTED, figure), abs=0.01)


@pytest.mark.parametrize("seed", [1, 2, 1997, 2**40])
@pytest.mark.parametrize("figure", FIGURES)
def test_other_seeds_are_close_too(figure: str, seed: int) -> None:
    assert share(seed, figure) == pytest.approx(getattr(PRINTED, figure), abs=0.015)


def test_there_are_54805_voters_and_8000_patients_in_eight_zip_codes() -> None:
    made = town(0)
    assert {len(column) for column in made.voters.values()} == {54_805}
    assert {len(column) for column in made.patients.values()} == {8_000}
    assert len(np.unique(made.voters["zip"])) == 8


def test_the_same_seed_gives_the_same_bytes() -> None:
    again = make(0)
    assert encode_csv(again.voters) == encode_csv(town(0).voters)
    assert encode_csv(again.patients) == encode_csv(town(0).patients)


def test_the_town_of_seed_0_never_changes() -> None:
    made = encode_csv(town(0).voters) + encode_csv(town(0).patients)
    assert hashlib.sha256(made).hexdigest()[:16] == "a674c74759fe1fd1"


def test_another_seed_gives_other_people() -> None:
    assert not np.array_equal(town(0).voters["name"], town(1).voters["name"])


def test_a_patient_in_the_voter_list_is_there_with_the_same_birth_sex_and_zip() -> None:
    made = town(0)
    registered = made.voter_of >= 0
    for name in KNOWN:
        listed = made.voters[name][made.voter_of[registered]]
        assert np.array_equal(made.patients[name][registered], listed)


def test_nobody_is_two_patients() -> None:
    registered = town(0).voter_of[town(0).voter_of >= 0]
    assert len(np.unique(registered)) == len(registered)
    assert 0.8 < len(registered) / 8_000 < 0.9


def test_the_hospital_file_has_no_names_and_no_addresses() -> None:
    assert not {"name", "address", "postcode"} & set(town(0).patients)


def test_a_name_given_by_the_join_is_wrong_only_for_patients_who_are_not_in_the_list() -> None:
    made = town(0)
    found = link([made.patients[c] for c in KNOWN], [made.voters[c] for c in KNOWN])
    registered = made.voter_of >= 0
    assert (found.voters[registered] >= 1).all()
    assert (found.first == made.voter_of)[registered & found.named].all()


def test_voters_are_adults_and_register_as_such() -> None:
    birth = town(0).voters["birth"].astype("datetime64[D]")
    registered = town(0).voters["registered"].astype("datetime64[D]")
    assert birth.max() <= np.datetime64("2007-01-01")
    assert (registered - birth).min() >= np.timedelta64(18 * 365 + 4, "D")
    assert registered.max() <= np.datetime64("2025-01-01")


def test_a_full_postal_code_belongs_to_one_zip_code_and_one_street_or_hall() -> None:
    voters = town(0).voters
    assert np.array_equal(voters["postcode"].astype("<U5"), voters["zip"])
    street = np.char.lstrip(np.char.rstrip(voters["address"], "0123456789"), "0123456789 ")
    pairs = np.unique(np.char.add(voters["postcode"], street))
    assert len(pairs) == len(np.unique(voters["postcode"]))


def test_no_value_needs_quoting() -> None:
    made = town(0)
    for column in [*made.voters.values(), *made.patients.values()]:
        assert not any(mark in value for value in np.unique(column) for mark in ',"\n')


def test_men_are_not_pregnant() -> None:
    patients = town(0).patients
    assert not ((patients["diagnosis"] == "pregnancy") & (patients["sex"] == "M")).any()
