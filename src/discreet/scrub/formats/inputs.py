"""Which documents a run is about: files, folders with all that is in them, standard input."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from discreet.errors import MissingFileError, ScrubInputError
from discreet.scrub.formats.documents import Input
from discreet.scrub.report import ScrubReport

STANDARD = "standard input"


def inputs(paths: Sequence[Path], report: ScrubReport) -> list[Input]:
    """The documents in order of their names; what is no document is counted as left out.

    A document is called in the output as it is called below the folder it was found in.
    """
    found: list[Input] = []
    for path in paths:
        if str(path) == "-":
            found.append(Input(None, STANDARD))
        elif path.is_dir():
            found += _walk(path, report)
        elif not path.exists():
            raise MissingFileError(path, str(path.absolute().parent), ())
        elif not path.is_file():
            raise ScrubInputError(path.name, "this is not a plain file", "Save it as a file first.")
        else:
            found.append(Input(path, path.name))
    names = [one.name for one in found]
    twice = len(names) - len(set(names))
    if twice:
        what = f"{twice:,} documents have the name of another"
        raise ScrubInputError("PATH", what, "Scrub them in runs of their own.")
    return found


def _walk(folder: Path, report: ScrubReport) -> Iterator[Input]:
    for root, folders, names in os.walk(folder, onerror=lambda _: report.leave_out("unreadable")):
        folders.sort()
        for name in folders:
            if Path(root, name).is_symlink():
                report.leave_out("links to folders")
        for name in sorted(names):
            path = Path(root, name)
            if path.is_file():
                yield Input(path, str(path.relative_to(folder)))
            else:
                report.leave_out("not a plain file")
