"""What is signed, what is not, and what a certificate never shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import discreet
from discreet.certificate.certify import NotSignedError
from discreet.certificate.envelope import read_envelope
from discreet.errors import ArgumentError, CertificateError
from tests.certificate.conftest import POLICY, Made


def read_payload(certificate: Path) -> bytes:
    return read_envelope(certificate).payload


def list_values(said: Any) -> Iterator[Any]:
    if isinstance(said, dict | list):
        for one in said.values() if isinstance(said, dict) else said:
            yield from list_values(one)
    else:
        yield said


def test_the_predicate_is_what_its_schema_says(made: Made) -> None:
    predicate = json.loads(read_payload(made.certificate))["predicate"]
    jsonschema.validate(predicate, discreet.certificate_schema())


def test_seed_comments_and_plain_hashes_of_what_is_private_are_not_in_it(made: Made) -> None:
    payload = read_payload(made.certificate)
    hidden = [made.private, made.policy]
    plain = [hashlib.sha256(one.read_bytes()).hexdigest() for one in hidden]
    for secret in ("20261118", "remark", *plain):
        assert secret.encode() not in payload


def test_exact_numbers_of_the_private_table_are_not_in_it(made: Made) -> None:
    stated = json.loads(read_payload(made.certificate))["predicate"]["stated"]
    values = list(list_values(stated))
    facts = json.loads(made.facts.read_text())
    exact = [facts["rows"], facts["rows_suppressed"], *facts["measures"].values()]
    exact = [one for one in exact if one not in (0, 1)]
    assert len(exact) >= 5
    assert not [one for one in exact if one in values]


def test_a_policy_that_has_nothing_to_hide_is_signed_as_its_file_is(
    made: Made, tmp_path: Path
) -> None:
    plain = tmp_path / "plain.yaml"
    plain.write_text(POLICY.partition("\n")[2].replace("seed: 20261118\n", ""))
    facts = discreet.certify(made.release, plain, key=made.key).facts()
    assert facts["subjects"]["plain.yaml"] == hashlib.sha256(plain.read_bytes()).hexdigest()


def test_a_release_that_breaks_a_promise_is_not_signed(made: Made, tmp_path: Path) -> None:
    strict = tmp_path / "strict.yaml"
    strict.write_text(POLICY.replace("k: 4", "k: 60"))
    with pytest.raises(NotSignedError, match="k_anonymity does not hold"):
        discreet.certify(made.release, strict, key=made.key)


def test_facts_of_another_release_are_refused(made: Made, tmp_path: Path) -> None:
    facts = json.loads(made.facts.read_text())
    for change in ({"rows_released": 7}, {"levels": {"zip": 0}}, {"verdicts": []}):
        with pytest.raises(CertificateError, match="not of this file"):
            discreet.certify(made.release, made.policy, key=made.key, facts={**facts, **change})


def test_a_release_that_an_attack_breaks_is_not_signed(made: Made) -> None:
    found = discreet.attack(made.release, policy=made.policy).facts()
    stated = discreet.certify(made.release, made.policy, key=made.key, facts=found)
    names = [one["attack"] for one in stated.facts()["predicate"]["stated"]["attacks"]]
    assert "homogeneity" in names
    found["attacks"][0]["breaks"] = True
    with pytest.raises(NotSignedError, match=found["attacks"][0]["attack"]):
        discreet.certify(made.release, made.policy, key=made.key, facts=found)


def test_a_date_that_is_past_or_none_is_refused(made: Made) -> None:
    for date in ("2020-01-01", "tomorrow", "2999-02-30", "2999-01-01T10:00"):
        with pytest.raises(ArgumentError, match="valid_until"):
            discreet.certify(made.release, made.policy, key=made.key, valid_until=date)


def test_the_entry_of_the_ledger_is_found_by_the_bytes_of_the_file(
    made: Made, tmp_path: Path
) -> None:
    ledger, file = tmp_path / "ledger.jsonl", tmp_path / "again.csv"
    with discreet.Ledger.open(ledger) as held:
        release = discreet.anonymize_again(made.private, made.policy, held, to="lab")
        release.write(file)
    made_now = discreet.certify(file, made.policy, key=made.key, ledger=ledger, facts=release)
    stated = made_now.facts()["predicate"]["stated"]
    assert (stated["ledger"]["number"], stated["ledger"]["to"]) == (1, "lab")
    assert stated["search"]["proven"]
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(CertificateError, match="no release in it has the bytes"):
        discreet.certify(file, made.policy, key=made.key, ledger=ledger)


def test_two_subjects_of_one_name_are_refused(made: Made, tmp_path: Path) -> None:
    report = tmp_path / "release.csv"
    report.write_text("a report")
    with pytest.raises(CertificateError, match=r"release\.csv: two files"):
        discreet.certify(made.release, made.policy, key=made.key, also=[report])


def test_a_key_that_cannot_or_must_not_sign_is_refused(made: Made, tmp_path: Path) -> None:
    loose = tmp_path / "loose.key"
    loose.write_bytes(made.key.read_bytes())
    loose.chmod(0o640)
    pseudonyms = tmp_path / "pseudonyms.key"
    discreet.ReplacementKey.create(pseudonyms)
    wrong = {
        made.public: "cannot sign",
        loose: "chmod 600",
        pseudonyms: "not an Ed25519 key",
        tmp_path / "none": "no such file",
        tmp_path: "folder",
    }
    for key, why in wrong.items():
        with pytest.raises(CertificateError, match=why):
            discreet.certify(made.release, made.policy, key=key)


def test_a_signing_key_is_for_its_owner_alone_and_never_replaced(made: Made) -> None:
    assert made.key.stat().st_mode & 0o777 == 0o600
    before = made.key.read_bytes()
    with pytest.raises(CertificateError, match="never replaced"):
        discreet.SigningKey.create(made.key)
    assert made.key.read_bytes() == before
    with pytest.raises(discreet.errors.PseudonymError, match="not a key that discreet made"):
        discreet.pseudonyms.key.load_key(made.key)
