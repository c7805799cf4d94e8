"""Small files that a user names: regular ones only, of a size that fits, read without waiting.

A device never ends, a pipe may never begin, and a file of data given by mistake as a policy fills
the memory. Tables are not read here: their readers go through files of any size piece by piece.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from discreet.display import find_address_kind, safe_repr
from discreet.errors import DiscreetError, SourceError

RAISED = "DISCREET_MAX_MB"
"""The environment variable that raises every limit of size to so many megabytes."""

COLUMNS_RAISED = "DISCREET_MAX_COLUMNS"
"""The environment variable that raises every limit of columns to this number."""
MOST_COLUMNS = 20_000
"""Columns that are looked at one by one, a millisecond each; nobody reads a list of more."""

MEGABYTE = 1_000_000
_BLOCK = 1 << 20
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@safe_repr
class Kind(NamedTuple):
    """What a file is read as, with its article, and how many megabytes it may have."""

    name: str
    megabytes: int


POLICY = Kind("a policy", 4)
HIERARCHY = Kind("a hierarchy file", 64)
LEDGER = Kind("a ledger", 256)
KEY = Kind("a key", 1)
CERTIFICATE = Kind("a certificate", 16)
FACTS = Kind("facts of a release", 16)
BOOK = Kind("a book of pseudonyms", 512)
NAMES = Kind("a list of names", 64)
MARKED = Kind("marked text", 256)
DECISIONS = Kind("a file of decisions", 64)
LIKELIHOODS = Kind("a file of likelihoods", 16)
ZIP_TABLE = Kind("a table of ZIP areas", 16)


class UnfitFileError(SourceError):
    """A file that was named is not a regular one, or too large for what it is read as."""


class TooWideError(SourceError):
    """A table has more columns than can be looked at, tried or written in time."""


class AddressError(SourceError):
    """An address was given where a file is wanted; nothing of the address is shown."""


def refuse_address(path: object, name: str = "the path", *, written: bool = False) -> None:
    """Stop at an address of a database or on the web where a file is to be read or written."""
    kind = find_address_kind(path)
    if kind is None or os.path.lexists(str(path)):
        return
    found = _SCHEME.match(str(path).strip())
    scheme = found[1].casefold() if found else ""
    what, fix = _explain_address(kind, scheme)
    if written:
        fix = "Write to a file, and copy that there."
    raise AddressError(name, what, fix)


_SCHEME = re.compile(r"(?:[\w ]+=)?([A-Za-z][\w+.-]+):/")
_CLOUD = frozenset({
    "s3", "s3a", "s3n", "r2", "gs", "gcs", "az", "azure", "abfs", "abfss", "adl", "wasb", "wasbs",
    "oci", "hdfs",
})  # fmt: skip
_WEB = frozenset({"http", "https", "ftp", "ftps", "sftp", "scp", "ssh"})


def _explain_address(kind: str, scheme: str) -> tuple[str, str]:
    """What an address is, why it is not read, and the way out; nothing of it but the scheme."""
    if scheme in ("file", "sqlite", "duckdb"):
        what = f"this is an address that starts with {scheme}:, and a file is wanted here"
        return what, "Name the file as the shell does, such as data/people.csv."
    if kind == "database":
        what = "this is the address of a database, and a file is wanted here"
        if scheme in ("postgresql", "postgres"):
            return what, "Open its table with discreet.read, which takes the address as text."
        return what, "Export the table to a file such as people.csv, and name that file."
    network = "discreet opens no network connection"
    if scheme in _CLOUD:
        what = f"this is an address in cloud storage ({scheme}), not a file; {network}"
        return what, "Copy it to this computer first, and name the copy."
    if scheme in _WEB:
        what = f"this is a web address, not a file; {network}"
        return what, "Download it first, and name the file."
    what = f"this is an address, not a file; {network}"
    return what, "Save the data as a file first, and name that."


def read_input(path: Path | str, kind: Kind) -> bytes:
    """All bytes of a regular file that is not too large to be what it is read as.

    Raises :class:`UnfitFileError` for anything else than a regular file and for a file that is too
    large, and OSError where the system refuses.
    """
    file = open_regular(path)
    try:
        return read_open(file, path, kind)
    finally:
        os.close(file)


def hash_regular(path: Path, error: type[DiscreetError] = SourceError) -> str:
    """The SHA-256 of a regular file; what cannot be read is an ``error`` about it."""
    try:
        with os.fdopen(open_regular(path), "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except UnfitFileError as unfit:
        raise error(path, unfit.what, unfit.fix) from None
    except OSError as failure:
        what = f"it cannot be read: {os.strerror(failure.errno or 0)}"
        raise error(path, what, "Check the path and its permissions.") from None


def open_regular(path: Path | str, flags: int = os.O_RDONLY) -> int:
    """The number of a regular file that was opened; whatever would wait or never end is refused."""
    try:
        file = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except ValueError:
        raise UnfitFileError(path, "a name cannot hold a NUL character", "Check it.") from None
    except OSError as error:
        if error.errno in (errno.ENXIO, errno.EISDIR):  # a socket, or a folder to write to
            raise _refuse(path, Path(path).stat().st_mode) from None
        raise
    try:
        mode = os.fstat(file).st_mode
        if not stat.S_ISREG(mode):
            raise _refuse(path, mode)
    except BaseException:
        os.close(file)
        raise
    return file


def read_open(file: int, path: Path | str, kind: Kind) -> bytes:
    """All bytes of an open file from its start, if they are not too many."""
    most = find_largest_size(kind)
    if os.fstat(file).st_size > most:
        raise _make_size_error(path, kind, os.fstat(file).st_size)
    blocks, size = [], 0
    try:
        # Some files of the system say that they are empty, and never end.
        while block := os.pread(file, _BLOCK, size):
            blocks.append(block)
            size += len(block)
            if size > most:
                raise _make_size_error(path, kind, size)
    except BlockingIOError:
        raise _refuse(path, 0) from None
    return b"".join(blocks)


def find_largest_size(kind: Kind) -> int:
    """How many bytes a file may have; the environment can raise this, never lower it."""
    return max(kind.megabytes, read_raised_limit()) * MEGABYTE


def read_raised_limit() -> int:
    """The megabytes that the environment allows; 0 where it does not say."""
    return _read_number(RAISED)


def check_column_count(
    name: str, columns: int, verb: str, fix: str, most: int = MOST_COLUMNS
) -> None:
    """Stop where a table has more columns than can be looked at, tried or written in time.

    ``verb`` is what cannot be done with so many, such as ``looked at``. The environment can raise
    the limit, never lower it.
    """
    most = max(most, _read_number(COLUMNS_RAISED))
    if columns > most:
        what = f"it has {columns:,} columns; at most {most:,} can be {verb}"
        more = f"To allow more, set the environment variable {COLUMNS_RAISED}; it may take long."
        raise TooWideError(name, what, f"{fix} {more}")


def _read_number(variable: str) -> int:
    """A whole number that the environment gives; 0 where it does not say, or something else."""
    said = os.environ.get(variable, "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else 0


def _refuse(path: Path | str, mode: int) -> UnfitFileError:
    what = next((name for is_kind, name in _KINDS if is_kind(mode)), "not a regular file")
    if stat.S_ISDIR(mode):
        return UnfitFileError(path, "this is a folder, not a file", "Name a file in it.")
    fix = "Save what it gives in a regular file, and name that."
    return UnfitFileError(path, f"this is {what}; only regular files are read", fix)


def _make_size_error(path: Path | str, kind: Kind, size: int) -> UnfitFileError:
    limit = find_largest_size(kind) // MEGABYTE
    fix = (
        "Is this the right file, or data given by mistake? If it is right, allow more megabytes "
        f"with the environment variable {RAISED}."
    )
    what = f"more than the {limit:,} MB that {kind.name} may have"
    if size < 1 << 50:
        what = f"it has {-(-size // MEGABYTE):,} MB, {what}"
    return UnfitFileError(path, what, fix)
