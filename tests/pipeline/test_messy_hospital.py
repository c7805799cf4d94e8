"""From a raw hospital file to a verified release, without editing the file."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

import discreet
from discreet.pipeline.verify import verify
from tests.messy_hospital import POLICY, write_messy_hospital

WORDS = ("NA", "?", "unknown")


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The raw rows, the release's rows, its facts, and where things are."""
    folder = tmp_path_factory.mktemp("hospital")
    raw = write_messy_hospital(folder / "visits.csv", patients=150)
    (folder / "policy.yaml").write_text(POLICY, encoding="utf-8")
    release = discreet.anonymize(folder / "visits.csv", folder / "policy.yaml")
    release.write(folder / "release.csv")
    with (folder / "release.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return raw, rows, release.facts(), folder


def test_the_raw_file_becomes_a_release_that_keeps_its_policy(released):
    raw, rows, facts, folder = released
    assert len(rows) >= 0.95 * len(raw)
    assert all(one["holds"] for one in facts["verdicts"])
    found = verify(folder / "release.csv", folder / "policy.yaml", folder / "visits.csv")
    assert found.holds


def test_classes_counted_by_hand_have_at_least_k_rows(released):
    _, rows, facts, _ = released
    quasi = facts["levels"]
    classes = Counter(tuple(row[name] for name in quasi) for row in rows)
    assert min(classes.values()) >= 5


def test_no_word_for_missing_and_no_raw_identifier_is_left(released):
    raw, rows, _, _ = released
    assert set(rows[0]) == set(raw[0]) - {"mrn", "name", "note"}
    cells = {cell for row in rows for cell in row.values()}
    assert not cells & set(WORDS)
    assert "" in {row["diagnosis"] for row in rows}


def test_released_zip_codes_have_their_zeros(released):
    _, rows, _, _ = released
    zips = {row["zip"] for row in rows} - {"", "*", "other"}
    assert zips
    assert all(len(code) == 5 or len(code) == 10 for code in zips)
    assert {code[0] for code in zips} <= {"0", "1", "6"}


def test_what_was_read_otherwise_is_counted_by_column_without_values(released):
    raw, _, facts, _ = released
    cleaned = {one["column"]: one for one in facts["cleaned"]}
    assert cleaned["age"]["missing"] == sum(row["age"] in ("NA", "?") for row in raw)
    assert cleaned["zip"]["zeros_restored"] == sum(len(row["zip"]) == 4 for row in raw)
    odd = {one["column"]: one for one in facts["odd_values"]}
    open_ended = [row for row in raw if row["age"] in ("90+", "90 and over")]
    assert odd["age"]["range"]["rows"] >= len(open_ended) > 0
    assert odd["charge"]["other"]["rows"] == sum(row["charge"] == "waived" for row in raw)
    assert not any("waived" in note or "homeless" in note for note in facts["notes"])


def test_inspect_proposes_the_words_and_the_repair(released):
    raw, _, _, folder = released
    columns = {one.name: one for one in discreet.inspect(folder / "visits.csv").columns}
    assert columns["age"].missing_words["NA"] == sum(row["age"] == "NA" for row in raw)
    assert columns["zip"].lost_zeros == 4


def test_the_same_seed_makes_the_same_file(tmp_path: Path):
    write_messy_hospital(tmp_path / "one.csv", 20)
    write_messy_hospital(tmp_path / "two.csv", 20)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
