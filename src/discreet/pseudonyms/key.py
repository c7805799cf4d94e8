"""The key of pseudonyms: nobody without it can make them or reverse them.

Notes
-----
[Sweeney2001]_, sec. 6.1: "a strong one-way hashing (encryption) algorithm is used".

Departures: the thesis names no key. Without one, hashes of identifiers can be reversed by trying
them all.

Cost: one small file, the same as for replacements in text; one file can serve for both.
"""

from __future__ import annotations

import hmac
from pathlib import Path

from discreet.errors import ParameterError, PseudonymError
from discreet.replacement_key import ReplacementKey, ReplacementKeyError

DOMAIN = "identifier"
"""The domain of reversible pseudonyms if none is named."""
_LOST = (
    "Restore it from a copy. Without one, the pseudonyms of earlier releases cannot be reproduced "
    "or decrypted; a new key (discreet key FILE) gives different ones."
)


def create_key(path: Path | str) -> ReplacementKey:
    """Draw a key from the operating system and keep it in a new file, for its owner alone."""
    try:
        return ReplacementKey.create(path)
    except ReplacementKeyError as error:
        raise _make_key_error(error) from None


def load_key(path: Path | str) -> ReplacementKey:
    """Read a key; refuse one that others can read, and say what to do when it is lost."""
    try:
        return ReplacementKey.load(path)
    except ReplacementKeyError as error:
        if isinstance(error.__context__, FileNotFoundError):
            raise PseudonymError(f"key {path}: there is no such file. {_LOST}") from None
        raise _make_key_error(error) from None


def _make_key_error(error: ReplacementKeyError) -> PseudonymError:
    return PseudonymError(str(error).removeprefix("replacement "))


def require_key(owner: str, key: object) -> ReplacementKey:
    """The key, if it is one: a text, as a policy would hold it, is refused."""
    if not isinstance(key, ReplacementKey):
        raise ParameterError(owner, "key", "a key from load_key(path), never the secret itself")
    return key


def require_domain(owner: str, domain: object, empty: bool) -> None:
    """Refuse a domain that is no text that UTF-8 can hold, or is empty and may not be."""
    try:
        fits = isinstance(domain, str) and (bool(domain.encode()) or empty)
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise ParameterError(owner, "domain", "a text" if empty else "a text that is not empty")


def derive_subkey(key: ReplacementKey, *use: str | int) -> bytes:
    """32 bytes for one use of the key: no use tells anything about another.

    Examples
    --------
    >>> key = ReplacementKey(bytes(32))
    >>> derive_subkey(key, "one-way", "ssn") == derive_subkey(key, "one-way", "phone")
    False
    """
    parts = [str(part).encode() for part in ("pseudonyms", *use)]
    said = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.digest(key.secret, said, "sha256")
