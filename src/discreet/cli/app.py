"""Finds the command that was asked for, and never ends in a traceback."""

from __future__ import annotations

import itertools
import os
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Annotated, Any, Literal

import click
import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from discreet.cli import interrupt
from discreet.cli.failure import FlagError, report
from discreet.cli.options import READING, SHOWING
from discreet.errors import did_you_mean
from discreet.input_file import refuse_address
from discreet.table import atomic

GROUPS = {
    "Look": {
        "demo": "Run a complete example on a synthetic town.",
        "inspect": "See what identifies people in FILE; write a first policy.",
        "identify": "See which columns of FILE single people out.",
        "risk": "Estimate the risk of re-identification in FILE.",
        "mask": "See which columns of FILE can be published.",
        "levels": "Show what each anonymity level costs in columns of FILE.",
        "hipaa": "Check FILE against the rules of HIPAA safe harbor.",
        "techniques": "List the techniques, and compare their distortion on FILE.",
        "delta": "Derive a range for delta_presence from the cost of misuse.",
        "policy": "Print the JSON schema of a policy, for editors.",
    },
    "Release": {
        "anonymize": "Release FILE under a policy.",
        "compare": "Compare algorithms on FILE.",
        "advise": "Show which changes to a policy keep more of FILE.",
        "together": "Release several tables about the same people.",
    },
    "Check": {
        "verify": "Check that a released FILE keeps its policy.",
        "certify": "Sign that a released FILE keeps its policy.",
        "attack": "Attack a released FILE as an intruder would.",
        "report": "Report on a released FILE: what holds, what was lost.",
    },
    "Text": {
        "scrub": "Find and replace what identifies people in texts.",
    },
    "Keys and records": {
        "key": "Create or check a key for pseudonyms, or for certificates.",
        "restore": "Decrypt pseudonyms with their key.",
        "ledger": "Show earlier releases and their recipients.",
    },
}
"""The commands as help shows them: groups in the order of the work, most used commands first."""

COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}
"""Every command: its module in this folder has a function of the same name."""

WITH_SCHEMA = frozenset(COMMANDS) - {"demo", "policy", "key", "restore", "ledger"}
"""Commands whose answer has a published schema; that of a policy is printed by ``policy``."""

SETTINGS = {"max_content_width": 110}
"""How wide help is at most; a terminal that is narrower has its own width."""

COMPLETE = "_DISCREET_COMPLETE"
"""Set by the shell when it wants completions; see :meth:`Commands.complete`."""


class Unneeded:
    """Keeps Arrow from loading pandas where it is installed: half a second of a release.

    No command uses pandas; pyspark does not start without it.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Say that pandas is not there; let others look for the rest."""
        if name == "pandas" and "pyspark" not in sys.modules:
            raise ModuleNotFoundError(f"{name} is not loaded by the command line", name=name)


class Command(TyperCommand):
    """One command: what can be given once is refused a second time, and paths are paths."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        names = [param.name for param in self.params]
        before = next((name for name in ("encoding", "sheet") if name in names), None)
        if before is not None:  # it reads a table: all such commands have --header
            self.params.insert(names.index(before) + 1, _make_header_option())
        if self.name in WITH_SCHEMA:
            self.params.insert(names.index("json") + (before is not None), _make_schema_option())
        for kind in (param.type for param in self.params):
            if isinstance(kind, click.Path):  # of typer, whose paths have no completion
                kind.shell_complete = partial(click.Path.shell_complete, kind)  # type: ignore[method-assign]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; of an option given twice, click would take the last."""
        if ctx.resilient_parsing:  # a line that is still being typed
            return super().parse_args(ctx, args)
        if ctx.obj is not None:
            ctx.obj["command"] = self
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        _refuse_repeated(given)
        rest = super().parse_args(ctx, args)
        for param in self.params:
            value = ctx.params.get(param.name or "")
            if isinstance(param.type, click.Path) and value is not None:
                name = ", ".join(param.opts) if param.param_type_name == "option" else "FILE"
                for path in value if isinstance(value, list | tuple) else (value,):
                    if not _is_table(path):
                        refuse_address(path, name, written=name.startswith("-o"))
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options in their panels; plain text, since drawing boxes would load rich."""
        panels: dict[str, list[tuple[str, str]]] = {"Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                panel = getattr(param, "rich_help_panel", None) or "Options"
                panels.setdefault(panel, []).append(record)
        width = max(len(names) for records in panels.values() for names, _ in records)
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(names.ljust(width), text) for names, text in records])


def _make_header_option() -> click.Option:
    """The option that says what the first line of a table is; `options.read_table` looks it up."""
    return TyperOption(
        param_decls=["--header"],
        rich_help_panel=READING,
        is_flag=True,
        expose_value=False,
        callback=lambda ctx, _, value: (
            ctx.obj.update(header=value) if ctx.obj is not None else None
        ),
        help="The first line contains the column names, even if it looks like a row.",
    )


def _make_schema_option() -> click.Option:
    """The option that prints what the command answers with --json; like --help, nothing else."""
    return TyperOption(
        param_decls=["--schema"],
        rich_help_panel=SHOWING,
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_schema,
        help="Print the JSON schema of what --json prints, and end.",
    )


def _print_schema(context: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    from discreet.cli.output import print_json
    from discreet.schemas.schemas import facts_schema

    print_json(facts_schema(str(context.command.name)))
    context.exit()


def _is_table(value: Any) -> bool:
    """Whether it is the address of a table, which only a command that reads tables can be given."""
    from discreet.engines.address import AddressPath

    return isinstance(value, AddressPath)


def _refuse_repeated(given: Sequence[click.Parameter]) -> None:
    """Stop at an option that was given again and does not add up; a flag may be repeated."""
    seen: set[str | None] = set()
    for one in given:
        if one.param_type_name != "option" or getattr(one, "multiple", False):
            continue
        if getattr(one, "count", False) or (one.is_flag and not one.secondary_opts):  # type: ignore[attr-defined]
            continue
        if one.name in seen:
            what = "this option is given more than once, and only one can count"
            raise FlagError(", ".join(one.opts), what, "Give it once.")
        seen.add(one.name)


class Commands(TyperGroup):
    """The commands, each loaded only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the story."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the module of one command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"discreet.cli.commands.{cmd_name}")
        one = typer.Typer(rich_markup_mode=None, add_completion=False, context_settings=SETTINGS)
        one.command(cmd_name, cls=Command)(getattr(module, cmd_name))
        return typer.main.get_command(one)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is no such one."""
        known = ctx.resilient_parsing or not args or args[0].startswith("-")
        if not known and args[0] not in COMMANDS:
            hint = did_you_mean(args[0], COMMANDS)
            raise click.UsageError(f"'{args[0]}' is not a command. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        width = max(map(len, COMMANDS))
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the name of a command without loading any."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=text)
            for name, text in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def complete(self, instruction: str) -> int:
        """Answer a shell: the script that it loads once, or completions of the line so far."""
        from click.shell_completion import shell_complete

        return shell_complete(self, {}, "discreet", COMPLETE, instruction)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command; end with 0 (holds, done), 1 (does not hold) or 2 (request was wrong)."""
        if instruction := os.environ.get(COMPLETE):
            code = self.complete(instruction)
        else:
            code = self.run(sys.argv[1:] if args is None else list(args), extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def run(self, args: list[str], extra: dict[str, Any]) -> int:
        """The exit code of one call; whatever goes wrong is said in one place."""
        state = interrupt.state
        state.clear()
        state["json"] = "--json" in itertools.takewhile(lambda arg: arg != "--", args)
        atomic.written = []
        try:
            with warnings.catch_warnings():
                if not os.environ.get("DISCREET_DEBUG"):
                    # Libraries quote cells in their warnings; ours are fields of the result.
                    warnings.simplefilter("ignore")
                _refuse_nul(args)
                with self.make_context("discreet", args, obj=state, **extra) as context:
                    self.invoke(context)
            sys.stdout.flush()
        except click.exceptions.Exit as done:
            return done.exit_code
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the one place
            report(error, state)
            return 2
        return 0


def _refuse_nul(args: Sequence[str]) -> None:
    """Stop at a character that no path and no name of a column can hold."""
    if any("\0" in arg for arg in args):
        what = "it holds a NUL character, which no path and no column name has"
        raise FlagError("an argument", what, "Check how the command was put together.")


app = typer.Typer(
    name="discreet",
    cls=Commands,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], **SETTINGS},
)


@app.callback(invoke_without_command=True)
def discreet(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and end.")] = False,
    show_completion: Annotated[
        Literal["bash", "zsh", "fish"] | None,
        typer.Option(
            "--show-completion", metavar="SHELL", help="Print completion for bash, zsh or fish."
        ),
    ] = None,
) -> None:
    """Release data about people without giving them away."""
    if version:
        from discreet import __version__

        typer.echo(f"discreet {__version__}")
    elif show_completion is not None:
        context.command.complete(f"{show_completion}_source")  # type: ignore[attr-defined]
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())
