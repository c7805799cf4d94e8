"""``discreet identify``: which columns single people out."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType
from typing import Annotated, Any, Self

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError
from discreet.cli.options import parse_column_weights
from discreet.cli.render_sets import show
from discreet.cli.target import check_picture
from discreet.identification.keys.minimal_sets import OutOfTime

# Ctrl-C while all sets are looked for: those found so far are shown.


Progress = Callable[[str, float | None], None]

NOTE = (
    "interrupted: every set shown is minimal, but there may be more sets; give fewer columns or a "
    "largest size"
)

NOT_SEARCHED = ("reading", "counting")
"""Steps before and after the search, which leave nothing to show."""


class Interrupted:
    """While this is open the first Ctrl-C ends the search, and the second the program."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self.asked = self.ended = False
        self.before: Any = None

    def __enter__(self) -> Self:
        if self.wanted and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self.before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._restore()

    def watch_progress(self, progress: Progress) -> Progress:
        """The same progress, which ends the search once Ctrl-C was pressed."""

        def step(text: str, share: float | None = None) -> None:
            if self.asked and not text.startswith(NOT_SEARCHED):
                self.ended = True
                raise OutOfTime
            if self.asked:
                raise KeyboardInterrupt
            progress(text, share)

        return step

    def tell(self, facts: dict[str, Any]) -> None:
        """Say in the facts that there may be more sets, if the search was ended."""
        if self.ended:
            facts["notes"].append(NOTE)
            facts.update(exact=False, complete=False)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self._restore()

    def _restore(self) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
            self.before = None


SAMPLE = "Search a sample"
RATIO = "Less than a key"

Minimum = Annotated[bool, typer.Option("--minimum", help="One smallest set (default).")]
All = Annotated[bool, typer.Option("--all", help="All minimal sets.")]
Distinct = Annotated[
    float | None,
    typer.Option(
        "--distinct",
        metavar="B",
        rich_help_panel=RATIO,
        help="Search for at least this distinct ratio (distinct combinations per row), up to 1, "
        "instead of a key.",
    ),
]
SeparationRatio = Annotated[
    float | None,
    typer.Option(
        "--separation",
        metavar="B",
        rich_help_panel=RATIO,
        help="Search for at least this separation ratio (share of pairs of rows that differ), up "
        "to 1, instead of a key.",
    ),
]
MaxSize = Annotated[
    int | None,
    typer.Option(
        "--max-size",
        metavar="M",
        rich_help_panel=options.SEARCH,
        help="No sets of more than M columns.",
    ),
]
DropDuplicates = Annotated[
    bool | None,
    typer.Option(
        "--drop-duplicates/--keep-duplicates",
        help="Count repeated rows only once, or each of them (default: once, without -q).",
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "-q", "--quasi", metavar="COLUMN", help="Search only these columns; repeat for more."
    ),
]
Weight = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="COLUMN=W",
        rich_help_panel=options.SEARCH,
        help="What it costs to learn a column, else 1; repeat.",
    ),
]
Epsilon = Annotated[
    float | None,
    typer.Option(
        "--epsilon",
        metavar="E",
        rich_help_panel=SAMPLE,
        help="Search a sample; ratios may be short by E.",
    ),
]
Delta = Annotated[
    float | None,
    typer.Option(
        "--delta",
        metavar="D",
        rich_help_panel=SAMPLE,
        help="With --epsilon: probability of failure (default 0.01).",
    ),
]
SampleOnly = Annotated[
    bool,
    typer.Option(
        "--sample-only",
        rich_help_panel=SAMPLE,
        help="With --epsilon: read FILE once and hold a sample only; no ratios are counted.",
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        rich_help_panel=options.SEARCH,
        help="Then show what was found; 0 for none.",
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        metavar="PICTURE",
        readable=False,
        help="Draw the most identifying small sets: .svg, .png or .pdf.",
    ),
]


def identify(
    file: options.File,
    minimum: Minimum = False,
    all_: All = False,
    quasi: Columns = None,
    drop_duplicates: DropDuplicates = None,
    picture: Picture = None,
    force: options.Force = False,
    distinct: Distinct = None,
    separation: SeparationRatio = None,
    max_size: MaxSize = None,
    weight: Weight = None,
    epsilon: Epsilon = None,
    delta: Delta = None,
    sample_only: SampleOnly = False,
    time_limit: TimeLimit = 60.0,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """See which columns of FILE single people out.

    FILE is a table; or - for standard input, of which --epsilon holds a sample only. A key is a set
    of columns in which no two rows are equal. No value of FILE is shown. Ends with 0; what it finds
    is for you to judge.
    """
    import discreet

    if minimum and all_:
        raise FlagError("--minimum, --all", "these are two questions", "Ask one at a time.")
    if picture is not None:
        from discreet.reporting.pictures import ENDINGS, require_plots

        check_picture(picture, (file,), ENDINGS, force)
        require_plots(picture)
    weights = parse_column_weights(weight)
    once = str(file) == "-" and epsilon is not None
    source: Any = sys.stdin if once else options.read_table(file, separator, encoding, sheet)
    progress = output.Progress(quiet)
    try:
        with Interrupted(all_) as asked_to_end:
            found = discreet.identify(
                source,
                all_=all_,
                distinct=distinct,
                separation=separation,
                max_size=max_size,
                drop_duplicates=drop_duplicates,
                quasi=quasi or (),
                weight=weights,
                epsilon=epsilon,
                delta=delta,
                sample_only=sample_only,
                time_limit=time_limit,
                most_identifying=picture is not None,
                seed=seed or 0,
                progress=asked_to_end.watch_progress(progress),
            )
    finally:
        progress.end()
    facts = found.facts()
    asked_to_end.tell(facts)
    if picture is not None:
        from discreet.reporting.pictures import draw_identifying_sets

        draw_identifying_sets(facts, picture, force)
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        show(facts, options.show_file(file), picture)
    if asked_to_end.ended:
        raise typer.Exit(2)
