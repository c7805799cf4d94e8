"""The commands that are killed are all those that write."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from typer.main import get_command

from discreet.cli.main import app
from soak.kills import COMMANDS, READ


def name_paths() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Command, name and spellings of every path that the command line takes."""
    group = get_command(app)
    context = click.Context(group)
    for command in group.list_commands(context):
        for parameter in group.get_command(context, command).params:
            if isinstance(parameter.type, click.Path):
                is_option = parameter.param_type_name == "option"
                name = parameter.opts[0] if is_option else parameter.name
                yield command, name, tuple(parameter.opts) if is_option else ()


PATHS = tuple(name_paths())


def test_the_command_line_takes_paths() -> None:
    assert ("anonymize", "-o", ("-o", "--output")) in PATHS
    assert ("key", "file", ()) in PATHS


@pytest.mark.parametrize(("command", "name", "spellings"), PATHS)
def test_every_path_is_written_to_by_a_command_that_is_killed_or_is_only_read(
    command: str, name: str, spellings: tuple[str, ...]
) -> None:
    asked = [(one.args, one.flag) for one in COMMANDS.values() if one.args[0] == command]
    if spellings:
        is_killed = any({*args, *flag} & set(spellings) for args, flag in asked)
    else:
        is_killed = any(not flag for _, flag in asked)
    assert is_killed or f"{command} {name}" in READ or f"* {name}" in READ


def test_every_path_that_is_only_read_is_one_of_the_command_line() -> None:
    known = {f"{command} {name}" for command, name, _ in PATHS} | {
        f"* {name}" for _, name, _ in PATHS
    }
    assert set(READ) <= known


def test_a_path_that_a_killed_command_is_to_write_is_not_named_as_read() -> None:
    targets = {f"{one.args[0]} {one.flag[-1]}" for one in COMMANDS.values() if one.flag}
    assert not targets & set(READ)
