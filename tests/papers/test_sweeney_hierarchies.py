"""Computational disclosure control, figures 26, 28, 29, 32 and 33: the printed hierarchies."""

from __future__ import annotations

import pytest

from tests.papers.sweeney import (
    ETHNICITIES,
    FIGURE_26,
    FIGURE_32,
    FIGURE_33,
    FIGURE_34,
    FIGURES_28_AND_29,
    PEOPLE,
    ZIPS,
)

VALUES = {
    name: tuple(dict.fromkeys(row[at] for row in FIGURE_34)) for at, name in enumerate(PEOPLE)
}
HEIGHTS_32 = {"race": 1, "birth": 4, "sex": 1, "zip": 2}
HEIGHTS_33 = {"race": 2, "birth": 5, "sex": 2, "zip": 3}


def path(built, value):
    ground = built.labels[0].index(value)
    pairs = zip(built.maps, built.labels, strict=True)
    return [labels[codes[ground]] for codes, labels in pairs]


def test_figure_26_zip():
    built = FIGURE_26["zip"].build("zip", ZIPS)
    assert built.labels == (ZIPS, ("02130", "02140"), ("02100",))


def test_figure_26_ethnicity():
    built = FIGURE_26["ethnicity"].build("ethnicity", ETHNICITIES)
    assert built.labels == (ETHNICITIES, ("Person",))


def test_figure_28_zip_with_suppression():
    built = FIGURES_28_AND_29["zip"].build("zip", ZIPS)
    assert path(built, "02142") == ["02142", "02140", "02100", "*"]


def test_figure_29_ethnicity_with_suppression():
    built = FIGURES_28_AND_29["ethnicity"].build("ethnicity", ETHNICITIES)
    assert path(built, "Asian") == ["Asian", "Person", "*"]


@pytest.mark.parametrize("column", PEOPLE)
def test_figure_32_heights(column):
    assert FIGURE_32[column].build(column, VALUES[column]).height == HEIGHTS_32[column]


@pytest.mark.parametrize("column", PEOPLE)
def test_figure_33_heights(column):
    built = FIGURE_33[column].build(column, VALUES[column])
    assert built.height == HEIGHTS_33[column]
    assert built.labels[-1] == ("*",)


def test_figure_33_birth():
    built = FIGURE_33["birth"].build("birth", VALUES["birth"])
    expected = ["1964-11-07", "1964-11", "1964", "1960-1964", "1960-1969", "*"]
    assert path(built, "1964-11-07") == expected
    assert set(built.labels[3]) == {"1960-1964", "1965-1969"}


def test_figure_33_zip():
    built = FIGURE_33["zip"].build("zip", VALUES["zip"])
    assert path(built, "02138") == ["02138", "0213*", "021**", "*"]
