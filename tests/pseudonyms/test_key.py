"""The key: in a file of its owner, refused when others can read it, never overwritten."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import ParameterError, PseudonymError
from discreet.pseudonyms.key import create_key, derive_subkey, load_key
from discreet.pseudonyms.keyed_hash import cmac
from discreet.pseudonyms.one_way import OneWay
from discreet.replacement_key import ReplacementKey


def test_a_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    made = create_key(tmp_path / "people.key")
    assert stat.S_IMODE((tmp_path / "people.key").stat().st_mode) == 0o600
    assert load_key(tmp_path / "people.key").secret == made.secret
    assert made.secret != create_key(tmp_path / "other.key").secret


@pytest.mark.parametrize("rights", [0o640, 0o604, 0o620, 0o644])
def test_a_key_that_others_can_use_is_refused(tmp_path: Path, rights: int) -> None:
    create_key(tmp_path / "people.key")
    (tmp_path / "people.key").chmod(rights)
    with pytest.raises(PseudonymError, match="chmod 600"):
        load_key(tmp_path / "people.key")


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    create_key(tmp_path / "people.key")
    before = (tmp_path / "people.key").read_bytes()
    with pytest.raises(PseudonymError, match="already"):
        create_key(tmp_path / "people.key")
    assert (tmp_path / "people.key").read_bytes() == before


def test_a_lost_key_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(PseudonymError, match=r"no such file.*copy.*discreet key"):
        load_key(tmp_path / "people.key")


def test_a_damaged_key_is_refused(tmp_path: Path) -> None:
    create_key(tmp_path / "people.key")
    (tmp_path / "people.key").write_text("abcd")
    with pytest.raises(PseudonymError, match="key"):
        load_key(tmp_path / "people.key")


@pytest.mark.parametrize("secret", ["00" * 32, bytes(32), None])
def test_a_secret_as_a_policy_would_hold_it_is_refused(secret: object) -> None:
    with pytest.raises(ParameterError, match="load_key"):
        OneWay(secret)  # type: ignore[arg-type]


def test_the_secret_is_never_shown() -> None:
    key = ReplacementKey(b"secret" + bytes(26))
    assert "secret" not in repr(OneWay(key)) and key.secret.hex() not in repr(OneWay(key))


def test_uses_of_a_key_do_not_meet_by_writing() -> None:
    key = ReplacementKey(bytes(32))
    assert derive_subkey(key, "ab", "c") != derive_subkey(key, "a", "bc")


def test_hashes_are_those_of_the_library() -> None:
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.cmac import CMAC

    chance = random.Random(5)
    sizes = [0, 1, 9, 15, 16, 17, 31, 32, 33, 200] * 3
    texts = ["".join(chr(chance.randrange(32, 400)) for _ in range(size)) for size in sizes]
    secret = chance.randbytes(32)
    for text, made in zip(texts, cmac(secret, pa.array(texts)), strict=True):
        known = CMAC(AES(secret))
        known.update(text.encode())
        assert made.tobytes() == known.finalize()
    assert cmac(secret, pa.array([], pa.string())).shape == (0, 16)
    some = pa.array(["x", *texts, "y"])[1:-1]
    assert (cmac(secret, some) == cmac(secret, pa.array(texts))).all()


def test_a_key_behind_a_link_has_the_rights_of_the_file(tmp_path: Path) -> None:
    made = create_key(tmp_path / "people.key")
    (tmp_path / "link").symlink_to(tmp_path / "people.key")
    assert load_key(tmp_path / "link") == made
    (tmp_path / "people.key").chmod(0o644)
    with pytest.raises(PseudonymError, match="chmod 600"):
        load_key(tmp_path / "link")


def test_a_link_to_nowhere_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PseudonymError, match="already"):
        create_key(tmp_path / "link")
    assert not (tmp_path / "elsewhere").exists()


def test_what_is_no_plain_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(PseudonymError, match=r"only regular files|a folder"):
            load_key(path)


def test_a_key_that_cannot_be_written_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PseudonymError, match="the disk is full"):
        create_key(tmp_path / "people.key")
    assert not (tmp_path / "people.key").exists()


def test_fingerprints_tell_keys_apart_and_show_nothing() -> None:
    one, two = ReplacementKey(bytes(32)), ReplacementKey(bytes(range(32)))
    assert one.fingerprint != two.fingerprint and len(one.fingerprint) == 16
    assert two.fingerprint not in two.secret.hex()
