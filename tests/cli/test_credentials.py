"""A password in an address is never shown, wherever the address is given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.display import find_address_kind, hide_credentials
from discreet.errors import DiscreetError, LedgerError, SourceError, WriteError
from discreet.hierarchy.file import make_file_error
from discreet.pseudonyms.key import load_key

SECRET = "s3cr3t"
ADDRESSES = [
    f"postgresql://ann:{SECRET}@db.example.org/people",
    f"postgresql://ann:{SECRET}@{SECRET}@db/people.csv",
    f"postgresql://ann:x {SECRET}@db/people.csv",
    f"postgresql://ann:x/{SECRET}@db/people.csv",
    f"mysql+pymysql://{SECRET}@db/people",
    f"jdbc:oracle:thin:scott/{SECRET}@db:1521:people",
    f"jdbc:postgresql://db/people?user=ann&password={SECRET}",
    f"https://example.org/people.csv?token={SECRET}&x=1",
    f"s3://AKIA:{SECRET}@bucket/people.parquet",
    f"host=db user=ann password={SECRET} dbname=people",
    f"host=db password='a {SECRET}' dbname=people",
    f"host=db password=a/{SECRET}",
    f"Server=db;Database=people;Uid=ann;Pwd={{{SECRET};x}};",
    f"ann:{SECRET}@db/people",
    f"ann:{SECRET}@[::1]/people",
    f"postgresql://ann:{SECRET}\n@db/people",
    f"postgresql://ann:{SECRET}",
    f"postgresql://ann:{SECRET}/people",
    f"postgresql://ann:7{SECRET}/people",
    f"https://example.org/people.csv?{SECRET}",
    f"host=db password=a\\ {SECRET}",
    f"host=db password='never closed {SECRET}",
    f"host=db pw={SECRET}",
    f"host=db aws_access_key_id={SECRET} credential={SECRET}",
    f"age=https://ann:{SECRET}@example.org/people.csv",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_shown_without_its_password(address: str) -> None:
    for text in (address, str(Path(address)), f"'{address}': no such file", f"({address})"):
        assert SECRET not in hide_credentials(text)


@pytest.mark.parametrize(
    "text",
    [
        "people.csv: there is no such file. Looked in /home/ann.",
        "C:/Users/ann@work/people.csv",
        "http://localhost:8080/people.csv, http://localhost:8080: refused",
        "column 'password': 3 of its values are not numbers",
        "policy.yaml, line 3: columns.age: 'role' is missing. Write role: quasi.",
        "names: {zip: postcode} in k_map, perhaps key=patient_key",
    ],
)
def test_what_is_not_an_address_is_shown_as_it_is(text: str) -> None:
    assert hide_credentials(text) == text
    assert find_address_kind(text.split(":")[0]) is None


PLACES: dict[str, tuple[str, ...]] = {
    "a file": ("inspect", "@"),
    "a file with options": ("anonymize", "@", "-q", "age", "-k", "2", "--json"),
    "-o": ("anonymize", "{table}", "-q", "age", "-k", "2", "-o", "@"),
    "--policy": ("anonymize", "{table}", "--policy", "@"),
    "--ledger": ("anonymize", "{table}", "-q", "age", "-k", "2", "-o", "x.csv", "--ledger", "@"),
    "--write-policy": ("inspect", "{table}", "--write-policy", "@"),
    "--register": ("attack", "{table}", "-q", "age", "--register", "@"),
    "--original": ("attack", "{table}", "-q", "age", "--original", "@"),
    "verify": ("verify", "@", "-q", "age", "-k", "2"),
    "ledger": ("ledger", "list", "@"),
    "key": ("key", "@"),
    "restore": ("restore", "{table}", "--column", "name", "--key", "@", "-o", "x.csv"),
    "scrub": ("scrub", "@"),
    "scrub -o": ("scrub", "{table}", "-o", "@"),
    "a number": ("anonymize", "{table}", "-q", "age", "-k", "@"),
    "one too many": ("inspect", "{table}", "@"),
    "a command": ("@",),
    "an option": ("inspect", "{table}", "--@"),
    "a column": ("risk", "{table}", "-q", "@"),
    "a separator": ("inspect", "{table}", "--separator", "@"),
    "an encoding": ("inspect", "{table}", "--encoding", "@"),
    "a table of several": ("together", "people=@", "--policy", "@"),
}


@pytest.mark.parametrize("address", [ADDRESSES[0], *ADDRESSES[7:10], ADDRESSES[11]])
@pytest.mark.parametrize("place", PLACES)
def test_no_command_shows_a_password(
    run: Any, table: Path, tmp_path: Path, monkeypatch: Any, place: str, address: str
) -> None:
    monkeypatch.chdir(tmp_path)
    args = [one.replace("@", address).replace("{table}", str(table)) for one in PLACES[place]]
    for more in ((), ("--json",)):
        result = run(*args, *more)
        assert result.exit_code == 2
        assert result.stderr.startswith("discreet: ")
        assert SECRET not in result.stdout + result.stderr


def test_no_folder_is_made_with_a_password_in_its_name(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("demo", "--folder", ADDRESSES[-1])
    assert result.exit_code == 2 and SECRET not in result.stdout + result.stderr
    assert not list(tmp_path.iterdir())


def test_a_command_says_what_to_do_with_a_database(run: Any, table: Path) -> None:
    for args, fix in (
        (("inspect", ADDRESSES[4]), "Export the table to a file"),
        (("anonymize", table, "-q", "age", "-o", ADDRESSES[9]), "Write to a file"),
    ):
        said = run(*args).stderr
        assert "the address of a database" in said and fix in said
    assert "Download it first" in run("inspect", ADDRESSES[7]).stderr


@pytest.mark.parametrize(
    "columns, require",
    [
        ("{age: {role: quasi, hierarchy: {file: '%s'}}}", "k_anonymity: {k: 2}"),
        ("{age: {role: quasi}}", "k_map: {k: 2, register: '%s'}"),
        ("{age: {role: quasi}, name: {role: identifier, replace: {pseudonym: {key: '%s'}}}}",
         "k_anonymity: {k: 2}"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("address", [ADDRESSES[0], ADDRESSES[9], ADDRESSES[11]])
def test_no_path_in_a_policy_shows_a_password(
    run: Any, table: Path, tmp_path: Path, columns: str, require: str, address: str
) -> None:
    text = f"columns: {columns}\nrequire:\n  - {require}\n".replace("%s", address)
    (tmp_path / "p.yml").write_text(text)
    result = run("anonymize", table, "--policy", tmp_path / "p.yml")
    assert result.exit_code == 2
    assert SECRET not in result.stdout + result.stderr
    assert "the address of a database" in result.stderr


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_error_of_the_library_shows_a_password(address: str, tmp_path: Path) -> None:
    import pyarrow as pa

    release = discreet.anonymize(
        pa.table({"age": ["1", "1"]}), discreet.Policy.from_flags(["age"], k=2)
    )
    calls = [
        lambda: discreet.read(address),
        lambda: discreet.read(Path(address)),
        lambda: discreet.Policy.load(address),
        lambda: discreet.Ledger.read(address),
        lambda: discreet.Ledger.open(address).__enter__(),
        lambda: load_key(address),
        lambda: release.write(address),
    ]
    for call in calls:
        with pytest.raises(DiscreetError) as caught:
            call()
        assert SECRET not in str(caught.value) + repr(caught.value)


def test_every_error_hides_a_password_in_its_message() -> None:
    where = ADDRESSES[0]
    for error in (
        make_file_error(where, "it is empty", "Fill it."),
        LedgerError(Path(where), "it is broken", ""),
        SourceError(where, f"{where} is not there", f"Looked in {where}."),
        WriteError(where, "it is there", "Name another."),
    ):
        assert SECRET not in str(error) + repr(error)


def test_a_file_with_such_a_name_is_read(run: Any, table: Path) -> None:
    odd = table.with_name("host=db password=x.csv")
    odd.write_bytes(table.read_bytes())
    assert run("inspect", odd).exit_code == 0


def test_the_program_itself_hides_a_password_of_an_argument() -> None:
    call = [sys.executable, "-m", "discreet", "inspect", ADDRESSES[0], ADDRESSES[7]]
    result = subprocess.run(call, capture_output=True, text=True, check=False)
    assert result.returncode == 2 and SECRET not in result.stdout + result.stderr


def test_what_was_written_is_told_without_a_password(run, table, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for args in (("anonymize", table, "-q", "age", "-k", "1"), ("scrub", table)):
        result = run(*args, "-o", f"ann:{SECRET}@db.{args[0]}.csv")
        assert result.exit_code == 0 and "Written to ...@db" in result.stdout
        assert SECRET not in result.stdout + result.stderr
