"""Wherever the rows are, a policy gives the same node, measures, verdicts and rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.engines.table import EngineSource
from tests.engines.visits import SAME, count_rows, list_policies, write_key, write_register

POLICIES = tuple(list_policies(Path()))


def refuse_rows(*_: Any) -> None:
    """Rows never come here: whatever asks for them fails."""
    raise AssertionError("rows were sent to the client")


@pytest.mark.parametrize("name", POLICIES)
def test_a_release_is_the_same_as_that_of_the_file(
    place: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(EngineSource, "scan", refuse_rows)
    write_key(tmp_path)
    policy = {**list_policies(write_register(tmp_path))[name], "seed": 3}
    expected = discreet.anonymize(place.read_file(), policy)
    table = place.read()
    release = discreet.anonymize(table, policy)
    facts, wanted = release.facts(), expected.facts()
    assert facts["measures"] == pytest.approx(wanted["measures"], rel=1e-9)
    for key, value in wanted["optimal"].items():
        near = value if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)
        assert facts["optimal"][key] == near
    for verdict, other in zip(facts["verdicts"], wanted["verdicts"], strict=True):
        assert verdict["measured"] == pytest.approx(other["measured"], rel=1e-9)
        assert verdict == {**other, "measured": verdict["measured"]}
    assert {key: facts[key] for key in SAME} == {key: wanted[key] for key in SAME}
    release.write("release_visits")
    table.source.engine.close()
    written = place.fetch("release_visits")
    assert written.column_names == expected.to_arrow().column_names
    dealt = name in DEALT
    columns = list(release.policy.quasi) if dealt else None
    assert count_rows(written, columns) == count_rows(expected.to_arrow(), columns)


DEALT = ("cells",)
"""Policies that release rows that are alike in different ways: chance decides which is which."""
