"""Where a release may be written: refused before any work is done, not after."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatch
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.cli import interrupt
from discreet.cli.failure import FlagError
from discreet.display import dataclass, hide_credentials

if TYPE_CHECKING:
    from discreet.table.table import Table


def check_target(
    out: Path, sources: Iterable[Path | None], force: bool, in_folders: bool = False
) -> None:
    """Refuse a target for a release that would destroy something or cannot be written.

    ``in_folders`` says that it is to be a folder, whatever is read.
    """
    if str(out) == "-":
        return
    sources = list(sources)
    _check_outside(out, sources)
    reads_folder = any(one is not None and _is_folder(one) for one in sources)
    folder = not out.suffix and (in_folders or reads_folder)
    if folder and (out.exists() or out.is_symlink()):
        what = "this exists already, and the files of two releases must not be mixed"
        raise FlagError(f"-o {out}", what, "Name a new folder.")
    _check_kind("-o", out, sources)
    if not folder:
        _check_ending(out)
    _check_room("-o", out, force)


def check_certificate_target(out: Path, sources: Iterable[Path | None], force: bool) -> None:
    """Refuse a place for a certificate; in the folder of a release it would be one of its files."""
    sources = list(sources)
    _check_outside(out, sources)
    check_picture(out, sources, (".json",), force, "-o")


def _check_outside(out: Path, sources: Iterable[Path | None]) -> None:
    for source in sources:
        if source is not None and source.is_dir() and _is_inside(out, source):
            what = "it lies in the folder that is read"
            raise FlagError(f"-o {out}", what, "Name a file elsewhere.")
        if source is not None and _is_matched(out, source):
            what = "its name fits the pattern of files that are read"
            raise FlagError(f"-o {out}", what, "Name a file elsewhere.")


def open_output(out: Path, table: Table, json: bool) -> Path:
    """Where a table is to be written; - is a file in memory that is printed when it is checked.

    Everything else that a command says then goes to standard error.
    """
    if str(out) != "-":
        return out
    from discreet.table.read import JSON_LINES, find_ending
    from discreet.table.stream import make_output

    if json:
        what = "rows and JSON cannot both go to standard output"
        raise FlagError("-o -, --json", what, "Name a file for the rows, or leave out --json.")
    interrupt.state["rows printed"] = True
    lines = table.path is not None and find_ending(table.path) in JSON_LINES
    return make_output(".jsonl" if lines else ".csv")


def is_table_target(out: Path) -> bool:
    """Whether the release of a table in a database is to be a table there: a name, not a path."""
    from discreet.engines.release import is_table_name

    return str(out) != "-" and is_table_name(str(out))


def show_target(out: Path) -> str:
    """Where something was written, as messages name it."""
    from discreet.table.stream import MemoryPath

    return out.name if isinstance(out, MemoryPath) else hide_credentials(str(out))


def _is_folder(source: Path) -> bool:
    """Whether a table is a folder or a pattern of Parquet files; its release may be a folder."""
    return source.is_dir() or (has_magic(str(source)) and not os.path.lexists(source))


def _is_matched(out: Path, source: Path) -> bool:
    return _is_folder(source) and fnmatch(str(out.resolve()), str(source.resolve()))


def _is_inside(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(Path(os.path.realpath(folder)))


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
        if source is not None and _is_same_file(out, source):
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
    from discreet.table.read import WRITTEN, explain_ending, find_ending

    if find_ending(out) not in WRITTEN:
        raise FlagError(f"-o {out}", *explain_ending(out))


@dataclass(frozen=True)
class Target:
    """Where the release of a run appears, in one step, complete and checked."""

    path: Path

    def is_at(self, place: Path) -> bool:
        """Whether this is where a file of another name, or of the same, is."""
        return os.path.realpath(self.path) == os.path.realpath(place)


def _is_same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return Path(os.path.realpath(one)) == Path(os.path.realpath(other))


# Where scrubbed texts and the review page may be written: refused before any work is done.


def check_out(out: Path | None, paths: Sequence[Path], force: bool) -> None:
    """Refuse a target that would destroy something or cannot be written."""
    if out is None:
        return
    single = len(paths) == 1 and not paths[0].is_dir()
    if str(out) == "-":
        if not single:
            raise FlagError("-o -", "only one document can be printed", "Name a folder.")
        return
    if single and not out.is_dir():
        check_picture(
            out, [p for p in paths if str(p) != "-"], (out.suffix.casefold(),), force, "-o"
        )
        return
    _check_folder(out, paths, force)


def check_review(page: Path | None, paths: Sequence[Path], out: Path | None, force: bool) -> None:
    """Refuse a place for the review page."""
    if page is not None:
        check_private(f"--review {page}", page, paths, out)
        others = [p for p in (*paths, out) if p is not None and str(p) != "-"]
        check_picture(page, others, (".html", ".htm"), force, "--review")


def check_private(flag: str, private: Path, paths: Sequence[Path], out: Path | None) -> None:
    """Refuse a place for what is private among the texts that are read or written."""
    place = Path(os.path.realpath(private))
    if out is not None and str(out) != "-" and place.is_relative_to(Path(os.path.realpath(out))):
        what = "scrubbed texts go there, and this is private"
        raise FlagError(flag, what, "Name a file elsewhere.")
    for path in paths:
        if path.is_dir() and place.is_relative_to(Path(os.path.realpath(path))):
            what = "it lies in a folder that is read, so it would be taken for a document"
            raise FlagError(flag, what, "Name a file elsewhere.")
        if str(path) != "-" and place == Path(os.path.realpath(path)):
            raise FlagError(flag, "this is a document that is read", "Name another file.")


def check_facts(
    facts: Path | None, others: Sequence[Path], out: Path | None, some: bool, force: bool
) -> None:
    """Refuse a place for the facts, and to look for ``some`` kinds only, which leaves them out."""
    if facts is None:
        return
    if some:
        what = "facts are read off ages, dates and places, which would not be looked for"
        raise FlagError("--facts, --kinds", what, "Give one of them.")
    check_private(f"--facts {facts}", facts, others, out)
    check_picture(facts, [p for p in others if str(p) != "-"], (".csv",), force, "--facts")


def check_columns(
    scope: str,
    person: str | None,
    column: list[str] | None,
    known: list[str] | None,
    paths: Sequence[Path],
) -> None:
    """Refuse choices about columns where there are none, and people whom no column identifies."""
    from discreet.scrubbing.formats.kinds import find_document_kind

    if scope == "person" and person is None:
        what = "no column identifies the person"
        raise FlagError("--scope person", what, "Add --person COLUMN, or take another scope.")
    with_columns = any(
        path.is_dir() or find_document_kind(path) in ("table", "json", "json lines")
        for path in paths
    )
    for flag, given in (("--column", column), ("--person", person), ("--known", known)):
        if given and not with_columns:
            raise FlagError(flag, "no document is a table or JSON", "Leave it out.")


def write_review(page: Path, parts: Iterable[str], replace: bool) -> None:
    """Write the page so that only its owner can read it."""
    from discreet.table.atomic import open_hidden_file

    target = Path(os.path.realpath(page)) if replace else page
    with (
        open_hidden_file(target, ".html", 0o600, replace=replace) as hidden,
        hidden.open("w", encoding="utf-8") as file,
    ):
        for part in parts:
            file.write(part.encode("utf-8", "replace").decode())


def _check_folder(out: Path, paths: Sequence[Path], force: bool) -> None:
    flag = f"-o {out}"
    if out.exists() and not out.is_dir():
        raise FlagError(flag, "this is a file, and there are several documents", "Name a folder.")
    if not out.absolute().parent.is_dir():
        raise FlagError(flag, "its folder does not exist", "Make the folder first.")
    inside = Path(os.path.realpath(out))
    for path in paths:
        if path.is_dir() and inside.is_relative_to(Path(os.path.realpath(path))):
            what = "it lies in a folder that is read"
            raise FlagError(flag, what, "Name a folder outside it.")
        if path.is_file() and Path(os.path.realpath(path)).parent == inside:
            raise FlagError(flag, "the documents are in this folder", "Name another folder.")
    if out.is_dir() and any(out.iterdir()) and not force:
        fix = "Name another one, or give --force to replace documents of the same name in it."
        raise FlagError(flag, "this folder is not empty", fix)
