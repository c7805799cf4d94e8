"""Where scrubbed documents go: a file, a folder, standard output or nowhere."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol

from discreet.errors import WriteError
from discreet.table.atomic import MOMENT, PREFIX, appearing, refused, unfinished


class Target(Protocol):
    """Takes documents by name."""

    def write(self, name: str) -> IO[bytes]:
        """A file to write a document to."""
        ...

    def path(self, name: str) -> Path | None:
        """Where a table may be written, by a writer of its own; none if nothing is written."""
        ...

    def discard(self, name: str) -> None:
        """Take back a document that could not be read to its end."""
        ...


class Nowhere:
    """Documents are only counted."""

    def write(self, name: str) -> IO[bytes]:
        """A file that forgets."""
        return Path(os.devnull).open("wb")

    def path(self, name: str) -> None:
        """No table is written."""

    def discard(self, name: str) -> None:
        """Nothing is there."""


class Output:
    """Standard output, for one document."""

    def write(self, name: str) -> IO[bytes]:
        """Standard output, which stays open."""
        return os.fdopen(os.dup(sys.stdout.fileno()), "wb")

    def path(self, name: str) -> Path | None:
        """A table is a file."""
        fix = "Name a file with -o."
        raise WriteError(name, "a table cannot go to standard output", fix)

    def discard(self, name: str) -> None:
        """What is printed cannot be taken back."""


class OneFile:
    """One document, in a hidden file that becomes the target at the end."""

    def __init__(self, hidden: Path) -> None:
        self.hidden = hidden

    def write(self, name: str) -> IO[bytes]:
        """The hidden file."""
        return self.hidden.open("wb")

    def path(self, name: str) -> Path:
        """The hidden file, by name."""
        return self.hidden

    def discard(self, name: str) -> None:
        """Leave nothing in the file."""
        self.hidden.write_bytes(b"")


class Folder:
    """Documents by their names below a hidden folder, which becomes the target at the end."""

    def __init__(self, hidden: Path) -> None:
        self.hidden = hidden

    def write(self, name: str) -> IO[bytes]:
        """A new file below the hidden folder."""
        return self.path(name).open("wb")

    def path(self, name: str) -> Path:
        """A place below the hidden folder."""
        path = self.hidden / name
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.add(path)
        return path

    def discard(self, name: str) -> None:
        """Remove a file."""
        (self.hidden / name).unlink(missing_ok=True)


@contextmanager
def one_file(out: Path) -> Iterator[OneFile]:
    """A file that appears when the block ends well."""
    target = Path(os.path.realpath(out))
    with appearing(target, "".join(target.suffixes[-2:])) as hidden:
        yield OneFile(hidden)


@contextmanager
def folder(out: Path) -> Iterator[Folder]:
    """A folder that appears when the block ends well; files that are there already stay.

    Those with the name of a new document are replaced.
    """
    _sweep(out.absolute().parent)
    hidden = out.absolute().parent / f"{PREFIX}{secrets.token_hex(8)}.folder"
    try:
        hidden.mkdir(mode=0o700)
    except OSError as error:
        raise refused(hidden.parent, error.errno or 0) from None
    made = Folder(hidden)
    try:
        yield made
        _reveal(hidden, out)
    except OSError as error:
        raise refused(out, error.errno or 0) from None
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
        unfinished.difference_update({p for p in unfinished if p.is_relative_to(hidden)})


def _reveal(hidden: Path, out: Path) -> None:
    if not out.exists():
        mask = os.umask(0o077)
        os.umask(mask)
        hidden.chmod(0o777 & ~mask)
        hidden.replace(out)
        return
    for path in sorted(hidden.rglob("*")):
        target = out / path.relative_to(hidden)
        if path.is_dir():
            target.mkdir(exist_ok=True)
        else:
            path.replace(target)


def _sweep(parent: Path) -> None:
    """Remove folders without files that ended programs left."""
    for left in parent.glob(f"{PREFIX}*.folder"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > MOMENT:
                for empty, _, _ in os.walk(left, topdown=False):
                    Path(empty).rmdir()
