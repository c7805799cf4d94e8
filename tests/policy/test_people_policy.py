"""What a policy says of people is read as it was meant, or refused with the key and the fix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.errors import PolicyError
from discreet.pipeline.promise import state_limits, state_promises
from discreet.policy.people import PeoplePolicy, RecordRule
from discreet.policy.policy import Policy
from tests.pipeline.people.made_people import COLUMNS, policy_of


@pytest.mark.parametrize(
    "records", ["keep", "ignore", {"cap": 5}, {"group": [1, 2, 5, 10]}], ids=str
)
def test_a_policy_means_the_same_after_it_was_written(records: Any, tmp_path: Path) -> None:
    names = {"visits": "patient"}
    people = {"column": "who", "key": "keys/people.key", "records": records, "names": names}
    policy = policy_of(2, people=people, folder=tmp_path)
    path = tmp_path / "sub" / "policy.yml"
    path.parent.mkdir()
    path.write_text(policy.to_yaml(path.parent))
    assert Policy.load(path).people.records == policy.people.records
    assert Policy.load(path).people.names == names
    assert Policy.load(path).people.key.resolve() == tmp_path / "keys" / "people.key"
    assert "../keys/people.key" in path.read_text()


def test_what_is_not_said_is_the_safe_choice() -> None:
    assert policy_of(2).people == PeoplePolicy("who", None, RecordRule("keep"))


@pytest.mark.parametrize(
    ("people", "told"),
    [
        ("who", r"people: needs the column of people, there is the text 'who'"),
        ({}, r"people.column: needs the name of a column, there is nothing"),
        ({"column": 3}, r"people.column: needs the name of a column, there is 3"),
        ({"column": "who", "entity": "x"}, r"people.entity: is not a key here"),
        ({"column": "who", "key": 3}, r"people.key: needs the path of a key file"),
        ({"column": "who", "names": "x"}, r"people.names: needs the column of each table"),
        ({"column": "who", "records": "drop"}, r"people.records: must be keep, ignore"),
        ({"column": "who", "records": {"cap": 0}}, r"people.records.cap: must be a whole number"),
        ({"column": "who", "records": {"cap": [1]}}, r"people.records.cap: must be one number"),
        ({"column": "who", "records": {"group": 2}}, r"people.records.group: must be a list"),
        ({"column": "who", "records": {"group": [2, 1]}}, r"group: must be rising whole numbers"),
        ({"column": "who", "records": {"group": []}}, r"group: must be rising whole numbers"),
        ({"column": "who", "records": {"cap": True}}, r"cap: must be a whole number"),
    ],
    ids=str,
)
def test_a_mistake_is_named_with_its_key(people: Any, told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        policy_of(2, people=people)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"algorithm": "mondrian"}, "algorithm: mondrian counts rows"),
        ({"missing": "wildcard"}, "missing: records are compared as they are"),
        ({"suppressed_rows": "keep"}, "suppressed_rows: "),
        ({"row_weight": "zip"}, "row_weight: "),
        ({"require": [{"l_diversity": {"column": "ill", "ell": 2}}]}, "nothing is promised about"),
        (
            {"columns": {**COLUMNS, "who": {"role": "quasi"}}},
            "columns.who.role: .* cannot be quasi",
        ),
        (
            {"columns": {**COLUMNS, "who": {"role": "other"}}},
            "columns.who.role: .* cannot be other",
        ),
        ({"require": ["k_anonymity"], "anonymity": 0.5}, "anonymity: "),
    ],
    ids=str,
)
def test_what_does_not_go_with_people_is_refused_by_name(more: Any, told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        policy_of(2, **more)


def test_the_column_of_people_is_released_whether_it_is_named_or_not() -> None:
    named = policy_of(2, columns={**COLUMNS, "who": {"role": "identifier"}})
    assert "who" in named.released
    assert "who" in policy_of(2).released


def test_a_table_without_the_column_of_people_is_refused() -> None:
    with pytest.raises(PolicyError, match=r"people.column: t has no column 'who'"):
        policy_of(2).check_columns(["zip", "sex", "ill"], "t")


def test_the_promise_is_about_whole_records() -> None:
    assert "4 others whose whole record is the same" in state_promises(policy_of(5))
    assert "values of ill may find all rows" in state_limits(policy_of(5))


def test_the_promise_is_weaker_where_numbers_of_rows_are_ignored() -> None:
    policy = policy_of(2, people={"column": "who", "records": "ignore"})
    assert "1 other whose whole record has the same different rows" in state_promises(policy)
    assert "how many rows" in state_limits(policy)
