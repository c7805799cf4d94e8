"""What a release says of the time it took, and what progress says of the rows to come."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import discreet

MADE = {"prepare", "count", "plan", "search"}
POLICY = {
    "columns": {"age": {"role": "quasi", "hierarchy": {"intervals": [5]}}},
    "require": [{"k_anonymity": {"k": 2}}],
}


def write_people(path: Path) -> Path:
    pq.write_table(pa.table({"age": [str(20 + n % 10) for n in range(40)]}), path)
    return path


def test_stages_that_were_not_run_have_no_seconds(tmp_path: Path) -> None:
    release = discreet.anonymize(write_people(tmp_path / "in.parquet"), POLICY)
    found = release.facts()["timings"]
    assert {stage for stage, seconds in found.items() if seconds is not None} == MADE
    release.write(tmp_path / "out.parquet")
    assert all(seconds >= 0 for seconds in release.facts()["timings"].values())


def test_stages_together_take_no_longer_than_the_run(tmp_path: Path) -> None:
    release = discreet.anonymize(write_people(tmp_path / "in.parquet"), POLICY)
    found = release.facts()
    assert sum(found["timings"][stage] for stage in MADE) <= found["seconds"]


def test_counting_tells_the_total_where_a_file_knows_it(tmp_path: Path) -> None:
    heard: list[tuple[str, float | None]] = []

    def hear(step: str, share: float | None = None) -> None:
        heard.append((str(step), share))

    discreet.anonymize(write_people(tmp_path / "in.parquet"), POLICY, progress=hear)
    assert ("counting, 40 of 40 rows", 1.0) in heard
