"""``discreet key``: the key of pseudonyms and replacements."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options, output
from discreet.errors import PseudonymError

_LOST = (
    "Restore the key from a copy. Without one, move the book away; a new key gives different "
    "pseudonyms."
)
Check = Annotated[
    bool, typer.Option("--check", help="Create nothing; check whether FILE is valid.")
]


def key(
    file: options.File,
    check: Check = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Create or check a key for pseudonyms.

    FILE is created with a new key from the operating system, readable only by its owner; a file
    that exists is never replaced. Policies (replace, scrub) and discreet scrub --key name the file.
    Keep a copy in a safe place, together with FILE.drawn, and never give either away.
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
        new = f"A new key is in {file}, readable only by you"
        output.write(f"{new}: fingerprint {facts['fingerprint']}.")
        output.write(
            "Keep a copy in a safe place: if it is lost, later releases cannot have the same "
            "pseudonyms, and none can be decrypted. Anyone who has it can test identifiers."
        )
        return
    valid = f"{file} is valid and readable only by its owner"
    output.write(f"{valid}: fingerprint {facts['fingerprint']}.")
    if facts["book"]:
        output.write(f"Its book {facts['book']} has {facts['drawn']:,} pseudonyms.")
    else:
        output.write("It has no book: no pseudonym that could collide was drawn with it so far.")
