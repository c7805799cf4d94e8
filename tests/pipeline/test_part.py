"""A part of a table: what is released of it, and what is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import DiscreetError, PartError
from discreet.pipeline.anonymize import anonymize
from discreet.pipeline.part import Part
from discreet.policy.policy import Policy
from discreet.table.where import WhereError

ROWS = 60
TABLE = pa.table(
    {
        "name": [f"n{n}" for n in range(ROWS)],
        "age": [str(20 + n % 40) for n in range(ROWS)],
        "zip": [f"0213{n % 3}" for n in range(ROWS)],
        "ward": ["AB"[n % 2] for n in range(ROWS)],
        "note": ["fine"] * ROWS,
        "disease": [("flu", "gout", "rash")[n % 3] for n in range(ROWS)],
    }
)
COLUMNS: dict[str, Any] = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
    "zip": {"role": "quasi"},
    "ward": {"role": "other"},
    "note": {"role": "text"},
    "disease": {"role": "sensitive"},
}


def _policy(*more: Any, **settings: Any) -> Policy:
    require = [{"k_anonymity": {"k": 4}}, *more]
    return Policy(columns=COLUMNS, require=require, seed=1, **settings)


def test_the_rows_of_a_part_meet_its_condition_and_have_its_columns() -> None:
    part = Part("age >= 40 AND ward = 'A'", ["zip", "ward", "disease"])
    release = anonymize(TABLE, _policy(), part=part)
    released = release.to_arrow()
    assert released.column_names == ["zip", "ward", "disease"]
    assert set(released["ward"].to_pylist()) == {"A"}
    wanted = [n for n in range(ROWS) if 20 + n % 40 >= 40 and n % 2 == 0]
    assert released.num_rows == len(wanted) == release.rows
    facts = release.facts()
    assert facts["part"] == {"where": part.where, "columns": ["zip", "ward", "disease"]}
    assert facts["levels"].keys() == {"zip"}
    assert f"every row meets the condition {part.where}" in facts["notes"][0]


def test_a_part_is_anonymized_by_itself() -> None:
    assert anonymize(TABLE, _policy()).levels == {"age": 2, "zip": 0}
    fewer_rows = anonymize(TABLE, _policy(), part=Part("age < 30"))
    fewer_columns = anonymize(TABLE, _policy(), part=Part(columns=["age", "disease"]))
    assert fewer_rows.levels == {"age": 1, "zip": 0}
    assert fewer_columns.levels == {"age": 1}


def test_without_a_part_there_is_none_to_tell_of() -> None:
    assert anonymize(TABLE, _policy()).facts()["part"] is None


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("name = 'n1'", "names 'name', which the policy has neither as quasi"),
        ("note = 'fine'", "names 'note', which the policy has neither as quasi"),
        ("agee = 3", "Did you mean 'age'"),
        ("age > 3 AND NOT disease = 'flu'", "'disease', which is sensitive"),
        ("age = 41 AND zip = '02139'", "fewer than 4 rows meet the condition"),
        ("age > 200", "fewer than 4 rows meet the condition"),
    ],
)
def test_a_condition_that_would_tell_too_much_is_refused(where: str, said: str) -> None:
    with pytest.raises(PartError, match=said):
        anonymize(TABLE, _policy(), part=Part(where))


@pytest.mark.parametrize("where", ["age = 20", "age > 200"])
def test_how_few_rows_there_are_is_not_told(where: str) -> None:
    with pytest.raises(PartError, match="Ask for more") as caught:
        anonymize(TABLE, _policy(), part=Part(where))
    assert {letter for letter in str(caught.value) if letter.isdigit()} == {"4"}


def test_a_table_without_a_condition_may_be_said_to_be_small() -> None:
    with pytest.raises(DiscreetError, match="has 3 rows"):
        anonymize(TABLE.slice(0, 3), _policy(), part=Part(columns=["age"]))


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (["age", "name"], "'name' is asked for, and the policy does not release it"),
        (["age", "agee"], "Did you mean 'age'"),
        (["disease"], "no quasi column is among those asked for"),
        (["age", "age"], "'age' is asked for twice"),
        ("age", "its columns are not a list of names"),
        (7, "its columns are not a list of names"),
        (["age", 7], "its columns are not a list of names"),
        ([], "neither rows nor columns"),
    ],
)
def test_columns_that_cannot_be_asked_for_are_refused(columns: Any, said: str) -> None:
    with pytest.raises(PartError, match=said):
        anonymize(TABLE, _policy(), part=Part(columns=columns))


def test_a_condition_that_is_not_understood_is_refused_when_the_part_is_made() -> None:
    with pytest.raises(WhereError):
        Part("age >")


def test_a_promise_about_a_column_that_is_not_asked_for_is_refused() -> None:
    policy = _policy({"l_diversity": {"column": "disease", "ell": 2}})
    with pytest.raises(PartError, match="l_diversity is about 'disease', which is not asked for"):
        anonymize(TABLE, policy, part=Part(columns=["age"]))
    made = anonymize(TABLE, policy, part=Part(columns=["age", "disease"]))
    assert [verdict.holds for verdict in made.verdicts] == [True, True]


def test_a_promise_for_columns_of_its_own_is_kept_for_those_that_are_left() -> None:
    policy = _policy(
        {"k_anonymity": {"k": 20, "columns": ["age", "zip"]}},
        {"k_anonymity": {"k": 10, "columns": ["zip"]}},
    )
    made = anonymize(TABLE, policy, part=Part(columns=["age"]))
    assert [(v.limit, v.columns) for v in made.verdicts] == [(4, ("age",)), (20, ("age",))]
    assert made.facts()["smallest_class"] >= 20


def test_a_promise_of_whose_columns_none_is_left_is_refused_unless_another_is_as_strong() -> None:
    policy = _policy({"k_anonymity": {"k": 10, "columns": ["zip"]}})
    with pytest.raises(PartError, match="k_anonymity is about zip, and none of that is asked for"):
        anonymize(TABLE, policy, part=Part(columns=["age"]))


def test_a_promise_about_a_column_that_only_the_condition_names_is_refused() -> None:
    policy = _policy({"k_anonymity": {"k": 20, "columns": ["zip"]}})
    with pytest.raises(PartError, match="'zip', which the condition names but the part"):
        anonymize(TABLE, policy, part=Part("zip = '02130'", ["age"]))


def test_promises_about_a_register_are_refused(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,zip\n" + "30,02130\n" * 9)
    policy = Policy(
        columns=COLUMNS, require=[{"k_map": {"k": 2, "register": "people.csv"}}], folder=tmp_path
    )
    with pytest.raises(PartError, match="k_map counts all people of its register"):
        anonymize(TABLE, policy, part=Part("age > 30"))


@pytest.mark.parametrize(
    "technique", [{"sample_rows": {"share": 0.5}}, {"top_code": {"columns": ["age"], "at": 50}}]
)
def test_techniques_that_change_rows_or_quasi_columns_are_refused(technique: Any) -> None:
    policy = _policy(techniques=[technique])
    with pytest.raises(PartError, match="changes rows or quasi columns anew"):
        anonymize(TABLE, policy, part=Part("age > 30"))


def test_a_condition_on_a_column_whose_values_a_technique_hides_is_refused() -> None:
    columns = {**COLUMNS, "ward": {"role": "other", "technique": {"shuffle": {}}}}
    policy = Policy(columns=columns, require=[{"k_anonymity": {"k": 4}}], seed=1)
    with pytest.raises(
        PartError, match="'ward', whose values shuffle hides: the condition would reveal"
    ):
        anonymize(TABLE, policy, part=Part("ward = 'A'"))


@pytest.mark.parametrize(
    ("settings", "least"),
    [
        ({"require": [{"k_anonymity": {"k": k}} for k in (2, 4)]}, 4),
        ({"anonymity": 0.5}, 2),
    ],
    ids=["two numbers", "a level"],
)
def test_all_parts_that_are_too_small_get_the_same_answer(
    settings: dict[str, Any], least: int
) -> None:
    policy = Policy(columns=COLUMNS, **settings)
    for condition in ("age = 99", "age = 45 AND zip = '02131'"):
        with pytest.raises(PartError, match=f"fewer than {least} rows meet the condition"):
            anonymize(TABLE, policy, part=Part(condition))


def test_how_many_rows_a_part_has_that_cannot_be_released_is_not_said() -> None:
    policy = _policy({"l_diversity": {"column": "disease", "ell": 2}})
    with pytest.raises(PartError, match="l_diversity fails") as caught:
        anonymize(TABLE, policy, part=Part("zip = '02130'"))
    assert not any(letter.isdigit() for letter in str(caught.value))


def test_proposed_hierarchies_are_those_of_the_whole_table() -> None:
    policy = Policy.from_flags(["age", "zip"], k=4)
    made = anonymize(TABLE, policy, part=Part("age BETWEEN 30 AND 45"))
    from discreet.hierarchy import Cuts

    assert made.policy.columns["age"].hierarchy == Cuts(
        ((25, 30, 35, 40, 45, 50, 55), (25, 35, 45, 55), (25, 45), (45,))
    )
    assert "hierarchies proposed from the whole table: age, zip" in made.facts()["notes"]


@pytest.mark.parametrize("where", [7, b"age > 1", ["age > 1"]])
def test_a_condition_that_is_no_text_is_refused(where: Any) -> None:
    with pytest.raises(PartError, match="its condition is not text"):
        Part(where)


def test_a_condition_on_a_column_that_the_table_lacks_is_refused() -> None:
    with pytest.raises(DiscreetError, match="ward"):
        anonymize(TABLE.drop_columns(["ward"]), _policy(), part=Part("ward = 'A'"))


def test_the_identifiers_of_a_row_are_looked_for_in_its_texts_whatever_is_asked_for() -> None:
    pytest.importorskip("names", exc_type=ImportError)
    columns = {**COLUMNS, "note": {"role": "text", "scrub": {"style": "tag"}}}
    table = TABLE.set_column(4, "note", pa.array([f"n{n} came" for n in range(ROWS)]))
    policy = Policy(columns=columns, require=[{"k_anonymity": {"k": 4}}], seed=1)
    made = anonymize(table, policy, part=Part("age >= 50", ["zip", "note"])).to_arrow()
    assert made.column_names == ["zip", "note"]
    assert not any("n3" in text for text in made["note"].to_pylist())


def test_a_level_means_the_k_of_the_whole_table_in_every_part() -> None:
    table = pa.concat_tables([TABLE] * 10)
    policy = Policy(columns=COLUMNS, anonymity=0.5, seed=1)
    assert anonymize(table, policy).facts()["anonymity"]["k"] == 3
    release = anonymize(table, policy, part=Part("age >= 55"))
    assert release.facts()["anonymity"]["k"] == 3
    assert [model.k for model in release.policy.require] == [3]
    with pytest.raises(PartError, match="fewer than 30 rows"):
        anonymize(pa.concat_tables([TABLE] * 100), policy, part=Part("age = 20 AND zip = '02139'"))
    top = Policy(columns=COLUMNS, anonymity=1, seed=1)
    assert anonymize(table, top, part=Part("age >= 55")).facts()["classes"] == 1
