"""``discreet restore``: pseudonyms decrypted with their key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError
from discreet.cli.target import check_target, open_output, show_target

Column = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="COLUMN", help="A column of pseudonyms; repeat for more."),
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key", metavar="K", readable=False, help="The key that they were made with."),
]
Domain = Annotated[
    str | None,
    typer.Option("--domain", metavar="D", help="The domain that they were made with, if any."),
]


def restore(
    file: options.File,
    column: Column = None,
    key: KeyFile = None,
    domain: Domain = None,
    out: options.Output = None,
    force: options.Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Decrypt the pseudonyms in FILE.

    FILE is a table whose columns were replaced with encrypt; OUT has the identifiers, so it is
    private: only its owner can read it. Refused if a value was not made with this key and domain.
    Pseudonyms that were not encrypted cannot be decrypted.
    """
    import discreet

    if not column or key is None or out is None:
        lacking = "--column" if not column else "--key" if key is None else "-o"
        fix = "Write: discreet restore FILE --column C --key K -o OUT."
        raise FlagError(lacking, "it is needed", fix)
    check_target(out, (file, key), force)
    table = options.read_table(file, separator, encoding, sheet)
    out = open_output(out, table, json)
    found = discreet.restore(table, column=column, key=key, domain=domain)
    found.write(out, replace=force)
    facts = {**found.facts(), "out": str(out)}
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        many = ", ".join(f"{name} ({count:,} different)" for name, count in found.distinct.items())
        output.write(f"Decrypted: {many}. Written to {show_target(out)}, which is private.")
