"""What a user sees when something goes wrong: one message, no traceback, no private value."""

from __future__ import annotations

import os
import re
import sys
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from discreet.display import hide_credentials
from discreet.errors import (
    ArgumentError,
    DiscreetError,
    PolicyError,
    WriteError,
    describe_failure,
    locate_error,
    name_arguments,
)

if TYPE_CHECKING:
    from discreet.cli.target import Target


class FlagError(DiscreetError):
    """The options of a command do not fit together."""

    def __init__(self, flag: str, what: str, fix: str) -> None:
        self.flag = flag
        super().__init__(flag, what, fix)


ALIASES = {
    "every": "all",
    "mapping": "map",
    "replace": "force",
    "most_identifying": "picture",
    "strict": "below",
    "table": "file",
    "unprotected": "release_unprotected",
    "weights": "weight",
}
"""What the command line calls a parameter where it is not the library's name for it."""


def report(error: BaseException, state: dict[str, Any]) -> None:
    """Say what is wrong on standard error; under --json also as JSON on standard output."""
    message = explain(error, state)
    if state.get("json") and not state.get("printed"):
        with suppress(OSError):
            click.echo(format_error_json(error, message, state))
    complain(message)


def complain(message: str) -> None:
    """Say on standard error what is wrong; an argument may be an address with a password."""
    with suppress(BrokenPipeError):
        said = make_printable(hide_credentials(message))
        click.echo(f"{colour_word('discreet:', sys.stderr)} {said}", err=True)


def colour_word(word: str, stream: Any) -> str:
    """A word that must not be missed: bold red on a terminal, plain anywhere else."""
    return click.style(word, fg="red", bold=True) if has_colour(stream) else word


def has_colour(stream: Any) -> bool:
    """Whether colours can be shown there and are wanted; see https://no-color.org."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and bool(stream.isatty())


def make_printable(message: str) -> str:
    """The message without control characters, which a column name may hold."""
    lines = message.splitlines()
    return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)


def format_error_json(error: BaseException, message: str, state: dict[str, Any]) -> str:
    """The error as one JSON object: what the message says, and the parts that a program wants."""
    import json

    said = {"kind": _name_family(error), "message": make_printable(hide_credentials(message))}
    where = {
        name: make_printable(hide_credentials(value)) if isinstance(value, str) else value
        for name, value in _place(error, state).items()
        if value
    }
    return json.dumps({"error": {**said, "where": where or None}}, indent=2)


def _name_family(error: BaseException) -> str:
    """The family of an error, which stays when messages and single classes change."""
    match error:
        case click.Abort() | KeyboardInterrupt():
            return "interrupted"
        case click.ClickException() | FlagError() | ArgumentError():
            return "usage"
        case DiscreetError():
            lineage = type(error).__mro__
            family = lineage[max(0, lineage.index(DiscreetError) - 1)].__name__
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", family.removesuffix("Error") or "error")
            return words.casefold()
        case MemoryError():
            return "memory"
        case OSError():
            return "system"
    return "internal"


def _place(error: BaseException, state: dict[str, Any]) -> dict[str, Any]:
    """Where the error is, as far as it says so: options, a file and line, a key, a column."""
    match error:
        case FlagError():
            return {"option": error.flag}
        case ArgumentError():
            return {"option": ", ".join(_name_flag(name, state) for name in error.names)}
        case PolicyError(problems=(problem, *_)):
            return {"file": error.file, "line": problem.line, "key": problem.key}
        case click.BadParameter(param=click.Option() as param):
            return {"option": ", ".join(param.opts)}
        case click.NoSuchOption():
            return {"option": error.option_name}
        case DiscreetError():
            column = getattr(error, "column", None)
            return {"column": column if isinstance(column, str) else None}
        case OSError(filename=str() as file):
            return {"file": file}
    return {}


def _name_flag(name: str, state: dict[str, Any], value: str = "") -> str:
    """The option of the command under way that sets a parameter; its name if none does."""
    command = state.get("command")
    wanted = (name, f"{name}_", ALIASES.get(name), f"{ALIASES.get(name)}_")
    for param in () if command is None else command.params:
        if param.name in wanted:
            shown = param.opts[0] if isinstance(param, click.Option) else param.metavar
            return f"{shown} {value}".rstrip()
    return f"{name} {value}".rstrip()


def explain(error: BaseException, state: dict[str, Any]) -> str:
    """The message for an error; it never says that nothing was written where something was.

    The library names parameters, and this names the options that set them. ``state['target']`` is
    the release that was asked for, ``state['command']`` the command.
    """
    return name_flags(_explain(error, state), state)


def name_flags(text: str, state: dict[str, Any]) -> str:
    """A text of the library with the options that set the parameters it names."""
    return name_arguments(text, lambda name, value: _name_flag(name, state, value))


def _explain(error: BaseException, state: dict[str, Any]) -> str:
    target = state.get("target")
    written = _list_written(target)
    match error:
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else "discreet"
            return f"{_end_sentence(error.format_message())} Try '{path} --help'."
        case click.ClickException():
            return error.format_message()
        case KeyboardInterrupt() | click.Abort():
            return str(state.get("interrupted", _explain_interrupt(written, target)))
        case WriteError(left=WriteError.NOTHING) if written:
            _show_frames(error)
            left = f"Written before that, and complete: {_join_names(written)}."
            return f"{error.subject}: {error.what}. {error.fix} {left}"
        case DiscreetError():
            _show_frames(error)
            return error.template
    _show_frames(error)
    if written:
        verb = _choose_verb(written, "is", "are")
        told = f"{_join_names(written)} {verb} written and complete"
        return f"{told}, but showing the result failed {locate_error(error)}"
    return describe_failure(error)


def _list_written(target: Target | None) -> list[str]:
    """The files and folders that took their name in this run, as the user names them."""
    atomic = sys.modules.get("discreet.table.atomic")
    places = dict.fromkeys(atomic.written or ()) if atomic is not None else {}
    return [
        str(target.path if target is not None and target.is_at(place) else place)
        for place in places
    ]


def _explain_interrupt(written: list[str], target: Target | None) -> str:
    if not written:
        return "interrupted; nothing was written"
    verb = _choose_verb(written, "was", "were")
    told = f"interrupted after {_join_names(written)} {verb} written and complete"
    if target is None or str(target.path) in written:
        return told
    return f"{told}; {target.path} was not written"


def _join_names(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _choose_verb(names: list[str], one: str, more: str) -> str:
    return one if len(names) == 1 else more


def _end_sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _show_frames(error: BaseException | None) -> None:
    """With DISCREET_DEBUG set, show where errors came from: frames only, no texts, no values."""
    if not os.environ.get("DISCREET_DEBUG"):
        return
    while error is not None:
        click.echo("".join(traceback.format_tb(error.__traceback__)), nl=False, err=True)
        click.echo(type(error).__name__, err=True)
        error = error.__cause__ or error.__context__
