"""What the values of a column become: kept by keyed hashes, and found again in what has grown."""

from __future__ import annotations

from pathlib import Path

from hypothesis import event, given
from hypothesis import strategies as st

from discreet.hierarchy import Prefix, Tree
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.ledger.fingerprints import hash_generalizations
from discreet.ledger.key import Key
from tests.properties.strategies import examples

KEY = Key(Path("ledger.key"), b"k" * 32)
LEAVES = "abcdef"

branches = st.fixed_dictionaries({leaf: st.sampled_from(("1", "2", "3")) for leaf in LEAVES})
stems = st.fixed_dictionaries({branch: st.sampled_from(("x", "y")) for branch in "123"})


def _built(
    branch: dict[str, str], stem: dict[str, str], values: list[str], top: str = "*"
) -> Hierarchy:
    """A tree of three levels above the values."""
    tree: dict[str, dict[str, list[str]]] = {}
    for leaf, name in branch.items():
        tree.setdefault(stem[name], {}).setdefault(name, []).append(leaf)
    return Tree({top: tree}).build("column", values)


def _labels(hierarchy: Hierarchy, value: str, level: int) -> list[str | None]:
    place = hierarchy.labels[0].index(value)
    return [
        hierarchy.labels[up][hierarchy.maps[up][place]] for up in range(level, hierarchy.height + 1)
    ]


@examples(60)
@given(branches, stems, branches, stems, st.integers(1, 6), st.integers(0, 3), st.booleans())
def test_another_hierarchy_holds_what_values_became_or_one_of_them_becomes_something_else(
    branch: dict[str, str],
    stem: dict[str, str],
    other: dict[str, str],
    above: dict[str, str],
    size: int,
    level: int,
    grown: bool,
) -> None:
    values = list(LEAVES[:size])
    if grown:  # the values of then hang where they hung, the others anywhere
        other = {leaf: branch[leaf] if leaf in values else other[leaf] for leaf in LEAVES}
        above = above | {branch[leaf]: stem[branch[leaf]] for leaf in values}
    then = _built(branch, stem, values)
    now = _built(other, above, list(LEAVES)[::-1])
    same = all(_labels(then, leaf, level) == _labels(now, leaf, level) for leaf in values)
    event(f"same: {same}")
    assert same or not grown
    held = hash_generalizations(KEY, "table", then, level)
    assert (held <= hash_generalizations(KEY, "table", now, level)) == same


def test_there_is_one_for_each_value_and_each_label_above() -> None:
    zips = Prefix([4, 3]).build("zip", ["02138", "02139", "02141", "02238"])
    sizes = [len(hash_generalizations(KEY, "table", zips, level)) for level in range(4)]
    assert sizes == [4 + 3 + 2, 4 + 3 + 2, 4 + 2, 4]


def test_key_table_column_and_level_count() -> None:
    values = ["02138", "02139"]
    zips, codes = (Prefix([4]).build(name, values) for name in ("zip", "code"))
    held = hash_generalizations(KEY, "table", zips, 1)
    others = [
        hash_generalizations(Key(KEY.path, b"x" * 32), "table", zips, 1),
        hash_generalizations(KEY, "staff", zips, 1),
        hash_generalizations(KEY, "table", codes, 1),
        hash_generalizations(KEY, "table", Prefix([5, 4]).build("zip", values), 2),
    ]
    assert all(held.isdisjoint(other) for other in others)


def test_a_missing_value_is_not_a_value_of_that_name() -> None:
    missing, named = (Prefix([4]).build("zip", [value, "02138"]) for value in (None, "None"))
    held, other = (hash_generalizations(KEY, "table", one, 1) for one in (missing, named))
    assert len(held - other) == 2
