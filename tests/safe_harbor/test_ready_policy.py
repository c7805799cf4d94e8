"""The ready policy, where a table is odd."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
import yaml

import discreet
from discreet.identification.inspect import inspect
from discreet.policy.policy import Policy
from discreet.safe_harbor.check import check_safe_harbor
from discreet.safe_harbor.checked import Question
from discreet.safe_harbor.ready_policy import write_ready_policy
from tests.safe_harbor.made import DAY, many, numbered


def written(**columns: list[str | None]) -> str:
    frame = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    return write_ready_policy(inspect(frame), check_safe_harbor(frame, Question.on(DAY)))


def made(tmp_path: Path, **columns: list[str | None]) -> Policy:
    (tmp_path / "p.yaml").write_text(written(**columns))
    return Policy.load(tmp_path / "p.yaml")


def test_ages_that_are_not_all_numbers_are_withheld_if_one_is_over_89(tmp_path: Path) -> None:
    policy = made(tmp_path, age=many("40", "90+", "95", "50 years"), sex=many("F", "M"))
    assert policy.released == ("sex",)


def test_ages_with_a_group_of_the_oldest_stay_as_they_are(tmp_path: Path) -> None:
    policy = made(tmp_path, age=many("40", "90+", "50"), sex=many("F", "M"))
    assert (policy.columns["age"].role.value, policy.columns["age"].technique) == ("quasi", ())


def test_dates_with_two_digit_years_are_withheld(tmp_path: Path) -> None:
    policy = made(tmp_path, birth_date=many("3/4/50", "1960-01-02"), sex=many("F", "M"))
    assert policy.released == ("sex",)


def test_a_table_of_secrets_alone_still_gets_a_policy_that_runs(tmp_path: Path) -> None:
    policy = made(tmp_path, diagnosis=many("flu", "gout", "cough"), ssn=numbered("123-45-{}", 1000))
    frame = pa.table({"diagnosis": many("flu", "gout"), "ssn": numbered("123-45-{}", 1000)})
    assert discreet.anonymize(frame, policy).rows == 30


def test_a_table_of_identifiers_alone_is_said_to_leave_nothing() -> None:
    assert "nothing is left to release" in written(ssn=[f"123-45-{n}" for n in range(6000, 6030)])


@pytest.mark.parametrize("name", ["a: b", "# x", "true", "zip\tcode", "Ünï", "'", "2020"])
def test_odd_names_of_columns_are_written_so_that_they_are_read_back(
    tmp_path: Path, name: str
) -> None:
    assert name in made(tmp_path, **{name: many("red", "blue"), "sex": many("F", "M")}).columns


def test_a_line_break_in_the_name_of_a_withheld_column_does_not_end_its_comment() -> None:
    text = written(**{"x\ny": numbered("{}", 7, 20), "sex": many("F", "M", rows=20)})
    assert '# "x\\ny": {role: other}' in text
    assert list(yaml.safe_load(text)["columns"]) == ["sex"]
