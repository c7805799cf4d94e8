"""The demo as a newcomer runs it: the story, its figures, its files and its last three commands."""

from __future__ import annotations

import base64
import csv
import json
import re
import shlex
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from discreet.sample.calibration import PRINTED
from discreet.sample.story import FIGURES, KNOWN
from tests.cli.starter import Starter

TABLES = ("voters.csv", "hospital.csv", "policy.yaml", "release.csv")
KEYS = ("signing.key", "signing.key.pub")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def story(home: Path, starter: Starter) -> str:
    done = starter.run(home, ["demo"])
    assert (done.code, done.err) == (0, "")
    return done.out


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory, starter: Starter) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("json")
    done = starter.run(folder, ["demo", "--json", "--folder", "f"])
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_the_story_shows_the_printed_figures_beside_its_own(story: str) -> None:
    for share in (PRINTED.birth, PRINTED.birth_sex, PRINTED.birth_zip, PRINTED.birth_postcode):
        line = next(x for x in story.splitlines() if x.endswith(f" {100 * share:.0f} %"))
        here, printed = map(float, re.findall(r"([\d.]+) %", line))
        assert here == pytest.approx(printed, abs=1)


def test_the_one_person_shown_is_said_to_be_made(story: str) -> None:
    assert story.count("Diagnosis:") == 1
    assert "(made up)" in story


def test_lines_but_for_the_commands_fit_a_terminal(story: str) -> None:
    told, _, _ = story.partition("Try next:")
    assert max(map(len, told.splitlines())) <= 80


def test_every_file_is_written_and_listed(home: Path, story: str) -> None:
    names = {*TABLES, "report.html", "report-outside.html", *KEYS, "certificate.json"}
    assert {file.name for file in (home / "discreet-demo").iterdir()} == names
    assert all(name in story for name in names)


def test_the_three_commands_at_the_end_work(home: Path, story: str, starter: Starter) -> None:
    commands = [shlex.split(line) for line in story.partition("Try next:")[2].split("\n") if line]
    assert [command[:2] for command in commands] == [
        ["discreet", "inspect"],
        ["discreet", "anonymize"],
        ["discreet", "verify"],
    ]
    for command in commands:
        done = starter.run(home, command[1:])
        assert done.code == 0, (command, done.err)
        assert done.out


def test_the_hospital_file_itself_does_not_keep_the_policy(
    home: Path, story: str, starter: Starter
) -> None:
    files = ("discreet-demo/hospital.csv", "--policy", "discreet-demo/policy.yaml")
    assert starter.run(home, ["verify", *files]).code == 1


def test_json_has_the_figures_of_the_town(facts: dict[str, Any]) -> None:
    town = facts["town"]
    assert (town["voters"], town["patients"]) == (54_805, 8_000)
    for name in FIGURES:
        assert town["unique"][name]["printed"] == getattr(PRINTED, name)
        assert town["unique"][name]["here"] == pytest.approx(getattr(PRINTED, name), abs=0.01)


def test_before_most_patients_get_a_name_and_after_none_does(facts: dict[str, Any]) -> None:
    before, after = facts["before"], facts["after"]
    assert before["joined_on"] == list(KNOWN)
    assert before["named"] > 0.7 * 8_000
    assert 0.95 < before["named_rightly"] / before["named"] < 1
    assert after["named"] == 0
    assert after["fewest_voters"] >= 5


def test_the_release_keeps_its_policy(facts: dict[str, Any]) -> None:
    release, after = facts["release"], facts["after"]
    assert all(verdict["holds"] for verdict in release["verdicts"])
    assert release["smallest_class"] >= 5
    assert after["rows"] == release["rows"] - release["rows_suppressed"]
    assert after["rows"] >= 0.97 * 8_000
    assert 0 < after["largest_diagnosis_share"] < 1


def covers(label: str, value: str) -> bool:
    """Whether a released text stands for this value: 1990-1999, 1990, 0991*, F or *."""
    if years := re.fullmatch(r"(\d{4})-(\d{4})", label):
        return int(years[1]) <= int(value[:4]) <= int(years[2])
    return fnmatch(value, label) or value.startswith(f"{label}-")


def test_the_second_join_is_counted_right(home: Path, story: str) -> None:
    """Counted once more, by what the released texts say rather than through the hierarchies."""
    with (home / "discreet-demo" / "voters.csv").open() as file:
        voters = Counter((v["birth"][:4], v["sex"], v["zip"]) for v in csv.DictReader(file))
    with (home / "discreet-demo" / "release.csv").open() as file:
        rows = {(row["birth"], row["sex"], row["zip"]) for row in csv.DictReader(file)}
    fits = [sum(n for voter, n in voters.items() if all(map(covers, row, voter))) for row in rows]
    assert f"matches at least {min(fits)} voters" in " ".join(story.split())


def test_a_second_run_gives_the_same_bytes(home: Path, story: str, starter: Starter) -> None:
    folder = home / "discreet-demo"
    before = {name: (folder / name).read_bytes() for name in (*TABLES, *KEYS)}
    done = starter.run(home, ["demo"])
    assert (done.code, done.out, done.err) == (0, story, "")
    assert {name: (folder / name).read_bytes() for name in before} == before


def test_the_certificate_holds_and_names_the_report_for_outside(
    home: Path, story: str, starter: Starter
) -> None:
    key = ("--key", "discreet-demo/signing.key.pub")
    certificate = ("--certificate", "discreet-demo/certificate.json")
    done = starter.run(home, ["verify", "discreet-demo/release.csv", *certificate, *key])
    assert done.code == 0, done.err
    signed = json.loads((home / "discreet-demo" / "certificate.json").read_text())
    assert b"report-outside.html" in base64.b64decode(signed["payload"])


def test_the_report_for_outside_has_no_figure_of_the_private_table(home: Path, story: str) -> None:
    inside, outside = (
        (home / "discreet-demo" / name).read_text()
        for name in ("report.html", "report-outside.html")
    )
    assert "8,000" in inside
    assert "8,000" not in outside


def test_quiet_writes_the_files_and_says_nothing(tmp_path: Path, starter: Starter) -> None:
    done = starter.run(tmp_path, ["demo", "--quiet", "--folder", "a b", "--seed", "3"])
    assert (done.code, done.out, done.err) == (0, "", "")
    assert (tmp_path / "a b" / "release.csv").is_file()


def test_a_foreign_file_stops_the_demo_before_anything_is_written(
    tmp_path: Path, starter: Starter
) -> None:
    (tmp_path / "discreet-demo").mkdir()
    (tmp_path / "discreet-demo" / "hospital.csv").write_text("mine\n")
    done = starter.run(tmp_path, ["demo"])
    assert done.code == 2
    assert "hospital.csv" in done.err
    assert "Traceback" not in done.err
    assert [file.name for file in (tmp_path / "discreet-demo").iterdir()] == ["hospital.csv"]


def test_a_seed_below_zero_is_refused(tmp_path: Path, starter: Starter) -> None:
    assert starter.run(tmp_path, ["demo", "--seed", "-1"]).code == 2
