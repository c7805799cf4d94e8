"""``discreet key``: the key of pseudonyms and replacements."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options, output
from discreet.errors import PseudonymError

_LOST = (
    "Put the key back from a copy. If there is none, move the book away; a new key gives other "
    "pseudonyms."
)
Check = Annotated[bool, typer.Option("--check", help="Make nothing; say whether it can be used.")]


def key(
    file: options.File,
    check: Check = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make the key of pseudonyms, or check one.

    FILE is made with a new key from the operating system, for its owner alone; a file that is there
    is never replaced. Policies (replace, scrub) and discreet scrub --key name the file. Keep a copy
    in a safe place, with FILE.drawn beside it, and never hand either out.
    """
    facts = _gather_facts(file, check)
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        _show(facts, file)


def _gather_facts(file: Path, check: bool) -> dict[str, Any]:
    from discreet.pseudonyms.book import find_book_path, read_book
    from discreet.pseudonyms.key import create_key, load_key

    path = find_book_path(Path(os.path.realpath(file)))
    if not check and path.exists() and not file.exists():
        raise PseudonymError(f"book {path}: it is of a key that is lost. {_LOST}")
    found = load_key(file) if check else create_key(file)
    return {
        "key": str(file),
        "made": not check,
        "fingerprint": found.fingerprint,
        "book": str(path) if path.exists() else None,
        "drawn": len(read_book(path, found)),
    }


def _show(facts: dict[str, Any], file: Path) -> None:
    if facts["made"]:
        output.write(f"A new key is in {file}, for you alone: fingerprint {facts['fingerprint']}.")
        output.write(
            "Keep a copy in a safe place: if it is lost, no later release has the same pseudonyms, "
            "and none can be turned back. Whoever has it can try identifiers out."
        )
        return
    output.write(f"{file} can be used, and only its owner can: fingerprint {facts['fingerprint']}.")
    if facts["book"]:
        output.write(f"Its book {facts['book']} has {facts['drawn']:,} pseudonyms.")
    else:
        output.write("It has no book: no pseudonym was drawn with it that could meet another.")
