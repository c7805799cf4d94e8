"""Computational disclosure control, figures 26, 28, 29, 32 and 33: the printed hierarchies."""

from __future__ import annotations

import pytest

from discreet.hierarchy import Dates, Prefix, Tree, WithSuppression

ZIPS = ["02138", "02139", "02141", "02142"]
ETHNICITIES = ["Asian", "Black", "White"]
PRIVATE_TABLE = {
    "race": ["black", "white"],
    "birth": [
        *("1965-09-20", "1965-02-14", "1965-10-23", "1965-08-24", "1964-11-07", "1964-12-01"),
        *("1964-10-23", "1965-03-15", "1964-08-13", "1964-05-05", "1967-02-13", "1967-03-21"),
    ],
    "sex": ["male", "female"],
    "zip": ["02141", "02138", "02139"],
}
FIGURE_32 = {
    "race": Tree({"person": ["black", "white"]}),
    "birth": Dates(["month", "year", "5 years", "decade"]),
    "sex": Tree({"human": ["male", "female"]}),
    "zip": Prefix([4, 3]),
}
HEIGHTS_32 = {"race": 1, "birth": 4, "sex": 1, "zip": 2}
HEIGHTS_33 = {"race": 2, "birth": 5, "sex": 2, "zip": 3}


def path(built, value):
    ground = built.labels[0].index(value)
    pairs = zip(built.maps, built.labels, strict=True)
    return [labels[codes[ground]] for codes, labels in pairs]


def test_figure_26_zip():
    built = Prefix([4, 3], mask="0").build("zip", ZIPS)
    assert built.labels == (tuple(ZIPS), ("02130", "02140"), ("02100",))


def test_figure_26_ethnicity():
    built = Tree({"Person": ETHNICITIES}).build("ethnicity", ETHNICITIES)
    assert built.labels == (tuple(ETHNICITIES), ("Person",))


def test_figure_28_zip_with_suppression():
    built = Prefix([4, 3], mask="0").build("zip", ZIPS).with_suppression()
    assert path(built, "02142") == ["02142", "02140", "02100", "*"]


def test_figure_29_ethnicity_with_suppression():
    built = Tree({"Person": ETHNICITIES}).build("ethnicity", ETHNICITIES).with_suppression()
    assert path(built, "Asian") == ["Asian", "Person", "*"]


@pytest.mark.parametrize("column", PRIVATE_TABLE)
def test_figure_32_heights(column):
    built = FIGURE_32[column].build(column, PRIVATE_TABLE[column])
    assert built.height == HEIGHTS_32[column]


@pytest.mark.parametrize("column", PRIVATE_TABLE)
def test_figure_33_heights(column):
    built = WithSuppression(FIGURE_32[column]).build(column, PRIVATE_TABLE[column])
    assert built.height == HEIGHTS_33[column]
    assert built.labels[-1] == ("*",)


def test_figure_33_birth():
    built = WithSuppression(FIGURE_32["birth"]).build("birth", PRIVATE_TABLE["birth"])
    expected = ["1964-11-07", "1964-11", "1964", "1960-1964", "1960-1969", "*"]
    assert path(built, "1964-11-07") == expected
    assert set(built.labels[3]) == {"1960-1964", "1965-1969"}


def test_figure_33_zip():
    built = WithSuppression(FIGURE_32["zip"]).build("zip", PRIVATE_TABLE["zip"])
    assert path(built, "02138") == ["02138", "0213*", "021**", "*"]
