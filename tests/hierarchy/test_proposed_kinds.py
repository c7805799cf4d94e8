"""A table of kinds of columns and the tree that a statistician would accept for each.

A row has the name of a column, example values, and for some of these what they become level by
level. A new kind is a new row; `propose_for` is the one place that says who proposes.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from discreet.hierarchy import Flat, find_known


class Kind(NamedTuple):
    """One kind of column: its name, values, and the way of some values up to the root."""

    column: str
    values: tuple[str, ...]
    ways: dict[str, tuple[str, ...]]

    def __str__(self) -> str:
        return self.column


KNOWN = (
    Kind(
        "native-country",
        ("United-States", "Cuba", "Jamaica", "Germany", "France", "Poland", "India", "?"),
        {
            "France": ("Western Europe", "Europe", "*"),
            "Jamaica": ("Caribbean", "Americas", "*"),
            "?": ("Other or unknown", "Other or unknown", "*"),
        },
    ),
    Kind(
        "nationality",
        ("German", "deutsch", "Turkish", "Polish", "Syrian", "Austrian"),
        {
            "deutsch": ("Germany", "Western Europe", "Europe", "*"),
            "Syrian": ("Syria", "Western Asia", "Asia", "*"),
        },
    ),
    Kind(
        "state",
        ("CA", "OR", "WA", "NV", "NY", "NJ", "MA", "TX"),
        {"NJ": ("Middle Atlantic", "Northeast", "*"), "NV": ("Mountain", "West", "*")},
    ),
    Kind(
        "province",
        ("Ontario", "Quebec", "Manitoba", "Alberta", "Nova Scotia", "New Brunswick"),
        {"Alberta": ("Prairies", "*"), "Quebec": ("Quebec", "*")},
    ),
    Kind(
        "Bundesland",
        ("Bayern", "Baden-Württemberg", "Hamburg", "Bremen", "Sachsen", "Thüringen"),
        {"Sachsen": ("Eastern Germany", "*")},
    ),
    Kind(
        "uk_region",
        ("London", "South East", "North West", "Wales", "Scotland"),
        {"London": ("England", "*"), "Wales": ("Wales", "*")},
    ),
    Kind(
        "diagnosis",
        ("I25.1", "I25.0", "I21.9", "I21.0", "I10", "I50.0", "E11.9", "E14.9"),
        {
            "I25.0": (
                "I25",
                "I20-I25 Ischaemic heart diseases",
                "I00-I99 Diseases of the circulatory system",
                "*",
            )
        },
    ),
    Kind(
        "dx_code",
        ("S72.001A", "S72.002A", "S72.101A", "S73.001A", "S82.001A", "E11.9", "E11.65", "E78.5"),
        {
            "S72.002A": (
                "S72.0",
                "S72",
                "S70-S79 Injuries to the hip and thigh",
                "S00-T88 Injury, poisoning and certain other consequences of external causes",
                "*",
            )
        },
    ),
    Kind(
        "icd9",
        ("250.00", "250.02", "251.2", "401.9", "402.1", "414.01", "428.0", "V45.81"),
        {
            "250.02": (
                "250",
                "249-259 Diseases of other endocrine glands",
                "240-279 Endocrine, nutritional and metabolic diseases, and immunity disorders",
                "*",
            )
        },
    ),
    Kind(
        "atc_code",
        ("N02BE01", "N02BE51", "N02BA01", "N02AA01", "N05BA01", "C09AA05", "C07AB02"),
        {"N02BE51": ("N02BE", "N02B", "N02", "N Nervous system", "*")},
    ),
    Kind(
        "isco08",
        ("2221", "2222", "2211", "2310", "2411", "5120", "5131"),
        {
            "2222": (
                "222 Nursing and midwifery professionals",
                "22 Health professionals",
                "2 Professionals",
                "*",
            )
        },
    ),
    Kind(
        "job_title",
        ("Nurse", "Midwife", "Doctor", "Teacher", "Cook", "Chef", "Waiter", "Waitress", "Barber"),
        {
            "Midwife": (
                "222 Nursing and midwifery professionals",
                "22 Health professionals",
                "2 Professionals",
                "*",
            )
        },
    ),
    Kind(
        "soc_code",
        ("29-1141", "29-1142", "29-1151", "29-2061", "11-1021", "41-2031", "41-3091"),
        {
            "29-1142": (
                "29-114x",
                "29-1xxx",
                "29 Healthcare Practitioners and Technical Occupations",
                "Management, Business, Science, and Arts Occupations",
                "*",
            )
        },
    ),
    Kind(
        "occupation",
        ("Sales", "Tech-support", "Exec-managerial", "Prof-specialty", "Other-service", "?"),
        {
            "Sales": (
                "Technical, sales, and administrative support occupations",
                "White-collar occupations",
                "*",
            ),
            "Other-service": ("Service occupations", "Service occupations", "*"),
        },
    ),
    Kind(
        "nace",
        ("62.01", "62.02", "61.10", "63.11", "47.11", "47.19", "47.71", "10.71"),
        {
            "62.02": (
                "62.0",
                "62 Computer programming, consultancy and related activities",
                "J Information and communication",
                "*",
            )
        },
    ),
    Kind(
        "naics_code",
        ("336111", "336112", "336120", "336211", "337110", "445110", "722511"),
        {
            "336112": (
                "33611",
                "3361",
                "336 Transportation Equipment Manufacturing",
                "31-33 Manufacturing",
                "*",
            )
        },
    ),
    Kind(
        "education",
        ("HS-grad", "Some-college", "9th", "10th", "Bachelors", "Masters", "Prof-school"),
        {
            "9th": ("Lower secondary education (ISCED 2)", "Low education (ISCED 0-2)", "*"),
            "Masters": ("Master or equivalent (ISCED 7)", "High education (ISCED 5-8)", "*"),
        },
    ),
    Kind(
        "Bildungsabschluss",
        ("Abitur", "Fachabitur", "Realschulabschluss", "Hauptschulabschluss", "Bachelor", "Master"),
        {
            "Fachabitur": (
                "Upper secondary education (ISCED 3)",
                "Medium education (ISCED 3-4)",
                "*",
            )
        },
    ),
    Kind(
        "language",
        ("German", "English", "French", "Spanish", "Polish", "Russian", "Arabic", "Turkish"),
        {
            "English": ("Germanic languages", "Indo-European languages", "*"),
            "Turkish": ("Turkic languages", "Turkic languages", "*"),
        },
    ),
    Kind(
        "zip",
        ("02138", "02139", "02141", "02906", "10001", "10002", "94103", "90210"),
        {"02139": ("021**", "Massachusetts", "New England", "Northeast", "*")},
    ),
    Kind(
        "postcode",
        ("SW1A 1AA", "SW1A 1AB", "SW1A 2AA", "SW3 1AA", "M1 1AE", "EH1 1YZ"),
        {"SW1A 1AB": ("SW1A 1", "SW1A", "SW South West London", "*")},
    ),
    Kind(
        "postal_code",
        ("K1A 0B1", "K1A 0B2", "K2P 1L4", "M5V 2T6", "H2X 1Y4", "R3C 4A5", "T2P 1J9"),
        {"K1A 0B2": ("K1A", "K Eastern Ontario", "Ontario", "Ontario", "*")},
    ),
    Kind(
        "plz",
        ("10115", "10117", "10245", "12043", "20095", "20354", "80331"),
        {"10117": ("101**", "10***", "1****", "*")},
    ),
    Kind(
        "age",
        (*map(str, range(2, 89, 2)), "90+"),
        {
            "36": ("35-39", "35-44", "Adults (25-44)", "15-64", "*"),
            "90+": ("90+", "85+", "Seniors (65+)", "65+", "*"),
        },
    ),
    Kind(
        "admission_time",
        tuple(f"{hour:02d}:{minute}" for hour in range(24) for minute in (10, 40)),
        {"14:40": ("14:00-14:59", "Afternoon (12:00-17:59)", "12:00-23:59", "*")},
    ),
    Kind(
        "marital-status",
        ("Married-civ-spouse", "Married-AF-spouse", "Divorced", "Widowed", "Never-married"),
        {
            "Widowed": ("Formerly married", "Ever married", "*"),
            "Never-married": ("Never married", "Never married", "*"),
        },
    ),
    Kind(
        "race",
        ("White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"),
        {"White": ("White alone", "*"), "Black": ("Other than White alone", "*")},
    ),
    Kind(
        "sex",
        ("m", "male", "f", "female", "F"),
        {"f": ("Female", "*"), "male": ("Male", "*")},
    ),
    Kind(
        "employment_status",
        ("Full-time", "Part-time", "Unemployed", "Retired", "Student"),
        {
            "Part-time": ("Employed", "In the labour force", "*"),
            "Retired": ("Retired", "Outside the labour force", "*"),
        },
    ),
    Kind(
        "workclass",
        ("Private", "Federal-gov", "Local-gov", "Self-emp-inc", "Self-emp-not-inc", "?"),
        {"Local-gov": ("Government employees", "Employees", "*")},
    ),
    Kind(
        "blood_group",
        ("A+", "A-", "B+", "B-", "O+", "O-", "AB+"),
        {"O-": ("O", "*"), "AB+": ("AB", "*")},
    ),
    Kind(
        "religion",
        ("Catholic", "Protestant", "Orthodox", "Sunni", "Shia", "Jewish", "None"),
        {"Sunni": ("Islam", "*"), "None": ("No religion", "*")},
    ),
    Kind(
        "relationship",
        ("Husband", "Wife", "Own-child", "Not-in-family", "Other-relative", "Unmarried"),
        {"Wife": ("Spouses and partners", "Family members", "*")},
    ),
    Kind(
        "county_fips",
        ("25017", "25025", "25021", "36061", "36047", "09001", "06037"),
        {"25025": ("Massachusetts", "New England", "Northeast", "*")},
    ),
    Kind(
        "census_tract",
        ("25017352400", "25017352500", "25025010100", "36061000100", "09001010101", "06037101110"),
        {"25017352500": ("25017", "Massachusetts", "New England", "Northeast", "*")},
    ),
    Kind(
        "nuts3",
        ("DE211", "DE212", "DE221", "DE300", "FR101", "FR102", "EL301"),
        {"DE211": ("DE21", "DE2", "Germany", "*")},
    ),
    Kind(
        "ags",
        ("09162000", "09163000", "08111000", "05315000", "05314000", "09274113", "09274114"),
        {"09274114": ("09274", "092", "Bayern", "Southern Germany", "*")},
    ),
)
"""Kinds that published standards group."""


def propose_for(kind: Kind):
    """The builder that is proposed for a column."""
    found = find_known(kind.column, kind.values)
    assert found is not None
    return found.builder


@pytest.mark.parametrize("kind", KNOWN, ids=str)
def test_the_proposal_is_the_tree_that_a_statistician_would_accept(kind):
    built = propose_for(kind).build(kind.column, kind.values)
    for value, way in kind.ways.items():
        code = kind.values.index(value)
        labels = [names[codes[code]] for codes, names in zip(built.maps, built.labels, strict=True)]
        assert tuple(labels[1:]) == way


@pytest.mark.parametrize("kind", KNOWN, ids=str)
def test_no_proposal_is_flat(kind):
    assert not isinstance(propose_for(kind), Flat)


def test_the_table_has_thirty_kinds_or_more():
    assert len(KNOWN) >= 30
