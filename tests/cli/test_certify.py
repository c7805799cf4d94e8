"""``discreet certify`` and ``verify --certificate``: 0 holds, 1 refused, 2 a wrong request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.certificate.envelope import Envelope, read_envelope
from discreet.certificate.keys import load_signing_key


@pytest.fixture
def release(tmp_path: Path) -> Path:
    path = tmp_path / "release.csv"
    path.write_text("age,zip,disease\n" + "20-29,021**,flu\n20-29,021**,gout\n20-29,021**,flu\n")
    return path


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "signing.key"
    discreet.SigningKey.create(path)
    return path


@pytest.fixture
def certificate(tmp_path: Path, release: Path, policy: Path, key: Path) -> Path:
    path = tmp_path / "certificate.json"
    discreet.certify(release, policy, key=key).write(path)
    return path


def test_key_certify_and_verify_in_a_row(
    run: Any, tmp_path: Path, release: Path, policy: Path
) -> None:
    key, out = tmp_path / "new.key", tmp_path / "c.json"
    made = run("key", "--signing", key, "--json")
    fingerprint = json.loads(made.stdout)["fingerprint"]
    done = run("certify", release, "--policy", policy, "--key", key, "-o", out)
    assert (done.exit_code, "It shows the policy" in done.stdout) == (0, True), done.stderr
    found = run("verify", release, "--certificate", out, "--key", f"{key}.pub", "--json")
    assert found.exit_code == 0
    assert json.loads(found.stdout)["certificate"]["signed_by"] == [fingerprint]
    again = run("certify", release, "--policy", policy, "--key", key, "-o", out)
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)


def test_another_file_is_refused_by_name_even_if_it_cannot_be_read(
    run: Any, release: Path, certificate: Path, key: Path
) -> None:
    release.write_bytes(b"\x00\xff")
    result = run("verify", release, "--certificate", certificate, "--key", key)
    assert result.exit_code == 1
    assert "REFUSED (another file)" in result.stdout


def test_a_wrong_key_is_refused_by_name(
    run: Any, release: Path, certificate: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.key"
    discreet.SigningKey.create(other)
    result = run("verify", release, "--certificate", certificate, "--key", f"{other}.pub")
    assert result.exit_code == 1
    assert "REFUSED (wrong key)" in result.stdout


def test_an_unknown_version_is_a_wrong_request(
    run: Any, release: Path, certificate: Path, key: Path
) -> None:
    later = read_envelope(certificate).payload.replace(b"certificate:v1", b"certificate:v9")
    certificate.write_bytes(Envelope(later).sign(load_signing_key(key)).render())
    result = run("verify", release, "--certificate", certificate, "--key", key)
    assert result.exit_code == 2
    assert "supported: urn:discreet:release-certificate:v1" in result.stderr


def test_a_release_that_does_not_hold_is_not_signed(
    run: Any, release: Path, policy: Path, key: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c.json"
    release.write_text(release.read_text() + "30-39,021**,flu\n")
    result = run("certify", release, "--policy", policy, "--key", key, "-o", out)
    assert (result.exit_code, out.exists()) == (1, False)
    assert "NOT SIGNED" in result.stdout


def test_a_second_signature_is_added_in_place(
    run: Any, release: Path, certificate: Path, tmp_path: Path
) -> None:
    second = tmp_path / "second.key"
    discreet.SigningKey.create(second)
    result = run("certify", release, "--add-to", certificate, "--key", second)
    assert result.exit_code == 0, result.stderr
    assert len(read_envelope(certificate).signatures) == 2
    twice = run("certify", release, "--add-to", certificate, "--key", second)
    assert (twice.exit_code, "already" in twice.stderr) == (2, True)


def test_the_schema_is_printed(run: Any) -> None:
    result = run("certify", "--schema")
    assert json.loads(result.stdout)["$id"] == "urn:discreet:release-certificate:v1"


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("certify",), "Name the released file"),
        (("certify", "RELEASE"), "no signing key"),
        (("certify", "RELEASE", "--key", "KEY"), "--policy"),
        (("certify", "RELEASE", "--key", "KEY", "--add-to", "C", "--also", "KEY"), "--also"),
        (("certify", "RELEASE", "--key", "KEY", "--policy", "P", "-o", "c.pdf"), ".json"),
        (("verify", "RELEASE", "--certificate", "C"), "proves nothing without the key"),
        (("verify", "RELEASE", "--certificate", "C", "--key", "KEY", "-k", "3"), "its own policy"),
        (("verify", "RELEASE", "--policy", "P", "--key", "KEY"), "--certificate"),
        (("verify", "-", "--certificate", "C", "--key", "KEY"), "about a file"),
        (("verify", "RELEASE", "--certificate", "P", "--key", "KEY"), "not a certificate"),
        (("verify", "RELEASE", "--certificate", "C", "--key", "RELEASE"), "not an Ed25519 key"),
        (("verify", "none.csv", "--certificate", "C", "--key", "KEY"), "cannot be read"),
    ],
)
def test_a_wrong_request_says_what_to_do(
    run: Any,
    release: Path,
    policy: Path,
    key: Path,
    certificate: Path,
    args: tuple[str, ...],
    why: str,
) -> None:
    known = {"RELEASE": release, "P": policy, "KEY": key, "C": certificate}
    result = run(*(known.get(one, one) for one in args))
    assert result.exit_code == 2
    assert why in result.stderr


def test_tables_released_together_are_certified_as_a_whole(
    run: Any, tmp_path: Path, key: Path
) -> None:
    folder, policy, out = tmp_path / "out", tmp_path / "people.yaml", tmp_path / "c.json"
    folder.mkdir()
    for name, column in (("visits", "age"), ("drugs", "sex")):
        lines = [f"p{n},{'x'}" for n in range(6)]
        (folder / f"{name}.csv").write_text(f"pid,{column}\n" + "\n".join(lines) + "\n")
    policy.write_text(
        "columns: {visits.age: {role: quasi}, drugs.sex: {role: quasi}}\n"
        "people: {column: pid}\nrequire: [{k_anonymity: {k: 3}}]\n"
    )
    made = run("certify", folder, "--policy", policy, "--key", key, "-o", out)
    assert made.exit_code == 0, made.stderr + made.stdout
    given = ("verify", folder, "--certificate", out, "--key", key)
    assert run(*given).exit_code == 0
    assert run("verify", folder / "visits.csv", *given[2:]).exit_code == 1
    (folder / "notes.csv").write_text("pid,remark\np1,x\n")
    assert run(*given).exit_code == 1
    inside = run("certify", folder, "--policy", policy, "--key", key, "-o", folder / "c.json")
    assert (inside.exit_code, "folder that is read" in inside.stderr) == (2, True)
