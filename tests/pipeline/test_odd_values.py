"""Odd values that once ended in an internal error: they are released, or refused by name."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.algorithms.claims import UnreachableError
from discreet.errors import InternalError, PolicyError
from discreet.hierarchy.axes import read_period
from discreet.hierarchy.refusals import UnreadableValuesError


def made(tmp_path: Path, head: str, rows: list[str], name: str = "table.csv") -> Path:
    path = tmp_path / name
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


@pytest.mark.parametrize("levels", [["decade", "century"], ["year", "30 years"]])
@pytest.mark.parametrize("model", ["k_map", "delta_presence"])
def test_years_before_100_are_compared_with_a_register(
    tmp_path: Path, levels: list[str], model: str
) -> None:
    days = ["0003-01-02", "0008-02-02", "0050-03-02", "0099-01-01"]
    table = made(tmp_path, "birth", days)
    register = made(tmp_path, "birth", [*days, "0004-02-03"], "register.csv")
    limits: dict[str, Any] = (
        {"k": 3, "register": register}
        if model == "k_map"
        else {"public": register, "min": 0.1, "max": 0.9}
    )
    policy = discreet.Policy(
        columns={"birth": {"role": "quasi", "hierarchy": {"dates": levels}}},
        require=[{model: limits}],
    )
    release = discreet.anonymize(discreet.read(table), policy)
    release.write(tmp_path / "out.csv")
    assert release.holds


def test_groups_of_years_may_begin_in_year_0_and_end_after_9999() -> None:
    first, last = read_period("0000-0009") or (0, 0)
    assert last - first == 365 * 9 + 2 - 1
    assert read_period("9990-10019") is not None


@pytest.mark.parametrize("kind", ["distinct", "entropy"])
def test_local_with_wildcards_answers_when_no_row_is_left(tmp_path: Path, kind: str) -> None:
    table = made(tmp_path, "age,zip,ill", ["7,,a", ",1,a", "9,2,a", "8,2,a"])
    policy = discreet.Policy(
        columns={
            "age": {"role": "quasi"},
            "zip": {"role": "quasi"},
            "ill": {"role": "sensitive"},
        },
        require=[{"l_diversity": {"column": "ill", "ell": 2, "kind": kind}}],
        algorithm="local",
        missing="wildcard",
        suppress=1,
    )
    try:
        release = discreet.anonymize(discreet.read(table), policy)
    except InternalError:
        raise
    except UnreachableError:
        return
    assert release.rows == 0


def present_with_mpalm(tmp_path: Path, values: list[str]) -> discreet.Release:
    """Values and a register that has each twice, with mpalm cutting ranges of numbers."""
    table = made(tmp_path, "age", values)
    register = made(tmp_path, "age", [*values, *values, "9"], "register.csv")
    policy = discreet.Policy(
        columns={"age": {"role": "quasi"}},
        require=[{"delta_presence": {"public": register, "min": 0, "max": 0.6}}],
        algorithm={"mpalm": {"ranges": ["age"]}},
    )
    return discreet.anonymize(discreet.read(table), policy)


@pytest.mark.parametrize("values", [["7", "+7", "8"], ["7", "7.0", "+7", "12"]])
def test_mpalm_takes_one_number_written_in_several_ways_for_one_point(
    tmp_path: Path, values: list[str]
) -> None:
    release = present_with_mpalm(tmp_path, values)
    release.write(tmp_path / "out.csv")
    rows = (tmp_path / "out.csv").read_text().split("\n")[1:-1]
    assert sorted(rows) == sorted(["7 to 7"] * (len(values) - 1) + values[-1:])


def test_mpalm_refuses_a_number_whose_zeros_a_range_would_lose(tmp_path: Path) -> None:
    with pytest.raises(UnreadableValuesError, match="start with a zero"):
        present_with_mpalm(tmp_path, ["7", "007", "8"])


@pytest.mark.parametrize("odd", [math.inf, -math.inf, math.nan, 10**400, 10**30, True, "5", [], {}])
@pytest.mark.parametrize(
    "require",
    [
        ("k_anonymity", "k", {}),
        ("l_diversity", "ell", {"column": "ill"}),
        ("l_diversity", "ell", {"column": "ill", "kind": "entropy"}),
        ("l_diversity", "c", {"column": "ill", "ell": 2, "kind": "recursive"}),
        ("t_closeness", "t", {"column": "ill"}),
        ("delta_disclosure", "delta", {"column": "ill"}),
        ("beta_likeness", "beta", {"column": "ill"}),
        ("largest_risk", "max", {}),
        ("average_risk", "max", {}),
        ("sample_uniques", "max", {}),
        ("probabilistic_anonymity", "k", {}),
    ],
)
def test_no_number_of_a_model_can_be_infinite_or_no_number(
    require: tuple[str, str, dict[str, Any]], odd: Any
) -> None:
    model, key, more = require
    with pytest.raises(PolicyError):
        discreet.Policy(
            columns={"age": {"role": "quasi"}, "ill": {"role": "sensitive"}},
            require=[{model: {**more, key: odd}}],
        )
