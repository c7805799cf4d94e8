"""[Sweeney2001]_, sec. 5.5.2 and 5.5.3: two releases, with a ledger and without."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.attacks.complementary import Complementary, Temporal
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger
from discreet.pipeline.anonymize import Release, anonymize
from discreet.policy.policy import Policy
from tests.ledger.joined import Cells, Held, known_groups
from tests.papers.sweeney import FIGURE_32, FIGURE_34, PEOPLE, Rows, private_table

ADDED = (
    ("black", "1965-09-07", "male", "02139", "headache"),
    ("black", "1965-11-04", "male", "02139", "rash"),
)
"""What is new in PT at time t1."""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger") as opened:
        yield opened


def _table(rows: Rows) -> pa.Table:
    table = private_table((*PEOPLE, "problem"), rows)
    return table.append_column("id", pa.array([f"t{n + 1}" for n in range(len(rows))]))


def _policy(measure: str, **weights: float) -> Policy:
    quasi = {
        name: {"role": "quasi", "hierarchy": builder, "weight": weights.get(name, 1.0)}
        for name, builder in FIGURE_32.items()
    }
    columns: dict[str, Any] = {**quasi, "problem": {"role": "other"}, "id": {"role": "other"}}
    return Policy(columns=columns, require=[{"k_anonymity": {"k": 2}}], measure=measure)


def _held(release: Release) -> Held:
    return Held.of(_rows(release), release.levels)


def _fewest(*releases: Release) -> int:
    return min(known_groups([_held(release) for release in releases]).values())


def _rows(release: Release) -> pa.Table:
    with release._build_recoder().open_reader() as rows:
        return rows.read_all()


def _attacks(first: Release, second: Release, policy: Policy) -> list[str]:
    """The attacks on two releases that succeed."""
    files = _rows(second), _rows(first)
    outcomes = [kind(policy.quasi, 2, policy)(*files) for kind in (Complementary, Temporal)]
    return [outcome.attack for outcome in outcomes if outcome.succeeds]


TEMPORAL = (FIGURE_34, _policy("discernibility"), FIGURE_34 + ADDED, _policy("discernibility"))
COMPLEMENTARY = (FIGURE_34, _policy("loss"), FIGURE_34, _policy("loss", zip=5.0))


@pytest.mark.parametrize(
    ("rows", "policy", "later_rows", "later_policy"),
    [
        pytest.param(*TEMPORAL, id="5.5.3: the table grew"),
        pytest.param(*COMPLEMENTARY, id="5.5.2: another choice of what matters"),
    ],
)
def test_two_best_releases_joined_single_rows_out_unless_the_ledger_is_asked(
    ledger: Ledger, rows: Rows, policy: Policy, later_rows: Rows, later_policy: Policy
) -> None:
    first = anonymize_again(_table(rows), policy, ledger, "public")
    ledger.add(first.record.entry("first.csv", "hash"))
    alone = anonymize(_table(later_rows), later_policy)
    assert _fewest(first, alone) == 1
    assert _attacks(first, alone, policy)
    beside = anonymize_again(_table(later_rows), later_policy, ledger, "public")
    assert _fewest(first, beside) == 2
    assert _attacks(first, beside, policy) == []
    old, now = _held(first).rows, _held(beside).rows
    assert {row: now[row] for row in old} == old  # the old rows are as they were


def test_the_problem_in_the_quasi_identifier_does_not_protect() -> None:
    """The other answer of sec. 5.5.2: a release that is k-anonymous on QI and problem as well."""
    both: Cells = {"birth": (0, "1964"), "sex": (1, "human")}
    first = Held({"p1": both, "p2": both})
    problems = {"p1": "rash", "p2": "fever", "p3": "rash", "p4": "fever"}
    sex = {"p1": "male", "p2": "female", "p3": "male", "p4": "female"}
    second = {p: {"birth": (1, "196*"), "sex": (0, sex[p])} for p in problems}
    alike = [(*second[p].values(), problems[p]) for p in problems]
    assert all(alike.count(row) == 2 for row in alike)
    # The problem tells p1 from p2 in the first release and links it to its double in the second.
    known = known_groups([first, Held({"p1": second["p1"], "p2": second["p2"]})])
    assert set(known.values()) == {1}
