"""A first policy that is good: how many rows to suppress, and per column or per cell, by trying."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import yaml

from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import DiscreetError, PolicyError, WriteError, argument
from discreet.hierarchy.proposals import write_hierarchy_file
from discreet.hierarchy.tree import Tree
from discreet.identification.inspect import inspect
from discreet.identification.inspection import Inspection, Settings
from discreet.pipeline.advice.changes import PER_CELL, PER_COLUMN, SHARES, can_run, write_algorithm
from discreet.pipeline.advice.trials import (
    Kept,
    OutOfTimeError,
    Trials,
    measure_kept,
    read_search_clock,
)
from discreet.pipeline.auto_hierarchies import write_hierarchies
from discreet.pipeline.progress import Progress
from discreet.policy.parts import Auto
from discreet.policy.policy import Policy
from discreet.policy.policy_file import PolicyLoader
from discreet.policy.policy_text import write_policy_text
from discreet.table.dictionary import Dictionary
from discreet.table.read import read
from discreet.table.row_sample import make_arrow_numbers
from discreet.table.table import Table

USEFUL = 0.75
"""A release with this granularity and no column of nothing but ``*`` is taken as it is."""

SECONDS = 3.0
"""How long the settings of one algorithm are tried."""

LONGEST = 1.5
"""Seconds of one search while settings are tried; the release itself may take longer."""

MOST_ROWS = 100_000
"""Of larger tables so many rows, drawn evenly, are tried."""

ALGORITHMS = (*PER_COLUMN, *PER_CELL)
"""Levels per column first: such a release is easier to analyse."""

SHORT_OF_TIME = "there was no time to try it"


@dataclass(frozen=True, eq=False)
class Tried:
    """Settings that were tried: what the release kept, or why there was none."""

    algorithm: str
    suppress: float
    kept: Kept | None
    why: str = ""

    @property
    def is_useful(self) -> bool:
        """Whether enough is left of every column."""
        kept = self.kept
        return kept is not None and kept.granularity >= USEFUL and not kept.lost

    @property
    def text(self) -> str:
        """The settings and their figures, in words."""
        name = f"{self.algorithm} with {100 * self.suppress:g} % suppressed at most"
        if self.kept is None:
            return f"{name}: {self.why}"
        lost = self.kept.lost
        stars = f", {format_count(len(lost), 'column')} of nothing but *" if lost else ""
        return f"{name}: granularity {self.kept.granularity:.3f}{stars}"

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        kept = self.kept
        return {
            "algorithm": self.algorithm,
            "suppress": self.suppress,
            "granularity": None if kept is None else kept.granularity,
            "loss": None if kept is None else kept.measures["loss"],
            "rows_suppressed": None if kept is None else kept.rows_suppressed,
            "columns_lost": None if kept is None else list(kept.lost),
            "why": self.why or None,
        }


@dataclass(frozen=True, eq=False)
class ChosenSettings:
    """The settings that were chosen, all that were tried, and on how many rows.

    ``sampled`` are the rows that were tried where the table has more.
    """

    policy: Policy
    best: Tried | None
    tried: tuple[Tried, ...]
    sampled: int | None = None

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "algorithm": self.policy.algorithm.name,
            "suppress": self.policy.suppress,
            "useful": self.best is not None and self.best.is_useful,
            "tried": [one.facts() for one in self.tried],
            "rows_sampled": self.sampled,
        }


def choose_settings(
    trials: Trials,
    policy: Policy,
    seconds: float = SECONDS,
    fixed: Collection[str] = (),
    sampled: int | None = None,
) -> ChosenSettings:
    """Choose the algorithm and the share of suppressed rows that first give a useful release.

    The share is the smallest that is enough; levels per column come before levels per cell. Where
    nothing is enough, what keeps most is taken, columns of nothing but ``*`` counting first.
    ``fixed`` are keys of the policy that stay as they are.
    """
    tried: list[Tried] = []
    for algorithm in _list_algorithms(policy, fixed):
        deadline = read_search_clock() + seconds  # so that each has its chance
        shares = _list_shares(policy, fixed)
        if algorithm == "mondrian":  # leaves no row out
            shares = shares[:1]
        found = _find_share(trials, policy, algorithm, shares, deadline)
        tried.extend(found)
        if any(one.is_useful for one in found):
            break
    best = _choose_best(tried)
    if best is not None:
        limit = policy.time_limit if "time_limit" in fixed or best.algorithm != "local" else None
        algorithm = write_algorithm(policy, best.algorithm)
        policy = policy.replace(algorithm=algorithm, suppress=best.suppress, time_limit=limit)
    return ChosenSettings(policy, best, tuple(tried), sampled)


def _list_algorithms(policy: Policy, fixed: Collection[str]) -> Iterator[str]:
    if "algorithm" in fixed:
        yield policy.algorithm.name
        return
    yield from (name for name in ALGORITHMS if can_run(policy, name))


def _list_shares(policy: Policy, fixed: Collection[str]) -> tuple[float, ...]:
    return (policy.suppress,) if "suppress" in fixed else (0.0, *SHARES)


def _find_share(
    trials: Trials, policy: Policy, algorithm: str, shares: Iterable[float], deadline: float
) -> list[Tried]:
    """Try the smallest share and the largest; then, if that one is needed, those in between.

    More suppressed rows never lose more detail than they save where the best release is searched.
    """
    first, *more = shares
    found = [_try_settings(trials, policy, algorithm, first, deadline)]
    if found[0].is_useful or not more:
        return found
    last = _try_settings(trials, policy, algorithm, more[-1], deadline)
    if last.is_useful:
        for share in more[:-1]:
            found.append(_try_settings(trials, policy, algorithm, share, deadline))
            if found[-1].is_useful:
                return found
    return [*found, last]


def _try_settings(
    trials: Trials, policy: Policy, algorithm: str, share: float, deadline: float
) -> Tried:
    left = deadline - read_search_clock()
    if left <= 0:
        return Tried(algorithm, share, None, SHORT_OF_TIME)
    try:
        changed = policy.replace(
            algorithm=write_algorithm(policy, algorithm),
            suppress=share,
            time_limit=_limit_time(policy, algorithm),
        )
        return Tried(algorithm, share, measure_kept(trials.run(changed, left)))
    except OutOfTimeError:
        return Tried(algorithm, share, None, SHORT_OF_TIME)
    except DiscreetError as error:
        return Tried(algorithm, share, None, str(error))


def _limit_time(policy: Policy, algorithm: str) -> float | None:
    """How long one search may take; levels per cell are refined as long as they are let."""
    if algorithm == "local":
        return None
    return min(LONGEST, policy.time_limit or LONGEST)


def _choose_best(tried: Iterable[Tried]) -> Tried | None:
    made = [one for one in tried if one.kept is not None]
    useful = [one for one in made if one.is_useful]
    if useful:
        return useful[0]
    return max(
        made,
        key=lambda one: (-len(one.kept.lost), one.kept.granularity) if one.kept else (0, 0.0),
        default=None,
    )


# The first policy of an inspection.


@dataclass(frozen=True, eq=False)
class FirstPolicy:
    """A policy that an inspection proposes, with settings that were tried on the table.

    ``text`` is the policy file, with the reasons as comments; it holds no value of the table.
    ``chosen`` is None where nothing could be tried; ``why`` then says why.
    """

    inspection: Inspection
    text: str
    chosen: ChosenSettings | None
    why: str | None = None
    trees: Mapping[str, Tree] = field(default_factory=dict, repr=False)
    settings: Settings = field(default_factory=Settings, repr=False)

    def save(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the policy, and the hierarchies that were learnt from the table next to it.

        These hold values of the table: they are files of a folder that only its owner can read, and
        in their place a policy that is not saved says ``auto``. Files that are there already are
        left alone unless ``replace`` is true.
        """
        path = Path(path)
        folder = path.with_name(f"{path.stem}-hierarchies")
        files = name_files(self.trees)
        if not replace:
            refuse_taken([path, *(folder / name for name in files.values())])
        if files:
            folder.mkdir(mode=0o700, exist_ok=True)
        for column, name in files.items():
            write_hierarchy_file(folder / name, self.trees[column])
        said = {
            column: {"file": {"path": f"{folder.name}/{name}", "uncovered": "root"}}
            for column, name in files.items()
        }
        settings = dataclasses.replace(self.settings, hierarchies=said)
        write_policy_text(path, self.inspection.policy_text(settings), replace)

    def __repr__(self) -> str:
        settings = "not tried" if self.chosen is None else f"{len(self.chosen.tried)} tried"
        return f"FirstPolicy({self.inspection.name}: {settings})"

    def _repr_html_(self) -> str:
        heads = ("algorithm", "suppress", "granularity")
        tried = () if self.chosen is None else self.chosen.tried
        rows = [(one.algorithm, one.suppress, one.facts()["granularity"]) for one in tried]
        return render_html_table(repr(self), heads, rows)

    def facts(self) -> dict[str, Any]:
        """What was tried, as plain data."""
        chosen = None if self.chosen is None else self.chosen.facts()
        return {"settings": chosen, "not_tried": self.why}


def first_policy(
    table: Any,
    inspection: Inspection | None = None,
    *,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> FirstPolicy:
    """Write a first policy for a table, with settings under which a release is useful.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    inspection
        What :func:`inspect` found in it; it is inspected here otherwise.
    seconds
        How long to try settings.
    progress
        Called as :func:`anonymize` does.

    >>> import pyarrow as pa
    >>> frame = pa.table({"zip": ["02138", "02139"] * 10, "disease": ["flu", "cough"] * 10})
    >>> first_policy(frame).chosen.policy.suppress
    0.0

    Notes
    -----
    *Cost*: an inspection, one pass over the rows (of more than 100,000 an even sample is tried) and
    some searches, for ``seconds`` at most.
    """
    opened = table if isinstance(table, Table) else read(table)
    found = inspection or inspect(opened)
    first = _try_policy(opened, found, Settings(), seconds, progress)
    if found.people is None or _has_release(first):
        return first
    # k for people before values that differ, and both before k for rows
    for settings in (Settings(diverse=False), Settings(people=False)):
        other = _try_policy(opened, found, settings, seconds, progress)
        if _has_release(other):
            return other
    return first


def _has_release(first: FirstPolicy) -> bool:
    """Whether some of the settings that were tried gave a release."""
    return first.chosen is not None and first.chosen.best is not None


def _try_policy(
    table: Table,
    found: Inspection,
    settings: Settings,
    seconds: float,
    progress: Progress | None,
) -> FirstPolicy:
    """The policy of an inspection, tried as it is written, people counted or not."""
    text = found.policy_text(settings)
    try:
        policy = parse_policy_text(text)
    except PolicyError as error:
        return FirstPolicy(found, text, None, str(error), {}, settings)
    trees = list_learnt_trees(found, policy)
    policy = write_hierarchies(policy, trees) if trees else policy
    tried_on, sampled = draw_rows(table, policy, found.rows)
    chosen = choose_settings(Trials(tried_on, progress), policy, seconds, (), sampled)
    said = _write_settings(chosen, found.rows, settings)
    return FirstPolicy(found, found.policy_text(said), chosen, None, trees, said)


def list_learnt_trees(found: Inspection, policy: Policy) -> dict[str, Tree]:
    """The hierarchies of an inspection that hold values of the table, so that no text has them."""
    return {
        one.name: one.proposed.builder
        for one in found.columns
        if one.name in policy.quasi
        and isinstance(policy.columns[one.name].hierarchy, Auto)
        and one.proposed is not None
        and isinstance(one.proposed.builder, Tree)
    }


def name_files(columns: Iterable[str]) -> dict[str, str]:
    """A file name for each column, which may have signs that no file name can have."""
    found: dict[str, str] = {}
    for column in columns:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", column)[:60].strip("_") or "column"
        name, number = plain, 1
        while f"{name}.csv".casefold() in {one.casefold() for one in found.values()}:
            number += 1
            name = f"{plain}-{number}"
        found[column] = f"{name}.csv"
    return found


def refuse_taken(paths: Iterable[Path]) -> None:
    """Refuse to write where a file is already, before anything is written."""
    for path in paths:
        if os.path.lexists(path):
            fix = f"Name another policy, or give {argument('force')} to replace it."
            raise WriteError(str(path), "this file exists already", fix, "No policy was written.")


def parse_policy_text(text: str) -> Policy:
    """The policy of a text that an inspection wrote."""
    return Policy(**yaml.load(text, PolicyLoader))


def draw_rows(table: Table, policy: Policy, rows: int) -> tuple[Table, int | None]:
    """The table, or an even sample of its rows where they are many, and how many those are.

    Where people are counted, people are drawn, each with all of their rows.
    """
    if rows <= MOST_ROWS:
        return table, None
    draws = np.random.default_rng(0)
    people = None if policy.people is None else policy.people.column
    names = [name for name in table.columns if name in policy.columns or name == people]
    found = table.draw_rows(names, MOST_ROWS) if people is None else None
    if found is not None:
        held = found.read_all()
        return read(held), held.num_rows
    whose, known = Dictionary(), np.zeros(0)
    batches = []
    for batch in table.scan(text=[] if people is None else [people], native=names):
        if people is None:
            drawn = draws.random(batch.num_rows)
        else:
            person = whose.encode(batch.column(0))
            known = np.append(known, draws.random(len(whose) - len(known)))
            drawn, batch = known[person], batch.select(range(1, batch.num_columns))
            batch = batch.rename_columns(names)
        chosen = np.flatnonzero(drawn < MOST_ROWS / rows)
        batches.append(batch.take(make_arrow_numbers(chosen)))
    sample = pa.Table.from_batches(batches)
    return read(sample), sample.num_rows


def _write_settings(chosen: ChosenSettings, rows: int, tried: Settings) -> Settings:
    """The settings for the policy file, with the figures as reasons."""
    where = f"all {rows:,} rows"
    if chosen.sampled is not None:
        where = f"{chosen.sampled:,} rows drawn from {rows:,}; on all rows more is kept"
    said = [f"Tried on {where}: {one.text}" for one in chosen.tried]
    if chosen.best is None:
        said.append("No release was possible; `discreet advise` says what would make it so")
    elif not chosen.best.is_useful:
        said.append("None of these keeps much; `discreet advise` shows what does, column by column")
    algorithm = write_algorithm(chosen.policy, chosen.policy.algorithm.name)
    return dataclasses.replace(
        tried, suppress=chosen.policy.suppress, algorithm=algorithm, reasons=tuple(said)
    )
