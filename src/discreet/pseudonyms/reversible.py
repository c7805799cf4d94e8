"""Pseudonyms that the holder of the key can turn back, and nobody else."""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from discreet.display import dataclass
from discreet.errors import PseudonymError
from discreet.pseudonyms.key import DOMAIN, derive_subkey, require_domain, require_key
from discreet.pseudonyms.keyed_hash import seal_texts
from discreet.pseudonyms.one_way import Substituted
from discreet.pseudonyms.pseudonymize import Made, gather_identifiers, replace_columns
from discreet.pseudonyms.texts import Distinct, encode_base32

if TYPE_CHECKING:
    from discreet.replacement_key import ReplacementKey
    from discreet.table.table import Table

_NAME = "reversible pseudonyms"
_TAG = 16


@dataclass(frozen=True)
class Reversible:
    """Tokens that hold the identifier, encrypted; the same identifier has the same everywhere.

    The format is not kept: a token is text of a to z and 2 to 7, from 28 characters on. The key
    and the ``domain`` decide, not the column or the table.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, fig. 19 (release using encryption). AES-SIV (RFC 5297) of the package
    `cryptography`, 256-bit keys, the domain as associated data. *Departures*: the thesis names no
    cipher. A token tells whether two rows have the same identifier and how long it is.
    *Cost*: about a microsecond for each different value, six to turn it back.
    """

    key: ReplacementKey
    domain: str = DOMAIN

    def __post_init__(self) -> None:
        require_key(_NAME, self.key)
        require_domain(_NAME, self.domain, empty=False)

    def __call__(self, values: pa.Array | pa.ChunkedArray, column: str = "values") -> Substituted:
        """The tokens of a column, as text."""
        found = Distinct.of(values, column)
        tokens = self.tokens(found)
        self._refuse_own(found, tokens, column)
        return Substituted(tokens.take(found.codes), len(tokens), missing=found.missing)

    def tokens(self, found: Distinct) -> pa.Array:
        """The tokens of different texts."""
        keys, about = self._derive_keys()
        parts, order = [pa.array([], pa.string())], [np.zeros(0, np.int64)]
        for rows, cells in seal_texts(keys, about[0], found.texts):
            parts.append(encode_base32(cells))
            order.append(np.arange(len(found.texts))[rows])
        place = np.argsort(np.concatenate(order))
        return pa.concat_arrays(parts).take(pa.array(place))

    def refuse_own(self, found: Distinct, column: str) -> None:
        """Refuse a column that holds its own tokens."""
        self._refuse_own(found, self.tokens(found), column)

    def _refuse_own(self, found: Distinct, tokens: pa.Array, column: str) -> None:
        held = pc.sum(pc.is_in(tokens, value_set=found.texts)).as_py() or 0
        if held:
            what = f"it already holds the pseudonyms of {held:,} of its values"
            raise PseudonymError("", what, "Take these rows out.", column=column)

    def restore(self, tokens: pa.Array | pa.ChunkedArray, column: str = "values") -> pa.Array:
        """The identifiers, as text; refused if a token is not of this key and domain."""
        cipher, about = self._make_cipher()
        found = Distinct.of(tokens, column)
        back = [_open_token(cipher, token, about) for token in found.texts.to_pylist()]
        foreign = back.count(None)
        if foreign:
            raise PseudonymError(
                what=f"{foreign:,} of its {len(back):,} different pseudonyms were not made with "
                "this key and domain, or were changed since",
                fix="Give the key and the domain that they were made with.",
                column=column,
            )
        return pa.array(back, pa.string()).take(found.codes)

    def _derive_keys(self) -> tuple[bytes, list[bytes]]:
        """Two keys of its own for AES-SIV, and the domain."""
        keys = derive_subkey(self.key, "reversible", "mac") + derive_subkey(
            self.key, "reversible", "cipher"
        )
        return keys, [self.domain.encode()]

    def _make_cipher(self) -> tuple[Any, list[bytes]]:
        """The library's AES-SIV, and the domain."""
        keys, about = self._derive_keys()
        return AESSIV(keys), about


def replace_by_tokens(table: Table, columns: tuple[str, ...], hide: Reversible) -> Table:
    """The table with the identifiers of some columns as tokens."""
    for column, found in gather_identifiers(table, columns).items():
        hide.refuse_own(found, column)
    made = [Made(name, False, partial(_replace_rows, hide, name)) for name in columns]
    return replace_columns(table, made)


def restore_table(
    table: Table, columns: tuple[str, ...], hide: Reversible
) -> tuple[Table, dict[str, int]]:
    """The table with tokens turned back, and how many different ones each column has."""
    found = gather_identifiers(table, columns)
    for column, one in found.items():
        hide.restore(one.texts, column)  # refused before anything is written
    made = [Made(name, False, partial(hide.restore, column=name)) for name in columns]
    return replace_columns(table, made), {name: len(one.texts) for name, one in found.items()}


def _replace_rows(hide: Reversible, column: str, values: pa.Array) -> pa.Array:
    found = Distinct.of(values, column)
    return hide.tokens(found).take(found.codes)


def _encode_token(sealed: bytes) -> str:
    return base64.b32encode(sealed).decode().rstrip("=").lower()


def _open_token(cipher: Any, token: str, about: list[bytes]) -> str | None:
    """The identifier in a token; none if it is no token of this key."""
    try:
        sealed = base64.b32decode(token.upper() + "=" * (-len(token) % 8))
        if len(sealed) <= _TAG or _encode_token(sealed) != token:
            return None
        text: str = cipher.decrypt(sealed, about).decode()
    except (ValueError, InvalidTag):
        return None
    return text
