"""What a user sees when something goes wrong: one message, no traceback, no private value."""

from __future__ import annotations

import os
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from discreet.display import hide_credentials
from discreet.errors import DiscreetError, InternalError


def complain(message: str) -> None:
    """Say on standard error what is wrong; an argument may be an address with a password."""
    with suppress(BrokenPipeError):
        click.echo(f"discreet: {printable(hide_credentials(message))}", err=True)


def printable(message: str) -> str:
    """The message without control characters, which a column name may hold."""
    lines = message.splitlines()
    return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)


def explain(error: BaseException, state: dict[str, Any]) -> str:
    """The message for an error; ``state['target']`` knows of a release that is complete."""
    target = state.get("target")
    written = target.path if target is not None and target.appeared else None
    match error:
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else "discreet"
            return f"{_sentence(error.format_message())} Try '{path} --help'."
        case click.ClickException():
            return error.format_message()
        case KeyboardInterrupt() | click.Abort():
            if written:
                return f"interrupted after {written} was written and complete"
            return str(state.get("interrupted", "interrupted; nothing was written"))
        case DiscreetError():
            _debug(error)
            return str(error)
        case MemoryError():
            return "there is not enough memory for this; nothing was released."
        case OSError(filename=str() as file, strerror=str() as reason) if not written:
            _debug(error)
            return f"{file}: {reason.lower()}. Check the path, its permissions and the disk."
        case OSError(strerror=str() as reason) if not written:
            _debug(error)
            return f"the result cannot be shown: {reason.lower()}; nothing was released."
    _debug(error)
    if written:
        return f"{written} is written and complete, but showing the result failed {_where(error)}"
    return str(InternalError(f"unexpected {_where(error)}"))


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
