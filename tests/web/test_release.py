"""The screen that makes, writes and verifies a release, and what goes with it."""

from __future__ import annotations

import asyncio
import errno
import gc
import io
import os
import re
import shlex
import stat
import zipfile
from pathlib import Path

import httpx2
import pytest
from typer.testing import CliRunner

from discreet.cli.app import app as command
from discreet.errors import DiscreetError
from discreet.web.app import App
from discreet.web.screens import release as screen
from discreet.web.screens import screen as shape
from discreet.web.screens.screen import Fields
from discreet.web.workspace import Workspace
from tests.web.client import POLICY, ROWS, SECRET, Client

SEEDED = f"{POLICY.replace('k: 3', 'k: 5')}seed: 7\n"


@pytest.fixture
def ready(client: Client, place: str) -> str:
    """The address of a workspace with a policy that has a seed."""
    client.submit(f"{place}/policy/apply", text=SEEDED)
    return place


def make(client: Client, place: str, **fields: str) -> httpx2.Response:
    return client.submit(f"{place}/release/make", **{"way": "path", **fields})


def test_the_page_says_what_is_released_under_which_promises_and_where(
    client: Client, ready: str, table: Path
) -> None:
    page = client.visit(f"{ready}/release").text
    assert "From 120 rows of patients.csv: 3 columns." in page
    assert "2 columns stay in the house." in page
    assert "looks like at least 4 others" in page
    assert f'value="{table.with_name("patients_release.csv")}"' in page


def test_the_release_is_the_one_of_the_command_byte_for_byte(
    client: Client, ready: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = table.with_name("out.csv")
    page = make(client, ready, path=str(target)).text
    assert "The release is written and verified" in page
    shown = re.search(r'id="made-command".*?>(.*?)</pre>', page, re.S)
    assert shown is not None
    (table.parent / "policy.yaml").write_text(SEEDED)
    monkeypatch.chdir(table.parent)
    words = shlex.split(shown[1])
    made = target.read_bytes()
    assert words[0] == "discreet"
    target.unlink()
    done = CliRunner().invoke(command, words[1:])
    assert done.exit_code == 0, done.output
    assert target.read_bytes() == made


def test_what_was_counted_in_the_written_file_is_shown_and_no_cell(
    client: Client, ready: str, table: Path
) -> None:
    page = make(client, ready, path=str(table.with_name("out.csv"))).text
    result = page[page.index('id="made"') :]
    assert "Promises, as counted in the written file" in result
    assert "✓ holds" in result
    assert "Rows suppressed" in result
    assert "Person 1" not in result
    assert "gout" not in result


def test_what_nobody_promised_is_warned_of_as_on_the_command_line(
    client: Client, place: str, table: Path
) -> None:
    text = POLICY.replace("disease: {role: sensitive}", "name: {role: other}")
    client.submit(f"{place}/policy/apply", text=text)
    page = make(client, place, path=str(table.with_name("out.csv"))).text
    assert re.search("<strong>Warning:</strong> <span lang=.en.>.*name.*120", page)


def test_a_target_that_exists_is_asked_about(client: Client, ready: str, table: Path) -> None:
    target = table.with_name("out.csv")
    target.write_text("mine")
    answer = make(client, ready, path=str(target))
    assert answer.status_code == 422
    assert "this exists already" in answer.text
    assert 'name="replace"' in answer.text
    assert target.read_text() == "mine"
    answer = make(client, ready, path=str(target), replace="1")
    assert answer.status_code == 200
    assert target.read_text() != "mine"
    assert 'name="replace"' not in answer.text


@pytest.mark.parametrize("name", ["patients.csv", "link.csv", "policy.yaml"])
def test_what_the_release_is_made_from_is_never_replaced(
    client: Client, ready: str, table: Path, policy: Path, name: str
) -> None:
    client.submit(f"{ready}/policy/load", path=str(policy))
    table.with_name("link.csv").symlink_to(table)
    before = table.read_bytes(), policy.read_bytes()
    answer = make(client, ready, path=str(table.with_name(name)), replace="1")
    assert answer.status_code == 422
    assert re.search("this is the file that is read|read or kept", answer.text)
    assert (table.read_bytes(), policy.read_bytes()) == before


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"path": ""}, "the path: it is empty"),
        ({"path": "/nowhere/at/all.csv"}, "there is no folder"),
        ({"path": "/dev"}, "tables of two releases must not be mixed"),
        ({"way": "download", "name": "../up.csv"}, "this is not the name of a file"),
        ({"way": "download", "name": "up"}, "needs an ending"),
    ],
)
def test_a_bad_target_is_refused_in_place(
    client: Client, ready: str, fields: dict[str, str], message: str
) -> None:
    answer = make(client, ready, **fields)
    assert answer.status_code == 422
    assert message in answer.text


def test_a_policy_that_cannot_be_kept_writes_nothing(
    client: Client, place: str, table: Path
) -> None:
    client.submit(f"{place}/policy/apply", text=POLICY.replace("k: 3", "k: 500"))
    target = table.with_name("out.csv")
    answer = make(client, place, path=str(target))
    assert answer.status_code == 422
    assert not target.exists()
    assert not list(table.parent.glob(".*"))


def test_a_full_disk_leaves_nothing(
    client: Client, ready: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_up(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", fill_up)
    answer = make(client, ready, path=str(table.with_name("out.csv")))
    assert answer.status_code == 422
    assert "the disk is full" in answer.text
    assert sorted(one.name for one in table.parent.iterdir()) == ["patients.csv"]


def test_a_release_that_an_attack_breaks_is_not_written(
    client: Client, place: str, table: Path
) -> None:
    text = POLICY.replace("- k_anonymity: {k: 3}", "- k_anonymity: {k: 5}\norder: keep")
    client.submit(f"{place}/policy/apply", text=text)
    target = table.with_name("out.csv")
    page = make(client, place, path=str(target), attack="1").text
    assert "Nothing was written" in page
    assert "SUCCEEDS" in page
    assert not target.exists()


def test_a_release_that_withstands_is_written_with_its_attacks(
    client: Client, ready: str, table: Path
) -> None:
    target = table.with_name("out.csv")
    page = make(client, ready, path=str(target), attack="1").text
    assert "withstood" in page
    assert "discreet attack" in page
    assert target.exists()


def test_a_ledger_gets_an_entry_and_its_messages_are_shown(
    client: Client, ready: str, table: Path
) -> None:
    ledger = table.with_name("releases.ledger")
    answer = make(client, ready, path=str(table.with_name("a.csv")), ledger=str(ledger))
    assert answer.status_code == 422
    assert "the recipient is missing" in answer.text
    assert not ledger.exists()
    fields = {"ledger": str(ledger), "to": "public"}
    page = make(client, ready, path=str(table.with_name("a.csv")), **fields).text
    assert "Entered in the ledger as release 1 to public." in page
    answer = make(client, ready, path=str(ledger), replace="1", **fields)
    assert "read or kept for this release" in answer.text


# Downloads


def find_folders() -> set[Path]:
    return set(shape.MEMORY.glob("discreet-*"))


def test_a_download_is_in_memory_for_its_owner_alone_and_gone_after_close(
    app: App, client: Client, ready: str, table: Path
) -> None:
    before = find_folders()
    page = make(client, ready, way="download", name="out.csv").text
    (folder,) = find_folders() - before
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert str(folder) not in page
    content = client.visit(f"{ready}/release/file?key=release")
    assert content.text.startswith("age,zip,disease")
    assert "out.csv" in content.headers["content-disposition"]
    assert client.visit(f"{ready}/release/file?key=policy").text == SEEDED
    client.submit(f"/{SECRET}/close", htmx=False)
    gc.collect()
    assert not folder.exists()
    assert sorted(one.name for one in table.parent.iterdir()) == ["patients.csv"]


def test_what_is_refused_takes_nothing_from_the_release_before(
    client: Client, ready: str, table: Path
) -> None:
    make(client, ready, way="download", name="out.csv")
    for fields in ({"path": ""}, {"way": "download", "name": "up"}):
        assert make(client, ready, **fields).status_code == 422
    assert client.visit(f"{ready}/release/file?key=release").text.startswith("age,zip,disease")


def test_a_download_that_fails_leaves_nothing(client: Client, place: str) -> None:
    before = find_folders()
    client.submit(f"{place}/policy/apply", text=POLICY.replace("k: 3", "k: 500"))
    assert make(client, place, way="download", name="out.csv").status_code == 422
    gc.collect()
    assert find_folders() == before
    assert client.visit(f"{place}/release/file?key=release").status_code == 422


def test_without_a_folder_in_memory_there_are_no_downloads(
    client: Client, ready: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shape, "MEMORY", tmp_path / "none")
    answer = make(client, ready, way="download", name="out.csv")
    assert answer.status_code == 422
    assert "Write to a path" in answer.text


def test_reports_metadata_and_certificate_go_with_it_in_one_archive(
    client: Client, ready: str, table: Path
) -> None:
    make(client, ready, way="download", name="out.csv", attack="1")
    key = table.with_name("signing.key")
    kinds = {"inside": "1", "outside": "1", "metadata": "1", "certificate": "1"}
    answer = client.submit(f"{ready}/release/files", key=str(key), draw="1", **kinds)
    assert answer.status_code == 200, answer.text
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    (inside,) = shape.MEMORY.glob("discreet-*/out_report_inside.html")
    assert stat.S_IMODE(inside.stat().st_mode) == 0o600
    archive = zipfile.ZipFile(io.BytesIO(client.visit(f"{ready}/release/all").content))
    names = set(archive.namelist())
    assert {
        "hand_out/out.csv",
        "hand_out/out_report.html",
        "hand_out/out_certificate.json",
        "keep_in_the_house/out_report_inside.html",
        "keep_in_the_house/policy.yaml",
    } <= names
    assert any(name.startswith("hand_out/metadata/") for name in names)
    for name in names:
        text = archive.read(name).decode()
        assert "Person 1" not in text
        assert "/dev/shm" not in text, name


def test_a_certificate_needs_a_key(client: Client, ready: str, table: Path) -> None:
    make(client, ready, path=str(table.with_name("out.csv")))
    answer = client.submit(f"{ready}/release/files", certificate="1")
    assert answer.status_code == 422
    assert "no signing key is named" in answer.text


def test_the_page_says_that_the_policy_was_changed_since(
    client: Client, ready: str, table: Path
) -> None:
    make(client, ready, path=str(table.with_name("out.csv")))
    page = client.submit(f"{ready}/roles/set", column="age", role="other").text
    page = client.visit(f"{ready}/release").text
    assert "The policy was changed after this release was made." in page


def test_mistakes_in_the_policy_are_pointed_out(client: Client, place: str) -> None:
    client.submit(f"{place}/policy/apply", text="columns: [")
    assert "The policy has mistakes" in client.visit(f"{place}/release").text
    assert make(client, place, path="/tmp/never.csv").status_code == 422


@pytest.mark.parametrize("way", ["path", "download"])
def test_a_release_that_is_cancelled_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(screen, "SHORT", 0)
    private = tmp_path / "patients.csv"
    private.write_text("\n".join([ROWS[0], *ROWS[1:] * 400]) + "\n")
    before = find_folders()

    async def run() -> str:
        workspace = Workspace("one")
        await workspace.open({"path": str(private)})
        await workspace.change_text(SEEDED)
        fields = {"way": way, "path": str(tmp_path / "out.csv"), "name": "out.csv"}
        await screen.make(workspace, Fields(fields))
        await workspace.cancel()
        assert workspace.job is not None
        facts = await screen.collect(workspace, Fields())
        assert facts["made"] is None
        assert find_folders() == before
        state = workspace.job.state
        workspace.close()
        return state

    assert asyncio.run(run()) == "cancelled"
    assert [one.name for one in tmp_path.iterdir()] == ["patients.csv"]


def test_the_folder_in_memory_goes_with_the_object() -> None:
    folder = shape.MemoryFolder()
    path = folder.path
    (path / "report.html").write_text("private")
    del folder
    gc.collect()
    assert not path.exists()


def test_names_are_names(client: Client, ready: str) -> None:
    for name in ("", ".", "a/b.csv"):
        with pytest.raises(DiscreetError):
            screen._check_name(name)
