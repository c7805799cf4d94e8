from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from discreet.hierarchy import Flat, Known, find_known, write_spec

COUNTRIES = ["Austria", "Chile", "France", "Japan", "Kenya"]


def name_of(column, values, counts=None):
    found = find_known(column, values, counts)
    return None if found is None else found.name


# What a column is.


@pytest.mark.parametrize(
    ("column", "values", "name"),
    [
        ("country", COUNTRIES, "countries"),
        ("nationality", ["German", "Turkish", "Polish"], "countries"),
        ("Geburtsland", ["Deutschland", "Türkei", "Polen"], "countries"),
        ("country_code", ["DE", "FR", "US"], "countries"),
        ("iso3_country", ["DEU", "FRA", "USA"], "countries"),
        ("state", ["CA", "NY", "TX"], "us-states"),
        ("state", ["California", "New York", "Texas"], "us-states"),
        ("province", ["ON", "QC", "BC"], "canadian-provinces"),
        ("Bundesland", ["BY", "NW", "BE"], "german-states"),
        ("Land", ["Bayern", "Hessen", "Berlin"], "german-states"),
        ("region", ["London", "South East", "North West"], "uk-regions"),
        ("diagnosis", ["I25.1", "E11.9", "J45"], "icd-10"),
        ("dx", ["S72.001A", "E11.9", "J45.909"], "icd-10-cm"),
        ("diag_1", ["250.83", "428", "V58"], "icd-9-cm"),
        ("icd9_code", ["25000", "4019", "41401"], "icd-9-cm"),
        ("atc", ["N02BE01", "C09AA05", "A10BA02"], "atc"),
        ("isco", ["2221", "5120", "8332"], "isco-08"),
        ("Beruf", ["Lehrer", "Koch", "Elektriker"], "isco-08"),
        ("occupation", ["29-1141", "15-1252", "41-2031"], "soc"),
        ("occupation", ["Sales", "Exec-managerial", "Craft-repair"], "census-occupations"),
        ("nace_code", ["62.01", "47.11", "86.10"], "nace"),
        ("naics", ["336111", "621111", "722511"], "naics"),
        ("education", ["HS-grad", "Bachelors", "Masters"], "education"),
        ("Schulabschluss", ["Abitur", "Realschulabschluss", "Hauptschulabschluss"], "education"),
        ("language", ["German", "French", "Hindi"], "languages"),
        ("mother_tongue", ["de", "fr", "hi"], "languages"),
        ("zip", ["02138", "90210", "10001"], "us-zip-codes"),
        ("postcode", ["SW1A 1AA", "M1 1AE", "EH1 1YZ"], "uk-postcodes"),
        ("postal_code", ["K1A 0B1", "H2X 1Y4", "V6B 4Y8"], "canadian-postcodes"),
        ("PLZ", ["10115", "80331", "20095"], "german-postcodes"),
        ("age", ["17", "35", "90+"], "ages"),
        ("Alter", ["17", "35", "62"], "ages"),
        ("arrival_time", ["08:15", "14:30", "23:59"], "times"),
        ("marital_status", ["Married", "Divorced", "Single"], "marital-status"),
        ("Familienstand", ["ledig", "verheiratet", "geschieden"], "marital-status"),
        ("race", ["White", "Black", "Asian"], "race"),
        ("ethnicity", ["Hispanic or Latino", "Not Hispanic or Latino"], "hispanic-origin"),
        ("Geschlecht", ["m", "w", "d"], "sex"),
        ("employment", ["Full-time", "Part-time", "Retired", "Student"], "employment-status"),
        ("workclass", ["Private", "State-gov", "Self-emp-inc"], "class-of-worker"),
        ("blood_type", ["A+", "O-", "AB+"], "blood-groups"),
        ("Konfession", ["evangelisch", "katholisch", "ohne"], "religions"),
        ("relationship", ["Husband", "Own-child", "Not-in-family"], "relationships"),
        ("county_fips", ["25017", "06037", "36061"], "us-census-areas"),
        ("GEOID", ["25017352400", "06037101110"], "us-census-areas"),
        ("nuts3", ["DE212", "FR101", "EL301"], "nuts"),
        ("AGS", ["09162000", "11000000", "05315000"], "german-municipalities"),
    ],
)
def test_a_column_is_told_by_its_name_and_values(column, values, name):
    assert name_of(column, values) == name


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (COUNTRIES, "countries"),
        (["California", "Texas", "Ohio", "Nevada", "Utah"], "us-states"),
        (["Bayern", "Hessen", "Thüringen"], "german-states"),
        (["Ontario", "Alberta", "Manitoba"], "canadian-provinces"),
        (["SW1A 1AA", "M1 1AE", "EH1 1YZ", "B1 1AA", "LS1 4AP"], "uk-postcodes"),
        (["K1A 0B1", "H2X 1Y4", "V6B 4Y8", "M5V 2T6", "T2P 1J9"], "canadian-postcodes"),
        (["N02BE01", "C09AA05", "A10BA02", "B01AC06", "C07AB02"], "atc"),
        (["Married", "Divorced", "Widowed", "Separated"], "marital-status"),
        (["Bachelors", "HS-grad", "Masters", "Some-college", "Assoc-voc"], "education"),
        (["male", "female"], "sex"),
        ([f"{hour:02d}:15" for hour in range(6, 20)], "times"),
        (
            ["I25.1", "E11.9", "J45.0", "K35.8", "M54.5", "F32.1", "C50.9", "N18.3"],
            "icd-10",
        ),
    ],
)
def test_values_that_can_be_nothing_else_need_no_name(values, name):
    assert name_of("v7", values) == name


# What it is not.


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("name", ["Chad", "Jordan", "Israel", "Georgia", "Kenya", "Paris", "Bob", "Ann"]),
        ("first_name", ["Ann", "Bob", "Carla", "Dominic", "Virginia", "Carolina"]),
        ("surname", ["Müller", "Schmidt", "Schneider", "Fischer", "Koch", "Bauer"]),
        ("last_name", ["England", "France", "Holland", "Smith", "Jones", "Miller"]),
        ("city", ["Berlin", "Hamburg", "Bremen", "München", "Köln", "Frankfurt"]),
        ("city", ["London", "Paris", "Singapore", "Luxembourg", "Tokyo", "Lima"]),
        ("town", ["New York", "Washington", "Boston", "Chicago", "Denver"]),
        ("word", ["apple", "turkey", "china", "table", "chair"]),
        ("comment", ["fine", "married to the job", "he is from Chile", "no", "other"]),
        ("code", ["CA", "DE", "AL", "GA", "IN", "ID"]),
        ("code", ["CA", "NY", "TX", "FL", "OH", "PA", "IL", "MI"]),
        ("c1", ["AT", "DE", "CH", "FR", "IT", "ES", "PL", "US"]),
        ("grade", ["A+", "A-", "B+", "B-", "C+"]),
        ("grade", ["A", "B", "AB", "O"]),
        ("blood_pressure", ["120", "130", "140"]),
        ("score", ["17", "35", "62"]),
        ("page", ["17", "35", "62"]),
        ("stage", ["1", "2", "3", "4"]),
        ("mortgage", ["100", "20", "30"]),
        ("wage", ["17", "35", "62"]),
        ("age_gap", ["1", "2", "3"]),
        ("age", ["young", "old", "middle"]),
        ("age", ["1.5", "2.5", "17.25"]),
        ("amount", ["250", "401", "428", "780"]),
        ("value", ["250.0", "401.9", "428.0"]),
        ("room", ["A01", "A02", "B10", "C07", "D12"]),
        ("seat", ["A01", "B02", "C03", "D04", "E05", "F06", "G07", "H08", "J09"]),
        ("product", ["A10.1", "B20.2", "X99.9"]),
        ("id", ["25017", "06037", "36061"]),
        ("number", ["2221", "5120", "8332"]),
        ("zip", ["291141", "151252", "412031"]),
        ("soc", ["02138", "90210", "10001"]),
        ("postal_code", ["10115", "80331", "20095"]),
        ("postcode", ["1010", "8010", "5020"]),
        ("phone", ["0221 123456", "030 9876", "089 555"]),
        ("duration", ["00:15", "01:30", "02:45", "03:00"]),
        ("waiting_time", [f"{hour:02d}:15" for hour in range(12)]),
        ("date", ["2020-01-01", "2021-05-06"]),
        ("timestamp", ["2020-01-01 12:00", "2021-05-06 13:30"]),
        ("state", ["open", "closed", "pending"]),
        ("state", ["NSW", "VIC", "QLD", "TAS"]),
        ("state", ["SP", "RJ", "MG", "BA", "RS"]),
        ("status", ["active", "inactive", "single", "new"]),
        ("region", ["North", "South", "East", "West"]),
        ("race", ["10k", "marathon", "sprint"]),
        ("sex", ["0", "1"]),
        ("gender", ["1", "2", "9"]),
        ("title", ["Dr", "Prof", "Mr", "Mrs"]),
        ("degree", ["37.5", "38.1", "39.0"]),
        ("school", ["Lincoln High", "Roosevelt", "St Mary"]),
        ("education-num", [str(number) for number in range(1, 17)]),
        ("occupation", ["accounts", "x1", "misc", "freelance stuff"]),
        ("job", ["4110", "0010", "9830", "1021", "3255", "4720", "4760"]),
        ("industry", ["Cars", "Games", "Movies"]),
        ("sector", ["11", "21", "22", "23", "42", "51"]),
        ("religion", ["red", "blue"]),
        ("language", ["Python", "Java", "Rust"]),
        ("relationship", ["good", "bad", "none of it"]),
        ("nuts", ["almond", "walnut", "pecan"]),
        ("county", ["Kent", "Essex", "Devon"]),
        ("municipality", ["12345678", "99999999"]),
        ("time", ["1623423", "1623424"]),
        ("origin", ["web", "phone", "branch"]),
        ("land", ["arable", "forest", "meadow"]),
        ("diagnosis", ["flu", "asthma", "cold"]),
        ("diagnosis", ["B", "M"]),
        ("drug", ["aspirin", "ibuprofen"]),
        ("yes", ["yes", "no"]),
        ("answers", ["Y", "N", "?"]),
        ("empty", [None, "", "?"]),
        ("nothing", []),
    ],
)
def test_a_column_of_something_else_is_not_taken(column, values):
    assert find_known(column, values) is None


def draw(*parts: Sequence[object], seed: int = 7, values: int = 150) -> list[str]:
    """Different codes, each of one choice of every part."""
    chance = random.Random(seed)
    drawn = {"".join(str(chance.choice(part)) for part in parts) for _ in range(3 * values)}
    return sorted(drawn)[:: max(1, len(drawn) // values)]


NUMBERED = {
    "sequence numbers": [f"v{number}" for number in range(1, 1501)],
    "padded sequence numbers": [f"A{number:04}" for number in range(1, 400)],
    "sample numbers": [f"S{number:03}" for number in range(1, 300)],
    "patient numbers": [f"P{number:05}" for number in range(1, 300)],
    "product numbers": draw("ABCDEFGHJKLMNPRSTUVWXYZ", range(1000, 9999)),
    "product numbers with a dot": draw("ABCDEFGHJKLMNPRSTUVWXYZ", range(10, 99), ".", range(10)),
    "rooms": draw("ABCD", range(100, 430)),
    "rooms with a dot": draw("ABCDEFGH", range(10, 21), ".", range(1, 9)),
    "courses": draw("MPCB", range(101, 409)),
    "courses of a term": draw("EMPC", range(10, 40), ".", range(1, 4)),
    "flights of one airline": draw(["U2", "B6"], range(100, 999)),
    "flights": draw(["LH", "BA", "AF", "UA"], range(1, 2999)),
    "roads": draw("ABM", range(10, 999)),
    "licence plates": draw("B", range(100, 9999)),
}


@pytest.mark.parametrize("kind", NUMBERED)
def test_a_letter_and_digits_are_not_taken_for_a_standard(kind):
    assert find_known("code", NUMBERED[kind]) is None


def test_rooms_whose_numbers_could_be_diagnoses_are_rooms_by_name():
    codes = ["I25.1", "E11.9", "J45.0", "K35.8", "M54.5", "F32.1", "C50.9", "N18.3"]
    assert name_of("v7", codes) == "icd-10"
    assert find_known("room", codes) is None


def test_rows_count_and_not_values_alone():
    values = ["Austria", "Peru", "France", "Oz"]
    assert name_of("country", values, [50, 40, 5, 5]) == "countries"
    assert name_of("country", values, [40, 30, 10, 20]) is None


def test_one_frequent_value_does_not_make_a_column():
    values = ["Germany", *(f"place {number}" for number in range(50))]
    assert name_of("country", values, [10_000, *[1] * 50]) is None


def test_words_for_missing_count_neither_way():
    values = ["Austria", "Peru", "?", "NA", "unknown", None]
    found = find_known("country", values, [5, 5, 9, 9, 9, 9])
    assert found is not None
    assert found.matched == (2, 10)
    assert found.unmatched == (0, 0)


def test_na_is_never_namibia():
    built = Known("countries").build("country", ["NA", "n/a", "Namibia", "Peru"])
    assert built.labels[1] == ("Other or unknown", "Southern Africa", "South America")


# What is proposed.


def test_a_level_that_writes_values_in_one_way_is_proposed_where_it_joins_some():
    mixed = find_known("country", ["Austria", "AT", "France", "Italy", "Peru"])
    plain = find_known("country", ["Austria", "France", "Italy", "Peru"])
    assert mixed is not None
    assert plain is not None
    assert mixed.builder == Known("countries", ("country", "subregion", "region"))
    assert write_spec(plain.builder) == {"known": "countries"}


def test_a_level_that_joins_nothing_is_left_out():
    found = find_known("race", ["White", "Black", "Asian"])
    assert found is not None
    assert write_spec(found.builder) == {"known": {"name": "race", "levels": ["broad"]}}


def test_where_there_is_nothing_between_the_values_and_the_root_it_is_flat_with_a_reason():
    found = find_known("sex", ["Male", "Female"])
    assert found is not None
    assert found.builder == Flat()
    assert "nothing between" in found.reason


def test_counts_and_reason_say_what_was_recognized_and_no_value():
    values, rows = ["Austria", "Peru", "France", "Qqq"], [60, 30, 7, 3]
    found = find_known("country", values, rows)
    assert found is not None
    assert found.matched == (3, 97)
    assert found.unmatched == (1, 3)
    assert "3 of 4" in found.reason
    assert "97.0%" in found.reason
    assert not any(value in found.reason or value in repr(found) for value in values)


@pytest.mark.parametrize("column", ["country", "v1"])
def test_what_is_proposed_builds_on_the_values_it_was_made_from(column):
    values = [*COUNTRIES, "Peru", "Norway", "Ghana", "Italy", "Spain", None]
    found = find_known(column, values)
    assert found is not None
    assert found.builder.build(column, values).labels[-1] == ("*",)


def test_the_order_of_values_does_not_matter():
    values = ["Austria", "Peru", "Oz", "France"]
    rows = [10, 20, 1, 30]
    backwards = find_known("country", values[::-1], rows[::-1])
    assert find_known("country", values, rows) == backwards
