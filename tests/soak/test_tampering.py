"""The soak sees a ``verify`` that says what is not so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.pipeline.verify import Verification
from soak.__main__ import run_case
from soak.checking import Checker, quote_formula
from soak.part import ProductError
from soak.policies import write_policy
from soak.tables import write_table
from soak.tampering import compare_verdicts
from tests.soak.test_oracle import DRAFT, FACTS, RELEASED


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A release with a row too few in one class, and its policy."""
    write_policy(tmp_path / "policy.yaml", DRAFT.policy)
    write_table(tmp_path / "file.csv", {name: column[1:] for name, column in RELEASED.items()})
    return tmp_path / "file.csv", tmp_path / "policy.yaml"


def test_a_verify_that_is_right_passes(tmp_path: Path, files: tuple[Path, Path]) -> None:
    counts = compare_verdicts(Checker(DRAFT, FACTS, RELEASED, tmp_path), *files, None)
    assert counts == {"promises broken": 1, "promises held": 1}


def test_a_verify_that_is_wrong_is_seen(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Verification.facts

    def lie(self: Verification) -> dict[str, Any]:
        facts = real(self)
        return {**facts, "verdicts": [{**one, "holds": True} for one in facts["verdicts"]]}

    monkeypatch.setattr(Verification, "facts", lie)
    with pytest.raises(ProductError, match="k_anonymity"):
        compare_verdicts(Checker(DRAFT, FACTS, RELEASED, tmp_path), *files, None)


@pytest.mark.parametrize(
    ("cell", "quoted"),
    [
        ("=1", "'=1"),
        ("'=1", "''=1"),
        ("-inf", "'-inf"),
        ("-5", "-5"),
        ("-5 to 4", "-5 to 4"),
        ("-5--2", "-5--2"),
        ("--", "--"),
        ("'t", "'t"),
        (None, None),
    ],
)
def test_a_private_value_is_compared_as_it_is_where_formulas_are_quoted(cell, quoted) -> None:
    assert quote_formula(cell) == quoted


def test_shares_of_quoted_values_are_compared_with_quoted_private_ones() -> None:
    assert run_case("tampering", 7741, 195).failure is None
