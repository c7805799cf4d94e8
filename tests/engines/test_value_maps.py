"""Values that are mapped one by one before rows are counted, in the engine that has the rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import discreet
from discreet.errors import DiscreetError
from tests.engines.visits import AGE, K3, make_visits, write_key


def anonymize(place: Any, **columns: Any) -> discreet.Release:
    return discreet.anonymize(place.read(), {"columns": {"age": AGE, **columns}, "require": [K3]})


def test_mapped_whole_numbers_stay_whole_numbers(duckdb_place: Any) -> None:
    release = anonymize(
        duckdb_place, id={"role": "other", "technique": {"round_values": {"base": 50}}}
    )
    release.write("out")
    release.table.source.table.source.engine.close()
    assert set(duckdb_place.fetch("out").column("id").to_pylist()) == {0, 50, 100, 150, 200, 250}


def test_the_notes_count_rows_and_not_different_values(duckdb_place: Any) -> None:
    release = anonymize(duckdb_place, zip={"role": "other", "technique": "zip3"})
    zips = make_visits().column("zip").to_pylist()
    filled = sum(value not in ("", None) for value in zips)
    notes = release.facts()["notes"]
    assert f"zip3: {filled} of {filled} values of 'zip' were changed." in notes
    assert not any("lost leading zeros" in note for note in notes)
    assert release.facts()["techniques"][0]["utility"] is None


def test_a_value_without_a_map_row_is_never_released_as_found(spark: Any, tmp_path: Path) -> None:
    spark.run("CREATE TABLE growing AS SELECT age, town FROM visits")
    key = str(write_key(tmp_path))
    policy = {
        "columns": {
            "age": AGE,
            "town": {"role": "identifier", "replace": {"encrypt": {"key": key}}},
        },
        "require": [K3],
    }
    release = discreet.anonymize(discreet.read(spark.session, table="growing"), policy)
    spark.run("INSERT INTO growing SELECT age, 'Newtown' FROM visits")
    with pytest.raises(DiscreetError, match="changed"):
        release.write("out")
    assert "out" not in spark.list_tables()


def test_a_file_of_a_table_in_a_database_has_mapped_values(
    duckdb_place: Any, tmp_path: Path
) -> None:
    key = str(write_key(tmp_path))
    replaced = {"role": "identifier", "replace": {"pseudonym": {"key": key, "format": "token"}}}
    capped = {"role": "other", "technique": {"top_code": {"at": 100}}}
    pay = {"role": "other", "technique": {"bottom_code": {"at": 0}}}
    release = anonymize(duckdb_place, town=replaced, id=capped, pay=pay)
    release.write(tmp_path / "out.parquet")
    made = duckdb.sql(f"SELECT * FROM '{tmp_path}/out.parquet'").to_arrow_table()
    assert max(made.column("id").to_pylist()) == 100
    assert made.schema.field("id").type == pa.int64()
    assert not set(made.column("town").to_pylist()) & {"Zürich", "O'Fallon"}
    assert min(float(one) for one in made.column("pay").to_pylist() if one) == 0
