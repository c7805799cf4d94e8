"""Linking in spite of typing errors and of values that have aged."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pytest

from discreet.attacks.linking.link import link
from discreet.attacks.linking.probable_linking import ProbableLinking
from discreet.errors import MissingExtraError, ParameterError

COLUMNS = ["age", "zip", "street", "sex"]
PEOPLE, ROWS = 1000, 150


def made() -> tuple[pa.Table, pa.Table]:
    """A register, and rows of which a third is a year older and a third has a letter wrong."""
    random = np.random.default_rng(0)
    ages = random.integers(18, 90, PEOPLE)
    zips = [f"{code:05}" for code in random.integers(2000, 2100, PEOPLE)]
    streets = ["".join(random.choice(list("abcdefgh"), 7)) for _ in range(PEOPLE)]
    sexes = random.choice(["F", "M"], PEOPLE).tolist()
    ids = [str(number) for number in range(PEOPLE)]
    register = pa.table(
        {"id": ids, "age": [str(a) for a in ages], "zip": zips, "street": streets, "sex": sexes}
    )
    who = random.permutation(PEOPLE)[:ROWS]
    release = register.take(who)
    older = [str(ages[i] + (place % 3 == 0)) for place, i in enumerate(who)]
    typed = [
        streets[i] if place % 3 != 1 else streets[i][:2] + "x" + streets[i][3:]
        for place, i in enumerate(who)
    ]
    release = release.set_column(1, "age", pa.array(older))
    return release.set_column(3, "street", pa.array(typed)), register


def test_people_are_found_who_are_older_or_mistyped():
    release, register = made()
    assert link(release, register, COLUMNS, truth="id").correct_hits == ROWS // 3
    links = ProbableLinking(drift={"age": 1})(release, register, COLUMNS, truth="id")
    facts = links.facts()
    assert facts["correct_matches"] == facts["rows_matched"] == ROWS
    assert facts["expected_matches"] == pytest.approx(ROWS, rel=0.02)


def test_people_who_are_alike_share_the_score():
    twins = pa.table({"id": ["1", "2", "3"], "zip": ["1", "1", "2"], "sex": ["F", "F", "M"]})
    release = pa.table({"id": ["2", "9"], "zip": ["1", "7"], "sex": ["F", "F"]})
    linking = ProbableLinking(wrong_columns=0)
    links = linking(release, twins, ["zip", "sex"], truth="id")
    assert links.score[0] <= 0.5
    assert links.score[1] == 0
    assert links.entry.tolist() == [1, 0]
    assert links.facts()["rows_matched"] == 0


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "splink", None)
    with pytest.raises(MissingExtraError, match="linkage"):
        ProbableLinking()(*made())


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"threshold": 1.5}, "threshold"),
        ({"errors": 0}, "errors"),
        ({"wrong_columns": -1}, "wrong"),
    ],
)
def test_bad_parameters_are_named(parameters, named):
    with pytest.raises(ParameterError, match=named):
        ProbableLinking(**parameters)


def test_a_column_that_is_no_number_cannot_drift():
    release, register = made()
    with pytest.raises(ParameterError, match="'street'") as error:
        ProbableLinking(drift={"street": 1})(release, register, COLUMNS)
    assert "abc" not in str(error.value)


def test_all_columns_cannot_be_wrong():
    release, register = made()
    with pytest.raises(ParameterError, match="below the number of columns"):
        ProbableLinking(wrong_columns=1)(release, register, ["zip"])
