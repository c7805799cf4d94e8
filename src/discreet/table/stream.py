"""Standard input and output as files in memory: a table is read twice, and never put on disk.

Rows that come from a pipe are private, and a release is checked before anybody sees it. Both are
therefore held in a file that has no name and is only in memory (memfd), where every kind of
reader, writer and check works on it as on any other file.
"""

from __future__ import annotations

import os
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import BinaryIO

from discreet.errors import SourceError, WriteError
from discreet.input_file import MEGABYTE, RAISED, read_raised_limit
from discreet.table.files.text import PACKING, read_first_bytes

INPUT, OUTPUT = "standard input", "standard output"
MOST = 1_000
"""Megabytes of standard input: it is held in memory."""
BLOCK = 1 << 20
STARTS = (
    (b"\x1f\x8b", ".gz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
    (b"BZh", ".bz2"),
    (b"PAR1", ".parquet"),
    (b"ARROW1", ".feather"),
    (b"\xff\xff\xff\xff", ".arrow"),
    (b"$FL", ".sav"),
    (b"<stata_dta>", ".dta"),
)
"""How files of each kind begin; what is none of these is text."""
DATABASES = ((0, b"SQLite format 3\x00"), (8, b"DUCK"))
MEMORY = Path("/dev/shm")


class MemoryPath(type(Path())):  # type: ignore[misc]
    """The path of a file in memory, with a name for people and an ending for readers."""

    label, ending = "", ""

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.label

    @property
    def suffix(self) -> str:
        """The ending that decides how it is read or written."""
        return "." + self.ending.rpartition(".")[2]

    @property
    def stem(self) -> str:
        """The name without the last ending."""
        return self.label + self.ending.removesuffix(self.suffix)

    @property
    def parent(self) -> Path:
        """Where files without a name may be made that a writer needs; in memory if possible."""
        fits = MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK)
        return MEMORY if fits else Path(tempfile.gettempdir())


def _make_memory_file(label: str, ending: str = "") -> MemoryPath:
    if not hasattr(os, "memfd_create"):
        what = "this system has no files in memory, and private rows are not put on disk"
        raise SourceError(label, what, "Name a file.")
    number = os.memfd_create(label, os.MFD_CLOEXEC)  # open until the program ends
    path = MemoryPath(f"/proc/self/fd/{number}")
    path.label, path.ending = label, ending
    return path


def hold_input(file: BinaryIO | None = None) -> MemoryPath:
    """All of standard input as a file in memory; what kind it is follows from its first bytes.

    Another open ``file`` is called by its name, if it has one.
    """
    if file is None and sys.stdin is None:
        raise SourceError(INPUT, "it is closed", "Name a file, or send a table through a pipe.")
    source = sys.stdin.buffer if file is None else file
    named = getattr(file, "name", None)
    label = Path(named).name if isinstance(named, str) else INPUT
    path = _make_memory_file(label)
    most, size = max(MOST, read_raised_limit()) * MEGABYTE, 0
    with path.open("wb") as out:
        while block := source.read(BLOCK):
            size += len(block)
            if size > most:
                what = f"it has more than {most // MEGABYTE:,} MB, and it is held in memory"
                fix = (
                    "Save it as a file, and name that; or allow more megabytes with the "
                    f"environment variable {RAISED}."
                )
                raise SourceError(label, what, fix)
            out.write(block)
    path.ending = _find_kind(path)
    return path


def _find_kind(path: MemoryPath) -> str:
    with path.open("rb") as file:
        start = file.read(BLOCK)
    for place, mark in DATABASES:
        if start[place:].startswith(mark):
            what = "a database cannot be read from standard input"
            if path.label != INPUT:
                what = "a database cannot be read from memory"
            raise SourceError(path.label, what, "Save it as a file, and name that.")
    if start.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(path) if zipfile.is_zipfile(path) else path.open("rb") as archive:
            names = archive.namelist() if isinstance(archive, zipfile.ZipFile) else []
        return ".xlsx" if "[Content_Types].xml" in names else ".zip"
    ending = next((one for mark, one in STARTS if start.startswith(mark)), "")
    if ending and ending not in PACKING:
        return ending
    if ending:
        path.ending = ending
        start = read_first_bytes(path, PACKING[ending])
    is_json = start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    return (".jsonl" if is_json else ".csv") + ending


def make_output(ending: str) -> MemoryPath:
    """A file in memory for what goes to standard output once it is checked."""
    return _make_memory_file(OUTPUT, ending)


def deliver(path: MemoryPath) -> None:
    """Print a file in memory to standard output, as it is."""
    problem = ""
    try:
        out = sys.stdout.buffer
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                rest = memoryview(block)
                while rest:  # a pipe whose reader ends takes a part, and says so the next time
                    rest = rest[out.write(rest) :]
        out.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        problem = "its reader ended before all rows were printed"
    except OSError as error:
        problem = f"printing failed: {os.strerror(error.errno or 0)}"
    if problem:
        fix = "Take what was printed for released."
        raise WriteError(OUTPUT, problem, fix, "")
