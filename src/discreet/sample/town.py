"""The made town: a voter list with names, and a hospital file without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass, safe_repr
from discreet.sample.calibration import HALL_AGE, SHAPE, VOTERS, WOMEN

# Diagnoses of the synthetic town's people: plausible by age and sex, and nothing more.


Floats: TypeAlias = NDArray[np.float64]


@safe_repr
class Diagnosis(NamedTuple):
    """How often a diagnosis is made under 40, from 40 to 64 and from 65 on, and its two drugs."""

    name: str
    young: float
    middle: float
    old: float
    drugs: tuple[str, str]
    men: bool = True


DIAGNOSES = (
    Diagnosis("alcohol dependence", 3, 4, 2, ("naltrexone", "disulfiram")),
    Diagnosis("anxiety", 8, 5, 3, ("buspirone", "propranolol")),
    Diagnosis("appendicitis", 4, 2, 1, ("cefazolin", "metronidazole")),
    Diagnosis("arthritis", 1, 6, 10, ("naproxen", "diclofenac")),
    Diagnosis("asthma", 8, 5, 4, ("salbutamol", "budesonide")),
    Diagnosis("back pain", 5, 8, 5, ("ibuprofen", "naproxen")),
    Diagnosis("broken bone", 9, 5, 6, ("ibuprofen", "paracetamol")),
    Diagnosis("cancer", 1, 5, 9, ("cisplatin", "paclitaxel")),
    Diagnosis("depression", 9, 7, 4, ("sertraline", "citalopram")),
    Diagnosis("diabetes", 2, 8, 10, ("metformin", "insulin")),
    Diagnosis("heart failure", 0.3, 4, 11, ("furosemide", "bisoprolol")),
    Diagnosis("high blood pressure", 2, 9, 12, ("lisinopril", "amlodipine")),
    Diagnosis("HIV", 1.5, 1.5, 0.4, ("dolutegravir", "lamivudine")),
    Diagnosis("kidney stones", 3, 5, 3, ("ketorolac", "tamsulosin")),
    Diagnosis("migraine", 6, 4, 1, ("sumatriptan", "topiramate")),
    Diagnosis("pneumonia", 3, 4, 9, ("amoxicillin", "doxycycline")),
    Diagnosis("pregnancy", 14, 0.3, 0, ("folic acid", "iron"), men=False),
    Diagnosis("stroke", 0.2, 2, 6, ("aspirin", "clopidogrel")),
)


def weigh_visits(age: Floats) -> Floats:
    """How likely a resident of this age is to be in the hospital file, up to a factor."""
    return 1 + ((age - 18) / 30) ** 2


def diagnose(
    age: Floats, woman: NDArray[np.bool_], chance: Floats, coin: Floats
) -> tuple[NDArray[np.str_], NDArray[np.str_]]:
    """Diagnosis and drug for each patient, from two uniform draws a patient."""
    weights = np.array([[d.young, d.middle, d.old] for d in DIAGNOSES])
    for_men = weights * np.array([d.men for d in DIAGNOSES])[:, None]
    edges = np.cumsum(np.concatenate([for_men, weights], axis=1), axis=0)
    group = np.digitize(age, [40, 65]) + 3 * woman
    found = (edges[:, group] <= chance * edges[-1, group]).sum(axis=0)
    names = np.array([d.name for d in DIAGNOSES])
    drugs = np.array([d.drugs for d in DIAGNOSES])
    return names[found], drugs[found, (coin < 0.5).astype(np.int64)]


# The word lists of the made town; no name in them is taken from any register of people.


def _split_words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


WOMENS_NAMES = _split_words(
    """
    Ada Alma Bella Cora Dora Edda Elsa Fern Flora Greta Hazel Ida Iris Ivy Jana Juno Kaja Lena
    Lila Mara Mina Nell Nora Olga Opal Petra Rhea Rosa Selma Tess Thea Una Vera Willa Yara Zora
    """
)
MENS_NAMES = _split_words(
    """
    Abel Amos Arlo Bram Caleb Cyrus Dario Edgar Emil Ezra Finn Gus Hugo Ivan Jasper Jonas Kai
    Lars Leon Magnus Milo Ned Nils Oscar Otto Pablo Quinn Rafe Rufus Silas Sven Theo Tobias Udo
    Viktor Wim
    """
)
SURNAME_STARTS = _split_words(
    """
    Al Bar Bel Cor Dal Dor El Far Fen Gar Hal Har Kel Lan Lor Mar Mel Nor Or Pel Quil Ras Sel
    Tal Tor Ul Var Wen Yar Zel
    """
)
SURNAME_MIDDLES = _split_words(
    """
    a e i o u an den el en er in ma mo ri ro ta ver
    """
)
SURNAME_ENDS = _split_words(
    """
    bach beck brook by dale field ford gard ham ley lund mer mond ner quist ric son stad ton
    well wick worth
    """
)
STREETS = _split_words(
    """
    Acorn Alder Apple Ash Aspen Badger Barley Bay Beech Birch Bluebell Bramble Cedar Cherry
    Chestnut Clover Cormorant Cricket Daisy Dove Elder Elm Falcon Fern Finch Foxglove Garnet
    Gull Hawthorn Hazel Heather Heron Holly Ivy Jay Juniper Kestrel Lark Larch Laurel Lilac
    Linden Linnet Magpie Maple Meadow Mill Moss Oak Orchard Otter Owl Pebble Pine Plover Poplar
    Primrose Quail Raven Rowan Rye Sage Sorrel Sparrow Spruce Swallow Thistle Thrush Walnut
    Willow Wren Yarrow
    """
)
STREET_KINDS = ("Street", "Road", "Lane", "Avenue", "Way", "Court", "Place", "Row")
HALLS = ("Amber", "Beacon", "Copper", "Granite", "Harbor", "Lantern", "Meridian", "Summit")
PARTIES = ("none", "Compass", "Orchard", "Anchor")
RACES = ("white", "black", "Asian", "Hispanic", "other")


Texts: TypeAlias = NDArray[np.str_]
Numbers: TypeAlias = NDArray[np.int64]

LIST_DATE = np.datetime64("2025-01-01")
RESIDENTS = 64_000
PATIENTS = 8_000
ZIP_CODES = ("09911", "09912", "09913", "09921", "09922", "09923", "09931", "09932")
HALL_CODE = 9_000
BLOCKS_PER_STREET = 10
PARTY_SHARES = (0.46, 0.30, 0.17, 0.07)
RACE_SHARES = (0.66, 0.12, 0.11, 0.08, 0.03)


@dataclass(frozen=True, eq=False)
class Town:
    """Two files about made people, and the truth that only their maker knows.

    `voters` and `patients` map column names to columns. `voter_of` gives each patient's row in the
    voter list, or -1 for a resident who is not registered.

    Examples
    --------
    >>> town = make(seed=1)
    >>> len(town.voters["name"]), len(town.patients["diagnosis"])
    (54805, 8000)
    >>> "name" in town.patients
    False
    """

    voters: Mapping[str, Texts]
    patients: Mapping[str, Texts]
    voter_of: Numbers


@dataclass(frozen=True, eq=False)
class _Residents:
    """The draws for every adult of the town, registered or not, one entry per person."""

    age: NDArray[np.float64]
    birth: NDArray[np.datetime64]
    woman: NDArray[np.bool_]
    zip: Numbers


def make(seed: int = 0) -> Town:
    """Make the town of this seed; the same seed gives the same people in the same order.

    Notes
    -----
    [Sweeney2001]_, sec. 2.4.4, fig. 14 to 16: 54,805 voters, linked by birth date, sex and ZIP.
    *Departures*: eight ZIP codes where the printed town had five, for five cannot give the printed
    figures (`docs/decisions/0010-how-the-made-town-is-calibrated.md`). Households, twins and
    seasons of birth are left out. *Cost*: well under a second. Only uniform draws are made, and
    each subject has a stream of its own, so that the people stay the same when one is changed.
    """
    residents = _draw_residents(np.random.default_rng([seed, 1]))
    voters = _make_voter_list(residents, np.random.default_rng([seed, 2]))
    race = _pick(np.random.default_rng([seed, 3]), RESIDENTS, RACE_SHARES)
    chosen, patients = _make_hospital_file(residents, race, np.random.default_rng([seed, 4]))
    return Town(voters, patients, np.where(chosen < VOTERS, chosen, -1))


def encode_csv(columns: Mapping[str, Texts]) -> bytes:
    """The columns as the bytes of a plain CSV file; no made value needs quoting."""
    lines = map(",".join, zip(*(column.tolist() for column in columns.values()), strict=True))
    return ("\n".join([",".join(columns), *lines]) + "\n").encode()


def _pick(rng: np.random.Generator, size: int, shares: Any) -> Numbers:
    """Independent draws of 0, 1, 2... with these shares."""
    edges = np.cumsum(np.asarray(shares, dtype=np.float64))
    return np.searchsorted(edges[:-1] / edges[-1], rng.random(size), side="right")


def _draw_below(rng: np.random.Generator, limit: Any, size: int) -> Numbers:
    """Independent even draws from 0 up to but not including `limit` (one limit, or one a draw)."""
    return np.asarray(rng.random(size) * limit).astype(np.int64)


def _draw_residents(rng: np.random.Generator) -> _Residents:
    day = _pick(rng, RESIDENTS, SHAPE.birth_shares())
    youngest = LIST_DATE.astype("datetime64[Y]") - 18
    return _Residents(
        age=SHAPE.ages()[day],
        birth=youngest.astype("datetime64[D]") - day,
        woman=rng.random(RESIDENTS) < WOMEN,
        zip=_pick(rng, RESIDENTS, SHAPE.zip_shares()),
    )


def _make_voter_list(residents: _Residents, rng: np.random.Generator) -> dict[str, Texts]:
    """The town's register: the first `VOTERS` residents; the others never registered."""
    woman, zips = residents.woman[:VOTERS], residents.zip[:VOTERS]
    birth = residents.birth[:VOTERS]
    address, postcode = _draw_homes(residents.age[:VOTERS], zips, rng)
    month = birth.astype("datetime64[M]")
    adult = (month + 12 * 18).astype("datetime64[D]") + (birth - month.astype("datetime64[D]"))
    since = np.minimum((LIST_DATE - adult).astype(np.int64), 40 * 365)
    return {
        "name": _draw_names(woman, rng),
        "address": address,
        "zip": np.array(ZIP_CODES)[zips],
        "postcode": postcode,
        "birth": birth.astype(np.str_),
        "sex": _write_sex(woman),
        "party": np.array(PARTIES)[_pick(rng, VOTERS, PARTY_SHARES)],
        "registered": (LIST_DATE - _draw_below(rng, since + 1, VOTERS)).astype(np.str_),
    }


def _draw_names(woman: NDArray[np.bool_], rng: np.random.Generator) -> Texts:
    women, men = np.array(WOMENS_NAMES), np.array(MENS_NAMES)
    first = np.where(
        woman,
        women[_draw_below(rng, len(women), len(woman))],
        men[_draw_below(rng, len(men), len(woman))],
    )
    parts = [
        np.array(part)[_draw_below(rng, len(part), len(woman))]
        for part in (SURNAME_STARTS, SURNAME_MIDDLES, SURNAME_ENDS)
    ]
    return _join_texts(first, " ", *parts)


def _draw_homes(
    age: NDArray[np.float64], zips: Numbers, rng: np.random.Generator
) -> tuple[Texts, Texts]:
    """Address and full postal code: a room in the student hall, or a house in a block."""
    in_hall = (age < HALL_AGE) & (rng.random(len(age)) < SHAPE.halls)
    block = _draw_below(rng, SHAPE.blocks()[zips], len(age))
    streets = SHAPE.blocks() // BLOCKS_PER_STREET + 1
    street = (np.cumsum(streets) - streets)[zips] + block // BLOCKS_PER_STREET
    house = 100 * (block % BLOCKS_PER_STREET) + 1 + 2 * _draw_below(rng, 50, len(age))
    kinds, names = np.array(STREET_KINDS), np.array(STREETS)
    address = np.where(
        in_hall,
        _join_texts(np.array(HALLS)[zips], " Hall ", (1 + _draw_below(rng, 400, len(age)))),
        _join_texts(house, " ", names[street % len(names)], " ", kinds[street // len(names)]),
    )
    code = np.where(in_hall, HALL_CODE, 1_000 + block)
    return address, _join_texts(np.array(ZIP_CODES)[zips], "-", code)


def _make_hospital_file(
    residents: _Residents, race: Numbers, rng: np.random.Generator
) -> tuple[Numbers, dict[str, Texts]]:
    """One visit each of some residents, older ones more often, in the order of the visits."""
    turn = np.log(rng.random(RESIDENTS)) / weigh_visits(residents.age)
    chosen = np.argsort(-turn, kind="stable")[:PATIENTS]
    visit = np.sort(LIST_DATE - 366 + _draw_below(rng, 366, PATIENTS))
    age, woman = residents.age[chosen], residents.woman[chosen]
    diagnosis, drug = diagnose(age, woman, rng.random(PATIENTS), rng.random(PATIENTS))
    charge = 120 * np.exp(3.5 * rng.random(PATIENTS))
    columns = {
        "record": _join_texts("H", 100_000 + np.argsort(rng.random(PATIENTS), kind="stable")),
        "visit": visit.astype(np.str_),
        "zip": np.array(ZIP_CODES)[residents.zip[chosen]],
        "birth": residents.birth[chosen].astype(np.str_),
        "sex": _write_sex(woman),
        "race": np.array(RACES)[race[chosen]],
        "diagnosis": diagnosis,
        "drug": drug,
        "charge": charge.astype(np.int64).astype(np.str_),
    }
    return chosen, columns


def _write_sex(woman: NDArray[np.bool_]) -> Texts:
    return np.where(woman, "F", "M")


def _join_texts(*parts: Any) -> Texts:
    """The parts put together, row by row."""
    whole = np.asarray(parts[0]).astype(np.str_)
    for part in parts[1:]:
        whole = np.char.add(whole, np.asarray(part).astype(np.str_))
    return whole
