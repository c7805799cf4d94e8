"""Errors for a register or public table that does not fit the table or a promise about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from discreet.errors import RegisterError


def make_size_error(register: Path, what: str) -> RegisterError:
    """No release of this table can keep a promise about this register."""
    return RegisterError(f"the register '{register.name}' {what}.")


def make_columns_error(
    register: Path, model: str, lacking: Mapping[str, str], there: Sequence[str]
) -> RegisterError:
    """A register lacks columns that it is to be joined on."""
    alike = {name.casefold(): name for name in there}
    pairs = []
    for name, wanted in lacking.items():
        near = get_close_matches(wanted.casefold(), alike, n=1, cutoff=0.4)
        pairs.append(f"{name}: {alike[near[0]] if near else '...'}")
    return RegisterError(
        f"the register '{register.name}' has no column {', '.join(lacking.values())}. Say what "
        f"it is called there: names: {{{', '.join(pairs)}}} in {model}."
    )


def make_key_error(table: str, model: str, key: str, what: str) -> RegisterError:
    """A key column does not tell whose row it is."""
    return RegisterError(
        model,
        f"key '{key}' {what} in '{table}'",
        "A key identifies the person of a row: it must be a column of both tables, with the same "
        "name and a unique value in every row. Leave 'key' out to match rows by the quasi columns.",
    )


def make_rows_error(register: Path, model: str, rows: int, of: int, by: str) -> RegisterError:
    """A private table has rows that the public table lacks."""
    return RegisterError(
        model,
        f"{rows:,} of {of:,} rows are not in the public table '{register.name}' (by {by}), and the "
        "private table must be a part of it",
        "Write the values of both in the same way, or add the missing people to the public table.",
    )


def make_unmatched_error(values: Mapping[str, tuple[int, int]]) -> RegisterError:
    """No row of the table fits anybody in a register."""
    told = ", ".join(f"{name} {met:,} of {of:,}" for name, (met, of) in values.items())
    return RegisterError(
        "register",
        f"no row of the table matches anybody in it. Values of the table that are in it: {told}",
        "Use the same format in both, or name quasi columns that are unchanged in both: a register "
        "of raw values does not match generalized rows.",
    )


def make_unclear_error(column: str, model: str) -> RegisterError:
    """A text of a hierarchy stands for different values, so nobody can say whom it fits."""
    return RegisterError(
        what="its hierarchy has a text that stands for a value and for a group, for two groups, or "
        f"for a number or date that is written in several ways, so {model} cannot be checked",
        fix="Give the groups other names, and write each number or date in one way; a code with "
        "the mask in it reads like a group of codes, so choose another mask (prefix: {lengths: "
        "[...], mask: '#'}).",
        column=column,
    )
