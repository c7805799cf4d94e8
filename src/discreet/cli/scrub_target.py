"""Where scrubbed texts and the review page may be written: refused before any work is done."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from discreet.cli.target import check_picture
from discreet.errors import FlagError


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
    """Refuse choices about columns where there are none, and people whom nothing tells apart."""
    from discreet.scrub.formats.kinds import kind_of

    if scope == "person" and person is None:
        what = "nothing tells people apart"
        raise FlagError("--scope person", what, "Add --person COLUMN, or take another scope.")
    with_columns = any(
        path.is_dir() or kind_of(path) in ("table", "json", "json lines") for path in paths
    )
    for flag, given in (("--column", column), ("--person", person), ("--known", known)):
        if given and not with_columns:
            raise FlagError(flag, "no document is a table or JSON", "Leave it out.")


def write_review(page: Path, parts: Iterable[str], replace: bool) -> None:
    """Write the page so that only its owner can read it."""
    from discreet.table.atomic import appearing

    target = Path(os.path.realpath(page)) if replace else page
    with (
        appearing(target, ".html", 0o600, replace=replace) as hidden,
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
            raise FlagError(flag, what, "Name a folder beside it.")
        if path.is_file() and Path(os.path.realpath(path)).parent == inside:
            raise FlagError(flag, "the documents are in this folder", "Name another folder.")
    if out.is_dir() and any(out.iterdir()) and not force:
        fix = "Name another one, or give --force to replace documents of the same name in it."
        raise FlagError(flag, "this folder is not empty", fix)
