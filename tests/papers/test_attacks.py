"""[Sweeney2001]_, sections 5.5, 6.3.3 and 7.3.3: the attacks on the printed tables."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from discreet.attacks.complementary import Complementary, Temporal
from discreet.attacks.outcome import Outcome
from discreet.attacks.published_counts import SummaryError
from discreet.attacks.row_order import Unsorted
from discreet.attacks.summary import Summary
from discreet.hierarchy import Prefix
from tests.papers.sweeney import (
    FIGURE_26,
    FIGURE_27,
    FIGURE_32,
    FIGURE_34,
    FIGURE_43,
    PEOPLE,
    Rows,
    policy,
    private_table,
)

NAMES = (*PEOPLE, "problem")
POLICY = policy(FIGURE_32, k=2)
PROBLEMS = [row[4] for row in FIGURE_34]


def printed(text: str) -> list[list[str]]:
    """Rows of quasi values, with the problems of figure 34 in turn; decades as we write them."""
    lines = text.replace("1960-69", "1960-1969").split("\n")
    return [[*line.split(), p] for line, p in zip(lines, PROBLEMS, strict=True)]


BLACKS = "black 1964 female 02138\nblack 1964 female 02138"
MEN = "black 1965 male 02141\nblack 1965 male 02141"
GT1 = printed(f"""{MEN}
person 1965 female 0213*
person 1965 female 0213*
{BLACKS}
white 1964 male 0213*
person 1965 female 0213*
white 1964 male 0213*
white 1964 male 0213*
white 1967 male 02138
white 1967 male 02138""")
GT2 = printed(f"""{MEN}
person 1965 female 0213*
person 1965 female 0213*
{BLACKS}
white 1960-69 male 02138
person 1965 female 0213*
white 1964 male 02139
white 1964 male 02139
white 1960-69 male 02138
white 1960-69 male 02138""")
GT3 = printed(f"""{MEN}
black 1965 female 02138
black 1965 female 02138
{BLACKS}
white 1960-69 male 02138
white 1960-69 human 02139
white 1960-69 human 02139
white 1960-69 human 02139
white 1960-69 male 02138
white 1960-69 male 02138""")
NEW = [["black", "1965", "male", "02139", ill] for ill in ("headache", "rash")]


def table(rows: Rows, shuffle: int | None = None) -> pa.Table:
    order = range(len(rows))
    if shuffle is not None:
        order = np.random.default_rng(shuffle).permutation(len(rows))  # type: ignore[assignment]
    return private_table(NAMES, [rows[place] for place in order])


def joined(earlier: Rows, later: Rows) -> Outcome:
    return Complementary(PEOPLE, 2, POLICY)(table(later), table(earlier))


# 5.5.1, figure 27


ETHNICITY_AND_ZIP = policy({**FIGURE_26, "zip": Prefix([4, 3])}, k=2)
GT_0_1 = [(ethnicity, f"{code[:4]}*") for ethnicity, code in FIGURE_27]
GT_1_0 = [("Person", code) for _, code in FIGURE_27]


def side_by_side(first: Rows, second: Rows) -> Outcome:
    names = ("ethnicity", "zip")
    return Unsorted(names, 2, ETHNICITY_AND_ZIP)(
        private_table(names, second), private_table(names, first)
    )


def test_figure_27_in_one_order_gives_every_row_away() -> None:
    outcome = side_by_side(GT_0_1, GT_1_0)
    assert outcome.rows == tuple(range(1, 13))
    assert outcome.found["chance"] == pytest.approx(1 / 924)


@pytest.mark.parametrize("seed", range(5))
def test_figure_27_in_random_orders_gives_no_row_away(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(12)
    assert not side_by_side(GT_0_1, [GT_1_0[place] for place in order]).succeeds


# 5.5.2, figures 35 and 36


def test_figure_36_gt1_and_gt3_give_two_unique_rows() -> None:
    outcome = joined(GT1, GT3)
    assert outcome.rows == outcome.earlier_rows == (7, 8)
    assert outcome.found["same_people"]


def test_gt1_and_gt2_give_one_unique_row() -> None:
    assert joined(GT1, GT2).rows == (7,)


@pytest.mark.parametrize("shuffle", range(3))
def test_random_order_does_not_help_against_joining(shuffle: int) -> None:
    outcome = Complementary(PEOPLE, 2, POLICY)(table(GT3, shuffle), table(GT1, shuffle + 10))
    assert outcome.rows_exposed == 2


def test_a_generalization_of_what_was_released_withstands() -> None:
    general = [["person", row[1], row[2], "021**", row[4]] for row in GT1]
    assert not joined(GT1, general).succeeds
    assert not joined(general, GT1).succeeds


def test_all_columns_in_the_second_quasi_identifier_is_not_enough() -> None:
    """Against section 5.5.2: the second release is k-anonymous on quasi and problem, and falls."""
    names = ("birth", "sex", "problem")
    first = [
        ("1964", "human", "p1"),
        ("1964", "human", "p2"),
        ("1965", "human", "p1"),
        ("1965", "human", "p2"),
    ]
    second = [("1960-1969", "male", "p1")] * 2 + [("1960-1969", "female", "p2")] * 2
    builders = {name: FIGURE_32[name] for name in ("birth", "sex")}
    for rows, columns in ((first, 2), (second, 3)):
        classes = [row[:columns] for row in rows]
        assert min(classes.count(one) for one in classes) == 2
    outcome = Complementary(("birth", "sex"), 2, policy(builders, k=2))(
        private_table(names, second), private_table(names, first)
    )
    assert outcome.earlier_rows == (1, 2, 3, 4)


# 5.5.3


def test_a_grown_table_falls_if_it_is_released_as_gt3() -> None:
    outcome = Temporal(PEOPLE, 2, POLICY)(table([*GT3, *NEW]), table(GT1))
    assert outcome.rows == outcome.earlier_rows == (7, 8)


def test_a_grown_table_withstands_if_it_is_released_as_gt1() -> None:
    assert not Temporal(PEOPLE, 2, POLICY)(table([*GT1, *NEW]), table(GT1)).succeeds


# 6.3.3 and 7.3.3, figures 43, 46, 47, 75 and 79 to 81


FIGURE_46 = """race black 6, race white 6, birth 1964 5, birth 1965 5, birth 1967 2, sex male 6,
sex female 6, problem back_pain 1, problem chest_pain 2, problem fever 1, problem hypertension 1,
problem obesity 2, problem painful_eye 1, problem short_of_breath 2, problem vomiting 1,
problem wheezing 1"""
COUNTED = FIGURE_46.replace("sex male 6", "sex male 7").replace("sex female 6", "sex female 5")
"""Figure 46 as figure 34 has it: the print counts one man too few and one woman too many."""

YEARS = [(race, birth[:4], sex, code) for race, birth, sex, code, _ in FIGURE_34]
SHORT_ZIPS = [(race, year, sex, f"{code[:4]}*") for race, year, sex, code in YEARS]


def counts(text: str) -> pa.Table:
    rows = [entry.replace("_", " ").split(" ", 1) for entry in text.replace("\n", " ").split(", ")]
    return private_table(
        ("column", "value", "count"), [(name, *rest.rsplit(" ", 1)) for name, rest in rows]
    )


def without(rows: Rows, **cells: str) -> pa.Table:
    """The rows with cells suppressed: ``t8="race zip"``."""
    made = [list(row) for row in rows]
    for row, names in cells.items():
        for name in names.split():
            made[int(row[1:]) - 1][PEOPLE.index(name)] = "*"
    return private_table(PEOPLE, made)


def subtracted(release: pa.Table, text: str = COUNTED) -> Outcome:
    return Summary(PEOPLE, 2, POLICY)(release, counts(text))


FIGURE_47 = [
    (*row, problem)
    for number, (row, problem) in enumerate(zip(SHORT_ZIPS, PROBLEMS, strict=True), start=1)
    if number != 8
]


def test_figure_46_as_printed_cannot_be_the_counts_of_figure_34() -> None:
    with pytest.raises(SummaryError, match="'sex' cannot be"):
        subtracted(table(FIGURE_47), FIGURE_46)


def test_figure_47_gives_its_suppressed_row_away_in_every_column_counted() -> None:
    outcome = subtracted(table(FIGURE_47))
    assert (outcome.rows_exposed, outcome.cells, outcome.breaks) == (1, 4, True)
    assert outcome.note == "race, birth, sex, problem of the row left out"


def test_figure_75_gives_the_sex_of_t8_away_and_not_the_births() -> None:
    """The thesis says that all suppressed values can be inferred: that holds for the sex alone."""
    outcome = subtracted(without(YEARS, t7="birth", t8="birth sex"))
    assert (outcome.rows, outcome.cells, outcome.breaks) == ((8,), 1, True)
    assert outcome.found["counted_but_not_which"] == ["birth"]


def test_figure_79_gives_the_race_of_t8_away() -> None:
    outcome = subtracted(without(SHORT_ZIPS, t8="race"))
    assert (outcome.rows, outcome.cells, outcome.breaks) == ((8,), 1, True)


def test_figure_80_withstands() -> None:
    assert not subtracted(without(SHORT_ZIPS, t3="race", t4="race", t8="race")).succeeds


def test_figure_81_withstands_but_tells_that_there_is_one_man_and_one_woman() -> None:
    outcome = subtracted(without(YEARS, t7="birth sex zip", t8="birth sex zip"))
    assert not outcome.succeeds
    assert outcome.found["counted_but_not_which"] == ["birth", "sex"]


def test_figure_43_gives_the_race_of_its_k_suppressed_rows_away() -> None:
    outcome = subtracted(table(FIGURE_43))
    assert (outcome.rows_exposed, outcome.succeeds, outcome.breaks) == (2, True, False)


def test_counts_of_two_columns_tell_the_births_of_figure_75_apart() -> None:
    """Figure 46 and a table of birth by zip: t7's and t8's births follow."""
    pairs = [(row[1], row[3]) for row in YEARS]
    rows = [("birth", year, "zip", code, str(pairs.count((year, code))))
            for year, code in sorted(set(pairs))]  # fmt: skip
    two = private_table(("column1", "value1", "column2", "value2", "count"), rows)
    outcome = Summary(PEOPLE, 2, POLICY)(without(YEARS, t7="birth", t8="birth sex"), two)
    assert outcome.rows == (7, 8)
    assert outcome.found["columns"]["birth"]["cells_inferred"] == 2
