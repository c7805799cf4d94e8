"""``discreet mask``: which columns can be published so that no quasi-identifier is among them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.options import parse_column_weights
from discreet.cli.render_sets import format_count, format_ratio

if TYPE_CHECKING:
    from discreet.identification.keys.masking import Masked
    from discreet.identification.keys.separation import Separation


SAMPLE = "Use a sample"

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
        help="Use only N random rows (distinct) or pairs (separation).",
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
        "--below",
        help="Require a ratio below B instead of at most B, so that identify finds no set for B.",
    ),
]
Exact = Annotated[
    bool, typer.Option("--exact", help="Search for the proven optimum (default: greedy).")
]
DropDuplicates = Annotated[
    bool, typer.Option("--drop-duplicates", help="Count rows that are equal in all columns once.")
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

    FILE is a table; or - for standard input, which is not held with --sample or --epsilon. Chooses
    as many columns as it can so that no set of them distinguishes more than a share B of the rows
    (--distinct) or of the pairs of rows (--separation); with --below, less than B. This is about
    most rows: some may still be unique. Ends with 0.
    """
    import discreet

    weights = parse_column_weights(weight)
    once = str(file) == "-" and (sample, epsilon) != (None, None)
    source: Any = sys.stdin if once else options.read_table(file, separator, encoding, sheet)
    progress = output.Progress(quiet or json)
    try:
        found = discreet.mask(
            source,
            distinct=distinct,
            separation=separation,
            publish=publish or (),
            withhold=withhold or (),
            weight=weights,
            sample=sample,
            epsilon=epsilon,
            delta=delta,
            below=below,
            exact=exact,
            drop_duplicates=drop_duplicates,
            seed=0 if seed is None else seed,
            progress=progress,
        )
    finally:
        progress.end()
    if json and not quiet:
        output.print_json(found.facts())
    elif not quiet:
        _show(found, options.show_file(file), exact)


def _show(found: Masked, name: str, exact: bool) -> None:
    weights = "" if found.weight == len(found.publish) else f", worth {found.weight:g}"
    rows = [("publish", column) for column in found.publish]
    rows += [("withhold", column) for column in found.withhold]
    columns = format_count(len(rows), "column")
    output.write(f"{name}: {len(found.publish):,} of {columns} can be published{weights}")
    output.print_table("", ("", "column"), rows)
    if found.measured is not None and found.publish:
        output.write(_state_ratios(found.measured))
    output.write(_state_certainty(found, exact))
    for note in found.notes:
        output.note(f"Note: {note}.")


def _state_ratios(measured: Separation) -> str:
    one = measured.uniques == 1
    return (
        "Together they have a distinct ratio of "
        f"{_format_six_digits(measured.distinct_ratio)} and a "
        f"separation ratio of {_format_six_digits(measured.separation_ratio)}, counted on "
        "all rows; "
        f"{measured.uniques:,} of {format_count(measured.rows, 'row')} "
        f"{'is' if one else 'are'} still "
        "unique."
    )


def _format_six_digits(ratio: float) -> str:
    """Six digits, more where these would look like 1."""
    return f"{ratio:.6g}" if ratio < 0.999999 else format_ratio(ratio)


def _state_certainty(found: Masked, exact: bool) -> str:
    promise = found.promise
    if promise is None:
        if found.exact:
            return "No other choice is worth more: proven."
        if exact:
            most = f"no choice is worth more than {found.bound:g}"
            return f"Time ran out: the best choice found, not proven to be the best; {most}."
        return "Chosen greedily; --exact looks for the most, where columns are few."
    return (
        f"Chosen on {format_count(promise.sampled, f'random {promise.of[:-1]}')}: the "
        f"{found.measure} "
        f"ratio is below {found.beta:.15g} with probability {1 - promise.delta:g} over the draw."
    )
