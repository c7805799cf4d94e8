"""Every model, technique, algorithm, replacement and attack has its words in a report."""

from __future__ import annotations

from typing import Any, get_args

import pyarrow as pa
import pytest

import discreet
from discreet import algorithms, models, techniques
from discreet.pipeline.description import words
from discreet.policy.replacement import REPLACEMENT

COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"intervals": [10, 50]}},
    "disease": {"role": "sensitive"},
}
REQUIRE: list[Any] = [{"k_anonymity": {"k": 2}}]


def make(columns: Any = COLUMNS, require: Any = REQUIRE, **more: Any) -> discreet.Policy:
    return discreet.Policy(columns=columns, require=require, **more)


def test_every_model_has_a_title_its_limits_and_criteria() -> None:
    names = {model.name for model in models.ALL}
    assert {*words.MODELS} == names | {"released_columns"}
    assert {*words.ADDRESSED} == names
    assert all(limits.endswith(".") for _, limits in words.MODELS.values())
    assert {one for many in words.ADDRESSED.values() for one in many} == {*words.CRITERIA}


@pytest.mark.parametrize(
    ("known", "members"),
    [
        (words.TECHNIQUES, techniques.ALL),
        (words.ALGORITHMS, algorithms.ALL),
        (words.REPLACEMENTS, REPLACEMENT.classes.values()),
    ],
    ids=["techniques", "algorithms", "replacements"],
)
def test_everything_done_has_a_name(known: Any, members: Any) -> None:
    assert {*known} == {one.name for one in members}


def test_every_attack_has_a_title_and_a_criterion() -> None:
    table = pa.table({"age": ["31", "36", "62", "68"], "disease": ["flu", "gout", "flu", "gout"]})
    tried = discreet.attack(table, policy=make(), original=table).facts()["attacks"]
    assert {*words.ATTACKS} == {one["attack"] for one in tried}
    assert {criterion for _, criterion in words.ATTACKS.values()} <= {*get_args(words.Criterion)}


@pytest.mark.parametrize(
    ("column", "level", "stars", "said"),
    [
        ({"role": "quasi", "hierarchy": {"intervals": [10]}}, 1, False, "generalization"),
        ({"role": "quasi", "hierarchy": {"intervals": [10]}}, 0, False, words.NONE),
        ({"role": "quasi"}, 0, True, "local suppression"),
        ({"role": "identifier"}, None, False, words.MASKING),
        ({"role": "text"}, None, False, words.MASKING),
        ({"role": "text", "scrub": True}, None, False, words.TEXT),
        ({"role": "sensitive"}, None, False, words.NONE),
        ({"role": "other", "technique": {"noise": {"amount": 1}}}, None, False, "noise addition"),
    ],
)
def test_what_was_done_to_a_column_is_named(
    column: Any, level: int | None, stars: bool, said: str
) -> None:
    policy = make({**COLUMNS, "x": column})
    assert words.describe_technique(policy, "x", "x" in policy.released, level, stars) == said


def test_cells_of_their_own_are_generalized_locally() -> None:
    policy = make(algorithm="local")
    assert words.describe_technique(policy, "age", True, None) == "local generalization"
    blanks = make(algorithm="suppress")
    assert words.describe_technique(blanks, "age", True, None, True) == "local suppression"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "A class whose rows share one value of disease reveals that value."),
        ({"columns": {**COLUMNS, "pay": {"role": "other"}}}, "Values of pay are released"),
        (
            {
                "columns": {
                    **COLUMNS,
                    "pay": {"role": "other", "technique": {"noise": {"amount": 1}}},
                }
            },
            "Values of pay may not be those of their row",
        ),
        (
            {"columns": {**COLUMNS, "note": {"role": "text", "scrub": True}}},
            "The content of note may single a person out",
        ),
        ({"order": "keep"}, "Rows are in the order of the private table."),
        ({"row_weight": "w"}, "Row weights (w) change what counts as loss"),
        ({"about": {"environment": "contract"}}, "Nothing is promised if the data leave"),
    ],
    ids=str,
)
def test_what_a_policy_leaves_open_is_said(more: Any, said: str) -> None:
    policy = make(**more)
    assert any(one.startswith(said) for one in words.list_not_promised(policy))


def test_what_is_guarded_is_not_said_to_be_open() -> None:
    guarded = make(require=[*REQUIRE, {"l_diversity": {"column": "disease", "ell": 2}}])
    assert not any("share one value" in one for one in words.list_not_promised(guarded))
    before = words.list_not_promised(guarded)
    after = words.list_not_promised(guarded, ledger=True)
    assert [one for one in before if one not in after] == [
        "Earlier and later releases about the same people were not compared: together they may "
        "reveal more."
    ]


def test_the_day_of_review_is_the_first_thing_said() -> None:
    assert "2030-12-31" in words.list_reviews(make(about={"valid_until": "2030-12-31"}))[0]
    assert "names no day" in words.list_reviews(make())[0]
    assert "was valid until" in words.list_reviews(make(about={"valid_until": "2020-12-31"}))[0]
