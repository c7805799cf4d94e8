"""``discreet hipaa``: the check, the ready policy, and the way from one to a release that holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.safe_harbor.made import BROKEN, DAY, many, numbered

Run = Callable[..., Any]


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """All eighteen identifiers, with ZIP codes, dates and ages as real files have them."""
    rows = 60
    columns: dict[str, list[str | None]] = {
        name: [*values, *values][:rows]
        for letter, (name, values) in BROKEN.items()
        if letter not in "BC"
    }
    columns |= {
        "zip": many("02138", "2139", "03601", "60601-1234", "K1A 0B1", None, rows=rows),
        "county": many("Essex", "Cook", "Kent", rows=rows),
        "state": many("MA", "IL", "NH", rows=rows),
        "birth_date": many("1930-05-06", "3/17/1950", "7 May 1951", None, rows=rows),
        "admission_date": many("2020-01-31", "2021-02-28", rows=rows),
        "age": many("96", "76", "75", None, rows=rows),
        "notes": [f"seen on Monday by the doctor, went home and did well {n}" for n in range(rows)],
        "sex": many("F", "M", rows=rows),
        "diagnosis": many("flu", "cough", "asthma", rows=rows),
    }
    columns["study_code"] = list(numbered("X{}Q", rows=rows))
    path = tmp_path / "patients.csv"
    frame = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    lines = [",".join(frame.column_names)]
    lines += [",".join(f'"{cell or ""}"' for cell in row.values()) for row in frame.to_pylist()]
    path.write_text("\n".join(lines) + "\n")
    return path


def facts(done: Any, code: int = 0) -> dict[str, Any]:
    assert done.exit_code == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_from_the_check_to_a_release_that_meets_every_rule(
    run: Run, patients: Path, tmp_path: Path
) -> None:
    found = facts(run("hipaa", patients, "--as-of", DAY, "--json"), 1)
    assert "".join(found["broken"]) == "ABCDEFGHIJKLMNOPQR"
    policy, release = tmp_path / "p.yaml", tmp_path / "out.csv"
    assert run("hipaa", patients, "--as-of", DAY, "--write-policy", policy).exit_code == 0
    done = run("anonymize", patients, "--policy", policy, "-o", release)
    assert done.exit_code == 0, done.stderr
    assert "promises no k" in done.stdout
    assert "actual knowledge" in done.stdout
    assert "2020-04-01" in done.stdout
    kept = facts(run("hipaa", release, "--policy", policy, "--json"))
    assert {one["standing"] for one in kept["columns"]} == {"meets"}
    assert run("verify", release, "--policy", policy).exit_code == 0
    rows = read(release).scan(text=["zip", "birth_date", "age", "state"]).read_all().to_pydict()
    assert set(rows["zip"]) == {"021", "606", "000", None}
    assert set(rows["birth_date"]) == {"1936 or before", "1950", "1951", None}
    assert set(rows["age"]) == {"90", "76", "75", None}
    assert set(rows["state"]) == {"MA", "IL", "NH"}


def test_the_ready_policy_takes_k_anonymity_beside_it(
    run: Run, patients: Path, tmp_path: Path
) -> None:
    policy, release = tmp_path / "p.yaml", tmp_path / "out.csv"
    run("hipaa", patients, "--as-of", DAY, "--write-policy", policy)
    text = policy.read_text()
    assert "  # - k_anonymity: {k: 5}" in text
    policy.write_text(text.replace("  # - k_anonymity: {k: 5}", "  - k_anonymity: {k: 3}"))
    done = run("anonymize", patients, "--policy", policy, "-o", release, "--suppress", "0.5")
    assert done.exit_code == 0, done.stderr
    assert facts(run("hipaa", release, "--policy", policy, "--json"))["holds"]
    assert run("verify", release, "--policy", policy).exit_code == 0


def test_the_ready_policy_is_read_back_and_holds_no_value(
    run: Run, patients: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "p.yaml"
    run("hipaa", patients, "--as-of", DAY, "--write-policy", policy)
    made = Policy.load(policy)
    released = {"zip", "state", "birth_date", "admission_date", "age", "sex", "diagnosis"}
    assert set(made.released) == released
    text = policy.read_text()
    assert [cell for cell in ("02138", "Essex", "1930", "Maria", "flu") if cell in text] == []


def test_with_a_policy_what_it_releases_of_the_private_file_is_checked(
    run: Run, patients: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "p.yaml"
    run("hipaa", patients, "--as-of", DAY, "--write-policy", policy)
    found = facts(run("hipaa", patients, "--policy", policy, "--json"))
    assert found["checked"].startswith("what p.yaml releases")
    text = policy.read_text().replace("technique: zip3, ", "")
    policy.write_text(text)
    found = facts(run("hipaa", patients, "--policy", policy, "--json"), 1)
    assert found["broken"] == ["B"]
    refused = run("anonymize", patients, "--policy", policy, "-o", tmp_path / "out.csv")
    assert refused.exit_code == 2
    assert "zip, rule (B)" in refused.stderr
    assert not (tmp_path / "out.csv").exists()


def test_the_table_names_rules_and_says_what_it_cannot_see(run: Run, patients: Path) -> None:
    done = run("hipaa", patients, "--as-of", DAY)
    assert done.exit_code == 1
    for said in ("BREAKS", "(G) social security", "leading zeros", "actual knowledge", "2020-04-01",
                 "promises no k", "does not see", "these columns yourself: notes"):  # fmt: skip
        assert said in done.stdout, said
    assert "02138" not in done.stdout


def test_a_table_of_areas_of_ones_own_is_used_and_named_in_the_policy(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "zips.csv").write_text("zip,sex\n" + "03601,F\n02138,M\n" * 20)
    areas = tmp_path / "areas" / "areas.csv"
    areas.parent.mkdir()
    areas.write_text("# source: made\n# date: 2030-04-01\nzip3,population\n036,30000\n")
    policy, release = tmp_path / "p.yaml", tmp_path / "out.csv"
    asked = (tmp_path / "zips.csv", "--zip-table", areas)
    assert facts(run("hipaa", *asked, "--json"), 1)["zip_table"]["date"] == "2030-04-01"
    assert run("hipaa", *asked, "--write-policy", policy, "--quiet").exit_code == 0
    assert "zip_table: areas/areas.csv" in policy.read_text()
    assert run("anonymize", asked[0], "--policy", policy, "-o", release).exit_code == 0
    assert "036" in release.read_text()
    assert run("verify", release, "--policy", policy).exit_code == 0


def test_numbers_and_dates_of_a_typed_file_go_through(run: Run, tmp_path: Path) -> None:
    path, policy, release = (tmp_path / name for name in ("a.parquet", "p.yaml", "out.parquet"))
    frame = pa.table(
        {
            "zip": pa.array([2138, 60601, 3601, None] * 10, pa.int64()),
            "birth": pa.array(["1930-05-06", "1950-03-17"] * 20).cast(pa.date32()),
            "age": pa.array([96, 76] * 20, pa.int32()),
            "sex": ["F", "M"] * 20,
        }
    )
    parquet.write_table(frame, path)
    assert run("hipaa", path, "--as-of", DAY, "--write-policy", policy).exit_code == 0
    done = run("anonymize", path, "--policy", policy, "-o", release)
    assert done.exit_code == 0, done.stderr
    assert facts(run("hipaa", release, "--policy", policy, "--json"))["holds"]
    assert set(parquet.read_table(release)["zip"].to_pylist()) == {"021", "606", "000", None}


def test_a_code_by_the_holders_word_stays(run: Run, patients: Path, tmp_path: Path) -> None:
    policy = tmp_path / "p.yaml"
    done = run("hipaa", patients, "--code", "study_code", "--as-of", DAY, "--json")
    assert "R" not in facts(done, 1)["broken"]
    run("hipaa", patients, "--code", "study_code", "--as-of", DAY, "--write-policy", policy)
    assert Policy.load(policy).require[0].codes == ("study_code",)
    assert "study_code" in Policy.load(policy).released


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (("--as-of", "tomorrow"), "--as-of"),
        (("--zip-table", "none.csv"), "none.csv"),
        (("--code", "nobody"), "nobody"),
        (("--policy", "p.yaml", "--write-policy", "q.yaml"), "not both"),
        (("--write-policy", "no/such/p.yaml"), "folder"),
    ],
)
def test_bad_requests_are_refused(
    run: Run, patients: Path, asked: tuple[str, ...], what: str
) -> None:
    done = run("hipaa", patients, *asked)
    assert (done.exit_code, what in done.stderr) == (2, True), done.stderr


def test_a_file_without_rows_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("zip,age\n")
    done = run("hipaa", tmp_path / "empty.csv", "--write-policy", tmp_path / "p.yaml")
    assert (done.exit_code, "empty.csv" in done.stderr) == (2, True), done.stdout
