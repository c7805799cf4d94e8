"""Hierarchies that a policy leaves to the data: made once, from the quasi columns of all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from discreet import Policy, anonymize, attack, compare, verify
from discreet.hierarchy import Tree
from discreet.pipeline.part import Part
from discreet.policy.parts import Auto

RANDOM = np.random.default_rng(4)
ROWS = 400
CLUBS = ["rowing", "sailing", "chess", "bridge", "darts", "fencing"]
CLUB = RANDOM.integers(0, 6, ROWS)
TABLE = pa.table(
    {
        "who": [f"p{n // 2}" for n in range(ROWS)],
        "club": [CLUBS[j] for j in CLUB],
        "ward": [("care", "house", "desk")[j // 2] if n % 5 else "any" for n, j in enumerate(CLUB)],
        "age": [str(20 + n) for n in RANDOM.integers(0, 40, ROWS)],
        "disease": [("flu", "gout", "rash")[n] for n in RANDOM.integers(0, 3, ROWS)],
    }
)


def make_policy(**more: Any) -> Policy:
    auto = {"role": "quasi", "hierarchy": {"auto": True}}
    columns = {"club": auto, "ward": auto, "age": auto, "disease": {"role": "sensitive"}}
    return Policy(columns=columns, require=[{"k_anonymity": {"k": 5}}], **more)


def find_tree(release: Any, column: str = "club") -> Any:
    return release.policy.columns[column].hierarchy.proposed


def test_values_that_behave_alike_are_in_one_group() -> None:
    tree = find_tree(anonymize(TABLE, make_policy()))
    assert isinstance(tree, Tree)
    built = tree.build("club", CLUBS)
    assert [built.maps[1][at] == built.maps[1][at + 1] for at in (0, 2, 4)] == [True] * 3


def test_a_release_with_learnt_trees_keeps_its_promises() -> None:
    release = anonymize(TABLE, make_policy())
    assert verify(release.to_arrow(), make_policy()).holds


def test_the_order_of_the_rows_does_not_matter() -> None:
    mixed = TABLE.take(pa.array(RANDOM.permutation(ROWS)))
    assert find_tree(anonymize(mixed, make_policy())) == find_tree(anonymize(TABLE, make_policy()))


def test_sensitive_columns_and_others_are_not_learnt_from() -> None:
    other = TABLE.set_column(
        TABLE.column_names.index("disease"), "disease", pa.array([CLUBS[j] for j in CLUB[::-1]])
    )
    policy = make_policy().replace(
        require=[{"k_anonymity": {"k": 5}}, {"l_diversity": {"column": "disease", "ell": 2}}]
    )
    assert find_tree(anonymize(other, policy)) == find_tree(anonymize(TABLE, policy))


def test_a_part_has_the_trees_of_the_whole_table() -> None:
    part = Part("age >= 30", ["club", "disease"])
    whole = anonymize(TABLE, make_policy())
    assert find_tree(anonymize(TABLE, make_policy(), part=part)) == find_tree(whole)


def test_all_algorithms_of_a_comparison_have_the_same_trees() -> None:
    found = compare(TABLE, make_policy(), ["optimal", "datafly"])
    first, second = map(find_tree, found.releases.values())
    assert first is second


def test_people_are_counted_by_person() -> None:
    auto = {"role": "quasi", "hierarchy": {"auto": True}}
    policy = Policy(
        columns={"who": {"role": "identifier"}, "club": auto, "ward": auto},
        require=[{"k_anonymity": {"k": 3}}],
        people={"column": "who"},
        suppress=1,
    )
    rare = pa.table(
        {
            "who": [*TABLE["who"].to_pylist(), *["p0"] * 9],
            "club": [*TABLE["club"].to_pylist(), *["diving"] * 9],
            "ward": [*TABLE["ward"].to_pylist(), *["sea"] * 9],
        }
    )
    tree = find_tree(anonymize(rare, policy))
    built = tree.build("club", [*CLUBS, "diving"])
    groups = {label for labels in built.labels[1:] for label in labels} - {"diving"}
    assert not [label for label in groups if "diving" in str(label)]


def test_a_policy_that_is_written_still_says_auto() -> None:
    release = anonymize(TABLE, make_policy())
    assert isinstance(release.policy.columns["club"].hierarchy, Auto)
    assert "rowing" not in release.policy.to_yaml()
    assert "rowing" not in repr(release.policy)
    assert release.policy.to_yaml() == make_policy().to_yaml()


def test_an_intruder_who_has_the_private_table_reads_the_groups() -> None:
    policy = make_policy()
    release = anonymize(TABLE, policy).to_arrow()
    groups = {text for text in release["club"].to_pylist() if text not in {*CLUBS, "*"}}
    register = TABLE.select(["club", "ward", "age"])
    found = attack(release, policy, register=register, original=TABLE).facts()["attacks"]
    linking = next(one for one in found if one["attack"] == "linking")
    assert groups
    assert linking["applies"]
    assert linking["rows_exposed"] == 0
