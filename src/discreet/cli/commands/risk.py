"""``discreet risk``: how likely somebody in a file is named, here and in the population."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from discreet.cli import known_options, options, output
from discreet.cli import risk_options as own
from discreet.cli.failure import FlagError
from discreet.cli.target import check_picture


def risk(
    file: options.File,
    policy: options.PolicyFile = None,
    quasi: options.Quasi = None,
    k: options.K = None,
    threshold: own.Threshold = 0.2,
    force: options.Force = False,
    population: known_options.Population = None,
    register: known_options.Register = None,
    weight: own.Weight = None,
    max_size: own.MaxSize = None,
    rows: own.Rows = None,
    level: own.Level = 0.5,
    group: own.Group = None,
    simulate: own.Simulate = False,
    picture: own.Picture = None,
    frequency: own.Frequency = None,
    with_: own.With = None,
    width: own.Width = None,
    alpha: own.Alpha = None,
    set_: own.Set = None,
    domain: own.Domain = None,
    map_: own.Map = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """Estimate the risk of re-identification in FILE.

    FILE is a table: CSV, JSON Lines, Parquet, Arrow, Excel, SQLite, DuckDB, Stata, SPSS; or -.
    Shows what three intruders get, how many people are unique in the population, and rows that few
    columns single out. No value of FILE is shown. Ends with 0; how much risk is too much is for you
    to judge.
    """
    import discreet
    from discreet.cli import render_risk
    from discreet.risks.risk import DEFAULT_K
    from discreet.risks.risk_arguments import check_risk_arguments

    # before files are opened, with the options that the function has not
    check_risk_arguments(
        {
            "population": population,
            "register": register,
            "weight": weight,
            "rows": rows,
            "frequency": frequency,
            "with_": with_,
            "width": width,
            "max_size": max_size,
            "alpha": alpha,
            "set_": set_,
            "domain": domain,
            "map_": map_,
        }
    )
    sources = (file, policy, register, *(with_ or ()))
    _check_targets({"--picture": picture, "--map": map_}, rows, sources, force)
    if policy is None and k is None:
        k = DEFAULT_K
    whole = frequency is not None and policy is None and not quasi
    chosen = None if whole else options.choose_policy(policy, quasi, None, k)
    table = options.read_table(file, separator, encoding, sheet)
    people = None if register is None else options.read_table(register, separator, encoding)
    progress = output.Progress(quiet)
    try:
        found = discreet.risk(
            table,
            None if chosen is None else chosen.policy,
            population=population,
            register=people,
            weight=weight,
            threshold=threshold,
            max_size=max_size,
            level=level,
            group=group,
            simulate=simulate,
            frequency=frequency,
            with_=[options.read_table(one, separator, encoding) for one in with_ or ()],
            width=width,
            alpha=alpha,
            set_=own.read_sets(set_),
            domain=own.read_domains(domain),
            seed=0 if seed is None else seed,
            progress=progress,
        )
        if rows is not None:
            found.write_rows(rows, replace=force)
    finally:
        progress.end()
    facts = found.facts()
    _draw(facts, picture, map_, force)
    if quiet:
        return
    output.say_changes(() if chosen is None else chosen.changes)
    if json:
        output.print_json(facts)
    else:
        render_risk.show(facts, options.show_file(file))
        render_risk.show_files(rows, picture, map_)


def _check_targets(
    pictures: dict[str, Path | None],
    rows: Path | None,
    sources: Iterable[Path | None],
    force: bool,
) -> None:
    from discreet.reporting.pictures import ENDINGS, require_plots
    from discreet.risks.risk import ROW_ENDINGS

    drawn = [os.path.realpath(picture) for picture in pictures.values() if picture is not None]
    if len(set(drawn)) < len(drawn):
        raise FlagError(", ".join(pictures), "both name one file", "Name two files.")
    for flag, picture in pictures.items():
        if picture is not None:
            check_picture(picture, sources, ENDINGS, force, flag)
            require_plots(picture)
    if rows is not None:
        check_picture(rows, sources, ROW_ENDINGS, force, "--rows")


def _draw(facts: dict[str, Any], picture: Path | None, map_: Path | None, replace: bool) -> None:
    if picture is not None:
        from discreet.reporting import pictures as uniqueness_picture

        uniqueness_picture.draw_uniqueness(facts, picture, replace)
    if map_ is not None:
        from discreet.reporting import pictures as alpha_map_picture

        alpha_map_picture.draw_alpha_map(facts["alpha"], map_, replace)
