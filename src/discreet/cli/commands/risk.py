"""``discreet risk``: how likely somebody in a file is named, here and in the population."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.cli import options, output
from discreet.cli import risk_options as own
from discreet.cli.risk_work import DEFAULT_K, Groups, Work
from discreet.cli.target import check_picture
from discreet.errors import FlagError

if TYPE_CHECKING:
    from discreet.policy.policy import Policy
    from discreet.table.table import Table


def risk(
    file: options.File,
    policy: options.PolicyFile = None,
    quasi: options.Quasi = None,
    k: options.K = None,
    threshold: own.Threshold = 0.2,
    force: options.Force = False,
    population: own.Population = None,
    register: own.RegisterFile = None,
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
    """See how likely somebody in FILE is named.

    FILE is a table: CSV, Parquet, Arrow, Excel or SQLite. Shows what three intruders get, how many
    people are unique in the population, and rows that few columns single out. No value of FILE is
    shown. Ends with 0; how much risk is too much is for you to judge.
    """
    from discreet.cli import render_risk, risk_work

    own.check_together(
        {
            "--population": population,
            "--register": register,
            "--weight": weight,
            "--rows": rows,
            "--frequency": frequency,
            "--with": with_,
            "--width": width,
            "--max-size": max_size,
            "--alpha": alpha,
            "--set": set_,
            "--domain": domain,
            "--map": map_,
        }
    )
    _check_numbers(file, max_size, group, seed)
    sources = (file, policy, register, *(with_ or ()))
    _check_targets({"--picture": picture, "--map": map_}, rows, sources, force)
    groups = Groups(level, group, simulate, 0 if seed is None else seed)
    if policy is None and k is None:
        k = DEFAULT_K
    whole = frequency is not None and policy is None and not quasi
    chosen = None if whole else options.choose_policy(policy, quasi, None, k)
    if chosen is not None and chosen.policy.people is not None:
        what = "risks are counted by rows, and the policy is about people with many"
        raise FlagError("--policy", what, "Give -q COLUMN instead, on a table with a row a person.")
    table = options.read_table(file, separator, encoding, sheet)
    if frequency is not None:
        others = [options.read_table(one, separator, encoding) for one in with_ or ()]
        names = () if chosen is None else chosen.policy.quasi
        facts = _published([table, *others], names, frequency, width, groups)
    elif chosen is not None:
        _check_quasi(chosen.policy)
        people = None if register is None else options.read_table(register, separator, encoding)
        work = Work(table, chosen.policy, max_size, output.Progress(quiet))
        try:
            facts = work.found(threshold, population, people, weight, groups)
            if alpha is not None and population is not None:
                facts["alpha"] = work.alpha(population, alpha, set_, domain)
            if rows is not None:
                risk_work.write_rows(rows, table, work.counted, work.risk, work.special, force)
        finally:
            work.progress.end()
    _draw(facts, picture, map_, force)
    if quiet:
        return
    output.say_changes(() if chosen is None else chosen.changes)
    if json:
        output.print_json(facts)
    else:
        render_risk.show(facts, file.name)
        render_risk.show_files(rows, picture, map_)


def _published(
    tables: list[Table],
    quasi: Sequence[str],
    frequency: str,
    width: int | None,
    groups: Groups,
) -> dict[str, Any]:
    from discreet.cli.risk_work import published

    frequencies, facts = published(tables, quasi, frequency, width)
    return {**facts, "uniqueness": groups.facts(frequencies)}


def _check_numbers(file: Path, max_size: int | None, group: int | None, seed: int | None) -> None:
    if str(file) == "-":
        what = "risk reads a file, not a pipe: it may have to read it twice"
        raise FlagError("FILE -", what, "Save what comes through the pipe to a file first.")
    if max_size is not None and max_size < 0:
        what = "a set has at least one column"
        raise FlagError(f"--max-size {max_size}", what, "Give 1 or more, or 0 to search none.")
    if group is not None and group < 1:
        raise FlagError(f"--group {group}", "a group has at least one person", "Give 1 or more.")
    if seed is not None and seed < 0:
        raise FlagError(f"--seed {seed}", "a seed is 0 or more", "Give another number.")


def _check_quasi(policy: Policy) -> None:
    if not policy.quasi:
        what = "no quasi column is named, and risk is about those"
        raise FlagError("--policy, -q", what, "Name them with -q, or in a policy.")


def _check_targets(
    pictures: dict[str, Path | None],
    rows: Path | None,
    sources: Iterable[Path | None],
    force: bool,
) -> None:
    from discreet.cli.risk_work import ENDINGS as ROWS
    from discreet.report.pictures import ENDINGS, require_plots

    drawn = [os.path.realpath(picture) for picture in pictures.values() if picture is not None]
    if len(set(drawn)) < len(drawn):
        raise FlagError(", ".join(pictures), "both name one file", "Name two files.")
    for flag, picture in pictures.items():
        if picture is not None:
            check_picture(picture, sources, ENDINGS, force, flag)
            require_plots()
    if rows is not None:
        check_picture(rows, sources, ROWS, force, "--rows")


def _draw(facts: dict[str, Any], picture: Path | None, map_: Path | None, replace: bool) -> None:
    if picture is not None:
        from discreet.report import pictures as uniqueness_picture

        uniqueness_picture.draw_uniqueness(facts, picture, replace)
    if map_ is not None:
        from discreet.report import pictures as alpha_map_picture

        alpha_map_picture.draw_alpha_map(facts["alpha"], map_, replace)
