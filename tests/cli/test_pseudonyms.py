"""Pseudonyms from the command line: ``discreet key``, ``anonymize``, ``restore``."""

from __future__ import annotations

import csv
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PEOPLE = [f"{100 + n:03d}-45-{6000 + n}" for n in range(40)]
Run = Callable[..., Any]


@pytest.fixture
def here(tmp_path: Path, run: Run) -> Path:
    """Two tables of the same people, a policy for each, and a key."""
    visits = [f"{one},{30 + n % 4},{'flu' if n % 2 else 'gout'}" for n, one in enumerate(PEOPLE)]
    (tmp_path / "visits.csv").write_text("\n".join(["ssn,age,ill", *visits, *visits]) + "\n")
    bills = [f"{one.replace('-', '')},{n % 3}" for n, one in enumerate(PEOPLE[10:])]
    (tmp_path / "bills.csv").write_text("\n".join(["payer,ward", *bills]) + "\n")
    _write_policy(tmp_path, "visits", "ssn", "age", "  ill: {role: sensitive}\n")
    _write_policy(tmp_path, "bills", "payer", "ward")
    assert run("key", tmp_path / "people.key").exit_code == 0
    return tmp_path


def _write_policy(
    folder: Path, name: str, who: str, quasi: str, more: str = "", how: str = "format: ssn"
) -> None:
    kind = "pseudonym" if how else "encrypt"
    (folder / f"{name}.yml").write_text(
        "columns:\n"
        f"  {who}: {{role: identifier, replace: {{{kind}: {{key: people.key, {how}}}}}}}\n"
        f"  {quasi}: {{role: quasi}}\n{more}"
        "require:\n  - k_anonymity: {k: 2}\norder: keep\n"
    )


def _release(run: Run, folder: Path, name: str, out: str) -> list[dict[str, str]]:
    policy, table = folder / f"{name}.yml", folder / f"{name}.csv"
    result = run("anonymize", table, "--policy", policy, "-o", folder / out)
    assert result.exit_code == 0, result.stderr
    with (folder / out).open() as file:
        return list(csv.DictReader(file))


def test_two_tables_and_two_releases_agree_and_hold_no_real_value(here: Path, run: Run) -> None:
    first = [row["ssn"] for row in _release(run, here, "visits", "one.csv")]
    second = [row["ssn"] for row in _release(run, here, "visits", "two.csv")]
    bills = [row["payer"] for row in _release(run, here, "bills", "three.csv")]
    assert first == second and first[:40] == first[40:]
    assert [one.replace("-", "") for one in first[10:40]] == bills
    real = {*PEOPLE, *(one.replace("-", "") for one in PEOPLE)}
    assert not real & {*first, *bills} and len(set(first)) == 40
    assert all(one.startswith("9") for one in first)


def test_another_key_gives_other_pseudonyms(here: Path, run: Run) -> None:
    first = {row["ssn"] for row in _release(run, here, "visits", "one.csv")}
    for name in ("people.key", "people.key.drawn"):
        (here / name).unlink()
    assert run("key", here / "people.key").exit_code == 0
    assert not first & {row["ssn"] for row in _release(run, here, "visits", "two.csv")}


def test_new_people_change_nobodys_pseudonym(here: Path, run: Run) -> None:
    before = [row["ssn"] for row in _release(run, here, "visits", "one.csv")]
    more = [f"{500 + n:03d}-45-{6000 + n},3{n % 4},flu" for n in range(400)]
    with (here / "visits.csv").open("a") as file:
        file.write("\n".join(more) + "\n")
    after = [row["ssn"] for row in _release(run, here, "visits", "two.csv")]
    assert after[:80] == before and len(set(after)) == 440


def test_the_release_is_shown_verified_and_attacked(here: Path, run: Run) -> None:
    policy, table, out = here / "visits.yml", here / "visits.csv", here / "out.csv"
    shown = run("anonymize", table, "--policy", policy, "-o", out).stdout
    assert "pseudonym (ssn)" in shown and "belong to one person" in shown
    assert (
        "never hand it out"
        in run("anonymize", table, "--policy", policy, "-o", out, "--force").stderr
    )
    assert run("verify", out, "--policy", policy).exit_code == 0
    assert run("attack", out, "--policy", policy, "--original", table).exit_code in (0, 1)
    facts = json.loads(run("anonymize", table, "--policy", policy, "--json").stdout)
    assert facts["replaced"] == {"ssn": "pseudonym (ssn)"}


def test_a_release_can_be_attacked_first_and_entered_in_a_ledger(here: Path, run: Run) -> None:
    policy, table = here / "visits.yml", here / "visits.csv"
    made = ("anonymize", table, "--policy", policy, "--ledger", here / "ledger", "--to", "us")
    for out in ("one.csv", "two.csv"):
        result = run(*made, "-o", here / out)
        assert result.exit_code == 0, result.stderr
    assert (here / "one.csv").read_text() == (here / "two.csv").read_text()
    entries = (here / "ledger").read_text()
    assert not any(number in entries for number in PEOPLE)


def test_a_key_that_others_can_read_or_that_is_lost_is_refused(here: Path, run: Run) -> None:
    policy, table, out = here / "visits.yml", here / "visits.csv", here / "out.csv"
    (here / "people.key").chmod(0o644)
    result = run("anonymize", table, "--policy", policy, "-o", out)
    assert result.exit_code == 2 and "chmod 600" in result.stderr
    (here / "people.key").unlink()
    result = run("anonymize", table, "--policy", policy, "-o", out)
    assert result.exit_code == 2 and "cannot be reproduced or decrypted" in result.stderr
    assert "Traceback" not in result.stderr and not out.exists()
    assert run("verify", table, "--policy", policy).exit_code in (0, 1)  # an auditor has no key


def test_a_column_that_is_replaced_already_is_refused(here: Path, run: Run) -> None:
    _release(run, here, "visits", "visits.csv.out.csv")
    (here / "visits.csv").write_text((here / "visits.csv.out.csv").read_text())
    result = run("anonymize", here / "visits.csv", "--policy", here / "visits.yml")
    assert result.exit_code == 2 and "40 of its 40" in result.stderr


def test_a_damaged_book_is_refused(here: Path, run: Run) -> None:
    _release(run, here, "visits", "one.csv")
    book = here / "people.key.drawn"
    book.write_bytes(book.read_bytes()[:-1])
    result = run("anonymize", here / "visits.csv", "--policy", here / "visits.yml")
    assert result.exit_code == 2 and "people.key.drawn: it is damaged" in result.stderr
    assert run("key", here / "people.key", "--check").exit_code == 2


def test_a_try_out_leaves_the_book_as_it_is(here: Path, run: Run) -> None:
    tried = ("anonymize", here / "visits.csv", "--policy", here / "visits.yml")
    assert run(*tried).exit_code == 0
    assert not (here / "people.key.drawn").exists()
    _release(run, here, "bills", "one.csv")
    before = (here / "people.key.drawn").read_bytes()
    assert run(*tried).exit_code == 0
    assert (here / "people.key.drawn").read_bytes() == before


def test_a_new_key_beside_the_book_of_a_lost_one_is_not_made(here: Path, run: Run) -> None:
    _release(run, here, "visits", "one.csv")
    (here / "people.key").unlink()
    result = run("key", here / "people.key")
    assert result.exit_code == 2 and "key that is lost" in result.stderr
    assert not (here / "people.key").exists()


def test_a_book_that_cannot_be_written_stops_the_release(
    here: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.pseudonyms import book as book_file

    def full(*_: Any) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(book_file.os, "fsync", full)
    result = run(
        *("anonymize", here / "visits.csv", "--policy", here / "visits.yml"),
        *("-o", here / "out.csv"),
    )
    assert result.exit_code == 2 and "people.key.drawn: it cannot be written" in result.stderr
    assert not (here / "out.csv").exists() and not list(here.glob(".discreet*"))


def test_a_secret_in_the_policy_is_refused_with_its_line(here: Path, run: Run) -> None:
    secret = "8f3b" * 16
    text = (here / "visits.yml").read_text().replace("people.key", secret)
    (here / "visits.yml").write_text(text)
    result = run("anonymize", here / "visits.csv", "--policy", here / "visits.yml")
    assert result.exit_code == 2 and "line 2" in result.stderr
    assert "looks like a secret" in result.stderr and secret[:8] not in result.stderr


def test_values_that_are_no_social_security_numbers_are_counted_not_shown(
    here: Path, run: Run
) -> None:
    with (here / "visits.csv").open("a") as file:
        file.write("J. Doe,31,flu\n")
    result = run("anonymize", here / "visits.csv", "--policy", here / "visits.yml")
    assert result.exit_code == 2 and "1 of its 41 different values" in result.stderr
    assert "Doe" not in result.stderr


def test_a_key_is_made_once_and_checked(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "new.key"
    facts = json.loads(run("key", path, "--json").stdout)
    assert facts["made"] and stat.S_IMODE(path.stat().st_mode) == 0o600
    again = run("key", path)
    assert again.exit_code == 2 and "already" in again.stderr
    checked = json.loads(run("key", path, "--check", "--json").stdout)
    assert checked == {**facts, "made": False}
    assert path.read_text().strip() not in run("key", path, "--check").stdout
    path.chmod(0o640)
    result = run("key", path, "--check")
    assert result.exit_code == 2 and "other users can read it" in result.stderr
    assert run("key", tmp_path / "none" / "x.key").exit_code == 2
    assert run("key", tmp_path / "gone.key", "--check").exit_code == 2
    assert run("key", tmp_path / "quiet.key", "--quiet").stdout == ""


def test_a_checked_key_tells_of_its_book(here: Path, run: Run) -> None:
    assert "no book" in run("key", here / "people.key", "--check").stdout
    _release(run, here, "visits", "one.csv")
    assert "40 pseudonyms" in run("key", here / "people.key", "--check").stdout


def test_a_key_made_here_serves_scrubbing_too(here: Path, run: Run) -> None:
    (here / "note.txt").write_text("Mr. John Smith, 123-45-6789, came in.")
    made = ("scrub", here / "note.txt", "--key", here / "people.key", "-o")
    for out in ("a.txt", "b.txt"):
        assert run(*made, here / out).exit_code == 0
    assert (here / "a.txt").read_text() == (here / "b.txt").read_text()


def _encrypted(run: Run, here: Path) -> Path:
    _write_policy(here, "visits", "ssn", "age", "  ill: {role: sensitive}\n", how="")
    _release(run, here, "visits", "out.csv")
    return here / "out.csv"


def test_encrypted_pseudonyms_are_turned_back(here: Path, run: Run) -> None:
    out, back = _encrypted(run, here), here / "back.csv"
    result = run("restore", out, "--column", "ssn", "--key", here / "people.key", "-o", back)
    assert result.exit_code == 0 and "40 different" in result.stdout
    assert stat.S_IMODE(back.stat().st_mode) == 0o600
    with back.open() as file:
        assert [row["ssn"] for row in csv.DictReader(file)] == [*PEOPLE, *PEOPLE]
    facts = run(
        *("restore", out, "--column", "ssn", "--key", here / "people.key", "-o", back),
        *("--force", "--json"),
    )
    assert json.loads(facts.stdout) == {"columns": {"ssn": 40}, "out": str(back)}


def test_foreign_tokens_are_refused_and_nothing_is_written(here: Path, run: Run) -> None:
    out, back = _encrypted(run, here), here / "back.csv"
    with out.open("a") as file:
        file.write("abc,31,flu\n")
    made = ("restore", out, "--column", "ssn", "-o", back, "--key")
    result = run(*made, here / "people.key")
    assert result.exit_code == 2 and "1 of its 41" in result.stderr
    assert run("key", here / "other.key").exit_code == 0
    assert "41 of its 41" in run(*made, here / "other.key").stderr
    assert run(*made, here / "people.key", "--domain", "x").exit_code == 2
    assert run(*made, here / "lost.key").exit_code == 2
    assert not back.exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--key", "people.key", "-o", "back.csv"), "--column"),
        (("--column", "ssn", "-o", "back.csv"), "--key"),
        (("--column", "ssn", "--key", "people.key"), "-o"),
        (("--column", "sn", "--key", "people.key", "-o", "back.csv"), "no column 'sn'"),
        (("--column", "ssn", "--key", "people.key", "-o", "out.csv"), "file that is read"),
        (("--column", "ssn", "--key", "people.key", "-o", "b.csv", "--domain", ""), "domain"),
        (("--column", "ssn", "--key", "people.key", "-o", "b.csv", "--domain", "\udcff"), "a text"),
    ],
)
def test_what_restore_needs_is_said(
    here: Path, run: Run, more: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = _encrypted(run, here)
    monkeypatch.chdir(here)
    result = run("restore", out, *more)
    assert result.exit_code == 2 and said in result.stderr
