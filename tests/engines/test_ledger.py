"""A ledger remembers releases that are tables of a database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.engines.transaction import TransactionEngine
from discreet.errors import WriteError
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger, find_unconfirmed
from tests.engines.visits import AGE, K3, ZIP

POLICY: dict[str, Any] = {"columns": {"age": AGE, "zip": ZIP}, "require": [K3], "suppress": 0.1}
OTHER: dict[str, Any] = {**POLICY, "columns": {**POLICY["columns"], "pay": {"role": "other"}}}


def test_a_second_release_goes_with_the_first_as_it_does_for_files(
    postgresql: Any, tmp_path: Path
) -> None:
    levels = []
    for number, table in enumerate((postgresql.read_file(), postgresql.read())):
        with Ledger.open(tmp_path / f"ledger{number}") as ledger:
            for place, policy in enumerate((POLICY, OTHER)):
                release = anonymize_again(table, {**policy, "seed": 1}, ledger, "public")
                levels.append((release.facts()["levels"], release.known))
                release.write(str(tmp_path / f"{place}.csv") if not number else f"release{place}")
            assert not find_unconfirmed(ledger.lines, ledger.key)
            assert [entry.file for entry in ledger.releases("table")][-1] in ("1.csv", "release1")
    assert levels[:2] == levels[2:]
    assert levels[1][1] == (1,)


def test_a_release_that_may_be_out_stays_in_the_ledger(
    duckdb_place: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(self: Any, target: Any) -> None:
        raise WriteError("DuckDB", "the connection was lost", "")

    with Ledger.open(tmp_path / "ledger") as ledger:
        release = anonymize_again(duckdb_place.read(), POLICY, ledger, "public")
        monkeypatch.setattr(TransactionEngine, "publish", lose)
        with pytest.raises(WriteError, match="lost"):
            release.write("out")
        assert find_unconfirmed(ledger.lines, ledger.key)
