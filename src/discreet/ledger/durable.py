"""Names and lines that last through a power cut."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make new names in a folder last, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def append(file: int, text: str) -> None:
    """Add text at the end of an open file and wait until it is on disk, or leave it as it was."""
    size, left = os.fstat(file).st_size, text.encode()
    try:
        while left:
            left = left[os.write(file, left) :]
        os.fsync(file)
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise
