"""A sensitive number that nearly every row has to itself is rounded, or becomes quasi."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.identification.inspection import Column, Inspection, Proposal
from discreet.pipeline.anonymize import anonymize
from discreet.policy.policy import Policy
from discreet.table.read import read

Look = Callable[..., Inspection]


def salaries(rows: int, seed: int = 1) -> list[str]:
    """Whole numbers with the long tail that incomes have."""
    drawn = np.random.default_rng(seed).lognormal(10.3, 0.5, rows)
    return [str(int(value)) for value in drawn]


def make_people(rows: int, **more: list[Any]) -> dict[str, list[Any]]:
    return {"sex": ["M", "F"] * (rows // 2), "age": [20 + n % 50 for n in range(rows)], **more}


def column_of(found: Inspection, name: str) -> Column:
    return next(one for one in found.columns if one.name == name)


@pytest.mark.parametrize("rows", [200, 2000])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_after_the_proposed_techniques_every_number_is_shared(
    look_at_table: Look, tmp_path: Path, rows: int, seed: int
) -> None:
    table = make_people(rows, salary=salaries(rows, seed))
    found = look_at_table(table)
    column = column_of(found, "salary")
    assert column.role == "sensitive"
    assert column.proposal is Proposal.coarsened
    assert column.coarsening is not None
    path = tmp_path / "policy.yaml"
    path.write_text(found.policy_text(), encoding="utf-8")
    policy = Policy.load(path).replace(suppress=0)
    frame = pa.table({name: pa.array([str(v) for v in values]) for name, values in table.items()})
    released = anonymize(read(frame), policy).to_pandas()["salary"]
    counts = Counter(released)
    assert min(counts.values()) >= column.coarsening.shared_by >= 5
    assert len(counts) >= 4


def test_the_finest_base_that_works_is_taken(look_at_table: Look) -> None:
    """Multiples of 20 have two or three of the numbers each, multiples of 50 seven."""
    found = look_at_table(make_people(200, wage=[980 + 7 * n for n in range(200)]))
    coarsening = column_of(found, "wage").coarsening
    assert coarsening is not None
    assert coarsening.spec == {"technique": [{"round_values": {"base": 50}}]}
    assert coarsening.cut_share == 0


def test_a_lone_giant_is_cut_off_and_counted(look_at_table: Look) -> None:
    numbers = [980 + 7 * n for n in range(199)] + [10_000_000]
    coarsening = column_of(look_at_table(make_people(200, wage=numbers)), "wage").coarsening
    assert coarsening is not None
    assert coarsening.top < 3000
    assert coarsening.cut_share == pytest.approx(1 / 200)
    assert [next(iter(step)) for step in coarsening.spec["technique"]] == [
        "round_values", "bottom_code", "top_code",
    ]  # fmt: skip


def test_decimals_get_a_base_with_as_many_digits(look_at_table: Look) -> None:
    numbers = [f"{0.5 + n * 0.0137:.4f}" for n in range(300)]
    coarsening = column_of(look_at_table(make_people(300, hba1c=numbers)), "hba1c").coarsening
    assert coarsening is not None
    assert 0 < coarsening.base < 1


def test_the_hint_says_how_and_the_facts_hold_the_policy_lines(look_at_table: Look) -> None:
    found = look_at_table(make_people(200, wage=[980 + 7 * n for n in range(200)]))
    column = column_of(found, "wage")
    assert column.hints == (
        "100 % of the rows have a unique value: anyone who knows it finds the row; proposed: "
        "rounded to multiples of 50, so that at least 5 rows share every value",
    )
    facts = column.facts()["coarsening"]
    assert facts["spec"] == {"technique": [{"round_values": {"base": 50}}]}
    assert "wage: {role: sensitive, technique: [{round_values: {base: 50}}]}" in found.policy_text()


@pytest.mark.parametrize(
    "numbers",
    [
        [f"{n * 7919 % 100003},{n % 100:02d}" for n in range(200)],
        [*(str(980 + 7 * n) for n in range(199)), "NA"],
        [str(10**18 + 7919 * n) for n in range(200)],
        [str(10 ** (n % 16) * (n + 1)) for n in range(200)],
    ],
    ids=["decimal commas", "a mark for missing", "too large to compute with", "all scales"],
)
def test_a_number_that_cannot_be_rounded_well_becomes_quasi(
    look_at_table: Look, numbers: list[str]
) -> None:
    column = column_of(look_at_table(make_people(200, salary=numbers)), "salary")
    assert column.coarsening is None
    assert column.role == "quasi"
    assert any("finds the row for those who know it" in reason for reason in column.reasons)
    assert column.doubt is not None


def test_a_sensitive_number_that_repeats_is_left_alone(look_at_table: Look) -> None:
    column = column_of(
        look_at_table(make_people(200, income=[n % 9 for n in range(200)])), "income"
    )
    assert (column.role.value, column.coarsening) == ("sensitive", None)
    assert column.proposal is Proposal.as_found
