"""``discreet ledger`` and ``discreet anonymize --ledger``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from discreet.ledger.ledger import Ledger
from discreet.table import atomic


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "releases.ledger"


@pytest.fixture
def release(run: Any, table: Path, policy: Path, tmp_path: Path, ledger: Path) -> Any:
    """Release the table through the ledger."""

    def make(name: str, *more: Any) -> Any:
        target = ("-o", tmp_path / name, "--ledger", ledger)
        return run("anonymize", table, "--policy", policy, *target, *more)

    return make


def test_a_release_is_entered_and_the_next_is_put_beside_it(
    run: Any, release: Any, ledger: Path, table: Path
) -> None:
    first = release("first.csv", "--to", "public")
    assert first.exit_code == 0
    assert "No earlier release of this table is known to public." in first.stdout
    assert f"Entered in {ledger} as release 1 to public." in first.stdout
    table.write_text(table.read_text() + "n7,27,02131,flu\nn8,28,02132,flu\nn9,29,02133,flu\n")
    second = json.loads(release("second.csv", "--to", "Council", "--json").stdout)
    assert second["ledger"] == {
        "file": str(ledger),
        "number": 2,
        "to": "council",
        "table": "table",
        "known": [1],
    }
    assert second["levels"] == {"age": 2, "zip": 1}
    listed = json.loads(run("ledger", "list", ledger, "--json").stdout)["releases"]
    assert [(one["number"], one["to"], one["file"]) for one in listed] == [
        (1, "public", "first.csv"),
        (2, "council", "second.csv"),
    ]
    shown = run("ledger", "list", ledger).stdout
    assert "council" in shown
    assert "second.csv" in shown
    full = run("ledger", "show", ledger, "1").stdout
    assert "k_anonymity: {k: 3}" in full
    assert json.loads(run("ledger", "show", ledger, "--json").stdout)["number"] == 2


def test_without_a_target_nothing_is_entered(
    run: Any, table: Path, policy: Path, ledger: Path
) -> None:
    result = run("anonymize", table, "--policy", policy, "--ledger", ledger, "--to", "lab")
    assert result.exit_code == 0
    assert "Entered" not in result.stdout
    assert run("ledger", "list", ledger).stdout == "No release yet.\n"


def test_check_says_whether_a_file_is_a_release(
    run: Any, release: Any, ledger: Path, tmp_path: Path, table: Path
) -> None:
    release("first.csv", "--to", "public")
    good = run("ledger", "check", ledger, "--file", tmp_path / "first.csv")
    assert good.exit_code == 0
    assert "unchanged since it was written (1 entries)" in good.stdout
    assert "first.csv is release 1." in good.stdout
    other = run("ledger", "check", ledger, "--file", table)
    assert other.exit_code == 1
    assert "IS NONE" in other.stdout


def test_an_edited_ledger_is_found_and_nothing_is_released(
    run: Any, release: Any, ledger: Path, tmp_path: Path
) -> None:
    release("first.csv", "--to", "public")
    ledger.write_text(ledger.read_text().replace('"to":"public"', '"to":"nobody"'))
    found = run("ledger", "check", ledger)
    assert found.exit_code == 1
    assert "line 1 was changed" in found.stdout
    facts = json.loads(run("ledger", "check", ledger, "--json").stdout)
    assert (facts["holds"], len(facts["problems"])) == (False, 1)
    refused = release("second.csv", "--to", "public")
    assert refused.exit_code == 2
    assert "Restore ledger and key from a copy" in refused.stderr
    assert not (tmp_path / "second.csv").exists()
    assert run("ledger", "list", ledger).exit_code == 2


def test_a_ledger_in_use_is_said_at_once(release: Any, ledger: Path, tmp_path: Path) -> None:
    with Ledger.open(ledger):
        refused = release("first.csv", "--to", "public")
    assert refused.exit_code == 2
    assert "another run of discreet is using it. Wait" in refused.stderr
    assert not (tmp_path / "first.csv").exists()


def test_whom_a_release_goes_to_is_asked_for(release: Any, ledger: Path) -> None:
    refused = release("first.csv")
    assert refused.exit_code == 2
    assert "--to NAME" in refused.stderr
    assert not ledger.exists()


@pytest.mark.parametrize("flag", ["--to", "--table"])
def test_options_of_the_ledger_need_it(run: Any, table: Path, policy: Path, flag: str) -> None:
    refused = run("anonymize", table, "--policy", policy, flag, "public")
    assert refused.exit_code == 2
    assert "Give --ledger L too." in refused.stderr


def test_the_release_does_not_replace_the_ledger_or_its_key(
    run: Any, release: Any, table: Path, policy: Path, ledger: Path
) -> None:
    release("first.csv", "--to", "public")
    key = ledger.with_name(f"{ledger.name}.key")
    for target in (ledger, key):
        where = ("-o", target, "--force", "--ledger", ledger, "--to", "public")
        refused = run("anonymize", table, "--policy", policy, *where)
        assert refused.exit_code == 2
        assert "this is the file that is read" in refused.stderr


def test_a_refusal_names_the_release_and_the_way_out(release: Any, policy: Path) -> None:
    release("first.csv", "--to", "public")
    policy.write_text(policy.read_text().replace("zip: {role: quasi,", "zip: {role: identifier} #"))
    refused = release("second.csv", "--to", "lab")
    assert refused.exit_code == 2
    assert "earlier release 1: zip was released as quasi" in refused.stderr
    assert "Add zip with role quasi" in refused.stderr


def test_tables_of_other_names_are_about_other_people(release: Any, policy: Path) -> None:
    release("first.csv", "--to", "public", "--table", "patients")
    policy.write_text(policy.read_text().replace("zip: {role: quasi,", "zip: {role: identifier} #"))
    assert release("second.csv", "--to", "public", "--table", "staff").exit_code == 0


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("show", "L", "7"), "has no release 7. It has 1."),
        (("list", "L", "1"), "'list' is about all releases"),
        (("list", "L", "--file", "x"), "Use it with check."),
        (("check", "L", "--file", "nowhere.csv"), "cannot be read"),
        (("list", "nowhere"), "there is no such file"),
    ],
)
def test_questions_that_make_no_sense_are_answered(
    run: Any, release: Any, ledger: Path, args: tuple[str, ...], told: str
) -> None:
    release("first.csv", "--to", "public")
    result = run("ledger", *(ledger if arg == "L" else arg for arg in args))
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_release_of_a_killed_run_is_listed_as_unconfirmed(
    run: Any, release: Any, ledger: Path
) -> None:
    release("first.csv", "--to", "public")
    with Ledger.open(ledger) as held:
        held.add(replace(held.releases()[0], number=2), confirmed=False)
    listed = run("ledger", "list", ledger)
    assert "public (unconfirmed)" in listed.stdout
    assert "may be out, and counts as released" in listed.stdout
    facts = json.loads(run("ledger", "list", ledger, "--json").stdout)["releases"]
    assert [(one["confirmed"], one["withdrawn"]) for one in facts] == [
        (True, False),
        (False, False),
    ]
    checked = run("ledger", "check", ledger)
    assert checked.exit_code == 0
    assert "Release 2 is unconfirmed." in checked.stdout
    assert json.loads(run("ledger", "check", ledger, "--json").stdout)["unconfirmed"] == [2]


def test_a_release_whose_name_is_taken_meanwhile_is_not_in_the_ledger(
    release: Any, ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = atomic.take_name

    def take(hidden: Path, target: Path, replace: bool) -> None:
        if target.name == "first.csv" and not replace:
            target.write_text("of another run")
        real(hidden, target, replace)

    monkeypatch.setattr(atomic, "take_name", take)
    done = release("first.csv", "--to", "public")
    assert done.exit_code == 2
    assert "created this in the meantime" in done.stderr
    assert (tmp_path / "first.csv").read_text() == "of another run"
    assert Ledger.read(ledger).releases() == ()
    assert release("first.csv", "--to", "public", "--force").exit_code == 0
    assert (tmp_path / "first.csv").read_text().startswith("age,")
    assert [one.file for one in Ledger.read(ledger).releases()] == ["first.csv"]


def test_an_interrupted_membership_is_not_said_to_be_unwritten(
    run: Any, release: Any, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release("first.csv", "--to", "lab")
    whole = Ledger.include

    def include_and_stop(self: Ledger, audience: str, includes: Any) -> None:
        whole(self, audience, includes)
        raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "include", include_and_stop)
    ended = run("ledger", "audience", ledger, "lab", "--includes", "clinic")
    assert ended.exit_code == 2
    assert "nothing was written" not in ended.stderr
    assert "the membership may have been written" in ended.stderr
