"""A private table in a database is stated in a certificate as a keyed hash of its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.certificate.keys import SigningKey
from discreet.certificate.private_table import hash_private
from discreet.engines.table import EngineSource
from tests.engines.test_same_release import refuse_rows
from tests.engines.visits import AGE, K3


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return SigningKey.create(tmp_path / "signing.key")


def test_the_keyed_hash_is_of_the_rows_and_of_nothing_else(
    place: Any, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EngineSource, "scan", refuse_rows)
    monkeypatch.setattr(EngineSource, "count_rows", refuse_rows)
    address = f"{place.address}#visits"
    found = hash_private(key, [address], bytes(16))
    assert hash_private(key, [address], bytes(16)) == found
    assert hash_private(key, [address], bytes(range(16))) != found
    assert hash_private(key, [address, address], bytes(16)) != found


def test_the_order_of_rows_is_not_hashed_and_every_row_is(postgresql: Any, key: SigningKey) -> None:
    def seal(select: str) -> str:
        postgresql.run("DROP TABLE IF EXISTS few")
        postgresql.run(f"CREATE TABLE few AS {select}")
        return hash_private(key, [f"{postgresql.address}#few"], bytes(16))

    rows = seal("VALUES ('a', 'b;1:c'), ('a', NULL), ('a', NULL)")
    assert seal("VALUES ('a', NULL), ('a', 'b;1:c'), ('a', NULL)") == rows
    others = ["('a', NULL), ('a', 'b;1:c')", "('a', ''), ('a', NULL), ('a', 'b;1:c')",
              "('a;5:b', '1:c'), ('a', NULL), ('a', NULL)"]  # fmt: skip
    assert len({rows, *(seal(f"VALUES {one}") for one in others)}) == 4


def test_a_certificate_says_which_table_of_a_database_was_private(
    duckdb_place: Any, tmp_path: Path
) -> None:
    policy = {"columns": {"age": AGE}, "require": [K3], "seed": 1}
    address, path, signing = f"{duckdb_place.address}#visits", tmp_path / "r.csv", tmp_path / "key"
    table = discreet.read(address)
    discreet.anonymize(table, policy).write(path)
    SigningKey.create(signing)
    made = discreet.certify(path, policy, key=signing, original=address)
    made.write(tmp_path / "c.json")
    given: dict[str, Any] = {"certificate": tmp_path / "c.json", "key": signing}
    assert discreet.verify(path, original=address, **given).private_table == "same"
    discreet.anonymize(table, policy).write("visits_again")
    table.source.engine.close()  # type: ignore[attr-defined]
    other = f"{duckdb_place.address}#visits_again"
    assert discreet.verify(path, original=other, **given).refused == "another_private_table"
