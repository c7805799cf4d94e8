"""What a command shows: facts as short tables for people, or the same facts as JSON."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

import click

from discreet.cli import interrupt
from discreet.cli.failure import colour_word, has_colour, make_printable
from discreet.display import hide_credentials
from discreet.frequency.compiled import listen_to_compiler

UNBOUNDED = 1_000_000
"""Width where there is no terminal: a line of a table is then never broken."""

LONGEST, LAST = 60, 24
"""Width that a text keeps on a narrow terminal: in a column, and in the last one."""


ALERTS = re.compile(
    r"\b(FAILS|BREAKS|BROKEN|SUCCEEDS|UNPROTECTED|NOT KNOWN|NOT known|NOT PROMISED|DOES NOT HOLD|"
    r"NOT be decided|GIVES ROWS AWAY|NO attack|IS NONE|NO k IS PROMISED|WARNING|"
    r"REFUSED|NOT SIGNED|WEAKER|LITTLE IS LEFT|NOTHING BUT)\b"
)
"""The words by which results say that something is wrong or not known."""


def open_streams() -> None:
    """Put nothing in the place of standard streams that the caller closed.

    Otherwise a release under way might get the number of one, and what a library prints.
    """
    number = os.open(os.devnull, os.O_RDWR)
    while number <= 2:
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)
    for place, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(place, "w", closefd=False))


def print_json(facts: Mapping[str, Any]) -> None:
    """The facts on standard output, and nothing else; JSON has no infinity, so that is null."""
    text = json.dumps(_make_plain(facts), indent=2, allow_nan=False)
    interrupt.state["printed"] = True
    _print(text)


def write(text: str) -> None:
    """Print to standard output for people; bad verdicts are highlighted on a terminal."""
    _print(ALERTS.sub(lambda word: colour_word(word[0], sys.stdout), text))


def _print(text: str) -> None:
    """Print to standard output; a reader that left early is not an error."""
    try:
        click.echo(text, err=bool(interrupt.state.get("rows printed")))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(text: str) -> None:
    """Print to standard error: a remark that is not part of the result."""
    with suppress(BrokenPipeError):
        click.echo(make_printable(hide_credentials(text)), err=True)


def note_once(text: str) -> None:
    """Print a remark that several parts of a command make; not under --quiet."""
    context = click.get_current_context(silent=True)
    quiet = context is not None and context.params.get("quiet", False)
    said = interrupt.state.setdefault("said", set())
    if not quiet and text not in said:
        said.add(text)
        note(text)


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """One short table; numbers are set to the right.

    On a narrow terminal the last column is broken into lines, and if that is not enough the
    terminal breaks them: no text is ever left out.
    """
    from rich import box
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table

    rows = [list(row) for row in rows]
    grid = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    least = 0
    for place, head in enumerate(heads):
        values = [row[place] for row in rows]
        wide = max(cell_len(text) for text in (head, *map(format_fact, values)))
        wide = min(wide, LAST if head == heads[-1] else LONGEST)
        right = bool(values) and all(isinstance(value, int | float) for value in values)
        side: Literal["left", "right"] = "right" if right else "left"
        grid.add_column(head, justify=side, overflow="fold", min_width=wide)
        least += wide + 3
    for row in rows:
        grid.add_row(*map(format_fact, row))
    plain = not has_colour(sys.stdout)
    console = Console(
        markup=False, highlight=False, emoji=False, color_system=None if plain else "auto"
    )
    console.width = max(console.width, least) if console.is_terminal else UNBOUNDED
    with console.capture() as capture:
        console.print(grid)
    write("\n".join(line.rstrip() for line in capture.get().splitlines()))


def format_fact(value: Any) -> str:
    """A fact as people read it."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
                return f"{int(value):,}"
            return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.1f}"
        case list() | tuple():
            return ", ".join(format_fact(item) for item in value)
    return make_printable(str(value))


LEAST_SECONDS, LEAST_SHARE = 2.0, 0.02
"""What must have passed and be done of a step before the time left is estimated."""


def describe_progress(step: str, share: float | None = None, seconds: float = 0.0) -> str:
    """What a progress line says: the step, the share of it that is done, and the time left.

    The step began so many ``seconds`` ago; nothing is said of the rest before there is enough to
    judge from.
    """
    if share is None:
        return step
    said = f"{step} {100 * share:.0f} %"
    if seconds < LEAST_SECONDS or share < LEAST_SHARE:
        return said
    left = round(seconds * (1 - share) / share)
    return (
        f"{said}, {left // 60} min {left % 60} s left" if left >= 60 else f"{said}, {left} s left"
    )


class Progress:
    """How far a long step is, on one line of standard error, on a terminal only.

    As a context it clears the line at the end.
    """

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.on = not quiet and sys.stderr.isatty()
        self.last = self.started = 0.0
        self.stage = ""

    def __enter__(self) -> Progress:
        listen_to_compiler(self.say_compiling)
        return self

    def __exit__(self, *_: object) -> None:
        listen_to_compiler(None)
        self.end()

    def say_compiling(self) -> None:
        """Say why the first use after installing takes longer."""
        self.last = 0.0
        self("compiling, only the first time")

    def __call__(self, step: str, share: float | None = None) -> None:
        """Show a step with the share of it that is done."""
        now = time.monotonic()
        stage = step.partition(",")[0]
        if stage != self.stage:
            self.stage, self.started = stage, now
        if self.on and now - self.last > 0.1:
            self.last = now
            said = describe_progress(step, share, now - self.started)
            click.echo(f"\r\x1b[K{said}", nl=False, err=True)

    def end(self) -> None:
        """Clear the line."""
        if self.on and self.last:
            click.echo("\r\x1b[K", nl=False, err=True)


def _make_plain(value: Any) -> Any:
    """The value with nothing in it that JSON does not have."""
    match value:
        case Mapping():
            return {str(key): _make_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_make_plain(item) for item in value]
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
    return _make_plain(value.item()) if hasattr(value, "item") else str(value)


def say_changes(changes: Sequence[str]) -> None:
    """Say which options won over the policy."""
    if changes:
        note(f"Options override the policy: {'; '.join(changes)}.")


def print_verdicts(
    found: Iterable[Mapping[str, Any]], unique_rows: Mapping[str, Any] | None = None
) -> None:
    """Each promise, whether it holds, and what was measured; on which columns if several do.

    Rows that are unique on all quasi columns have a line of their own where no promise is about
    them.
    """
    found = list(found)
    sets = {(one["model"], tuple(one.get("columns", ()))) for one in found}
    models = [model for model, _ in sets]
    rows = [
        (
            f"{one['model']} on {', '.join(one['columns'])}"
            if models.count(one["model"]) > 1 and one.get("columns")
            else one["model"],
            "holds" if one["holds"] else "FAILS",
            one["measured"],
            one.get("limit"),
            one.get("rows_at_risk"),
            one.get("note", ""),
        )
        for one in found
    ]
    if unique_rows is not None and unique_rows["note"]:
        alone, below = unique_rows["rows_unique"], unique_rows["rows_below_k"]
        note = f"on {', '.join(unique_rows['columns'])}"
        rows.append(("unique rows", "NOT PROMISED", alone, None, max(alone, below), note))
    print_table("Promises", ("model", "verdict", "measured", "limit", "rows at risk", "note"), rows)
    if unique_rows is not None and unique_rows["note"]:
        write(f"NOT PROMISED: {unique_rows['note']}.")


def say_people(found: Mapping[str, Any] | None) -> None:
    """Say how many people there are where promises count rows."""
    if found is not None:
        write(f"PEOPLE: {found['note']}.")


def say_level(level: Mapping[str, Any] | None) -> None:
    """What the anonymity level came to."""
    if level is not None:
        k, rows = format_fact(level["k"]), format_fact(level["rows"])
        most = "at most " if level["assumed"] else ""
        write(f"Anonymity level {level['level']:g} of {most}{rows} rows: k is {most}{k}.")


def say_profile(profile: Mapping[str, Any] | None) -> None:
    """Whom a release is for, and what that assumes of them."""
    if profile is not None:
        preset = f" (preset {profile['preset']})" if profile["preset"] else ""
        write(f"Made for the profile '{profile['name']}'{preset}. It assumes:")
        for line in profile["assumes"]:
            write(f"- {line}")


def explain_missing_rule(rule: str | None) -> str:
    """How missing values were counted."""
    if rule == "wildcard":
        return "A missing value matches any value (missing: wildcard)."
    return "A missing value counts as a value of its own (missing: value)."
