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


def check_review(page: Path | None, others: Sequence[Path], force: bool) -> None:
    """Refuse a place for the review page."""
    if page is not None:
        check_picture(
            page, [p for p in others if str(p) != "-"], (".html", ".htm"), force, "--review"
        )


def write_review(page: Path, parts: Iterable[str]) -> None:
    """Write the page so that only its owner can read it."""
    from discreet.table.atomic import appearing

    target = Path(os.path.realpath(page))
    target.unlink(missing_ok=True)
    mask = os.umask(0o077)
    try:
        with appearing(target, ".html") as hidden, hidden.open("w", encoding="utf-8") as file:
            for part in parts:
                file.write(part.encode("utf-8", "replace").decode())
            file.flush()
            os.fsync(file.fileno())
    finally:
        os.umask(mask)


def _check_folder(out: Path, paths: Sequence[Path], force: bool) -> None:
    flag = f"-o {out}"
    if out.exists() and not out.is_dir():
        raise FlagError(flag, "this is a file, and there are several documents", "Name a folder.")
    if not out.absolute().parent.is_dir():
        raise FlagError(flag, "its folder does not exist", "Make the folder first.")
    inside = out.resolve()
    for path in paths:
        if path.is_dir() and inside.is_relative_to(path.resolve()):
            what = "it lies in a folder that is read"
            raise FlagError(flag, what, "Name a folder beside it.")
        if path.is_file() and path.resolve().parent == inside:
            raise FlagError(flag, "the documents are in this folder", "Name another folder.")
    if out.is_dir() and any(out.iterdir()) and not force:
        fix = "Name another one, or give --force to replace documents of the same name in it."
        raise FlagError(flag, "this folder is not empty", fix)
