"""A hierarchy is the same if a value becomes the same."""

from __future__ import annotations

from pathlib import Path

from discreet.hierarchy import File, Flat, Intervals, Prefix, WithSuppression
from discreet.ledger.hierarchies import hierarchy_hash
from discreet.policy.auto import Auto


def test_a_file_counts_by_what_is_in_it(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("one.csv", "same.csv", "other.csv"))
    one.write_text("a;*\nb;*\n")
    same.write_text("a;*\nb;*\n")
    other.write_text("a;x;*\nb;y;*\n")
    first, second, third = (hierarchy_hash(File(f), "c", ["a"]) for f in (one, same, other))
    assert first == second != third
    assert hierarchy_hash(WithSuppression(File(one)), "c", ["a"]) != first


def test_settings_count_and_values_do_not() -> None:
    assert hierarchy_hash(Prefix([4]), "c", ["02138"]) == hierarchy_hash(Prefix([4]), "c", [])
    assert hierarchy_hash(Prefix([4]), "c", []) != hierarchy_hash(Prefix([3]), "c", [])
    assert hierarchy_hash(None, "c", []) == hierarchy_hash(Flat(), "c", [])


def test_a_proposal_that_changes_with_the_data_is_another_hierarchy() -> None:
    zips = [f"0213{n}" for n in range(8)]
    assert hierarchy_hash(Auto(), "c", zips) == hierarchy_hash(Auto(), "c", [*zips, "02140"])
    assert hierarchy_hash(Auto(), "c", zips) != hierarchy_hash(Auto(), "c", ["yes", "no"])
    assert hierarchy_hash(Intervals([5]), "c", zips) != hierarchy_hash(Auto(), "c", zips)
