"""``discreet key``: the key of pseudonyms and replacements, or one that signs certificates."""

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
Signing = Annotated[
    bool,
    typer.Option("--signing", help="A key that signs certificates; its public half is FILE.pub."),
]


def key(
    file: options.File,
    check: Check = False,
    signing: Signing = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Create or check a key for pseudonyms, or for certificates.

    FILE is created with a new key from the operating system, readable only by its owner; a file
    that exists is never replaced. Policies (replace, scrub) and discreet scrub --key name the file.
    Keep a copy in a safe place, together with FILE.drawn, and never give either away. With
    --signing the key is one for discreet certify, and FILE.pub is for everybody.
    """
    facts = _gather_signing_facts(file, check) if signing else _gather_facts(file, check)
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        _show_signing(facts, file) if signing else _show(facts, file)


def _gather_signing_facts(file: Path, check: bool) -> dict[str, Any]:
    from discreet.certificate.keys import SigningKey, find_public_path, load_key

    found = load_key(file) if check else SigningKey.create(file)
    secret = isinstance(found, SigningKey)
    return {
        "key": str(file),
        "made": not check,
        "signs": secret,
        "fingerprint": found.keyid,
        "public": str(find_public_path(file)) if secret else str(file),
    }


def _show_signing(facts: dict[str, Any], file: Path) -> None:
    if facts["made"]:
        output.write(f"A new signing key is in {file}, readable only by you.")
        output.write(
            f"Its public half, to give to recipients, is in {facts['public']}. Whoever has {file} "
            "can sign in your name."
        )
    else:
        half = "a signing key, readable only by its owner" if facts["signs"] else "a public key"
        output.write(f"{file} is valid: {half}.")
    output.write(f"Fingerprint: {facts['fingerprint']}")


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
