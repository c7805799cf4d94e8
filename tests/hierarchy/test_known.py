from __future__ import annotations

import re

import pytest

from discreet.hierarchy import Known
from discreet.hierarchy.known import CATALOGUE, REST, hash_edition
from discreet.hierarchy.known.catalogue import load_standard
from discreet.hierarchy.known.spelling import Spellings
from discreet.hierarchy.known.tree_file import FOLDER, NamedTree, read_lines, read_marks
from tests.docs.page import ROOT

TREES = [name for name in CATALOGUE if isinstance(load_standard(name), NamedTree)]


def labels_of(name, value, levels=None):
    """What a value becomes at each level above itself, without what all become."""
    built = Known(name, levels).build("column", [value, "no such value"])
    return [labels[codes[0]] for codes, labels in zip(built.maps, built.labels, strict=True)][1:-1]


# Facts of the standards, as their publishers print them.


@pytest.mark.parametrize(
    ("name", "value", "labels"),
    [
        ("countries", "Austria", ["Western Europe", "Europe"]),
        ("countries", "840", ["Northern America", "Americas"]),
        ("countries", "NRU", ["Micronesia", "Oceania"]),
        ("countries", "Sudan", ["Northern Africa", "Africa"]),
        ("countries", "South Sudan", ["Eastern Africa", "Africa"]),
        ("countries", "Cyprus", ["Western Asia", "Asia"]),
        ("countries", "Mexico", ["Central America", "Americas"]),
        ("countries", "Iran", ["Southern Asia", "Asia"]),
        ("countries", "Tschechien", ["Eastern Europe", "Europe"]),
        ("countries", "Vietnamese", ["South-eastern Asia", "Asia"]),
        ("us-states", "DC", ["South Atlantic", "South"]),
        ("us-states", "06", ["Pacific", "West"]),
        ("canadian-provinces", "Québec", ["Quebec"]),
        ("canadian-provinces", "PEI", ["Atlantic"]),
        ("german-states", "NRW", ["Western Germany"]),
        ("uk-regions", "London", ["England"]),
        ("uk-regions", "Scotland", ["Scotland"]),
        (
            "icd-10",
            "I25.1",
            [
                "I25.1",
                "I25",
                "I20-I25 Ischaemic heart diseases",
                "I00-I99 Diseases of the circulatory system",
            ],
        ),
        ("icd-10", "E14", ["E14", "E14", "E10-E14 Diabetes mellitus"]),
        ("icd-10-cm", "E08", ["E08", "E08", "E08-E13 Diabetes mellitus"]),
        (
            "icd-10-cm",
            "C4A.9",
            ["C4A.9", "C4A", "C43-C44 Melanoma and other malignant neoplasms of skin"],
        ),
        ("icd-10-cm", "C7A.0", ["C7A.0", "C7A", "C7A Malignant neuroendocrine tumors"]),
        (
            "icd-9-cm",
            "250.01",
            [
                "250",
                "249-259 Diseases of other endocrine glands",
                "240-279 Endocrine, nutritional and metabolic diseases, and immunity disorders",
            ],
        ),
        ("icd-9-cm", "E812.0", ["E812", "E810-E819 Motor vehicle traffic accidents"]),
        ("atc", "N02BE01", ["N02BE", "N02B", "N02", "N Nervous system"]),
        (
            "isco-08",
            "2221",
            [
                "222 Nursing and midwifery professionals",
                "22 Health professionals",
                "2 Professionals",
            ],
        ),
        ("isco-08", "Truck driver", ["833 Heavy truck and bus drivers"]),
        (
            "soc",
            "29-1141",
            [
                "29-114x",
                "29-1xxx",
                "29 Healthcare Practitioners and Technical Occupations",
                "Management, Business, Science, and Arts Occupations",
            ],
        ),
        (
            "nace",
            "J62.01",
            [
                "62.0",
                "62 Computer programming, consultancy and related activities",
                "J Information and communication",
            ],
        ),
        (
            "naics",
            "336111",
            [
                "33611",
                "3361",
                "336 Transportation Equipment Manufacturing",
                "31-33 Manufacturing",
            ],
        ),
        (
            "education",
            "Prof-school",
            ["Master or equivalent (ISCED 7)", "High education (ISCED 5-8)"],
        ),
        ("languages", "fr", ["Romance languages", "Indo-European languages"]),
        ("languages", "ja", ["Japonic languages", "Japonic languages"]),
        ("us-zip-codes", "02138", ["021**", "Massachusetts", "New England", "Northeast"]),
        ("us-zip-codes", "02138-3654", ["021**", "Massachusetts", "New England", "Northeast"]),
        ("uk-postcodes", "sw1a1aa", ["SW1A 1", "SW1A", "SW South West London"]),
        ("uk-postcodes", "M1", ["M1", "M1", "M Manchester"]),
        ("canadian-postcodes", "k1a 0b1", ["K1A", "K Eastern Ontario", "Ontario", "Ontario"]),
        ("german-postcodes", "10115", ["101**", "10***", "1****"]),
        ("ages", "37", ["35-39", "35-44", "Adults (25-44)", "15-64"]),
        ("ages", "90+", ["90+", "85+", "Seniors (65+)", "65+"]),
        ("ages", "103", ["90+", "85+", "Seniors (65+)", "65+"]),
        ("ages", "6 months", ["0-4", "0-14", "Children (0-14)", "0-14"]),
        ("ages", "25-34", ["25-34", "25-34", "Adults (25-44)", "15-64"]),
        ("times", "2:35 pm", ["14:00-14:59", "Afternoon (12:00-17:59)", "12:00-23:59"]),
        ("times", "00:05:59", ["00:00-00:59", "Night (00:00-05:59)", "00:00-11:59"]),
        ("marital-status", "Widowed", ["Formerly married", "Ever married"]),
        ("race", "Chinese", ["Asian", "Other than White alone"]),
        ("sex", "weiblich", ["Female"]),
        ("employment-status", "Rentner", ["Retired", "Outside the labour force"]),
        ("class-of-worker", "Local-gov", ["Government employees", "Employees"]),
        ("blood-groups", "0 neg", ["O"]),
        ("religions", "Evangelisch", ["Christianity"]),
        ("us-census-areas", "25017", ["25017", "25017", "25017", "Massachusetts"]),
        ("us-census-areas", "250173524001", ["250173524001", "25017352400", "25017"]),
        ("nuts", "EL301", ["EL30", "EL3", "Greece"]),
        ("german-municipalities", "09162000", ["09162", "091", "Bayern", "Southern Germany"]),
    ],
)
def test_a_value_is_put_where_the_standard_puts_it(name, value, labels):
    assert labels_of(name, value)[: len(labels)] == labels


@pytest.mark.parametrize(
    ("subregion", "countries"),
    {
        "Northern Africa": 7,
        "Eastern Africa": 22,
        "Middle Africa": 9,
        "Southern Africa": 5,
        "Western Africa": 17,
        "Caribbean": 28 + 1,
        "Central America": 8,
        "South America": 16,
        "Northern America": 5,
        "Central Asia": 5,
        "Eastern Asia": 7 + 1,
        "South-eastern Asia": 11,
        "Southern Asia": 9,
        "Western Asia": 18,
        "Eastern Europe": 10 + 2,
        "Northern Europe": 16 + 1,
        "Southern Europe": 16 + 3,
        "Western Europe": 9,
        "Australia and New Zealand": 6,
        "Melanesia": 5,
        "Micronesia": 8,
        "Polynesia": 10,
    }.items(),
)
def test_every_subregion_has_as_many_countries_as_m49_lists_and_those_we_add(subregion, countries):
    # Added: Taiwan and Kosovo, which M49 does not list, and states that are no more.
    below = [line for line in read_lines("countries.txt") if line.above[1:] == (subregion,)]
    assert len(below) == countries


@pytest.mark.parametrize(
    ("file", "lines", "depth"),
    [
        ("us_states.txt", 51 + 8, 2),
        ("canadian_provinces.txt", 13, None),
        ("german_states.txt", 16, 1),
        ("isco.txt", 10, 0),
        ("isco.txt", 43, 1),
        ("isco.txt", 130, 2),
        ("soc.txt", 23, 1),
        ("nace.txt", 21, 0),
        ("nace.txt", 88, 1),
        ("naics.txt", 20, 0),
        ("icd10.txt", 22, 0),
        ("icd10cm.txt", 22, 0),
        ("icd9.txt", 19, 0),
    ],
)
def test_a_file_has_as_many_groups_as_its_standard(file, lines, depth):
    every = list(read_lines(file))
    if depth is None:
        parents = {name for line in every for name in line.above}
        assert sum(line.name not in parents for line in every) == lines
    else:
        assert sum(len(line.above) == depth for line in every) == lines


# Trees.


@pytest.mark.parametrize("name", TREES)
def test_every_node_of_a_tree_is_found_by_its_name_and_is_called_by_it(name):
    standard = load_standard(name)
    for above, node, _ in read_lines(f"{name.replace('-', '_')}.txt"):
        if node == "=":
            continue
        path = standard.find(node)
        assert path is not None
        assert node in path
        assert path[-1] == (above or (node,))[0]


@pytest.mark.parametrize("name", TREES)
def test_no_name_stands_for_two_nodes_that_nothing_holds(name):
    assert load_standard(name).ambiguous == frozenset()


def test_only_these_names_stand_for_several_nodes():
    shared = {key for name in TREES for key in load_standard(name).shared}
    assert shared == {"congolese", "kongo", "dominican", "korea", "korean", "virginislands"}


def test_a_name_of_two_countries_is_the_region_that_holds_both():
    assert labels_of("countries", "Korea", ("country", "subregion", "region")) == [
        "Eastern Asia",
        "Eastern Asia",
        "Asia",
    ]


@pytest.mark.parametrize("name", TREES)
def test_what_all_nodes_of_a_tree_become_is_a_hierarchy(name):
    values = [line.name for line in read_lines(f"{name.replace('-', '_')}.txt")]
    values = list(dict.fromkeys(value for value in values if value != "="))
    built = Known(name).build("column", [*values, "no such value", None])
    assert built.labels[-1] == ("*",)
    assert REST not in built.labels[0]
    assert all(labels.count(REST) == 1 for labels in built.labels[1:-1])


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_data_file_says_where_it_is_from_and_of_when(name):
    for file in CATALOGUE[name].files:
        marks = read_marks(file)
        assert marks["source"]
        assert re.match(r"\d{4}", marks["date"])


def test_the_readme_of_the_data_names_every_file():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [file.name for file in FOLDER.glob("*.txt") if f"`{file.name}`" not in text] == []


@pytest.mark.parametrize("name", CATALOGUE)
def test_default_levels_are_levels_and_there_is_one(name):
    assert set(Known(name).list_levels()) <= set(load_standard(name).levels)
    assert Known(name).list_levels()


def test_editions_of_different_hierarchies_differ():
    assert len({hash_edition(name) for name in CATALOGUE}) == len(CATALOGUE)


# Spelling.


@pytest.mark.parametrize(
    "value",
    [
        "Germany",
        "GERMANY",
        " germany ",
        "Federal Republic of Germany",
        "DE",
        "deu",
        "276",
        "Deutschland",
        "Gremany",
        "Germny",
        "Germanny",
        "Gernany",
        "West-Germany",
    ],
)
def test_a_country_is_recognized_however_it_is_written(value):
    assert labels_of("countries", value, ("country",)) == ["Germany"]


@pytest.mark.parametrize("value", ["Österreich", "Oesterreich", "OSTERREICH", "Östereich"])
def test_umlauts_may_be_written_in_two_letters_or_left_out(value):
    assert labels_of("countries", value, ("country",)) == ["Austria"]


@pytest.mark.parametrize(
    "value",
    [
        "Nigera",  # Niger and Nigeria
        "Slovania",  # Slovenia and Slovakia
        "Ira",  # too short for a mistake
        "Iram",
        "Guineaa Bissauu",  # two mistakes
        "Gambbiaa",
        "",
        "?",
    ],
)
def test_what_could_be_two_countries_is_none(value):
    assert load_standard("countries").find(value) is None


def test_a_mistake_is_one_letter_more_less_changed_or_swapped():
    found = Spellings({"paraguay": "P"})
    right = ["paraguay", "Paragay", "paraguayy", "paraquay", "apraguay"]
    assert [found.find(text) for text in right] == ["P"] * 5
    assert [found.find(text) for text in ["paragayy", "praguy", "uruguay"]] == [None] * 3
    assert found.find_exact("paragay") is None


@pytest.mark.parametrize(
    "name", ["Guinea", "Guinea-Bissau", "Equatorial Guinea", "Niger", "Nigeria"]
)
def test_names_that_hold_each_other_are_kept_apart(name):
    assert labels_of("countries", name, ("country",)) == [name]


# Codes.


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("icd-10", ["I", "I2", "25.1", "I25.12345", "I25,1", "II5", "age 25"]),
        ("icd-10", ["Q9Z", "D49", "E9A"]),
        ("icd-9-cm", ["25", "10000.0", "V9", "E81", "250.123", "000"]),
        ("atc", ["N", "N2", "E02BE01", "N02BE011", "N02B01", "I25"]),
        ("isco-08", ["9999", "22222", "2221.0", "12.5"]),
        ("soc", ["12-1234", "291", "99-9999", "29/1141"]),
        ("nace", ["K62", "04", "J99", "6", "62.01.1234"]),
        ("naics", ["12", "3", "999999", "3361111"]),
        ("us-zip-codes", ["2138", "00012", "98", "ABCDE", "987654"]),
        ("uk-postcodes", ["QQ1 1AA", "1AA", "SW", "SW1A1A", "ABC1 1AA"]),
        ("canadian-postcodes", ["D1A 0B1", "K1A 0O1", "K1", "KK1 0B1"]),
        ("german-postcodes", ["00123", "1011", "D10", "101155"]),
        ("ages", ["-1", "126", "3.5", "thirty", "30-20", "I25"]),
        ("times", ["24:00", "12:60", "1230", "13:00 pm", "12.30", "0:5"]),
        ("blood-groups", ["C+", "A++", "ABO", "B12", "neg"]),
        ("us-census-areas", ["99017", "2501", "250173", "03001"]),
        ("nuts", ["XX123", "DE", "DE1234", "D1", "US123"]),
        ("german-municipalities", ["17162000", "9162000", "091620001"]),
    ],
)
def test_what_is_not_a_code_goes_to_the_rest(name, values):
    find = load_standard(name).find
    assert [value for value in values if find(value) is not None] == []


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("icd-10", ["e11.9", "E119", " E11.9 ", "E11.9†"]),
        ("icd-9-cm", ["250.0", "2500"]),
        ("soc", ["29-1141", "291141", "29-1141.00"]),
        ("nace", ["62.01", "6201", "J62.01", "j 62.01"]),
        ("uk-postcodes", ["M1 1AE", "m11ae", "M1  1AE"]),
        ("canadian-postcodes", ["K1A 0B1", "k1a0b1", "K1A-0B1"]),
        ("us-zip-codes", ["02138", "02138-1234", "021381234"]),
        ("times", ["14:35", "2:35 PM", "14:35:59", "14:35 Uhr", "2:35 p.m."]),
        ("blood-groups", ["O+", "0+", "o Rh+", "O positive", "0 pos"]),
        ("ages", ["37", "37 years", "37y", "37 Jahre"]),
    ],
)
def test_a_code_may_be_written_in_several_ways(name, same):
    find = load_standard(name).find
    assert len({find(value) for value in same}) == 1
    assert find(same[0]) is not None


def test_a_coarser_code_is_itself_up_to_its_level():
    built = Known("isco-08").build("job", ["2221", "22", "2", "9"])
    assert built.labels[1] == (
        "222 Nursing and midwifery professionals",
        "22 Health professionals",
        "2 Professionals",
        "9 Elementary occupations",
    )
    assert built.labels[3] == ("2 Professionals", "9 Elementary occupations")


# Hierarchies.


def test_what_is_not_recognized_is_one_group_below_the_root():
    values = ["Chile", "Atlantis", "Oz", "?"]
    built = Known("countries").build("country", values)
    assert [built.labels[level][built.maps[level][1]] for level in (1, 2, 3)] == [REST, REST, "*"]
    assert len(set(built.maps[1][1:].tolist())) == 1


def test_a_missing_value_stays_missing_below_the_root():
    built = Known("countries").build("country", ["Chile", "Peru", None])
    assert built.labels[1:] == (("South America", None), ("Americas", None), ("*",))


def test_values_that_are_not_recognized_are_counted_with_their_rows():
    known = Known("countries")
    values = ["Chile", "Atlantis", None, "Oz"]
    assert known.count_unrecognized(values, [5, 3, 10, 4]) == (2, 7)
    assert known.count_unrecognized(values) == (2, 2)


def test_a_group_among_the_values_stays_itself_up_to_its_level():
    built = Known("countries").build("country", ["Europe", "Austria", "Western Europe", "Peru"])
    rows = [
        [labels[code] for code in codes]
        for codes, labels in zip(built.maps, built.labels, strict=True)
    ]
    assert rows[1] == ["Europe", "Western Europe", "Western Europe", "South America"]
    assert rows[2] == ["Europe", "Europe", "Europe", "Americas"]


def test_the_guide_lists_every_known_hierarchy_with_its_levels():
    page = (ROOT / "docs" / "guides" / "hierarchies.md").read_text(encoding="utf-8")
    rows = [
        f"| `{name}` | {entry.title} | {', '.join(load_standard(name).levels)} |"
        for name, entry in CATALOGUE.items()
    ]
    assert [row for row in rows if row not in page] == []
