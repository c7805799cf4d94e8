"""The edition for outside: an intruder who reads it gets nothing beyond the release."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet.attacks.published_counts import SummaryError
from discreet.attacks.summary import Summary
from discreet.errors import ArgumentError
from discreet.pipeline.description.describe import BrokenReleaseError
from discreet.pipeline.description.facts import CostOfK, EarlierRelease, Facts
from discreet.pipeline.description.outside import make_outside

K = 3
POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": [10]}},
        "sex": {"role": "quasi"},
        "ill": {"role": "sensitive"},
    },
    "require": [{"k_anonymity": {"k": K}}],
    "suppress": 0.1,
    "seed": 3,
}


def make_private(seed: int, rows: int = 83) -> pa.Table:
    random = np.random.default_rng(seed)
    ages = random.choice(["21", "28", "35", "47"], size=rows - 2, p=[0.3, 0.3, 0.2, 0.2])
    ills = random.choice(["flu", "gout", "cough"], size=rows - 2, p=[0.6, 0.35, 0.05])
    return pa.table(
        {
            "age": [*ages, "88", "91"],
            "sex": [*random.choice(["m", "f"], size=rows - 2), "m", "f"],
            "ill": [*ills, "rare", "rare"],
        }
    )


def publish(facts: Facts) -> pa.Table:
    """The counts of values that a report shows, as published counts are written."""
    lines = [
        (column.name, one.label, str(one.after if one.before is None else one.before))
        for column in facts.columns
        if all(one.label is not None for one in column.values)  # else they are not all of them
        for one in column.values
    ]
    names = ("column", "value", "count")
    parts = zip(*lines, strict=True) if lines else ((), (), ())
    return pa.table([pa.array(part, pa.string()) for part in parts], names=list(names))


def list_untried(made: Any) -> dict[str, Any]:
    """Facts of a run of no attack, so that none is tried again for each report."""
    return {"rows": made.rows, "attacks": []}


def count_exposed(made: Any, released: pa.Table, facts: Facts) -> int:
    """Rows that an intruder learns of who subtracts the release from what a report shows."""
    counts = publish(facts)
    if not counts.num_rows:
        return 0
    try:
        return Summary(made.policy.quasi, K, made.policy)(released, counts).rows_exposed
    except SummaryError:  # counts that are not of this table, and so of no use
        return 0


def make_classes(random: np.random.Generator) -> pa.Table:
    """Many small classes: most combinations are rare."""
    ages = random.integers(20, 60, 60).astype(str)
    return pa.table(
        {
            "age": ages,
            "sex": random.choice(["m", "f", "x"], 60, p=[0.6, 0.37, 0.03]),
            "ill": random.choice(["flu", "gout"], 60),
        }
    )


def make_sensitive(random: np.random.Generator) -> pa.Table:
    """Sensitive values of few rows each."""
    private = make_private(int(random.integers(1000)))
    rare = random.permutation(["flu"] * 60 + [f"rare {n % 9}" for n in range(23)])
    return private.set_column(2, "ill", pa.array(rare.tolist()))


def make_numbers(random: np.random.Generator) -> pa.Table:
    """A column of numbers, each of one row, and cells that are missing."""
    private = make_private(int(random.integers(1000)))
    sexes = [
        None if draw < 0.1 else one.as_py()
        for draw, one in zip(random.random(83), private["sex"], strict=True)
    ]
    return private.set_column(1, "sex", pa.array(sexes, pa.string()))


def make_people(random: np.random.Generator) -> pa.Table:
    """Several rows of a person."""
    private = make_private(int(random.integers(1000)))
    whose = [f"p{n // 2}" for n in range(private.num_rows)]
    return private.append_column("id", pa.array(whose))


DIVERSE = [{"k_anonymity": {"k": K}}, {"l_diversity": {"column": "ill", "ell": 2}}]
SHAPES: dict[str, tuple[Any, dict[str, Any]]] = {
    "small classes": (make_classes, {"suppress": 0.3}),
    "sensitive values": (make_sensitive, {"require": DIVERSE, "suppress": 0.2}),
    "missing values": (make_numbers, {}),
    "suppressed rows kept": (make_classes, {"suppressed_rows": "keep", "suppress": 0.3}),
    "cells": (make_classes, {"algorithm": "local", "suppress": 0.1}),
    "suppressed cells": (make_sensitive, {"algorithm": "suppress", "suppress": 0.0}),
    "classes of mondrian": (make_numbers, {"algorithm": "mondrian"}),
    "people": (make_people, {"people": {"column": "id"}, "suppress": 0.3}),
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", SHAPES)
def test_figures_of_the_outside_edition_give_no_row_away(shape: str, seed: int) -> None:
    make, changes = SHAPES[shape]
    made = discreet.anonymize(make(np.random.default_rng(seed)), {**POLICY, **changes})
    released, inside = made.to_arrow(), made.report(facts=list_untried(made))
    outside = make_outside(inside.data, made.policy)
    assert count_exposed(made, released, outside) == 0
    few = [one.rows for one in outside.classes_after.bins if 0 < one.rows < K]
    few += [v.after for c in outside.columns for v in c.values if 0 < v.after < K]
    assert few == []


@pytest.mark.parametrize("seed", range(2))
def test_those_of_the_inside_edition_do(seed: int) -> None:
    made = discreet.anonymize(make_private(seed), POLICY)
    inside = made.report(facts=list_untried(made))
    assert made.rows == 83 - 2
    assert count_exposed(made, made.to_arrow(), inside.data) > 0


def test_what_exact_counts_would_give_away_stays_inside_and_is_not_promised() -> None:
    made = discreet.anonymize(make_private(1), POLICY)  # two rows are suppressed, fewer than k
    inside, outside = made.report(), made.report(edition="outside")
    assert [one.attack for one in inside.data.attacks if one.breaks and one.assumed] == ["summary"]
    assert "summary" not in {one.attack for one in outside.data.attacks}
    assert any("exact counts" in one for one in outside.data.not_promised)
    said = made.report(edition="outside", facts=discreet.attack(made.to_arrow(), POLICY))
    assert "summary" in {one.attack for one in said.data.attacks}  # not tried: no counts given


def walk(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(node, dict | list):
        pairs = (
            node.items() if isinstance(node, dict) else ((str(i), v) for i, v in enumerate(node))
        )
        for key, value in pairs:
            yield from walk(value, (*path, key))
    else:
        yield path, node


def test_the_outside_edition_has_nothing_of_the_private_table_and_no_count_below_k() -> None:
    private = make_private(1, rows=1009)
    made = discreet.anonymize(private, POLICY)
    inside = made.report(facts=list_untried(made))
    earlier = EarlierRelease(number=1, time="2020", to="Bob", columns=["age"])
    cost = CostOfK(k=3, measure="loss", value=0.123, chosen=True)
    told = {"earlier": [earlier], "cost_of_k": [cost], "notes": ["1,009 rows"]}
    outside = make_outside(inside.data.model_copy(update=told), made.policy)
    said = dict(walk(outside.model_dump(mode="json")))
    for path, value in said.items():
        if path[-1] in ("rows_before", "before", "reason", "note", "bound", "seconds"):
            assert value in (None, ""), path
        if path[-1] in ("rows", "after", "suppressed", "unique_rows", "rows_above_threshold"):
            assert value in (None, 0) or value >= K or path[0] in ("dependence", "risks"), path
        assert value != 1009, path
    text = json.dumps(outside.model_dump(mode="json"))
    for secret in ("Bob", "1,009", '"rare"', '"88"', '"91"', "80-89", "90-99", "seed"):
        assert secret not in text
    assert "80-89" in json.dumps(inside.facts())


def test_few_rows_of_a_value_are_joined_with_others_until_they_are_k() -> None:
    rows = [("30", "m", "flu")] * 7 + [("30", "m", "gout")] * 4 + [("30", "m", "rare")]
    table = pa.table([pa.array(c) for c in zip(*rows, strict=True)], names=["age", "sex", "ill"])
    told = discreet.report(table, POLICY, edition="outside").facts()
    values = {one["label"]: one["after"] for one in told["columns"][2]["values"]}
    assert values == {"flu": 7, None: 5}


def test_small_tables_say_no_measure_from_which_suppressed_rows_could_be_counted() -> None:
    made = discreet.anonymize(make_private(2), POLICY)
    small = made.report(edition="outside", facts=list_untried(made)).data
    assert small.search is not None
    assert (small.search.measures, small.search.value) == ({}, None)
    made = discreet.anonymize(make_private(2, rows=900), POLICY)
    large = made.report(edition="outside", facts=list_untried(made)).data
    assert large.search is not None
    assert set(large.search.measures) <= {"loss", "granularity", "precision", "non_uniform_entropy"}
    assert all(round(value, 2) == value for value in large.search.measures.values())


def test_the_path_of_a_register_stays_inside(tmp_path: Path) -> None:
    folder = tmp_path / "secret_place"
    folder.mkdir()
    register = folder / "people.csv"
    register.write_text("age,sex\n" + "30,m\n" * 9)
    policy = {**POLICY, "require": [{"k_map": {"k": 3, "register": str(register)}}]}
    table = pa.table({"age": ["30"] * 4, "sex": ["m"] * 4, "ill": ["flu"] * 4})
    inside = discreet.report(table, policy)
    assert "secret_place" in inside.data.policy
    assert "secret_place" not in json.dumps(
        discreet.report(table, policy, edition="outside").facts()
    )


def test_no_edition_for_outside_of_a_release_that_an_attack_breaks() -> None:
    told = {"attack": "linking", "applies": True, "decided": True, "succeeds": True}
    told |= {"breaks": True, "rows_exposed": 1, "note": ""}
    table = pa.table({"age": ["30"] * 4, "sex": ["m"] * 4, "ill": ["flu"] * 4})
    facts = {"rows": 4, "attacks": [told]}
    assert discreet.report(table, POLICY, facts=facts).data.attacks[0].breaks
    with pytest.raises(BrokenReleaseError, match="against linking, promise a larger k"):
        discreet.report(table, POLICY, facts=facts, edition="outside")


def test_a_broken_release_has_no_edition_for_outside() -> None:
    table = pa.table({"age": ["30", "40"], "sex": ["m", "m"], "ill": ["flu", "flu"]})
    with pytest.raises(ArgumentError, match="broken"):
        discreet.report(table, POLICY, edition="outside", broken=True)
