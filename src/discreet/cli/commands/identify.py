"""``discreet identify``: which columns single people out."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from discreet.cli import options, output
from discreet.cli.options import check_share, column_weights
from discreet.cli.render_sets import many, show
from discreet.cli.target import check_picture
from discreet.errors import FlagError
from discreet.identification.keys.minimal_sets import OutOfTime

if TYPE_CHECKING:
    from discreet.identification.keys.coded_table import CodedTable
    from discreet.identification.keys.goal import Measure


# Ctrl-C while all sets are looked for: those found so far are shown.


Progress = Callable[[str, float | None], None]

NOTE = (
    "interrupted: no part of a set shown will do, but there may be more sets; give fewer columns "
    "or a largest size"
)


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

    def watched(self, progress: Progress) -> Progress:
        """The same progress, which ends the search once Ctrl-C was pressed."""

        def step(text: str, share: float | None = None) -> None:
            if self.asked:
                self.ended = True
                raise OutOfTime
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

Minimum = Annotated[
    bool, typer.Option("--minimum", help="The fewest columns that do. This is the default.")
]
All = Annotated[bool, typer.Option("--all", help="All sets that do, and of which no part does.")]
Distinct = Annotated[
    float | None,
    typer.Option(
        "--distinct",
        metavar="B",
        rich_help_panel=RATIO,
        help="Ask for this many different combinations per row, up to 1, instead of a key.",
    ),
]
SeparationRatio = Annotated[
    float | None,
    typer.Option(
        "--separation",
        metavar="B",
        rich_help_panel=RATIO,
        help="Ask for this share of all pairs of rows told apart, up to 1, instead of a key.",
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
    bool, typer.Option("--drop-duplicates", help="Look at rows that repeat only once.")
]
Columns = Annotated[
    list[str] | None,
    typer.Option("-q", "--quasi", metavar="COLUMN", help="Look at this column; repeat for more."),
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
        help="With --epsilon: may fail so often; 0.01 if absent.",
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
    drop_duplicates: DropDuplicates = False,
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

    FILE is a table: CSV, Parquet, Arrow, Excel or SQLite; or - for CSV from a pipe, with --epsilon.
    A key is a set of columns in which no two rows are alike. No value of FILE is shown. Ends with
    0; what it finds is for you to judge.
    """
    asked = _asked(minimum, all_, distinct, separation, max_size, epsilon, delta, time_limit)
    asked["weights"] = column_weights(weight)
    asked["seed"] = seed or 0
    if picture is not None:
        from discreet.report.pictures import ENDINGS, require_plots

        check_picture(picture, (file,), ENDINGS, force)
        require_plots()
    pipe = str(file) == "-"
    if pipe or sample_only:
        _check_sampled(asked, "-" if pipe else "--sample-only", drop_duplicates, picture)
    from discreet.identification.keys.coded_table import CodedTable
    from discreet.identification.keys.goal import check_weights
    from discreet.identification.keys.question import Question

    question = Question(**asked)
    source: Any = sys.stdin
    if not pipe:
        source = options.read_table(file, separator, encoding, sheet)
        check_weights(question.weights, quasi or source.columns, source.name)
    progress = output.Progress(quiet)
    ended = False
    try:
        if pipe or sample_only:
            progress("reading")
            facts = question.of_stream(source, quasi or None, progress)
        else:
            table = CodedTable.of(
                source,
                quasi or None,
                drop_duplicates,
                lambda rows: progress(f"reading, {many(rows, 'row')}"),
            )
            with Interrupted(all_) as asked_to_end:
                facts = question(table, asked_to_end.watched(progress))
            asked_to_end.tell(facts)
            ended = asked_to_end.ended
            if picture is not None:
                facts["most_identifying"] = _most_identifying(table, progress)
    finally:
        progress.end()
    if picture is not None:
        from discreet.report.pictures import draw_identifying_sets

        draw_identifying_sets(facts, picture, force)
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        show(facts, "standard input" if pipe else file.name, picture)
    if ended:
        raise typer.Exit(2)


def _asked(
    minimum: bool,
    all_: bool,
    distinct: float | None,
    separation: float | None,
    max_size: int | None,
    epsilon: float | None,
    delta: float | None,
    time_limit: float,
) -> dict[str, Any]:
    """What the options ask for; what cannot be is refused before anything is read."""
    if minimum and all_:
        raise FlagError("--minimum, --all", "these are two questions", "Ask one at a time.")
    if distinct is not None and separation is not None:
        raise FlagError("--distinct, --separation", "a set has both ratios", "Ask for one.")
    if delta is not None and epsilon is None:
        fix = "Give --epsilon as well, or leave --delta out."
        raise FlagError("--delta", "without --epsilon all rows are looked at", fix)
    measure: Measure = "separation" if distinct is None else "distinct"
    given = separation if distinct is None else distinct
    check_share(f"--{measure}", given, most=True)
    check_share("--epsilon", epsilon)
    check_share("--delta", delta)
    if max_size is not None and max_size < 1:
        raise FlagError(f"--max-size {max_size}", "no set is that small", "Give 1 or more.")
    if not time_limit >= 0:
        raise FlagError(f"--time-limit {time_limit:g}", "this is no time", "Give 0 or more.")
    beta = 1.0 if given is None else given
    if epsilon is not None and measure == "distinct" and beta < 1:
        what = "no sample bounds a distinct ratio below 1"
        raise FlagError("--epsilon", what, "Ask for --separation, or leave --epsilon out.")
    return {
        "every": all_,
        "measure": measure,
        "beta": beta,
        "max_size": max_size,
        "epsilon": epsilon,
        "delta": 0.01 if delta is None else delta,
        "time_limit": time_limit or None,
    }


def _check_sampled(
    asked: dict[str, Any], flag: str, drop_duplicates: bool, picture: Path | None
) -> None:
    """Refuse what one pass over the rows cannot give."""
    if asked["epsilon"] is None:
        raise FlagError(flag, "the rows are read once and not kept", "Add --epsilon E.")
    if asked["measure"] == "distinct":
        what = "how many rows to sample follows from how many there are"
        raise FlagError(f"--distinct, {flag}", what, "Ask for --separation.")
    if drop_duplicates or picture is not None:
        other = "--drop-duplicates" if drop_duplicates else "--picture"
        raise FlagError(f"{other}, {flag}", "this needs all rows", f"Leave {other} out.")


def _most_identifying(table: CodedTable, progress: output.Progress) -> list[dict[str, Any]]:
    from discreet.identification.keys.question import MostIdentifying

    progress("counting small sets")
    return [one.facts() for one in MostIdentifying()(table)]
