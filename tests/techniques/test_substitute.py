"""Substitution by a list and by category."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest

from discreet.errors import ParameterError, TechniqueError
from discreet.table.read import read
from discreet.techniques.substitute import Substitute
from tests.techniques.made_table import column, people

TABLE = people()
KINDS = {"nurse": "care", "cook": "care", "clerk": "desk", "judge": "desk", "porter": "care"}


def test_each_value_becomes_what_the_list_says() -> None:
    new = {"nurse": "A", "cook": "B", "clerk": "C", "judge": "C"}
    after = column(Substitute(("job",), replacements=new)(TABLE, 1), "job")
    assert after == [None if job is None else new[job] for job in column(TABLE, "job")]


def test_a_list_for_numbers_is_in_numbers() -> None:
    table = read(pa.table({"n": [1, 2, 1, None]}))
    assert column(Substitute(("n",), replacements={1: 10, 2: 20})(table, 1), "n") == [
        10, 20, 10, None,
    ]  # fmt: skip
    with pytest.raises(TechniqueError, match="type int64"):
        Substitute(("n",), replacements={1: "ten", 2: "twenty"})(table, 1)


def test_the_category_of_every_cell_stays() -> None:
    before = column(TABLE, "job")
    after = column(Substitute(("job",), categories=KINDS)(TABLE, 1), "job")
    assert [KINDS.get(job) for job in after] == [KINDS.get(job) for job in before]


def test_all_values_of_a_category_are_alike_likely_whatever_the_old_value() -> None:
    before = column(TABLE, "job")
    after = column(Substitute(("job",), categories=KINDS)(TABLE, 1), "job")
    drawn = Counter(new for old, new in zip(before, after, strict=True) if old == "nurse")
    expected = sum(drawn.values()) / 3
    assert set(drawn) == {"nurse", "cook", "porter"}
    assert all(abs(count - expected) < 4 * expected**0.5 for count in drawn.values())


def test_values_that_are_not_listed_are_refused_kept_or_blanked() -> None:
    some = {"nurse": "A", "cook": "B"}
    with pytest.raises(TechniqueError, match="2 different values") as caught:
        Substitute(("job",), replacements=some)(TABLE, 1)
    assert "clerk" not in str(caught.value)
    before = column(TABLE, "job")
    kept = column(Substitute(("job",), replacements=some, others="keep")(TABLE, 1), "job")
    assert kept == [some.get(job, job) for job in before]
    gone = column(Substitute(("job",), replacements=some, others="suppress")(TABLE, 1), "job")
    assert gone == [some.get(job) for job in before]


def test_no_listed_value_is_in_the_repr() -> None:
    assert "nurse" not in repr(Substitute(("job",), categories=KINDS))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"replacements": {"a": "b"}, "categories": {"a": "b"}},
        {"replacements": {}},
        {"categories": ["a"]},
        {"replacements": {"a": "b"}, "others": "drop"},
    ],
)
def test_bad_parameters_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        Substitute(("job",), **options)  # type: ignore[arg-type]
