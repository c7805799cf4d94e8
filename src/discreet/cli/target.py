"""Where a release may be written: refused before any work is done, not after."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from discreet.display import dataclass
from discreet.errors import FlagError


def check_target(out: Path, sources: Iterable[Path | None], force: bool) -> None:
    """Refuse a target for a release that would destroy something or cannot be written."""
    if str(out) == "-":
        what = "a release is checked before it appears, so it cannot go to standard output"
        raise FlagError("-o -", what, "Name a file.")
    _check_kind("-o", out, sources)
    _check_ending(out)
    _check_room("-o", out, force)


def check_written_columns(out: Path, columns: Collection[str]) -> None:
    """Refuse a release of more columns than its kind of file can hold."""
    from discreet.table.write import check_width

    check_width(out, len(columns))


def check_picture(
    out: Path,
    sources: Iterable[Path | None],
    endings: Sequence[str],
    force: bool,
    flag: str = "--picture",
) -> None:
    """Refuse a target for a picture that would destroy something or cannot be written."""
    _check_kind(flag, out, sources)
    if out.suffix.casefold() not in endings:
        what = f"the ending '{out.suffix}' is not known" if out.suffix else "the name has no ending"
        raise FlagError(f"{flag} {out}", what, f"Known are {', '.join(endings)}.")
    _check_room(flag, out, force)


def _check_kind(flag: str, out: Path, sources: Iterable[Path | None]) -> None:
    for source in sources:
        if source is not None and _same(out, source):
            raise FlagError(f"{flag} {out}", "this is the file that is read", "Name another file.")
    if out.is_dir():
        raise FlagError(f"{flag} {out}", "this is a folder", "Name a file in it.")
    if out.exists() and not out.is_file():
        raise FlagError(f"{flag} {out}", "this is not a plain file", "Name a file.")


def _check_room(flag: str, out: Path, force: bool) -> None:
    if (out.exists() or out.is_symlink()) and not force:
        fix = "Name another file, or give --force to replace it."
        raise FlagError(f"{flag} {out}", "this file exists already", fix)
    if not out.absolute().parent.is_dir():
        raise FlagError(f"{flag} {out}", "its folder does not exist", "Make the folder first.")
    if not os.access(out.absolute().parent, os.W_OK | os.X_OK):
        fix = "Name a folder that you may write to."
        raise FlagError(f"{flag} {out}", "you may not write to its folder", fix)


def _check_ending(out: Path) -> None:
    from discreet.table.read import ARROW, KNOWN, PARQUET, SQLITE, TEXT, kind

    ending = kind(out)
    if ending in (*TEXT, *PARQUET, *ARROW, *SQLITE, ".xlsx"):
        return
    what = f"the ending '{out.suffix}' is not known" if out.suffix else "the name has no ending"
    raise FlagError(f"-o {out}", what, f"Known are {', '.join(KNOWN)}.")


@dataclass(frozen=True)
class Target:
    """Where the release of a run appears, in one step, complete and checked."""

    path: Path

    def is_at(self, place: Path) -> bool:
        """Whether this is where a file of another name, or of the same, is."""
        return os.path.realpath(self.path) == os.path.realpath(place)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return Path(os.path.realpath(one)) == Path(os.path.realpath(other))
