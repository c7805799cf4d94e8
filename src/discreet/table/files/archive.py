"""Zip archives: a table is read from one that holds nothing else."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from discreet.errors import SourceError

ARCHIVE_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What unpacking raises where the archive is damaged, cut off or packed in an unknown way."""

MEMBER = "release"
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""No time of ours inside: the same rows give the same bytes."""
_ENCRYPTED = 0x1


def find_only_name(path: Path) -> str:
    """The name of the one file in an archive; anything else is an error that says what is there."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _find_only(path, archive).filename
    except ARCHIVE_ERRORS:
        pass
    except OSError:
        pass
    raise make_damaged_error(path)


@contextmanager
def open_only_file(path: Path) -> Iterator[IO[bytes]]:
    """The one file in an archive, unpacked as it is read; its checksum is checked at the end."""
    archive, file = None, None
    try:
        archive = zipfile.ZipFile(path)
        file = archive.open(_find_only(path, archive))
    except (*ARCHIVE_ERRORS, OSError):
        if archive is not None:
            archive.close()
    if archive is None or file is None:
        raise make_damaged_error(path)
    with archive, file:
        yield file


@contextmanager
def pack_only_file(file: BinaryIO, ending: str) -> Iterator[IO[bytes]]:
    """A new archive in an open file: what is written becomes its one file, `release`."""
    inside = zipfile.ZipInfo(f"{MEMBER}{ending}", FIRST_DAY)
    inside.compress_type = zipfile.ZIP_DEFLATED
    inside.external_attr = (stat.S_IFREG | 0o644) << 16
    with (
        zipfile.ZipFile(file, "w", compresslevel=5) as archive,
        archive.open(inside, "w", force_zip64=True) as out,
    ):
        yield out


def make_damaged_error(path: Path) -> SourceError:
    """The archive cannot be unpacked."""
    fix = "It may be damaged, cut off or of another kind; make or copy it again."
    return SourceError(path.name, "this cannot be read as a zip archive", fix)


def _find_only(path: Path, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    files = [one for one in archive.infolist() if not one.is_dir() and not _is_left_by_mac(one)]
    if len(files) != 1:
        what = f"the archive holds {len(files):,} files, and a table is read from one with one file"
        raise SourceError(path.name, what, "Unpack it, and name the file.")
    if files[0].flag_bits & _ENCRYPTED:
        what = "the file in the archive is encrypted"
        raise SourceError(path.name, what, "Unpack it with its password, and name the file.")
    return files[0]


def _is_left_by_mac(one: zipfile.ZipInfo) -> bool:
    """Whether macOS added this next to the files that were packed."""
    parts = PurePosixPath(one.filename).parts
    return "__MACOSX" in parts or parts[-1:] == (".DS_Store",)
