"""Where scrubbed documents go: a file, a folder, standard output or nowhere."""

from __future__ import annotations

import fcntl
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol, cast

from discreet.errors import WriteError
from discreet.table.atomic import (
    NameTakenError,
    defer_signals,
    make_hidden,
    make_write_error,
    note_written,
    open_hidden_file,
    raise_on_request,
    reveal,
    take_name,
)


class Target(Protocol):
    """Takes documents by name."""

    def write(self, name: str) -> IO[bytes]:
        """A file to write a document to."""
        ...

    def path(self, name: str) -> Path | None:
        """The path where a table writer may write; None if nothing is written."""
        ...

    def discard(self, name: str) -> None:
        """Discard a document that could not be read to its end."""
        ...


class Nowhere:
    """Documents are only counted."""

    def write(self, name: str) -> IO[bytes]:
        """A file that discards everything."""
        return Path(os.devnull).open("wb")

    def path(self, name: str) -> None:
        """No table is written."""

    def discard(self, name: str) -> None:
        """There is nothing to discard."""


class Output:
    """Standard output, for one document."""

    def write(self, name: str) -> IO[bytes]:
        """Standard output, which stays open."""
        try:
            return os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        except io.UnsupportedOperation:  # a program that captures what is printed
            return cast("IO[bytes]", _KeptOpen())

    def path(self, name: str) -> Path | None:
        """Refuse: a table needs a file."""
        fix = "Name a file to write to."
        raise WriteError(name, "a table cannot go to standard output", fix)

    def discard(self, name: str) -> None:
        """Nothing: printed text cannot be discarded."""


class _KeptOpen(io.BufferedIOBase):
    """Passes bytes on to a standard output that is not a file."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return sys.stdout.buffer.write(data)


class OneFile:
    """One document, in a hidden file that is renamed to the target at the end."""

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
    """Documents below a hidden folder that becomes the target at the end."""

    def __init__(self, hidden: Path) -> None:
        self.hidden = hidden

    def write(self, name: str) -> IO[bytes]:
        """A new file below the hidden folder."""
        return self.path(name).open("wb")

    def path(self, name: str) -> Path:
        """A place below the hidden folder."""
        path = self.hidden / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def discard(self, name: str) -> None:
        """Remove a file."""
        (self.hidden / name).unlink(missing_ok=True)


@contextmanager
def open_one_file(out: Path, replace: bool = True) -> Iterator[OneFile]:
    """A file that appears when the block ends without an error."""
    target = Path(os.path.realpath(out)) if replace else out
    with open_hidden_file(target, "".join(target.suffixes[-2:]), replace=replace) as hidden:
        yield OneFile(hidden)


@contextmanager
def open_folder(out: Path, replace: bool = True) -> Iterator[Folder]:
    """A folder that appears when the block ends without an error; existing files stay.

    With ``replace``, files with the name of a new document are overwritten; otherwise the folder
    must be empty or not exist. Only the owner can read the hidden folder; each run removes those
    left by killed runs.
    """
    target = Path(os.path.realpath(out))
    with raise_on_request(), make_hidden(target.parent, ".folder") as hidden:
        try:
            yield Folder(hidden.path)
        except OSError as error:
            raise make_write_error(out, error.errno or 0) from None
        if target.is_dir():
            _merge(hidden.path, target, replace)
        else:
            reveal(hidden, target, replace=False)


def _merge(hidden: Path, out: Path, replace: bool) -> None:
    """Move every document into an existing folder, one run at a time."""
    paths = sorted(path for path in hidden.rglob("*") if not path.is_dir())
    targets = [out / path.relative_to(hidden) for path in paths]
    done = 0
    with _lock_folder(out), defer_signals():
        if not replace and any(out.iterdir()):
            raise NameTakenError(out)
        _refuse_clashes(out, targets)
        try:
            for path, target in zip(paths, targets, strict=True):
                target.parent.mkdir(parents=True, exist_ok=True)
                take_name(path, target, replace)
                done += 1
        except OSError as error:
            what = f"a document could not take its name: {os.strerror(error.errno or 0)}"
            left = f"{done:,} of {len(paths):,} documents are in place, the others are not."
            fix = "Look at the folder and the disk, then run again."
            raise WriteError(out, what, fix, left if done else WriteError.NOTHING) from None
        note_written(out)


def _refuse_clashes(out: Path, targets: list[Path]) -> None:
    """Refuse a folder in the place of a document, and a file in the place of a folder."""
    places = {parent for target in targets for parent in target.parents if out in parent.parents}
    if any(target.is_dir() for target in targets) or any(
        os.path.lexists(place) and not place.is_dir() for place in places
    ):
        what = "a document has the name of a folder in it, or a folder that of a file"
        raise WriteError(out, what, "Name another folder.")


@contextmanager
def _lock_folder(out: Path) -> Iterator[None]:
    """Prevent two runs from filling one folder at the same time, where the system can lock it."""
    held = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
