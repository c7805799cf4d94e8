"""Releases through a ledger, joined by somebody who can tell which rows are the same."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import event, given
from hypothesis import strategies as st

from discreet.attacks.complementary import Complementary, Temporal
from discreet.errors import DiscreetError
from discreet.hierarchy import Tree
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger
from discreet.pipeline.anonymize import Release
from discreet.policy.policy import Policy
from tests.ledger.joined import Held, known_groups, vanished_groups
from tests.properties.strategies import examples

LEAVES = {"x": "abcd", "y": "1234", "z": "uv"}
BRANCHES = {"x": ("ab", "cd"), "y": ("12", "34"), "z": ("uv",)}
AUDIENCES = ("public", "public", "council", "lab")

rows = st.fixed_dictionaries({name: st.sampled_from(leaves) for name, leaves in LEAVES.items()})
steps = st.fixed_dictionaries(
    {
        "more": st.lists(rows, min_size=0, max_size=14),
        "to": st.sampled_from(AUDIENCES),
        "columns": st.sampled_from(("xy", "xy", "xyz", "x")),
        "suppress": st.sampled_from((0.0, 0.1, 0.3, 0.6)),
        "algorithm": st.sampled_from(("optimal", "optimal", "datafly", "spalm")),
        "measure": st.sampled_from(("loss", "precision", "discernibility")),
    }
)


def _tree(name: str, people: list[dict[str, str]]) -> Tree:
    """The tree of a column, with the values that it has so far."""
    there = {person[name] for person in people}
    found = {branch: [leaf for leaf in branch if leaf in there] for branch in BRANCHES[name]}
    return Tree({"*": {branch: leaves for branch, leaves in found.items() if leaves}})


def _policy(step: dict[str, Any], k: int, people: list[dict[str, str]]) -> Policy:
    columns: dict[str, Any] = {"id": {"role": "other"}}
    trees = {name: _tree(name, people) for name in step["columns"]}
    columns |= {name: {"role": "quasi", "hierarchy": tree} for name, tree in trees.items()}
    settings = {name: step[name] for name in ("suppress", "algorithm", "measure")}
    return Policy(columns=columns, require=[{"k_anonymity": {"k": k}}], **settings)


def _table(people: list[dict[str, str]]) -> pa.Table:
    names = {name: [person[name] for person in people] for name in LEAVES}
    return pa.table({"id": [str(number) for number in range(len(people))], **names})


@examples(8)
@given(st.lists(rows, min_size=4, max_size=24), st.lists(steps, min_size=2, max_size=4), st.data())
def test_nobody_is_known_among_fewer_than_k_whatever_releases_are_joined(
    first: list[dict[str, str]], later: list[dict[str, Any]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(2, 3))
    people, made = list(first), []
    with tempfile.TemporaryDirectory() as folder:
        for number, step in enumerate(later):
            people += step["more"] if number else []
            try:
                with Ledger.open(Path(folder) / "ledger") as ledger:
                    policy = _policy(step, k, people)
                    release = anonymize_again(_table(people), policy, ledger, step["to"])
                    ledger.add(release.record.entry("release.csv", "hash"))
            except DiscreetError as error:
                assert "the hierarchy of" not in str(error)
                event(f"{number}: {type(error).__name__}")
                continue
            event(f"{number}: released")
            with release._build_recoder().open_reader() as rows:
                made.append((step["to"], release, rows.read_all()))
    for reader in set(AUDIENCES):
        _withstands([(release, rows) for to, release, rows in made if to in (reader, "public")], k)


def _withstands(releases: list[tuple[Release, pa.Table]], k: int) -> None:
    held = [Held.of(rows, release.levels) for release, rows in releases]
    assert min(known_groups(held).values(), default=k) >= k
    assert min(vanished_groups(held).values(), default=k) >= k
    for release in held:
        assert min(known_groups(held, release).values(), default=k) >= k
    for (_, earlier), (release, later) in pairwise(releases):
        if not set(earlier["id"].to_pylist()) & set(later["id"].to_pylist()):
            continue  # no row is in both, so there is nothing to join
        for attack in (Complementary, Temporal):
            policy = release.policy
            assert not attack(policy.quasi, k, policy)(later, earlier).succeeds
