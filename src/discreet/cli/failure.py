"""What a user sees when something goes wrong: one message, no traceback, no private value."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.display import hide_credentials
from discreet.errors import DiscreetError, InternalError, WriteError

if TYPE_CHECKING:
    from discreet.cli.target import Target


def complain(message: str) -> None:
    """Say on standard error what is wrong; an argument may be an address with a password."""
    with suppress(BrokenPipeError):
        click.echo(f"discreet: {printable(hide_credentials(message))}", err=True)


def printable(message: str) -> str:
    """The message without control characters, which a column name may hold."""
    lines = message.splitlines()
    return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)


def explain(error: BaseException, state: dict[str, Any]) -> str:
    """The message for an error; it never says that nothing was written where something was.

    ``state['target']`` is the release that was asked for.
    """
    target = state.get("target")
    written = _written(target)
    match error:
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else "discreet"
            return f"{_sentence(error.format_message())} Try '{path} --help'."
        case click.ClickException():
            return error.format_message()
        case KeyboardInterrupt() | click.Abort():
            return str(state.get("interrupted", _interrupted(written, target)))
        case WriteError(left=WriteError.NOTHING) if written:
            _debug(error)
            left = f"Written before that, and complete: {_listed(written)}."
            return f"{error.name}: {error.what}. {error.fix} {left}"
        case DiscreetError():
            _debug(error)
            return str(error)
        case MemoryError() if not written:
            return "there is not enough memory for this; nothing was released."
        case OSError(filename=str() as file, strerror=str() as reason) if not written:
            _debug(error)
            return f"{file}: {reason.lower()}. Check the path, its permissions and the disk."
        case OSError(strerror=str() as reason) if not written:
            _debug(error)
            return f"the result cannot be shown: {reason.lower()}; nothing was released."
    _debug(error)
    if written:
        verb = _verb(written, "is", "are")
        told = f"{_listed(written)} {verb} written and complete"
        return f"{told}, but showing the result failed {_where(error)}"
    return str(InternalError(f"unexpected {_where(error)}"))


def _written(target: Target | None) -> list[str]:
    """The files and folders that took their name in this run, as the user names them."""
    atomic = sys.modules.get("discreet.table.atomic")
    places = dict.fromkeys(atomic.written or ()) if atomic is not None else {}
    return [
        str(target.path if target is not None and target.is_at(place) else place)
        for place in places
    ]


def _interrupted(written: list[str], target: Target | None) -> str:
    if not written:
        return "interrupted; nothing was written"
    verb = _verb(written, "was", "were")
    told = f"interrupted after {_listed(written)} {verb} written and complete"
    if target is None or str(target.path) in written:
        return told
    return f"{told}; {target.path} was not written"


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _verb(names: list[str], one: str, more: str) -> str:
    return one if len(names) == 1 else more


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _where(error: BaseException) -> str:
    """Kind and place of an error; its text is left out, for it may quote a cell."""
    ours = Path(__file__).parents[1]
    place = "an unknown place"
    for frame in traceback.extract_tb(error.__traceback__):
        file = Path(frame.filename)
        if file.is_relative_to(ours):
            place = f"{file.relative_to(ours.parent).as_posix()}, line {frame.lineno}"
    return f"{type(error).__name__} at {place}"


def _debug(error: BaseException | None) -> None:
    """With DISCREET_DEBUG set, show where errors came from: frames only, no texts, no values."""
    if not os.environ.get("DISCREET_DEBUG"):
        return
    while error is not None:
        click.echo("".join(traceback.format_tb(error.__traceback__)), nl=False, err=True)
        click.echo(type(error).__name__, err=True)
        error = error.__cause__ or error.__context__
