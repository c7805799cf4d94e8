"""A release that keeps its promises passes verify; break one row, and verify notices."""

from __future__ import annotations

import csv
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet.models import (
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LargestRisk,
    LDiversity,
    SampleUniques,
    TCloseness,
)
from discreet.pipeline.verify import Verification, verify
from tests.pipeline.promises import promise, released

Row = tuple[str | None, str | None, str | None]
HEADER = "zip age ill"
ILLS = ("flu", "gout", "hiv", "cold")
SOME = settings(max_examples=15, deadline=None)


def check(rows: list[Row], *models: Any, original: Any = None, **more: Any) -> Verification:
    policy = promise(*models, quasi="zip age", sensitive="ill", **more)
    return verify(released(HEADER, rows), policy, original)


@st.composite
def releases(draw: st.DrawFn, k: int = 3, some: tuple[str, ...] = ILLS) -> list[Row]:
    """Classes of at least k rows, one of them of exactly k, each with two or more illnesses."""
    zips, ages = st.sampled_from(["0213*", "0214*", "0215*"]), st.sampled_from(["30-39", "40-49"])
    keys = draw(st.lists(st.tuples(zips, ages), min_size=2, max_size=5, unique=True))
    rows: list[Row] = []
    for at, (code, age) in enumerate(keys):
        size = k if at == 0 else draw(st.integers(k, k + 3))
        ills = [ILLS[0], ILLS[1]]
        ills += draw(st.lists(st.sampled_from(some), min_size=size - 2, max_size=size - 2))
        rows += [(code, age, ill) for ill in ills]
    return rows


def one_cell(row: Row, change: Callable[[str], str | None]) -> Row:
    return (change(str(row[0])), *row[1:])


CHANGES: dict[str, Callable[[str], str | None]] = {
    "a finer value": lambda value: value.replace("*", "8"),
    "a star too many": lambda value: value + "*",
    "a space at the end": lambda value: value + " ",
    "a zero lost": lambda value: value.lstrip("0"),
    "another script": lambda value: value.replace("2", "٢"),
    "an invisible character": lambda value: value + "\u200b",
    "a missing value": lambda value: None,
    "a lone star": lambda value: "*",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@SOME
@given(rows=releases(), data=st.data())
def test_one_changed_cell_makes_a_row_unique(
    change: Callable[[str], str | None], rows: list[Row], data: st.DataObject
) -> None:
    models = KAnonymity(3), LargestRisk(1 / 3), SampleUniques(0), LDiversity("ill", 2)
    assert check(rows, *models).holds
    at = data.draw(st.integers(0, len(rows) - 1))
    rows[at] = one_cell(rows[at], change)
    broken = check(rows, *models)
    assert [verdict.holds for verdict in broken.verdicts] == [False] * 4
    assert all(verdict.rows_at_risk >= 1 for verdict in broken.verdicts)
    assert broken.verdicts[0].measured == 1


@SOME
@given(rows=releases())
def test_one_row_less_breaks_the_smallest_class(rows: list[Row]) -> None:
    broken = check(rows[1:], KAnonymity(3)).verdicts[0]
    assert (broken.holds, broken.measured, broken.rows_at_risk) == (False, 2, 2)


@SOME
@given(rows=releases())
def test_one_row_of_stars_is_one_too_few(rows: list[Row]) -> None:
    broken = check([*rows, ("*", "*", "flu")], KAnonymity(3), AverageRisk(1 / 3))
    assert not broken.verdicts[0].holds
    assert broken.verdicts[0].rows_at_risk == 1


@SOME
@given(rows=releases())
def test_one_changed_illness_breaks_diversity(rows: list[Row]) -> None:
    first = [at for at, row in enumerate(rows) if row[:2] == rows[0][:2]]
    uniform = [(*row[:2], "flu") if at in first else row for at, row in enumerate(rows)]
    kinds = LDiversity("ill", 2), LDiversity("ill", 2, kind="recursive", c=50.0)
    entropy = LDiversity("ill", 1.2, kind="entropy")
    almost = list(uniform)
    almost[first[0]] = (*rows[0][:2], "gout")
    assert check(almost, *kinds, entropy).holds
    broken = check(uniform, *kinds, entropy).verdicts
    assert [verdict.holds for verdict in broken] == [False] * 3
    assert {verdict.rows_at_risk for verdict in broken} == {len(first)}


def shares(rows: list[Row]) -> Iterator[dict[str, Fraction]]:
    """Each class's shares of the illnesses, exactly."""
    classes: dict[Any, Counter[str]] = {}
    for row in rows:
        classes.setdefault(row[:2], Counter())[str(row[2])] += 1
    for own in classes.values():
        size = sum(own.values())
        yield {ill: Fraction(number, size) for ill, number in own.items()}


def farthest(rows: list[Row], whole: dict[str, Fraction]) -> float:
    return float(
        max(sum(abs(own.get(v, 0) - whole.get(v, 0)) for v in ILLS) / 2 for own in shares(rows))
    )


def largest_gain(rows: list[Row], whole: dict[str, Fraction]) -> float:
    return float(max(own[v] / whole[v] - 1 for own in shares(rows) for v in own))


def largest_shift(rows: list[Row], whole: dict[str, Fraction]) -> float:
    ratios = [own.get(v, Fraction()) / whole[v] for own in shares(rows) for v in whole]
    return max(abs(math.log(ratio)) if ratio else math.inf for ratio in ratios)


@pytest.mark.parametrize(
    ("measure", "model", "some"),
    [
        (farthest, TCloseness, ILLS),
        (largest_gain, BetaLikeness, ILLS),
        (largest_shift, DeltaDisclosure, ILLS[:2]),
    ],
    ids=["t_closeness", "beta_likeness", "delta_disclosure"],
)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_one_changed_illness_that_shifts_a_class_is_noticed(
    measure: Callable[[list[Row], dict[str, Fraction]], float],
    model: Callable[..., Any],
    some: tuple[str, ...],
    data: st.DataObject,
) -> None:
    """The limit is the release's own, worked out in fractions; the broken row goes beyond it."""
    rows = data.draw(releases(some=some))
    private = [("*", "*", ill) for _, _, ill in rows] + [("*", "*", ill) for ill in ILLS[:2]]
    (whole,) = shares(private)
    limit = measure(rows, whole)
    changed = [
        [*rows[:at], (*row[:2], ill), *rows[at + 1 :]]
        for at, row in enumerate(rows)
        for ill in sorted(whole)
    ]
    breaking = [other for other in changed if measure(other, whole) > limit + 1e-6]
    assume(breaking and limit > 0)
    broken = data.draw(st.sampled_from(breaking))
    worse, slack = measure(broken, whole), limit + 1e-7
    original = released(HEADER, private)
    assert check(rows, model("ill", slack), original=original).holds
    verdict = check(broken, model("ill", slack), original=original).verdicts[0]
    assert not verdict.holds
    assert verdict.measured == pytest.approx(worse)


@SOME
@given(rows=releases(), name=st.sampled_from(["name", "ZIP", "zip ", "ill_1"]))
def test_one_column_too_many_is_noticed(rows: list[Row], name: str) -> None:
    table = released(HEADER, rows)
    policy = promise(
        KAnonymity(3), quasi="zip age", sensitive="ill", columns={"name": {"role": "identifier"}}
    )
    assert verify(table, policy).holds
    broken = verify(table.append_column(name, table.column("ill")), policy)
    assert not broken.holds
    assert broken.verdicts[-1].columns == (name,)


@SOME
@given(rows=releases(), at=st.integers(0, 2))
def test_one_column_too_few_is_noticed(rows: list[Row], at: int) -> None:
    table = released(HEADER, rows).remove_column(at)
    policy = promise(KAnonymity(3), LDiversity("ill", 2), quasi="zip age", sensitive="ill")
    assert not verify(table, policy).holds


@SOME
@given(rows=releases(), data=st.data())
def test_a_broken_cell_in_a_file_is_noticed(rows: list[Row], data: st.DataObject) -> None:
    policy = promise(KAnonymity(3), quasi="zip age", sensitive="ill")
    at = data.draw(st.integers(0, len(rows) - 1))
    with tempfile.TemporaryDirectory() as folder:
        for change, holds in ((str, True), (CHANGES["a zero lost"], False)):
            file = Path(folder, "release.csv")
            rows[at] = one_cell(rows[at], change)
            with file.open("w", newline="", encoding="utf-8") as out:
                csv.writer(out).writerows([HEADER.split(), *rows])
            assert verify(file, policy).holds is holds


@SOME
@given(rows=releases(), data=st.data())
def test_a_wildcard_helps_a_row_that_matches_and_no_other(
    rows: list[Row], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    matching, alone = list(rows), list(rows)
    matching[at] = (None, *rows[at][1:])
    alone[at] = (None, "90-99", rows[at][2])
    assert check(matching, KAnonymity(3), missing="wildcard").holds
    assert not check(matching, KAnonymity(3)).holds
    assert not check(alone, KAnonymity(3), missing="wildcard").holds
