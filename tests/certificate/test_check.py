"""A certificate holds for its file and nothing else; a recipient needs no more than openssl."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.certificate import check
from discreet.certificate.envelope import Envelope, encode_signed, read_envelope
from discreet.certificate.keys import load_signing_key
from discreet.certificate.statement import hash_text
from discreet.errors import ArgumentError, CertificateError
from tests.certificate.conftest import Made


def verify(made: Made, release: Path | None = None, certificate: Path | None = None) -> Any:
    return discreet.verify(
        release or made.release, certificate=certificate or made.certificate, key=made.public
    )


def sign(made: Made, said: dict[str, Any], target: Path) -> Path:
    """A certificate that says what it is told to, with a valid signature."""
    payload = json.dumps(said).encode()
    target.write_bytes(Envelope(payload).sign(load_signing_key(made.key)).render())
    return target


def read_statement(made: Made) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(read_envelope(made.certificate).payload)
    return found


def test_a_certificate_holds_for_its_file_under_any_name(made: Made, tmp_path: Path) -> None:
    renamed = tmp_path / "download.csv"
    shutil.copy(made.release, renamed)
    found = verify(made, renamed)
    assert found.holds
    assert [one.model for one in found.verdicts] == ["k_anonymity"]
    assert found.facts()["certificate"]["stated"]["search"]["algorithm"] == "optimal"


def tamper_with_certificate(made: Made) -> list[bytes]:
    """Certificates that differ in a byte, in what they say, or in who signed."""
    whole = made.certificate.read_bytes()
    start, end = whole.index(b'"payload"') + 13, whole.index(b'"signatures"') - 6
    flipped = []
    for place in [*range(start, end, (end - start) // 16), *range(end + 60, len(whole) - 12, 23)]:
        other = b"A" if whole[place : place + 1] != b"A" else b"B"
        flipped.append(whole[:place] + other + whole[place + 1 :])
    envelope = read_envelope(made.certificate)
    said = read_statement(made)
    lies: list[tuple[str, ...]] = [
        ("subject", "0", "digest", "sha256"),
        ("predicate", "valid_until"),
        ("predicate", "policy", "text"),
        ("predicate", "counted", "rows"),
        ("predicate", "stated", "search", "algorithm"),
        ("predicateType",),
    ]
    edited = []
    for path in lies:
        copy = json.loads(json.dumps(said))
        here = copy
        for step in path[:-1]:
            here = here[int(step)] if isinstance(here, list) else here[step]
        here[path[-1]] = "0" * 64 if path[-1] == "sha256" else "another"
        edited.append(Envelope(json.dumps(copy).encode(), envelope.signatures).render())
    signature = envelope.signatures[0]
    forger = Envelope(envelope.payload).sign(load_signing_key(made.other_key)).signatures[0]
    signed = [
        (),
        (signature._replace(raw=b""),),
        (signature._replace(raw=bytes(64)),),
        (signature._replace(raw=forger.raw),),
        (signature._replace(keyid=forger.keyid),),
        (forger,),
        (signature, signature),
    ]
    others = [Envelope(envelope.payload, one).render() for one in signed]
    written = base64.b64encode(signature.raw)  # ends in ==: four bits of its last letter are spare
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    spare = letters[letters.index(written[-3]) ^ 1]
    rubbish = [
        whole.replace(written, written[:-3] + bytes([spare]) + b"=="),
        b"",
        b"{}",
        b"[" * 100_000,
        whole[: len(whole) // 2],
        whole.replace(b"in-toto+json", b"in-toto+yaml"),
        whole.replace(b'"payload": "', b'"payload": "e30=", "payload": "'),
        whole.replace(b'"payload": "', b'"payload": " '),
    ]
    return [*flipped, *edited, *others, *rubbish]


def tamper_with_file(made: Made) -> list[bytes]:
    whole = made.release.read_bytes()
    places = range(0, len(whole), len(whole) // 10)
    return [
        *(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in places),
        whole + b"\n",
        whole[:-1],
        whole.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + whole,
        whole + whole.splitlines(keepends=True)[-1],
        b"",
    ]


def test_tampered_certificates_and_files_are_all_refused(made: Made, tmp_path: Path) -> None:
    certificates, files = tamper_with_certificate(made), tamper_with_file(made)
    assert len({*certificates, *files} - {made.certificate.read_bytes()}) >= 50
    certificate, file = tmp_path / "certificate.json", tmp_path / "release.csv"
    for number, text in enumerate(certificates):
        certificate.write_bytes(text)
        try:
            found = verify(made, certificate=certificate)
        except CertificateError:
            continue
        assert found.refused in ("wrong_key", "changed"), number
        assert found.statement is None
    for number, text in enumerate(files):
        file.write_bytes(text)
        found = verify(made, file)
        assert found.refused == "another_file", number
        assert found.verification is None
    assert verify(made).holds


def test_a_signed_certificate_does_not_make_a_broken_promise_hold(
    made: Made, tmp_path: Path
) -> None:
    said = read_statement(made)
    strict = said["predicate"]["policy"]["text"].replace("k: 4", "k: 60")
    said["predicate"]["policy"]["text"] = strict
    said["subject"][1]["digest"]["sha256"] = hash_text(strict)
    found = verify(made, certificate=sign(made, said, tmp_path / "c.json"))
    assert found.refused == "promise_broken"
    assert "k_anonymity does not hold" in found.why
    assert not found.verdicts[0].holds


def test_a_certificate_expires_after_its_last_day(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = datetime(2999, 12, 31, 23, 59, 59, tzinfo=UTC)
    monkeypatch.setattr(check, "read_now", lambda: last)
    assert verify(made).holds
    monkeypatch.setattr(check, "read_now", lambda: last.replace(year=3000))
    assert verify(made).refused == "expired"


def test_what_is_signed_but_not_understood_is_an_error(made: Made, tmp_path: Path) -> None:
    said = read_statement(made)
    later = {**said, "predicateType": "urn:discreet:release-certificate:v2"}
    with pytest.raises(CertificateError, match="supported: urn:discreet:release-certificate:v1"):
        verify(made, certificate=sign(made, later, tmp_path / "v2.json"))
    more = {**said, "predicate": {**said["predicate"], "more": 1}}
    with pytest.raises(CertificateError, match=r"first predicate\.more"):
        verify(made, certificate=sign(made, more, tmp_path / "more.json"))
    other = {**said, "subject": said["subject"][::-1][:1] * 2}
    with pytest.raises(CertificateError, match="other files than its subjects"):
        verify(made, certificate=sign(made, other, tmp_path / "other.json"))


def test_each_key_that_is_given_must_have_signed(made: Made, tmp_path: Path) -> None:
    both = tmp_path / "both.json"
    keys = [made.public, made.other_public]
    discreet.add_signature(made.certificate, made.release, key=made.other_key).write(both)
    assert discreet.verify(made.release, certificate=both, key=keys).holds
    one = discreet.verify(made.release, certificate=both, key=made.public)
    assert one.holds
    assert len(one.not_checked) == 1
    found = discreet.verify(made.release, certificate=made.certificate, key=keys)
    assert found.refused == "wrong_key"
    with pytest.raises(CertificateError, match="signature of this key already"):
        discreet.add_signature(both, made.release, key=made.key)


def test_nobody_adds_a_signature_for_another_file(made: Made, tmp_path: Path) -> None:
    other = tmp_path / "release.csv"
    other.write_bytes(made.release.read_bytes()[:-1])
    with pytest.raises(CertificateError, match="about other files"):
        discreet.add_signature(made.certificate, other, key=made.other_key)


def test_only_the_signing_key_compares_the_private_table(made: Made, tmp_path: Path) -> None:
    other = tmp_path / "people.csv"
    other.write_bytes(made.private.read_bytes() + b"30,m,flu\n")
    tables = {made.private: "same", other: "different"}
    for table, said in tables.items():
        found = discreet.verify(
            made.release, original=table, certificate=made.certificate, key=made.key
        )
        assert found.private_table == said
        assert found.refused == (None if said == "same" else "another_private_table")
        found = discreet.verify(
            made.release, original=table, certificate=made.certificate, key=made.public
        )
        assert found.private_table == "not compared"


def test_a_report_is_a_subject_too(made: Made, tmp_path: Path) -> None:
    report, certificate = tmp_path / "report.html", tmp_path / "c.json"
    report.write_text("<p>a report</p>")
    discreet.certify(made.release, made.policy, key=made.key, also=[report]).write(certificate)
    given: dict[str, Any] = {"certificate": certificate, "key": made.public, "also": [report]}
    assert discreet.verify(made.release, **given).holds
    report.write_text("<p>another</p>")
    assert discreet.verify(made.release, **given).refused == "another_file"


def test_a_certificate_needs_a_key_and_a_path_and_no_policy(made: Made) -> None:
    given: dict[str, Any] = {"certificate": made.certificate}
    with pytest.raises(ArgumentError, match="proves nothing without the key"):
        discreet.verify(made.release, **given)
    with pytest.raises(ArgumentError, match="has its own policy"):
        discreet.verify(made.release, made.policy, **given, key=made.public)
    with pytest.raises(ArgumentError, match="about a file"):
        discreet.verify(discreet.read(made.release), **given, key=made.public)
    with pytest.raises(ArgumentError, match="none is given"):
        discreet.verify(made.release, made.policy, key=made.public)


def test_what_is_signed_is_encoded_as_the_specification_of_dsse_shows() -> None:
    """The example in protocol.md of DSSE 1.0.2."""
    encoded = encode_signed("http://example.com/HelloWorld", b"hello world")
    assert encoded == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_openssl_finds_the_signature_good_and_a_changed_payload_bad(
    made: Made, tmp_path: Path
) -> None:
    openssl = shutil.which("openssl")
    assert openssl, "openssl is missing: apt-get install openssl, or brew install openssl"
    said = json.loads(made.certificate.read_bytes())
    payload = base64.b64decode(said["payload"])
    (tmp_path / "sig").write_bytes(base64.b64decode(said["signatures"][0]["sig"]))
    command = [openssl, "pkeyutl", "-verify", "-pubin", "-inkey", str(made.public), "-rawin"]
    for text, code in ((payload, 0), (payload.replace(b"k: 4", b"k: 3"), 1)):
        (tmp_path / "signed").write_bytes(
            b"DSSEv1 28 application/vnd.in-toto+json %d %b" % (len(text), text)
        )
        done = subprocess.run(
            [*command, "-in", str(tmp_path / "signed"), "-sigfile", str(tmp_path / "sig")],
            capture_output=True,
            check=False,
        )
        assert done.returncode == code
