"""A first policy loads, says why, and holds no value of the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.identification.inspection import Inspection, propose_k
from discreet.pipeline.anonymize import anonymize
from discreet.policy.policy import Policy
from discreet.table.read import read

Look = Callable[..., Inspection]

PATIENTS: dict[str, list[Any]] = {
    "name": [f"Person{chr(65 + n % 26)} Smith" for n in range(40)],
    "zip": [f"0213{n % 10}" for n in range(40)],
    "birth": [f"19{30 + n}-01-15" for n in range(40)],
    "sex": ["M", "F"] * 20,
    "disease": ["flu", "gout", "cough", "cold"] * 10,
    "hiv": ["no"] * 39 + ["yes"],
    "notes": [f"Seen in room {n} by the doctor, doing well and sent home." for n in range(40)],
    "exact": [f"{n}.{n * 7 % 10}3" for n in range(40)],
    "ward": ["A", "B", "C", "D"] * 10,
}


def _load(found: Inspection, folder: Path) -> Policy:
    path = folder / "policy.yaml"
    path.write_text(found.policy_text(), encoding="utf-8")
    return Policy.load(path)


def test_every_column_gets_its_role(look_at_table: Look, tmp_path: Path) -> None:
    policy = _load(look_at_table(PATIENTS), tmp_path)
    assert policy.quasi == ("zip", "birth", "sex")
    assert policy.sensitive == ("disease", "hiv")
    assert policy.released == ("zip", "birth", "sex", "disease", "hiv", "ward")
    assert policy.columns["name"].role == "identifier"
    assert policy.columns["notes"].role == "text"


def test_the_policy_runs_and_the_release_holds(look_at_table: Look, tmp_path: Path) -> None:
    policy = _load(look_at_table(PATIENTS), tmp_path)
    frame = pa.table({name: pa.array(values) for name, values in PATIENTS.items()})
    facts = anonymize(read(frame), policy).facts()
    assert facts["smallest_class"] >= 3
    assert all(verdict["holds"] for verdict in facts["verdicts"])


def test_a_column_that_singles_rows_out_is_only_a_comment(look_at_table: Look) -> None:
    assert "  # exact: {role: other}\n" in look_at_table(PATIENTS).policy_text()


def test_two_values_a_class_are_asked_where_that_is_cheap(
    look_at_table: Look, tmp_path: Path
) -> None:
    found = look_at_table(PATIENTS)
    names = [(model.name, model.sensitive) for model in _load(found, tmp_path).require]
    assert names == [("k_anonymity", None), ("l_diversity", "disease")]
    assert "  # - l_diversity: {column: hiv, ell: 2}\n" in found.policy_text()


def test_a_promise_that_adds_little_is_only_a_comment(look_at_table: Look) -> None:
    found = look_at_table({"sex": ["M", "F"] * 20, "salary": [31_000 + 7 * n for n in range(40)]})
    assert "nearly every row has a value of its own before it is coarsened" in found.policy_text()
    assert "  # - l_diversity: {column: salary, ell: 2}\n" in found.policy_text()


def test_a_quasi_column_gets_a_hierarchy_without_values(look_at_table: Look) -> None:
    text = look_at_table(PATIENTS).policy_text()
    assert "  zip: {role: quasi, hierarchy: {prefix: [4, 3, 2]}}\n" in text
    assert "  sex: {role: quasi}\n" in text


def test_reasons_and_doubts_are_comments(look_at_table: Look) -> None:
    text = look_at_table(PATIENTS).policy_text()
    assert "# Its name says 'postal code'; 100 % of the values fit. HIPAA (B)" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_the_policy_holds_no_value(look_at_table: Look) -> None:
    text = look_at_table(PATIENTS).policy_text()
    for name in ("name", "zip", "birth", "disease", "notes", "exact"):
        assert not [value for value in PATIENTS[name] if value in text]


def test_a_quasi_column_is_chosen_where_none_is_seen(look_at_table: Look, tmp_path: Path) -> None:
    found = look_at_table({"ward": ["A", "B"] * 20, "beds": [n % 7 for n in range(40)]})
    assert _load(found, tmp_path).quasi == ("ward", "beds")
    assert "No column looks like a quasi-identifier" in found.policy_text()


def test_a_policy_that_cannot_run_says_so(look_at_table: Look) -> None:
    found = look_at_table({"email": [f"p{n}@example.org" for n in range(40)]})
    text = " ".join(line.strip(" #") for line in found.policy_text().splitlines())
    assert "Until then this policy does not run." in text


@pytest.mark.parametrize(
    "name",
    ["no", "02138", "a: b", "#x", "é", "a\nb", "'", '"', "{", "true", " x ", "日本", "-", "~", "="],
)
def test_any_column_name_survives_the_yaml(look_at_table: Look, tmp_path: Path, name: str) -> None:
    columns = {name: ["a", "b"] * 20, "sex": ["M", "F"] * 20}
    assert set(_load(look_at_table(columns), tmp_path).columns) == {name, "sex"}


@pytest.mark.parametrize(("rows", "k"), [(12, 2), (30, 3), (60, 4), (100, 5), (10**6, 5)])
def test_a_small_table_starts_with_a_small_k(rows: int, k: int) -> None:
    assert propose_k(rows) == k
