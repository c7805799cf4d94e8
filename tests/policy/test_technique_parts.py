"""What a policy says of techniques: read, told back, and run in the right order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.errors import PolicyError
from discreet.policy.policy import ColumnPolicy, Policy
from discreet.policy.techniques import list_steps
from discreet.techniques import Microaggregate, Noise, SampleRows, ShiftDates

COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi"},
    "income": {"role": "sensitive"},
    "hours": {"role": "other"},
    "name": {"role": "identifier"},
}
K = [{"k_anonymity": {"k": 2}}]


def policy(column: Any = None, techniques: Any = (), **more: Any) -> Policy:
    columns = {**COLUMNS, "income": {"role": "sensitive", "technique": column}}
    return Policy(columns=columns, require=K, techniques=techniques, **more)


def told(**given: Any) -> str:
    with pytest.raises(PolicyError) as raised:
        policy(**given)
    return str(raised.value)


def test_a_technique_of_a_column_is_about_that_column() -> None:
    found = policy({"noise": {"amount": 0.2, "domain": [0, None]}}).columns["income"].technique
    assert found == (Noise(("income",), 0.2, domain={"income": (0, None)}),)
    assert policy("shuffle").columns["income"].technique[0].columns == ("income",)


def test_steps_choose_rows_then_change_columns_then_move_rows() -> None:
    found = list_steps(
        policy(
            [{"noise": {"amount": 0.1}}, {"rank_swap": {"p": 3}}],
            [
                "scramble",
                {"microaggregate": {"columns": ["hours"], "k": 3}},
                {"sample_rows": {"share": 0.5}},
            ],
        )
    )
    names = [step.technique.name for step in found]
    assert names == ["sample_rows", "noise", "rank_swap", "microaggregate", "scramble"]
    assert found[1].key == ("columns", "income", "technique")
    assert found[3].key == ("techniques", 1, "microaggregate")


@pytest.mark.parametrize(
    ("column", "techniques"),
    [
        ({"noise": {"amount": 0.2, "domain": [0, None], "outside": "clip"}}, ()),
        (["shuffle", {"suppress_values": {"share": 0.1}}], ["scramble"]),
        (None, [{"sample_rows": {"share": 0.5, "within": ["region"]}}]),
        (None, [{"noise": {"columns": ["income", "hours"], "domain": {"hours": [0, 80]}}}]),
        ({"pram": {"matrix": {"a": {"a": 0.5, "b": 0.5}, "b": {"b": 1.0}}}}, ()),
        ({"substitute": {"replacements": {"a": "b"}, "others": "keep"}}, ()),
        (Noise(("income",)), (Microaggregate(("hours",), 3), SampleRows(0.5))),
        (None, [{"shift_dates": {"columns": ["hours"], "entity": "name", "days": [1, 90]}}]),
        ({"relative_dates": {"entity": "name", "formats": "%d.%m.%Y"}}, ()),
    ],
)
def test_what_is_written_means_the_same(column: Any, techniques: Any, tmp_path: Path) -> None:
    made = policy(column, techniques)
    file = tmp_path / "policy.yaml"
    file.write_text(made.to_yaml(), encoding="utf-8")
    assert Policy.load(file) == made
    assert list_steps(Policy.load(file)) == list_steps(made) != ()
    assert list_steps(made.replace(suppress=0.1)) == list_steps(made)


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ({"nois": {}}, "columns.income.technique.nois: 'nois' is not a known technique"),
        ({"noise": {"amount": -1}}, r"columns.income.technique.noise.amount: must be a number"),
        ([{"shuffle": {}}, 3], "columns.income.technique[1]: needs the name of a technique"),
        ({"sample_rows": {"share": 0.1}}, "sample_rows is about rows, not about one column"),
        ({"noise": {"columns": ["hours"]}}, "Remove 'columns', or put it in 'techniques'"),
        (Noise(("hours",)), "noise is not about this column alone"),
        ({"shuffle": {"given": "age"}}, "needs a list, there is the text 'age'"),
        ({"noise": 3}, "needs its parameters"),
        ({"noise": {}, "swap": {}}, "needs one technique"),
    ],
)
def test_a_wrong_technique_of_a_column_is_named(column: Any, says: str) -> None:
    assert says in told(column=column)


@pytest.mark.parametrize(
    ("techniques", "says"),
    [
        ("noise", "techniques: needs a list"),
        ([{"top_code": {"columns": ["income"], "quantile": 2}}], "techniques[0].top_code.quantile"),
        ([{"noise": {"amount": 1}}], "'columns' is missing"),
        ([{"noise": {"columns": ["income"], "sigma": 1}}], "'sigma' is not a parameter of noise"),
        ([ColumnPolicy(role="other")], "techniques[0]: needs the name of a technique"),
        (
            [ShiftDates(("hours",), "name", key=None), {"swap": {"columns": []}}],
            "techniques[1].swap.columns: needs a list, there is an empty list",
        ),
    ],
)
def test_a_wrong_technique_is_named(techniques: Any, says: str) -> None:
    assert says in told(techniques=techniques)


def test_all_mistakes_are_told_at_once() -> None:
    wrong = told(techniques=[{"nois": {}}, {"noise": {"columns": ["income"], "amount": 0}}])
    assert "techniques[0].nois" in wrong and "techniques[1].noise.amount" in wrong


def test_a_key_stays_out_of_a_policy() -> None:
    from discreet.replacement_key import ReplacementKey

    keyed = ShiftDates(("hours",), "name", key=ReplacementKey.for_this_run())
    assert "people.key" in told(techniques=[keyed])


def test_a_column_alone_cannot_have_a_technique() -> None:
    with pytest.raises(Exception, match="where the column has a name"):
        ColumnPolicy(role="other", technique="shuffle")  # type: ignore[arg-type]
