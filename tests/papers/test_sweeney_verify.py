"""[Sweeney2001]_: the printed tables have the k that the text says."""

from __future__ import annotations

import pytest

from discreet.models import KAnonymity
from tests.papers.sweeney import ETHNICITIES, FIGURE_43, PEOPLE, ZIPS
from tests.pipeline.promises import Cells, only_verdict, promise, released

FIGURE_25 = """
Black 1965 m 0214* short-breath
Black 1965 m 0214* chest-pain
Black 1965 f 0213* hypertension
Black 1965 f 0213* hypertension
Black 1964 f 0213* obesity
Black 1964 f 0213* chest-pain
White 1964 m 0213* chest-pain
White 1964 m 0213* obesity
White 1964 m 0213* short-breath
White 1967 m 0213* chest-pain
White 1967 m 0213* chest-pain
"""
FIGURE_47 = """
black 1965 male 0214* short-of-breath
black 1965 male 0214* chest-pain
black 1965 female 0213* painful-eye
black 1965 female 0213* wheezing
black 1964 female 0213* obesity
black 1964 female 0213* chest-pain
white 1964 male 0213* short-of-breath
white 1964 male 0213* obesity
white 1964 male 0213* fever
white 1967 male 0213* vomiting
white 1967 male 0213* back-pain
"""


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def smallest(cells: Cells) -> tuple[float, bool]:
    quasi = " ".join(PEOPLE)
    table = released(f"{quasi} problem", cells)
    verdict = only_verdict(table, promise(KAnonymity(2), quasi=quasi, sensitive="problem"))
    return verdict.measured, verdict.holds


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param(rows(FIGURE_25), id="sec. 5.1, figure 25"),
        pytest.param(FIGURE_43, id="sec. 6.2, figure 43"),
        pytest.param(rows(FIGURE_47), id="sec. 6.3.3, figure 47"),
    ],
)
def test_the_printed_table_is_2_anonymous(cells: Cells) -> None:
    assert smallest(cells) == (2, True)


def test_figure_47_fails_once_its_suppressed_tuple_is_kept_as_stars() -> None:
    """Sec. 6.3.3: the requirement must hold for suppressed tuples too."""
    assert smallest(rows(FIGURE_47 + "* * * * hypertension")) == (1, False)


@pytest.mark.parametrize(
    ("up_ethnicity", "zip_digits", "k"),
    [
        pytest.param(False, 5, 1, id="figure 27, PT"),
        pytest.param(True, 5, 3, id="figure 27, GT[1,0]"),
        pytest.param(True, 4, 6, id="figure 27, GT[1,1]"),
        pytest.param(False, 3, 4, id="figure 27, GT[0,2]"),
        pytest.param(False, 4, 2, id="figure 27, GT[0,1]"),
    ],
)
def test_figure_27_has_the_k_of_section_5_3(up_ethnicity: bool, zip_digits: int, k: int) -> None:
    """The text's k; the print of GT[0,1] and GT[0,2] repeats two rows of Black by mistake."""
    cells = [
        ("Person" if up_ethnicity else ethnicity, code[:zip_digits].ljust(5, "0"))
        for ethnicity in ETHNICITIES
        for code in ZIPS
    ]
    for wanted, holds in ((k, True), (k + 1, False)):
        policy = promise(KAnonymity(wanted), quasi="ethnicity zip")
        verdict = only_verdict(released("ethnicity zip", cells), policy)
        assert (verdict.measured, verdict.holds) == (k, holds)
