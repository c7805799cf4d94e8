"""``discreet mask``: which columns can be published so that no quasi-identifier is among them."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.options import check_share, column_weights
from discreet.cli.render_sets import many, ratio_text
from discreet.errors import EmptyTableError, FlagError, OneRowError, TooLargeError

if TYPE_CHECKING:
    from discreet.identification.keys.masking import Masked, Masking
    from discreet.identification.keys.separation import Separation
    from discreet.table.table import Table


SAMPLE = "Look at a sample"

Ratio = Annotated[
    float | None,
    typer.Option("--distinct", metavar="B", help="Largest distinct ratio, above 0 to 1."),
]
Pairs = Annotated[
    float | None,
    typer.Option("--separation", metavar="B", help="Largest separation ratio, above 0 to 1."),
]
Publish = Annotated[
    list[str] | None,
    typer.Option("--publish", metavar="COLUMN", help="A column that must be published; repeat."),
]
Withhold = Annotated[
    list[str] | None,
    typer.Option("--withhold", metavar="COLUMN", help="A column that must not be; repeat."),
]
Weight = Annotated[
    list[str] | None,
    typer.Option("--weight", metavar="COLUMN=W", help="What a column is worth, else 1; repeat."),
]
Sample = Annotated[
    int | None,
    typer.Option(
        "--sample",
        metavar="N",
        rich_help_panel=SAMPLE,
        help="Look at N random rows (distinct) or pairs only.",
    ),
]
Epsilon = Annotated[
    float | None,
    typer.Option(
        "--epsilon",
        metavar="E",
        rich_help_panel=SAMPLE,
        help="Sample so that a share E of B is given up.",
    ),
]
Delta = Annotated[
    float,
    typer.Option(
        "--delta", metavar="D", rich_help_panel=SAMPLE, help="Probability that a sample misleads."
    ),
]
Below = Annotated[
    bool,
    typer.Option(
        "--below", help="Below B, not at most B: no set that identify finds for B is left."
    ),
]
Exact = Annotated[bool, typer.Option("--exact", help="The most columns, proven; else greedy.")]
DropDuplicates = Annotated[
    bool, typer.Option("--drop-duplicates", help="Count rows alike in all columns once.")
]


def mask(
    file: options.File,
    distinct: Ratio = None,
    separation: Pairs = None,
    publish: Publish = None,
    withhold: Withhold = None,
    weight: Weight = None,
    sample: Sample = None,
    epsilon: Epsilon = None,
    delta: Delta = 0.01,
    below: Below = False,
    exact: Exact = False,
    drop_duplicates: DropDuplicates = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    seed: options.Seed = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """See which columns of FILE can be published.

    FILE is a table: CSV, Parquet, Arrow, Excel or SQLite; or - for CSV from a pipe, which needs
    --sample or --epsilon. Chooses as many columns as it can so that no set of them tells more than
    a share B of the rows (--distinct) or of the pairs of rows (--separation) apart; with --below,
    less than B. This is about most rows: some may still be unique. Ends with 0.
    """
    from discreet.identification.keys.masking import Masking

    measure, beta = _asked(distinct, separation)
    check_share("--epsilon", epsilon)
    check_share("--delta", delta)
    if sample is not None and sample < 1:
        raise FlagError(f"--sample {sample}", "no sample is that small", "Give 1 or more.")
    if sample is not None and epsilon is not None:
        what = "either says how large the sample is"
        raise FlagError("--sample, --epsilon", what, "Give one of the two.")
    search = Masking(
        measure,  # type: ignore[arg-type]
        beta,
        tuple(publish or ()),
        tuple(withhold or ()),
        column_weights(weight),
        exact,
        sample,
        epsilon,
        delta,
        0 if seed is None else seed,
        strict=below,
    )
    try:
        found = _found(search, file, separator, encoding, sheet, drop_duplicates, quiet or json)
    except TooLargeError as error:
        what = f"there are {error.size:,} columns to choose from, and this can do {error.most:,}"
        fix = "Leave --exact out, or withhold or publish some with --withhold and --publish."
        raise FlagError("--exact", what, fix) from error
    if json and not quiet:
        output.print_json(found.facts())
    elif not quiet:
        _show(found, "standard input" if str(file) == "-" else file.name, exact)


def _found(
    search: Masking,
    file: Path,
    separator: str | None,
    encoding: str | None,
    sheet: str | None,
    once: bool,
    quiet: bool,
) -> Masked:
    if str(file) == "-":
        if not search.sampled or once:
            what = "a pipe is read once, so only a sample of it is looked at"
            raise FlagError("FILE", what, "Add --sample N or --epsilon E, no --drop-duplicates.")
        return _sampled(search, sys.stdin)
    table = options.read_table(file, separator, encoding, sheet)
    return _masked(search, table, once, output.Progress(quiet))


def _asked(distinct: float | None, separation: float | None) -> tuple[str, float]:
    if (distinct is None) == (separation is None):
        what = "exactly one of the two is needed"
        raise FlagError("--distinct, --separation", what, "Say --distinct 0.5, for instance.")
    check_share("--distinct", distinct, most=True)
    check_share("--separation", separation, most=True)
    if distinct is not None:
        return "distinct", distinct
    return "separation", 0.0 if separation is None else separation


def _masked(search: Masking, table: Table, once: bool, progress: output.Progress) -> Masked:
    """Look at all rows, or at a sample and then count what was chosen on all rows."""
    from discreet.identification.keys.coded_table import CodedTable

    if search.sampled and not once:
        with suppress(OneRowError):  # one row has no pairs: look at all rows
            found = _sampled(search, table)
            return found if found.measured is not None else _counted(found, table)
    coded = CodedTable.of(table, None, once, lambda rows: progress(f"reading, {many(rows, 'row')}"))
    progress.end()
    return search(coded)


def _sampled(search: Masking, source: Any) -> Masked:
    """One pass over the rows, in memory that does not grow with them."""
    from itertools import chain

    from discreet.identification.keys.stream import batches, sample_pairs, sample_rows

    rest = batches(source)
    first = next(rest, None)
    if first is None:
        raise EmptyTableError("the stream", "it has no rows")
    source = chain([first], rest)
    size = search.sample_size(first.schema.names)  # epsilon: it depends on the columns
    if search.measure == "distinct":
        rows = sample_rows(source, size, search.seed)
        if len(rows.table) == rows.rows:  # the sample is the whole table
            return search(rows.table)
        return search.on_sample(rows)
    return search.on_sample(sample_pairs(source, size, search.seed))


def _counted(found: Masked, table: Table) -> Masked:
    from discreet.frequency.count import count
    from discreet.identification.keys.separation import Separation, measure

    if found.publish:
        return found.counted(measure(count(table, found.publish).frequency))
    rows = found.rows
    return found.counted(Separation((), rows, 1, int(rows == 1), rows * (rows - 1) // 2, 0.0))


def _show(found: Masked, name: str, exact: bool) -> None:
    weights = "" if found.weight == len(found.publish) else f", worth {found.weight:g}"
    rows = [("publish", column) for column in found.publish]
    rows += [("withhold", column) for column in found.withhold]
    columns = many(len(rows), "column")
    output.write(f"{name}: {len(found.publish):,} of {columns} can be published{weights}")
    output.table("", ("", "column"), rows)
    if found.measured is not None and found.publish:
        output.write(_ratios(found.measured))
    output.write(_surety(found, exact))
    for note in found.notes:
        output.note(f"Note: {note}.")


def _ratios(measured: Separation) -> str:
    one = measured.uniques == 1
    return (
        f"Together they have a distinct ratio of {_six(measured.distinct_ratio)} and a "
        f"separation ratio of {_six(measured.separation_ratio)}, counted on all rows; "
        f"{measured.uniques:,} of {many(measured.rows, 'row')} {'is' if one else 'are'} still "
        "unique."
    )


def _six(ratio: float) -> str:
    """Six digits, more where these would look like 1."""
    return f"{ratio:.6g}" if ratio < 0.999999 else ratio_text(ratio)


def _surety(found: Masked, exact: bool) -> str:
    promise = found.promise
    if promise is None:
        if found.exact:
            return "No other choice is worth more: proven."
        if exact:
            most = f"no choice is worth more than {found.bound:g}"
            return f"Time ran out: the best choice found, not proven to be the best; {most}."
        return "Chosen greedily; --exact looks for the most, where columns are few."
    return (
        f"Chosen on {many(promise.sampled, f'random {promise.of[:-1]}')}: the {found.measure} "
        f"ratio is below {found.beta:.15g} with probability {1 - promise.delta:g} over the draw."
    )
