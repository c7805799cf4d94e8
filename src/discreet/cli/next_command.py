"""The command to run next, with every option of this call that it needs as well."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from discreet.cli import interrupt
from discreet.cli.options import is_address

READING = ("separator", "encoding", "sheet")
"""Options that say how FILE is read: every command that reads it has them."""


def write_command(name: str, file: Path, *words: object, also: tuple[str, ...] = ()) -> str:
    """A command on the same file; options of this call are repeated: those of reading, and `also`.

    Options stay as they were given, so that the shell reads them again as the same.
    """
    context = click.get_current_context(silent=True)
    repeated: list[str] = []
    for param in () if context is None else context.command.params:
        if param.name in (*READING, *also):
            value = context.params.get(param.name) if context is not None else None
            several = value if isinstance(value, list | tuple) else (value,)
            for one in several:
                if one is not None:
                    repeated += [param.opts[0], "tab" if one == "\t" else str(one)]
    if interrupt.state.get("header"):
        repeated.append("--header")
    parts = ["discreet", name, str(file), *map(str, words), *repeated]
    return " ".join(map(quote, parts))


def name_release(file: Path) -> str:
    """A name for the release of a file: in its format, if that can be written."""
    from discreet.table.read import WRITTEN, find_ending

    if str(file) == "-":
        return "release.csv"
    if is_address(file):
        return "release"
    base = file.name.partition(".")[0] or "table"
    if file.is_dir():
        return f"{base}_release.parquet"
    ending = "".join(file.suffixes)
    ending = {".xlsm": ".xlsx", ".zsav": ".sav", ".zip": ".csv.zip"}.get(ending.lower(), ending)
    fits = find_ending(Path(f"x{ending}")) in WRITTEN
    return f"{base}_release{ending if fits else '.csv'}"


def name_policy(file: Path) -> str:
    """A name for the policy of a file."""
    base = "" if str(file) == "-" or is_address(file) else file.name.partition(".")[0]
    return f"{base or 'policy'}.yaml"
