"""The options that commands share, each defined once, and the policy that they add up to."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
import typer

from discreet.cli.failure import FlagError
from discreet.display import dataclass
from discreet.errors import PolicyError

if TYPE_CHECKING:
    from discreet.policy.policy import Policy
    from discreet.table.table import Table


READING = "How files are read"
SHOWING = "What is printed"
SEARCH = "How the search works"
POPULATION = "Population"
"""Panels of help that several commands have; options without a panel are the daily ones."""

ALGORITHMS = (
    *("optimal", "local", "exact", "datafly", "mu-argus", "k-similar", "suppress", "mondrian"),
    *("probabilistic", "spalm", "mpalm", "fixed"),
)
"""For completion at once: the algorithms themselves take half a second to load."""


def complete_algorithm(incomplete: str) -> list[str]:
    """The algorithms whose name begins like this."""
    return [name for name in ALGORITHMS if name.startswith(incomplete)]


class TablePath(click.Path):
    """The path of a file, or the address of a database, whose slashes a path would lose."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; whether a file is there is found by reading it."""
        from discreet.engines.address import parse_path

        found = super().convert(value, param, ctx)
        return parse_path(found) if isinstance(found, str) else found


TABLE_PATH = TablePath(readable=False)
File = Annotated[Path, typer.Argument(metavar="FILE", click_type=TABLE_PATH, hidden=True)]
"""Told in the text of each command: versions of typer and click list it twice or not at all."""

PolicyFile = Annotated[
    Path | None,
    typer.Option("--policy", metavar="P", readable=False, help="The policy, a YAML file."),
]
"""Whether a file can be read is found by reading it, which says more than ``readable``."""

Profile = Annotated[
    str | None,
    typer.Option("--profile", metavar="NAME", help="Recipient: one of the policy's profiles."),
]
Quasi = Annotated[
    list[str] | None,
    typer.Option("-q", "--quasi", metavar="COLUMN", help="A quasi column; repeat for more."),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option("-s", "--sensitive", metavar="COLUMN", help="A sensitive column; repeat."),
]
K = Annotated[int | None, typer.Option("-k", metavar="K", help="The smallest class allowed.")]
Anonymity = Annotated[
    str | None,
    typer.Option(
        "--anonymity",
        metavar="A",
        help="Instead of -k: an anonymity level, 0 (unchanged) to 1 (most general).",
    ),
]
Separator = Annotated[
    str | None,
    typer.Option(
        "--separator",
        metavar="TEXT",
        rich_help_panel=READING,
        help="Separator of CSV fields (default: detected).",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        rich_help_panel=READING,
        help="Encoding of a CSV file (default: detected).",
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option(
        "--sheet",
        "--table",
        metavar="NAME",
        rich_help_panel=READING,
        help="Sheet of a workbook, or table of a database.",
    ),
]
SheetAlone = Annotated[
    str | None,
    typer.Option(
        "--sheet",
        metavar="NAME",
        rich_help_panel=READING,
        help="Sheet of a workbook, or table of a database.",
    ),
]
"""Where --table is the table of a ledger as well."""
Json = Annotated[
    bool,
    typer.Option("--json", rich_help_panel=SHOWING, help="Print only JSON."),
]
Quiet = Annotated[bool, typer.Option("--quiet", rich_help_panel=SHOWING, help="Print only errors.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="OUT",
        readable=False,
        help="The file to write; its extension sets the format.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Tree = Annotated[
    str | None,
    typer.Option(
        "--tree",
        metavar="COLUMN",
        help="Show the hierarchy proposed for COLUMN instead: a tree of its values and groups.",
    ),
]
WritePolicy = Annotated[
    Path | None,
    typer.Option(
        "--write-policy",
        metavar="P",
        readable=False,
        help="Write a policy for FILE, to edit, in YAML.",
    ),
]
Suppress = Annotated[
    str | None,
    typer.Option("--suppress", metavar="SHARE", help="Largest share of rows to suppress, 0 to 1."),
]
Measure = Annotated[
    str | None,
    typer.Option(
        "--measure",
        metavar="NAME",
        rich_help_panel=SEARCH,
        help="Measure to optimize, such as loss.",
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        rich_help_panel=SEARCH,
        help="Stop each search after this time and use the best release found so far.",
    ),
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="Make random steps repeatable.")
]


@dataclass(frozen=True)
class Chosen:
    """The policy that a call adds up to, and what its options changed in the policy file."""

    policy: Policy
    changes: tuple[str, ...] = field(default=())

    def for_recipient(self) -> Chosen:
        """The same with the plain policy for the recipient that is named."""
        return Chosen(self.policy.for_recipient(), self.changes)


def read_table(
    file: Path, separator: str | None, encoding: str | None, sheet: str | None = None
) -> Table:
    """Open the table that the command works on; - is standard input, which is read once."""
    from discreet.cli import interrupt, output
    from discreet.engines.read import read
    from discreet.table.header import settle_names, write_header_notice

    tab = separator is not None and separator.casefold() in ("tab", "\\t")
    comma = "\t" if tab else separator
    header = interrupt.state.get("header") or None
    table = read(
        hold_standard_input() if str(file) == "-" else file,
        separator=comma,
        encoding=encoding,
        sheet=sheet,
        header=header,
    )
    if table.first_line:
        table = settle_names(table, _list_asked_columns())
    if (
        write_header_notice(table.name) in table.notices
    ):  # said first: an error may follow that names columns
        output.note_once(write_header_notice(table.name))
    return table


def has_several(file: Path) -> bool:
    """Whether it can hold several tables, of which one is named: a workbook or a database."""
    from discreet.table.read import DUCKDB, EXCEL, SQLITE, find_ending

    return is_address(file) or find_ending(file) in EXCEL + SQLITE + DUCKDB


def is_address(file: Path) -> bool:
    """Whether the table is in a database, at an address."""
    from discreet.engines.address import find_scheme

    return find_scheme(file) is not None


def show_file(file: Path) -> str:
    """The name of the table that is read, as titles show it."""
    return "standard input" if str(file) == "-" else file.name


def hold_standard_input() -> Path:
    """What comes from standard input, as a file in memory; it comes only once."""
    from discreet.cli import interrupt, output
    from discreet.table.stream import hold_input

    if interrupt.state.get("input held"):
        what = "standard input can be only one of the tables"
        raise FlagError("-", what, "Name files for the others.")
    interrupt.state["input held"] = True
    if sys.stdin is not None and sys.stdin.isatty():
        output.note("Reading a table from standard input; end it with Ctrl-D.")
    return hold_input()


def _list_asked_columns() -> list[str]:
    """The columns that the call names, by its options or in its policy."""
    from discreet.policy.policy import Policy

    context = click.get_current_context(silent=True)
    given = {} if context is None else context.params
    named = [*(given.get("quasi") or ()), *(given.get("sensitive") or ())]
    if file := given.get("policy"):
        policy = Policy.load(file)
        named += [*policy.quasi, *policy.sensitive]
    return named


def choose_policy(
    file: Path | None,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    k: int | None = None,
    **settings: Any,
) -> Chosen:
    """The policy of the file, or of the flags alone; flags win, and the result says which did."""
    from discreet.policy.policy import Policy
    from discreet.policy.policy_file import Source

    settings = {key: value for key, value in settings.items() if value is not None}
    if k is not None and "anonymity" in settings:
        what = "both say how large classes must be"
        raise FlagError("-k, --anonymity", what, "Give one of the two.")
    policy = None if file is None else Policy.load(file)
    try:
        if policy is None:
            source = Source("options")
            made = Policy.from_flags(quasi or (), sensitive or (), k, source=source, **settings)
            return Chosen(made)
        return _override(policy, quasi or (), sensitive or (), k, settings)
    except PolicyError as error:
        told = [problem._replace(line=None) for problem in error.problems]
        raise PolicyError(told, "options") from None


def parse_share(text: str | None) -> float | str | None:
    """A share as a number where it is one; the policy says what is wrong with anything else."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _override(
    policy: Policy,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    k: int | None,
    settings: dict[str, Any],
) -> Chosen:
    changes: dict[str, Any] = dict(settings)
    before = {key: getattr(policy, key) for key in changes}
    notes = [
        f"{key} {_format_value(before[key])} -> {_format_value(new)}"
        for key, new in changes.items()
        if key != "profile" or before[key] not in (None, new)
    ]
    if quasi or sensitive:
        changes["columns"] = columns = dict[str, Any](policy.columns)
        for name, role in _assign_roles(quasi, sensitive).items():
            old = policy.columns.get(name)
            if old is None or old.role.value != role:
                auto = {"hierarchy": {"auto": True}} if role == "quasi" else {}
                columns[name] = {"role": role, **auto}
                notes.append(f"{name} {old.role.value if old else 'not released'} -> {role}")
    if k is not None:
        changes["require"], old_k = _replace_k(policy, k)
        notes.append(f"k {old_k} -> {k}")
        if policy.anonymity is not None:
            changes["anonymity"] = None
    elif "anonymity" in settings:
        changes |= _replace_level(policy, settings["anonymity"])
    return Chosen(policy.replace(**changes) if changes else policy, tuple(notes))


def _assign_roles(quasi: Sequence[str], sensitive: Sequence[str]) -> dict[str, str]:
    both = [name for name in quasi if name in sensitive]
    if both:
        what = f"'{both[0]}' is named as quasi and as sensitive"
        raise FlagError("-q, -s", what, "A column has one role: drop one of the two.")
    return dict.fromkeys(quasi, "quasi") | dict.fromkeys(sensitive, "sensitive")


def _replace_k(policy: Policy, k: int) -> tuple[list[Any], str]:
    """The promises with another k; several k-anonymities cannot be changed by one flag."""
    now = [model for model in policy.require if model.name == "k_anonymity"]
    if len(now) > 1:
        what = f"the policy has k_anonymity {len(now)} times"
        raise FlagError("-k", what, "Change k in the policy file.")
    new = {"k_anonymity": {"k": k}}
    if not now:
        return [new, *policy.require], "none"
    if now[0].columns:
        new["k_anonymity"]["columns"] = list(now[0].columns)  # type: ignore[assignment]
    old = (
        str(now[0].k)
        if policy.anonymity is None
        else f"of anonymity {_format_value(policy.anonymity)}"
    )
    return [new if model is now[0] else model for model in policy.require], old


def _replace_level(policy: Policy, level: Any) -> dict[str, Any]:
    """The policy's map with another level; a k that the policy names gives way to it."""
    spec = None if policy.anonymity is None else policy.anonymity.write_spec()
    require = [
        {"k_anonymity": {"columns": list(model.columns)} if model.columns else None}
        if model.name == "k_anonymity"
        else model
        for model in policy.require
    ]
    mapped = {**spec, "level": level} if isinstance(spec, dict) else level
    return {"anonymity": mapped, "require": require}


def _format_value(value: Any) -> str:
    if hasattr(value, "level"):
        return f"{value.level:g}"
    return str(getattr(value, "name", "none" if value is None else value))


# Options that are a share: above 0 and below 1, or at most 1.


def check_share(flag: str, value: float | None, most: bool = False) -> None:
    """Refuse a number that is no share of anything; with ``most``, the whole is one."""
    if value is None or 0 < value < 1 or (most and value == 1):
        return
    fix = f"Give a number above 0 and {'at most' if most else 'below'} 1."
    raise FlagError(f"{flag} {value:g}", "this cannot be", fix)


# Options of the form COLUMN=W: what a column is worth, or what it costs to learn.


def parse_column_weights(given: Sequence[str] | None) -> dict[str, float]:
    """The weight of each column that was named; a name may hold a = itself."""
    weights = dict[str, float]()
    for text in given or ():
        column, _, number = text.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            weight = 0.0
        if not column or not 0 < weight < math.inf:
            what = "a column and its weight, a number above 0, are needed"
            raise FlagError("--weight", what, "Say --weight age=2, for instance.")
        if weights.setdefault(column, weight) != weight:
            raise FlagError("--weight", f"{column!r} has two weights", "Give one.")
    return weights
