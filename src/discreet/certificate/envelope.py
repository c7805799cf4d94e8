"""The envelope of a certificate: what is signed, byte by byte, and the signatures.

Notes
-----
DSSE, the Dead Simple Signing Envelope, version 1: the payload is signed as the bytes that it is,
with its type, so nothing has to be written in a canonical form before it is checked.

Departures: base64 must be the standard one and exact, every signature must have its ``keyid``, and
no key may be given twice: a certificate is read in one way only.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from discreet.certificate.keys import PublicKey, SigningKey
from discreet.display import dataclass, safe_repr
from discreet.errors import CertificateError
from discreet.input_file import CERTIFICATE, UnfitFileError, read_input, refuse_address

PAYLOAD_TYPE = "application/vnd.in-toto+json"
NOT_ONE = "this is not a certificate, or it is damaged"
ASK = "Ask the data holder for it again."


def encode_signed(payload_type: str, payload: bytes) -> bytes:
    """What is signed: the payload with its type and the lengths of both (DSSE's PAE).

    >>> encode_signed("a/b", b"{}")
    b'DSSEv1 3 a/b 2 {}'
    """
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


@safe_repr
class Signature(NamedTuple):
    """A signature, and the fingerprint of the key that it claims to be of."""

    keyid: str
    raw: bytes


@dataclass(frozen=True)
class Envelope:
    """A payload with one signature or several, as the file of a certificate holds it.

    >>> Envelope(b"{}").signatures
    ()
    """

    payload: bytes
    signatures: tuple[Signature, ...] = ()

    @property
    def signed(self) -> bytes:
        """The bytes that every signature is of."""
        return encode_signed(PAYLOAD_TYPE, self.payload)

    def sign(self, key: SigningKey) -> Envelope:
        """The envelope with one more signature."""
        if any(one.keyid == key.keyid for one in self.signatures):
            what = "it has a signature of this key already"
            raise CertificateError("certificate", what, "Sign with another key.")
        return replace(
            self, signatures=(*self.signatures, Signature(key.keyid, key.sign(self.signed)))
        )

    def find_unsigned(self, keys: Sequence[PublicKey]) -> list[tuple[PublicKey, bool]]:
        """The keys that have no valid signature here, each with whether one claims to be of it."""
        found = {one.keyid: one.raw for one in self.signatures}
        return [
            (key, key.keyid in found)
            for key in keys
            if not key.has_signed(self.signed, found.get(key.keyid, b""))
        ]

    def render(self) -> bytes:
        """The envelope as the text of its file."""
        said = {
            "payloadType": PAYLOAD_TYPE,
            "payload": base64.b64encode(self.payload).decode(),
            "signatures": [
                {"keyid": one.keyid, "sig": base64.b64encode(one.raw).decode()}
                for one in self.signatures
            ],
        }
        return json.dumps(said, indent=2).encode() + b"\n"


def read_envelope(path: Path | str) -> Envelope:
    """Read the file of a certificate; that it can be read says nothing about its signatures."""
    refuse_address(path, "certificate")
    try:
        return parse_envelope(read_input(path, CERTIFICATE))
    except UnfitFileError as error:
        raise CertificateError(f"certificate {path}", error.what, error.fix) from None
    except FileNotFoundError:
        what = "there is no such file"
        raise CertificateError(f"certificate {path}", what, "Check the name.") from None
    except OSError as error:
        what = f"it cannot be read: {os.strerror(error.errno or 0)}"
        raise CertificateError(f"certificate {path}", what, "Check its permissions.") from None
    except UnreadableError as error:
        raise CertificateError(f"certificate {path}", str(error), ASK) from None


class UnreadableError(Exception):
    """Why a text is not an envelope."""


def parse_envelope(text: bytes) -> Envelope:
    """The envelope that a text holds."""
    said = parse_json(text)
    match said:
        case {"payloadType": str(kind), "payload": str(payload), "signatures": [_, *_] as several}:
            if kind != PAYLOAD_TYPE:
                raise UnreadableError("it holds something else than an in-toto statement")
            found = tuple(map(_parse_signature, several))
            if len({one.keyid for one in found}) < len(found):
                raise UnreadableError("two of its signatures claim to be of the same key")
            return Envelope(_decode(payload), found)
    raise UnreadableError(NOT_ONE)


def _parse_signature(said: Any) -> Signature:
    match said:
        case {"keyid": str(keyid), "sig": str(raw)}:
            return Signature(keyid, _decode(raw))
    raise UnreadableError(NOT_ONE)


def _decode(text: str) -> bytes:
    """What base64 stands for, if it is written as it would be written again."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        raise UnreadableError(NOT_ONE) from None
    if base64.b64encode(raw).decode() != text:
        raise UnreadableError(NOT_ONE)
    return raw


def parse_json(text: bytes) -> Any:
    """Plain data of JSON that means one thing only: no key twice, no numbers that are none."""
    try:
        return json.loads(
            text.decode("utf-8"), object_pairs_hook=_make_object, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError):
        raise UnreadableError(NOT_ONE) from None


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _refuse_constant(text: str) -> Any:
    raise ValueError
