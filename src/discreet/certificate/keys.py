"""Keys that certificates are signed with, apart from the keys of pseudonyms.

The secret half is a PEM file (PKCS #8) for its owner alone; the public half, PEM as well, is for
everybody. Both are what openssl reads and writes.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from discreet.display import dataclass
from discreet.errors import CertificateError, WriteError
from discreet.input_file import KEY, UnfitFileError, open_regular, read_open, refuse_address
from discreet.table.atomic import NameTakenError, open_hidden_file

_PURPOSE = b"discreet: keyed hash of a private table"
_MAKE = "Give a key that discreet key made for signing; its public half ends in .pub."


@dataclass(frozen=True, repr=False)
class PublicKey:
    """The half of a key that checks signatures; where it comes from decides what they are worth."""

    key: Ed25519PublicKey

    def __repr__(self) -> str:
        return f"PublicKey({self.keyid[:16]})"

    @property
    def public(self) -> PublicKey:
        """Itself: a signing key has its public half under the same name."""
        return self

    @property
    def keyid(self) -> str:
        """The fingerprint: SHA-256 of the key as openssl writes it with ``-outform DER``."""
        form = pem.Encoding.DER, pem.PublicFormat.SubjectPublicKeyInfo
        return hashlib.sha256(self.key.public_bytes(*form)).hexdigest()

    @property
    def text(self) -> bytes:
        """The key as the text of its file."""
        return self.key.public_bytes(pem.Encoding.PEM, pem.PublicFormat.SubjectPublicKeyInfo)

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's, and of this message."""
        try:
            self.key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, repr=False)
class SigningKey:
    """An Ed25519 key that signs certificates; whoever has it can sign in the holder's name.

    Examples
    --------
    >>> key = SigningKey(Ed25519PrivateKey.from_private_bytes(bytes(32)))
    >>> key.public.has_signed(b"this", key.sign(b"this"))
    True
    """

    key: Ed25519PrivateKey

    def __repr__(self) -> str:
        return f"SigningKey({self.keyid[:16]})"

    @classmethod
    def create(cls, path: Path | str) -> SigningKey:
        """Draw a key and keep it in a new file for its owner alone, its public half beside it."""
        refuse_address(path, "key")
        path = Path(path)
        public = find_public_path(path)
        for one in (path, public):
            if os.path.lexists(one):
                raise _make_taken_error(one)
        made = cls(Ed25519PrivateKey.generate())
        text = made.key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption())
        _write(path, text, 0o600)
        _write(public, made.public.text, 0o644)
        return made

    @property
    def public(self) -> PublicKey:
        """The half that checks signatures."""
        return PublicKey(self.key.public_key())

    @property
    def keyid(self) -> str:
        """The fingerprint of the public half."""
        return self.public.keyid

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        return self.key.sign(message)

    def derive_secret(self, salt: bytes) -> bytes:
        """The secret of one certificate for the keyed hash of its private table (HKDF)."""
        raw = self.key.private_bytes(pem.Encoding.Raw, pem.PrivateFormat.Raw, pem.NoEncryption())
        return HKDF(hashes.SHA256(), length=32, salt=salt, info=_PURPOSE).derive(raw)


def load_signing_key(path: Path | str) -> SigningKey:
    """Read a key to sign with; refuse one that others can read."""
    found = load_key(path)
    if isinstance(found, PublicKey):
        what = "this is the public half of a key, which cannot sign"
        raise CertificateError(f"key {path}", what, "Name the signing key itself.")
    return found


def load_key(path: Path | str) -> SigningKey | PublicKey:
    """Read a key to check signatures with: a public half, or a signing key, which has one."""
    refuse_address(path, "key")
    try:
        rights, raw = _read(Path(path))
    except UnfitFileError as error:
        raise CertificateError(f"key {path}", error.what, error.fix) from None
    except FileNotFoundError:
        raise CertificateError(f"key {path}", "there is no such file", _MAKE) from None
    except OSError as error:
        what = f"it cannot be read: {os.strerror(error.errno or 0)}"
        raise CertificateError(f"key {path}", what, "Check its permissions.") from None
    if b"PRIVATE KEY" not in raw:
        return PublicKey(_parse_public(path, raw))
    found = SigningKey(_parse_private(path, raw))
    if rights & 0o077:
        what = "other users can read this signing key"
        raise CertificateError(f"key {path}", what, f"Run: chmod 600 {path}.")
    return found


def find_public_path(path: Path) -> Path:
    """Where the public half of a new signing key is: beside it, with ``.pub`` added."""
    return path.with_name(f"{path.name}.pub")


def _parse_public(path: Path | str, raw: bytes) -> Ed25519PublicKey:
    try:
        found = pem.load_pem_public_key(raw)
    except (ValueError, UnsupportedAlgorithm):
        found = None
    if not isinstance(found, Ed25519PublicKey):
        what = "this is not an Ed25519 key in PEM, as certificates are signed with"
        raise CertificateError(f"key {path}", what, _MAKE)
    return found


def _parse_private(path: Path | str, raw: bytes) -> Ed25519PrivateKey:
    try:
        found = pem.load_pem_private_key(raw, password=None)
    except TypeError:
        what = "this key is protected by a password, which discreet does not ask for"
        fix = "Save it without one, in a file that only you can read."
        raise CertificateError(f"key {path}", what, fix) from None
    except (ValueError, UnsupportedAlgorithm):
        found = None
    if not isinstance(found, Ed25519PrivateKey):
        what = "this is not an Ed25519 key in PEM, or it is damaged"
        raise CertificateError(f"key {path}", what, _MAKE)
    return found


def _read(path: Path) -> tuple[int, bytes]:
    """Who may read a key file, and what is in it."""
    file = open_regular(path)
    try:
        return stat.S_IMODE(os.fstat(file).st_mode), read_open(file, path, KEY)
    finally:
        os.close(file)


def _write(path: Path, text: bytes, rights: int) -> None:
    try:
        with open_hidden_file(path, ".key", rights, replace=False) as hidden:
            hidden.write_bytes(text)
    except NameTakenError:
        raise _make_taken_error(path) from None
    except (OSError, WriteError) as error:
        why = error.what if isinstance(error, WriteError) else os.strerror(error.errno or 0)
        fix = "Name a file in a folder that exists and that you may write to."
        raise CertificateError(f"key {path}", f"it cannot be written: {why}", fix) from None


def _make_taken_error(path: Path) -> CertificateError:
    what = "the file is there already, and a key is never replaced"
    return CertificateError(f"key {path}", what, "Use it, or name another file.")
