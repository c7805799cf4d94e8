"""Reversible pseudonyms: back with the key, and only with it."""

from __future__ import annotations

import importlib.util
import sys

import pyarrow as pa
import pytest

from discreet.errors import (
    MissingExtraError,
    ParameterError,
    PseudonymKindError,
    PseudonymRestoreError,
)
from discreet.pseudonyms.reversible import Reversible
from discreet.replacement_key import ReplacementKey

KEY = ReplacementKey(bytes(range(32)))
VALUES = pa.array(["123-45-6789", None, "Jos\u00e9", "7", "123-45-6789"])

needs_cryptography = pytest.mark.skipif(
    importlib.util.find_spec("cryptography") is None, reason="needs discreet[pseudonyms]"
)


@needs_cryptography
def test_the_key_turns_tokens_back() -> None:
    made = Reversible(KEY)(VALUES)
    assert Reversible(KEY).restore(made.values).to_pylist() == VALUES.to_pylist()
    tokens = made.values.to_pylist()
    assert tokens[0] == tokens[4] and len(set(tokens)) == 4
    assert made.facts()["distinct"] == 3 and made.facts()["missing"] == 1
    assert tokens == Reversible(KEY)(VALUES).values.to_pylist()


@needs_cryptography
def test_another_key_or_domain_or_a_changed_token_is_refused() -> None:
    tokens = Reversible(KEY)(VALUES).values
    other = ReplacementKey(bytes(range(1, 33)))
    for reader in (Reversible(other), Reversible(KEY, "visits")):
        assert not set(reader(VALUES).values.drop_null().to_pylist()) & set(tokens.to_pylist())
        with pytest.raises(PseudonymRestoreError, match="3 of its 3"):
            reader.restore(tokens, "id")
    token = tokens[0].as_py()
    for wrong in (
        ("b" if token[0] == "a" else "a") + token[1:],
        token[:-1],
        token.upper(),
        "1",
        "é",
    ):
        with pytest.raises(PseudonymRestoreError, match="1 of its 2") as caught:
            Reversible(KEY).restore(pa.array([wrong, token]))
        assert len(wrong) < 3 or wrong not in str(caught.value)


@needs_cryptography
def test_numbers_come_back_as_text() -> None:
    made = Reversible(KEY)(pa.array([17, None]))
    assert Reversible(KEY).restore(made.values).to_pylist() == ["17", None]


@needs_cryptography
def test_a_column_that_holds_its_own_tokens_is_refused() -> None:
    token = Reversible(KEY)(pa.array(["A1"])).values[0].as_py()
    with pytest.raises(PseudonymKindError, match="already"):
        Reversible(KEY)(pa.array(["A1", token]))


@needs_cryptography
def test_the_cipher_is_that_of_rfc_5297() -> None:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    key = bytes.fromhex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    about = bytes.fromhex("101112131415161718191a1b1c1d1e1f2021222324252627")
    text = bytes.fromhex("112233445566778899aabbccddee")
    sealed = "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c"
    assert AESSIV(key).encrypt(text, [about]).hex() == sealed


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    with pytest.raises(MissingExtraError, match=r"discreet\[pseudonyms\]"):
        Reversible(KEY)(VALUES)


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="load_key"):
        Reversible("00" * 32)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="domain"):
        Reversible(KEY, "")
