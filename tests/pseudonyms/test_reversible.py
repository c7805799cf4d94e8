"""Reversible pseudonyms: back with the key, and only with it."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError, PseudonymError
from discreet.pseudonyms.keyed_hash import seal_texts
from discreet.pseudonyms.reversible import Reversible
from discreet.replacement_key import ReplacementKey

KEY = ReplacementKey(bytes(range(32)))
VALUES = pa.array(["123-45-6789", None, "Jos\u00e9", "7", "123-45-6789"])


def test_the_key_turns_tokens_back() -> None:
    made = Reversible(KEY)(VALUES)
    assert Reversible(KEY).restore(made.values).to_pylist() == VALUES.to_pylist()
    tokens = made.values.to_pylist()
    assert tokens[0] == tokens[4] and len(set(tokens)) == 4
    assert made.facts()["distinct"] == 3 and made.facts()["missing"] == 1
    assert tokens == Reversible(KEY)(VALUES).values.to_pylist()


def test_another_key_or_domain_or_a_changed_token_is_refused() -> None:
    tokens = Reversible(KEY)(VALUES).values
    other = ReplacementKey(bytes(range(1, 33)))
    for reader in (Reversible(other), Reversible(KEY, "visits")):
        assert not set(reader(VALUES).values.drop_null().to_pylist()) & set(tokens.to_pylist())
        with pytest.raises(PseudonymError, match="3 of its 3"):
            reader.restore(tokens, "id")
    token = tokens[0].as_py()
    for wrong in (
        ("b" if token[0] == "a" else "a") + token[1:],
        token[:-1],
        token.upper(),
        "1",
        "é",
    ):
        with pytest.raises(PseudonymError, match="1 of its 2") as caught:
            Reversible(KEY).restore(pa.array([wrong, token]))
        assert len(wrong) < 3 or wrong not in str(caught.value)


def test_numbers_come_back_as_text() -> None:
    made = Reversible(KEY)(pa.array([17, None]))
    assert Reversible(KEY).restore(made.values).to_pylist() == ["17", None]


def test_a_column_that_holds_its_own_tokens_is_refused() -> None:
    token = Reversible(KEY)(pa.array(["A1"])).values[0].as_py()
    with pytest.raises(PseudonymError, match="already"):
        Reversible(KEY)(pa.array(["A1", token]))


@pytest.mark.parametrize("size", [32, 64])
def test_many_at_once_are_sealed_as_the_library_seals_one(size: int) -> None:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    chance = random.Random(size)
    keys, about = chance.randbytes(size), b"identifier"
    sizes = [1, 8, 9, 15, 16, 17, 31, 32, 33, 300] * 3
    texts = ["".join(chr(chance.randrange(33, 300)) for _ in range(size)) for size in sizes]
    places = np.arange(len(texts))
    made = {
        int(place): row.tobytes()
        for rows, cells in seal_texts(keys, about, pa.array(texts))
        for place, row in zip(places[rows], cells, strict=True)
    }
    library = AESSIV(keys)
    assert [made[n] for n in places] == [library.encrypt(t.encode(), [about]) for t in texts]


def test_texts_of_many_lengths_come_back_in_their_places() -> None:
    values = pa.array(["x" * (n * 7 % 50 + 1) + str(n) for n in range(200)])
    assert Reversible(KEY).restore(Reversible(KEY)(values).values) == values


def test_the_cipher_is_that_of_rfc_5297() -> None:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    key = bytes.fromhex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    about = bytes.fromhex("101112131415161718191a1b1c1d1e1f2021222324252627")
    text = bytes.fromhex("112233445566778899aabbccddee")
    sealed = "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c"
    assert AESSIV(key).encrypt(text, [about]).hex() == sealed


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="load_key"):
        Reversible("00" * 32)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="domain"):
        Reversible(KEY, "")
