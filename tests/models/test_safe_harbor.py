"""Safe harbor as a promise: about columns, so that no class fails by it."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from discreet.algorithms import ALL
from discreet.errors import ParameterError, SourceError
from discreet.models import ClassModel, SafeHarbor
from tests.models.hand import sizes

DAY = "2026-11-16"


def test_no_class_fails_and_every_row_can_be_kept() -> None:
    model = SafeHarbor(DAY)
    assert isinstance(model, ClassModel)
    assert model.fails(sizes(1, 2, 3)).tolist() == [False, False, False]
    assert model.count_keepable(sizes(1, 2)).tolist() == [1, 2]
    assert (model.least_rows, model.hereditary) == (1, True)


def test_the_verdict_says_that_no_k_is_promised() -> None:
    verdict = SafeHarbor(DAY).judge_classes(sizes(1), ("age",))
    assert verdict.holds
    assert "promises no k" in verdict.note


def test_every_algorithm_takes_it() -> None:
    assert [one.name for one in ALL if SafeHarbor not in one.claims] == []


def test_a_day_as_yaml_reads_it_is_taken() -> None:
    assert SafeHarbor(datetime.date(2026, 11, 16)) == SafeHarbor(DAY)  # type: ignore[arg-type]


@pytest.mark.parametrize("day", ["today", "2026-02-30", None, 20261116])
def test_what_is_no_day_is_refused(day: object) -> None:
    with pytest.raises(ParameterError, match="safe_harbor: 'as_of' must be a day"):
        SafeHarbor(day)  # type: ignore[arg-type]


def test_codes_are_names_of_columns() -> None:
    with pytest.raises(ParameterError, match="codes"):
        SafeHarbor(DAY, codes="token")  # type: ignore[arg-type]


def test_a_table_of_areas_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        SafeHarbor(DAY, zip_table=tmp_path / "none.csv")
