"""The key: in a file of its owner, refused when others can read it, never overwritten."""

from __future__ import annotations

import hmac
import random
import stat
from pathlib import Path

import pytest

from discreet.errors import ParameterError, PseudonymKeyError
from discreet.pseudonyms.key import create_key, load_key, subkey
from discreet.pseudonyms.keyed_hash import hmac_sha256
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
    with pytest.raises(PseudonymKeyError, match="chmod 600"):
        load_key(tmp_path / "people.key")


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    create_key(tmp_path / "people.key")
    before = (tmp_path / "people.key").read_bytes()
    with pytest.raises(PseudonymKeyError, match="already"):
        create_key(tmp_path / "people.key")
    assert (tmp_path / "people.key").read_bytes() == before


def test_a_lost_key_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(PseudonymKeyError, match=r"no such file.*copy.*create_key"):
        load_key(tmp_path / "people.key")


def test_a_damaged_key_is_refused(tmp_path: Path) -> None:
    create_key(tmp_path / "people.key")
    (tmp_path / "people.key").write_text("abcd")
    with pytest.raises(PseudonymKeyError, match="key"):
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
    assert subkey(key, "ab", "c") != subkey(key, "a", "bc")


def test_hashes_are_those_of_the_standard_library() -> None:
    chance = random.Random(5)
    texts = [chance.randbytes(size) for size in (0, 1, 9, 55, 56, 63, 64, 65, 200)]
    for size in (0, 16, 32, 64):
        secret = chance.randbytes(size)
        known = b"".join(hmac.digest(secret, text, "sha256") for text in texts)
        assert hmac_sha256(secret, texts) == known
