"""The contract of every technique in `ALL`: one loop, no technique left out."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet import techniques
from discreet.errors import EmptyTableError, UnknownColumnError
from discreet.policy.parameter_classes import BY_COLUMN
from discreet.policy.techniques import BESIDE
from discreet.table.read import read
from discreet.table.table import Table
from discreet.techniques import (
    AddTuples,
    BottomCode,
    Microaggregate,
    Noise,
    OutliersToMedian,
    Perturb,
    Pram,
    RankSwap,
    RelativeDates,
    RoundValues,
    SampleRows,
    Scramble,
    ShiftDates,
    Shuffle,
    Substitute,
    SuppressValues,
    Swap,
    Technique,
    TopCode,
    Year,
    Zip3,
)
from discreet.techniques.arrow_rows import read_rows
from discreet.techniques.technique import TURNS
from tests.techniques.made_table import people

JOBS = {"nurse": "care", "clerk": "desk", "cook": "care", "judge": "desk"}
EXAMPLES: list[Technique] = [
    SuppressValues(("job",), share=0.3),
    Substitute(("job",), categories=JOBS),
    Swap(("zip", "age")),
    RankSwap(("age", "pay")),
    Shuffle(("job",)),
    Pram(("job",), share=0.2),
    Noise(("pay",)),
    Perturb(("pay",)),
    RoundValues(("pay",), 5, "random"),
    TopCode(("pay",), quantile=0.9),
    BottomCode(("pay",), quantile=0.1),
    Zip3(("zip",)),
    Year(("visit",), as_of="2026-11-16"),
    OutliersToMedian(("pay",), fence=0.5),
    Microaggregate(("pay",), k=3),
    ShiftDates(("visit",), "who"),
    RelativeDates(("visit",), "who"),
    SampleRows(0.3),
    AddTuples(0.2),
    Scramble(),
]
OTHER_KIND = {
    "perturb": pa.float64(),
    "microaggregate": pa.float64(),
    "relative_dates": pa.int64(),
    "year": pa.string(),
}
"""What gives means, days instead of dates, or groups of years."""


def _table() -> Table:
    """People with missing cells and dates; a row has one of 300 people."""
    rows = read_rows(people())
    number = np.arange(rows.num_rows)
    gaps = number % 7 == 0
    pay = pa.array(rows["pay"].to_numpy(), mask=gaps)
    visits = pa.array(number.astype("datetime64[D]"), mask=gaps)
    rows = rows.set_column(rows.column_names.index("pay"), "pay", pay)
    return read(rows.append_column("who", pa.array(number % 300)).append_column("visit", visits))


TABLE = _table()


def _changed(technique: Any) -> tuple[str, ...]:
    return getattr(technique, "columns", ())


each = pytest.mark.parametrize("technique", EXAMPLES, ids=lambda one: one.name)


def test_every_technique_has_an_example_here() -> None:
    assert [type(one) for one in EXAMPLES] == list(techniques.ALL)


def test_names_are_different_and_public() -> None:
    assert len({cls.name for cls in techniques.ALL}) == len(techniques.ALL)
    assert all(cls.__name__ in techniques.__all__ for cls in techniques.ALL)


@each
def test_it_says_what_it_is(technique: Any) -> None:
    assert technique.protection in ("null-map", "wrong-map", "k-map")
    assert technique.keeps.endswith(".") and technique.keeps[0].isupper()
    assert isinstance(technique.truthful, bool)
    assert technique.turn in TURNS
    assert (technique.turn == "columns") == bool(technique.columns)
    assert technique.done and technique.done != technique.name
    assert type(technique).__dataclass_params__.frozen


@each
def test_the_same_table_and_seed_give_the_same_answer_and_the_input_is_left(technique: Any) -> None:
    before = read_rows(TABLE)
    assert read_rows(technique(TABLE, 5)) == read_rows(technique(TABLE, 5))
    assert read_rows(TABLE) == before
    assert read_rows(technique(TABLE, 5)) != before


MORE = [
    SuppressValues(("job",)),
    SuppressValues(("job",), rarer_than=40),
    Substitute(("job",), replacements=dict(zip(JOBS, "abcd", strict=True))),
    RoundValues(("pay",), 5),
    RoundValues(("pay",), 5, "controlled"),
    TopCode(("pay",), at=20),
    TopCode(("pay",), at=20, put="mean"),
    BottomCode(("pay",), at=20),
]
EVERY = [*EXAMPLES, *MORE]


@pytest.mark.parametrize("technique", EVERY, ids=lambda one: f"{one.name}-{one.done}")
def test_it_is_by_chance_if_the_seed_matters(technique: Any) -> None:
    same = read_rows(technique(TABLE, 5)) == read_rows(technique(TABLE, 6))
    assert same == (not technique.by_chance)


@pytest.mark.parametrize(
    "technique", [one for one in EVERY if one.by_value], ids=lambda one: f"{one.name}-{one.done}"
)
def test_by_value_the_rows_of_a_part_become_what_they_become_in_the_whole(technique: Any) -> None:
    rows = read_rows(TABLE)
    column = technique.columns[0]
    wanted = [rows.num_rows - 40, *range(0, rows.num_rows, 3)]
    part = technique(read(rows.take(wanted)), 7).scan(text=[column]).read_all()[column]
    whole = technique(TABLE, 5).scan(text=[column]).read_all()[column]
    assert part.to_pylist() == whole.take(wanted).to_pylist()


def test_nothing_but_these_changes_by_value_alone() -> None:
    told = {one.name for one in EVERY if one.by_value}
    listed = {"suppress_values", "substitute", "round_values", "top_code", "bottom_code"}
    assert told == {*listed, "zip3", "year"}


KNOWN = {
    *("columns", *BESIDE, *BY_COLUMN, "share", "rarer_than", "drop", "replacements", "categories"),
    *("others", "unit", "window", "matrix", "amount", "kind", "outside", "similarity", "base"),
    *("how", "at", "quantile", "put", "zip_table", "as_of", "fence", "k", "size", "days", "key"),
    *("weeks", "seed", "invariant", "p"),
}
"""Parameters that name no column, and those that are known to do so."""


@pytest.mark.parametrize("cls", techniques.ALL)
def test_a_parameter_that_names_columns_is_known_to(cls: Any) -> None:
    assert {one.name for one in fields(cls)} <= KNOWN


@each
def test_columns_and_types_stay(technique: Any) -> None:
    after = read_rows(technique(TABLE, 5))
    kinds = {
        name: OTHER_KIND.get(technique.name, kind) if name in _changed(technique) else kind
        for name, kind in zip(TABLE.columns, read_rows(TABLE).schema.types, strict=True)
    }
    assert dict(zip(after.column_names, after.schema.types, strict=True)) == kinds


@pytest.mark.parametrize(
    "technique", [one for one in EXAMPLES if one.turn == "columns"], ids=lambda one: one.name
)
def test_missing_cells_stay_missing(technique: Any) -> None:
    after, before = read_rows(technique(TABLE, 5)), read_rows(TABLE)
    for name in TABLE.columns:
        was = before[name].is_null().combine_chunks()
        assert all(after[name].filter(was).is_null().to_pylist())


@each
def test_unknown_columns_and_tables_without_rows_are_refused(technique: Any) -> None:
    wrong = {"columns": ("agee",), "classes": ("agee",), "given": ("agee",), "entity": "agee"}
    for key in {one.name for one in fields(technique)} & set(wrong):
        with pytest.raises(UnknownColumnError, match=r"'agee'.*'age'"):
            type(technique)(**{**vars(technique), key: wrong[key]})(TABLE, 5)
    with pytest.raises(EmptyTableError):
        technique(read(read_rows(TABLE).slice(0, 0)), 5)
