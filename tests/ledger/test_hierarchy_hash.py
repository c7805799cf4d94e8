"""A hierarchy is the same if a value becomes the same."""

from __future__ import annotations

from pathlib import Path

from discreet.hierarchy import File, Flat, Intervals, Prefix, WithSuppression
from discreet.ledger.hierarchies import hash_hierarchy
from discreet.policy.parts import Auto


def test_a_file_counts_by_what_is_in_it(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("one.csv", "same.csv", "other.csv"))
    one.write_text("a;*\nb;*\n")
    same.write_text("a;*\nb;*\n")
    other.write_text("a;x;*\nb;y;*\n")
    first, second, third = (hash_hierarchy(File(f), "c", ["a"]) for f in (one, same, other))
    assert first == second != third
    assert hash_hierarchy(WithSuppression(File(one)), "c", ["a"]) != first


def test_settings_count_and_values_do_not() -> None:
    assert hash_hierarchy(Prefix([4]), "c", ["02138"]) == hash_hierarchy(Prefix([4]), "c", [])
    assert hash_hierarchy(Prefix([4]), "c", []) != hash_hierarchy(Prefix([3]), "c", [])
    assert hash_hierarchy(None, "c", []) == hash_hierarchy(Flat(), "c", [])


def test_a_proposal_that_changes_with_the_data_is_another_hierarchy() -> None:
    zips = [f"0213{n}" for n in range(8)]
    assert hash_hierarchy(Auto(), "c", zips) == hash_hierarchy(Auto(), "c", [*zips, "02140"])
    assert hash_hierarchy(Auto(), "c", zips) != hash_hierarchy(Auto(), "c", ["yes", "no"])
    assert hash_hierarchy(Intervals([5]), "c", zips) != hash_hierarchy(Auto(), "c", zips)
