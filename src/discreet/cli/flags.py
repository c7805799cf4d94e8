"""Parameters of public functions as the options of a command, where one was given a wrong value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from discreet.errors import ArgumentError, FlagError, name_parameters

FLAGS = {
    "k": "-k",
    "most_identifying": "--picture",
    "quasi": "-q",
    "sensitive": "-s",
    "table": "FILE",
}
"""Options that are not called like their parameter."""


@contextmanager
def name_flags() -> Iterator[None]:
    """Name the options of the command in an error about the parameters of a function."""
    try:
        yield
    except ArgumentError as error:
        told = (name_parameters(text, _as_flag) for text in (error.subject, error.what, error.fix))
        raise FlagError(*told) from None


def _as_flag(name: str, value: str | None) -> str:
    flag = FLAGS.get(name, f"--{name.rstrip('_').replace('_', '-')}")
    return flag if value is None else f"{flag} {value}"
