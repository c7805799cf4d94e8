"""``discreet risk``: how likely somebody in a file is named, here and in the population."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.target import check_picture
from discreet.errors import EmptyTableError, FlagError

if TYPE_CHECKING:
    from discreet.frequency.count import Counted
    from discreet.frequency.frequency_list import FrequencyList
    from discreet.release.policy import Policy
    from discreet.risk.register import Register
    from discreet.table.table import Table

DEFAULT_K = 5

MOST_PEOPLE = 10_000_000_000
"""More than there are; estimates for more would take very long."""

Population = Annotated[
    int | None,
    typer.Option(
        "--population",
        metavar="N",
        min=1,
        max=MOST_PEOPLE,
        help="People of whom FILE is a random sample.",
    ),
]
RegisterFile = Annotated[
    Path | None,
    typer.Option(
        "--register",
        metavar="R",
        readable=False,
        help="A table of the whole population with the same quasi columns.",
    ),
]
Weight = Annotated[
    str | None,
    typer.Option("--weight", metavar="COLUMN", help="Survey weights: people a row stands for."),
]
Threshold = Annotated[
    float, typer.Option("--threshold", metavar="P", help="A row with a higher risk is at risk.")
]
Level = Annotated[
    float, typer.Option("--level", metavar="P", help="Group size at which uniqueness is below P.")
]
MaxSize = Annotated[
    int | None,
    typer.Option("--max-size", metavar="M", help="Most columns of a special unique; 0: none."),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        metavar="A",
        help="Test sets of columns for being A-quasi-identifiers of the population.",
    ),
]
Map = Annotated[
    Path | None,
    typer.Option(
        "--map",
        metavar="P",
        readable=False,
        help="With --alpha: draw the sets on the map of uniques: .svg, .png or .pdf.",
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        metavar="P",
        readable=False,
        help="Draw uniqueness against group size: .svg, .png or .pdf.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace the picture if it exists.")]


def risk(
    file: options.File,
    policy: options.PolicyFile = None,
    quasi: options.Quasi = None,
    population: Population = None,
    register: RegisterFile = None,
    weight: Weight = None,
    threshold: Threshold = 0.2,
    k: options.K = None,
    level: Level = 0.5,
    max_size: MaxSize = None,
    alpha: Alpha = None,
    map_: Map = None,
    picture: Picture = None,
    force: Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """See how likely somebody in FILE is named.

    FILE is a table: CSV, Parquet, Arrow, Excel or SQLite. Shows what three intruders get, how many
    people are unique in the population, and rows that few columns single out. No value of FILE is
    shown. Ends with 0; how much risk is too much is for you to judge.
    """
    _check_sources(population, register, weight)
    _check_alpha(alpha, population, map_)
    _check_pictures({"--picture": picture, "--map": map_}, (file, policy, register), force)
    if policy is None and k is None:
        k = DEFAULT_K
    chosen = options.choose_policy(policy, quasi, None, k)
    if not chosen.policy.quasi:
        what = "no quasi column is named, and risk is about those"
        raise FlagError("--policy, -q", what, "Name them with -q, or in a policy.")
    table = options.read_table(file, separator, encoding, sheet)
    people = None if register is None else options.read_table(register, separator, encoding)
    progress = output.Progress(quiet)
    try:
        facts = _found(
            table, people, chosen.policy, population, weight, threshold, level, max_size, progress
        )
    finally:
        progress.end()
    if alpha is not None and population is not None:
        facts["alpha"] = _alpha(table, chosen.policy, population, alpha)
    _draw(facts, picture, map_)
    if quiet:
        return
    output.say_changes(chosen.changes)
    if json:
        output.print_json(facts)
    else:
        _show(facts, file.name)
        for drawn in filter(None, (picture, map_)):
            output.write(f"Drawn to {drawn}.")


def _check_alpha(alpha: float | None, population: int | None, map_: Path | None) -> None:
    if alpha is not None and population is None:
        what = "the test is about people in the population, and their number is not given"
        raise FlagError("--alpha", what, "Give --population N.")
    if map_ is not None and alpha is None:
        raise FlagError("--map", "the map shows what --alpha tests", "Give --alpha 0.5.")


def _check_pictures(
    pictures: dict[str, Path | None], sources: tuple[Path | None, ...], force: bool
) -> None:
    from discreet.report.picture import ENDINGS, require_plots

    for flag, picture in pictures.items():
        if picture is not None:
            check_picture(picture, sources, ENDINGS, force, flag)
            require_plots()


def _draw(facts: dict[str, Any], picture: Path | None, map_: Path | None) -> None:
    if picture is not None:
        from discreet.report import uniqueness_picture

        uniqueness_picture.draw(facts, picture)
    if map_ is not None:
        from discreet.report import alpha_map_picture

        alpha_map_picture.draw(facts["alpha"], map_)


def _alpha(table: Table, policy: Policy, population: int, alpha: float) -> dict[str, Any]:
    from discreet.risk.alpha_table import alpha_table

    return alpha_table(table, policy.quasi, population, alpha).facts()


def _check_sources(population: int | None, register: Path | None, weight: str | None) -> None:
    given = {"--population": population, "--weight": weight}
    other = [name for name, value in given.items() if value is not None]
    if register is not None and other:
        what = "the register is the whole population, and says how many people there are"
        raise FlagError(f"--register, {other[0]}", what, f"Leave out {other[0]} or --register.")


def _found(
    table: Table,
    people: Table | None,
    policy: Policy,
    population: int | None,
    weight: str | None,
    threshold: float,
    level: float,
    max_size: int | None,
    progress: output.Progress,
) -> dict[str, Any]:
    from discreet.risk.table_risk import TableRisk
    from discreet.risk.uniqueness import UniquenessCurve
    from discreet.risk.value_frequencies import ValueFrequencies

    measure = TableRisk(threshold, population, _k_of(policy))
    counted = _count(table, policy, weight, progress)
    frequency = counted.frequency
    register = None if people is None else _register(people, policy, counted, progress)
    found = measure(frequency, register)
    facts = found.facts()
    facts["uniqueness"] = UniquenessCurve.of(ValueFrequencies.of_columns(frequency), level).facts()
    sampled = None if found.population is None else found.population.sampled
    facts["special_uniques"] = _special(frequency, max_size, sampled, progress)
    facts["notes"] = [
        *_notes(len(frequency.columns), max_size, facts["special_uniques"]),
        *_guessed(facts),
    ]
    return facts


def _notes(columns: int, asked: int | None, special: dict[str, Any] | None) -> list[str]:
    """What was left out, and how to get it."""
    from discreet.risk.special_uniques import MOST_COLUMNS

    if asked is not None:
        return []
    if special is None:
        return [
            f"Special uniques were not searched: there are {columns:,} quasi columns, and sets of "
            f"at most {MOST_COLUMNS} can be."
        ]
    if special["max_size"] < min(3, columns):
        return [
            f"Special uniques of up to {special['max_size']} columns only were searched, to take "
            "seconds; --max-size 3 searches more."
        ]
    return []


def _guessed(facts: dict[str, Any]) -> list[str]:
    """Risk against a population that is only a number is a guess where most rows are unique."""
    if facts["population"] is None or facts["register"] is not None:
        return []
    if 2 * facts["uniques"] <= facts["rows"]:
        return []
    return [
        "Most rows are unique in the file, so how many others the population has like them is a "
        "guess from a model: the risk of journalist and marketer may be far too low. With a "
        "register (--register R) it is counted."
    ]


def _special(
    frequency: FrequencyList, size: int | None, sampled: float | None, progress: output.Progress
) -> dict[str, Any] | None:
    """Special uniques, as many columns at a time as was asked for or takes some seconds."""
    from discreet.risk.special_uniques import MOST_COLUMNS, SpecialUniques, size_that_fits

    columns = len(frequency.columns)
    if size == 0 or (size is None and columns > MOST_COLUMNS):
        return None
    if size is None:
        size = size_that_fits(columns, len(frequency))
    search = SpecialUniques(size, sampled)
    return search(frequency, lambda sets: progress(f"{sets:,} sets of columns")).facts()


def _count(table: Table, policy: Policy, weight: str | None, progress: output.Progress) -> Counted:
    from discreet.frequency.count import count

    counted = count(
        table, policy.quasi, weight=weight, progress=lambda rows: progress(f"{rows:,} rows")
    )
    if not len(counted.frequency):
        raise EmptyTableError(table.name, "it has no rows")
    return counted


def _register(
    people: Table, policy: Policy, counted: Counted, progress: output.Progress
) -> Register:
    from discreet.risk.register import Register

    return Register.of(counted.frequency, _count(people, policy, None, progress).frequency)


def _k_of(policy: Policy) -> int:
    """The k of the policy's k-anonymity, for k-map; 5 where it has none."""
    known = [model.k for model in policy.require if model.name == "k_anonymity"]
    return max(known, default=DEFAULT_K)


def _show(facts: dict[str, Any], name: str) -> None:
    columns = ", ".join(facts["columns"])
    title = (
        f"{name} by {columns}: {facts['rows']:,} rows, {facts['classes']:,} classes, "
        f"{facts['uniques']:,} unique rows"
    )
    heads = ("intruder", "highest", "average", f"rows above {facts['threshold']:g}", "from")
    rows = [
        (who, one["highest"], one["average"], one["rows_at_risk"], one["method"])
        for who in ("prosecutor", "journalist")
        for one in [facts[who]]
    ]
    output.table(title, heads, rows)
    output.write(
        "A marketer who guesses for every row is right for "
        f"{output.shown(facts['expected_right'])} of them, {output.shown(facts['marketer'])} on "
        "average.\n"
    )
    _show_register(facts["register"])
    _show_population(facts["population"])
    _show_uniqueness(facts["uniqueness"])
    _show_special(facts["special_uniques"])
    _show_alpha(facts.get("alpha"))
    for text in facts["notes"]:
        output.write(text)


def _show_alpha(found: dict[str, Any] | None) -> None:
    if found is None:
        return
    title = f"Expected share of unique people among {found['population']:,}, at most"
    heads = ("columns", "unique rows", "combinations", "multiplied", "measured", "verdict")
    rows = [
        (
            ", ".join(one["columns"]),
            one["uniques"],
            one["multiplied"],
            one["most_uniques"],
            one["joined"]["most_uniques"],
            "may be one" if one["suspected"] else "not expected",
        )
        for one in found["sets"]
    ]
    output.table(title, heads, rows)
    output.write(
        f"Verdict: is it a {found['alpha']:g}-quasi-identifier, by the lower of the two bounds. "
        "Combinations are those of FILE's values: if the population has more values, more people "
        "are unique than this says.\n"
    )


def _show_register(found: dict[str, Any] | None) -> None:
    if found is None:
        return
    output.write(
        f"The register has {found['rows']:,} people, {found['uniques']:,} of them unique; "
        f"{found['rows_unique_in_register']:,} rows of the file fit one person only."
    )
    if found["rows_not_found"]:
        output.write(
            f"{found['rows_not_found']:,} rows fit nobody in the register: it is not complete, or "
            "its values are written in another way. They count as not named."
        )
    if found["rows_more_than_people"]:
        output.write(
            f"{found['rows_more_than_people']:,} rows are in classes with more rows than people in "
            "the register, so it is not the whole population."
        )


def _show_population(found: dict[str, Any] | None) -> None:
    if found is None:
        output.write("With --population N or --register R: risk against the population.\n")
        return
    rows = [
        (name, one["uniques"], _range(one.get("interval")), one["share"], one["reason"])
        for name, one in found["uniques"].items()
    ]
    title = f"Unique in the population of {found['size']:,}"
    output.table(title, ("method", "people", "if its model is right", "share", "remark"), rows)
    if found.get("uniques_at_most") is not None:
        output.write(
            f"At most {found['uniques_at_most']:,} people, with {100 * found['confidence']:g} % "
            "confidence, whatever the population, if FILE is a simple random sample.\n"
        )
    if found["k_map"]:
        heads = ("method", "k", "least class", "rows at risk")
        tests = [
            (one["method"].replace("_", " "), one["k"], one["least_class"], one["rows_at_risk"])
            for one in found["k_map"]
        ]
        output.table("k-map", heads, tests)


def _range(interval: list[float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:,.0f} to {interval[1]:,.0f}"


def _show_uniqueness(found: dict[str, Any]) -> None:
    judged = {
        "good": "good here, within 5 %",
        "rough": "rough here, within 25 %",
        "poor": "poor here: use the exact value",
        "no use": "of no use here: use the exact value",
    }[found["says"]]
    output.write(
        f"Everybody in a group differs with a chance below {found['level']:g} from "
        f"{found['group_size']:,} people on (exact); the formula for group sizes, with kappa "
        f"{found['kappa']:.4g}, says {found['group_size_approximation']:.1f}. The paper's "
        f"approximation of the chance itself is {judged}.\n"
    )


def _show_special(found: dict[str, Any] | None) -> None:
    if found is None:
        return
    rows = [
        (int(size), number, found["rows_by_smallest"][size])
        for size, number in found["minimal_uniques"].items()
    ]
    heads = ("columns", "minimal uniques", "rows with no smaller one")
    output.table("Special uniques: rows that few columns single out", heads, rows)
    parts = sorted(found["contributions"].items(), key=lambda part: -part[1])[:5]
    if found["rows_special"]:
        told = ", ".join(f"{name} {100 * share:.0f} %" for name, share in parts)
        output.write(f"Columns that do so most: {told}.")
