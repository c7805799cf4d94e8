"""Several algorithms on one table under one policy: protection against detail."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from discreet import algorithms as known
from discreet.algorithms.blind_choice import BLIND
from discreet.algorithms.claims import require_claimed
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution
from discreet.algorithms.suppressed_cells import (
    NONE,
    count_column_at,
    find_largest_class_size,
    infer_cells,
    is_exposed,
)
from discreet.attacks.homogeneity import homogeneity
from discreet.attacks.outcome import Outcome
from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import DiscreetError, ParameterError, UnknownColumnError
from discreet.pipeline.anonymize import Release, Unit
from discreet.pipeline.people.attack_people import count_people_given_away, find_known_values
from discreet.pipeline.people.people import People, PeopleAnswer
from discreet.pipeline.prepare import Prepared, prepare
from discreet.pipeline.progress import Progress
from discreet.pipeline.rows import Rows
from discreet.pipeline.search import run_algorithm
from discreet.policy.anonymity_level import fill_in_k
from discreet.policy.parts import list_parameters
from discreet.policy.people import ALGORITHMS as PEOPLE_ALGORITHMS
from discreet.policy.policy import Policy, settle_policy


@dataclass(frozen=True)
class Comparison:
    """What each algorithm made of the table, and why some could not.

    ``releases`` holds one release a title; ``refused`` the reason in its place.
    """

    releases: dict[str, Release]
    refused: dict[str, str]
    measure: str
    _attacks: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __repr__(self) -> str:
        refused = f", {len(self.refused)} refused" if self.refused else ""
        return f"Comparison({format_count(len(self.releases), 'release')}{refused})"

    def _repr_html_(self) -> str:
        heads = ("algorithm", "rows", "suppressed", "classes", self.measure, "holds")
        found = [
            (title, release.rows, release.solution.suppressed, len(release.solution.class_sizes),
             release.solution.measures.get(self.measure), release.holds)
            for title, release in self.releases.items()
        ]  # fmt: skip
        refused = [(title, "refused", "", "", "", False) for title in self.refused]
        return render_html_table(repr(self), heads, [*found, *refused])

    def facts(self) -> dict[str, Any]:
        """The comparison as plain data, as ``discreet compare --json`` shows it."""
        return {
            "measure": self.measure,
            "results": [
                {
                    "title": title,
                    **release.facts(),
                    "holds": release.holds,
                    "rows_at_risk": max((v.rows_at_risk for v in release.verdicts), default=0),
                    "attacks": self._attacks[title],
                }
                for title, release in self.releases.items()
            ],
            "refused": [{"title": title, "why": why} for title, why in self.refused.items()],
        }


def compare(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path,
    algorithms: Iterable[Any] = (),
    progress: Progress | None = None,
) -> Comparison:
    """Run several algorithms on one table under one policy.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy
        What leaves the house, and under which promises: a Policy, a dict or a policy file.
    algorithms
        Names, ``{name: {parameters}}`` or objects, as a policy has them. Without any, the policy's
        own and then every other that can keep its promises.
    progress
        Called as :func:`anonymize` does.

    An algorithm that cannot keep the policy, or not on this table, is refused by name; parameters
    that do not fit the table are an error.

    Notes
    -----
    The comparison of [Sweeney2001]_, chapters 6 to 8, for any table. *Departures*: attacks are run
    on each release as well. *Cost*: one count, then each algorithm, then one pass over the rows for
    each release that is attacked.
    """
    policy = settle_policy(policy, table).for_recipient()
    source = prepare(table, policy, progress=progress)
    unit: Unit = Rows() if policy.people is None else People.of(policy)
    counted = unit.count(source, progress)
    policy = fill_in_k(policy, counted.total, source.table.name)
    policy = unit.settle(policy, counted)
    releases: dict[str, Release] = {}
    refused: dict[str, str] = {}
    policies = []
    for algorithm in algorithms:
        if why := _explain_rows_only(policy, algorithm):
            refused[_make_unique_title(why[0], refused)] = why[1]
        else:
            policies.append(policy.replace(algorithm=algorithm))
    if not policies and not refused:
        policies = _list_suitable_policies(policy)
    for chosen in policies:
        title = _make_unique_title(name_algorithm(chosen.algorithm), [*releases, *refused])
        try:
            releases[title] = _release(unit, source, chosen, counted, progress)
        except (ParameterError, UnknownColumnError):
            raise
        except DiscreetError as error:
            refused[title] = str(error)
    attacks = {title: _attack(release, progress) for title, release in releases.items()}
    return Comparison(releases, refused, policy.measure.name, attacks)


def name_algorithm(algorithm: Any) -> str:
    """The name of an algorithm, and the choices that set it apart.

    >>> name_algorithm(known.MuArgus(generalize=("zip",), complementary=True))
    'mu-argus (generalize zip, complementary)'
    """
    told = []
    for name, value in list_parameters(algorithm).items():
        if name in UNTOLD or value is False:
            continue
        if isinstance(value, str):
            told.append(value)
        elif value is True:
            told.append(name)
        elif isinstance(value, list):
            told.append(f"{name} {', '.join(map(str, value))}")
        else:
            told.append(f"{name} {value}")
    return f"{algorithm.name} ({', '.join(told)})" if told else str(algorithm.name)


UNTOLD = ("most", "more", "identifying")
"""Parameters that are too long for a title, and mostly the same."""


def _make_unique_title(title: str, taken: Iterable[str]) -> str:
    """The title, numbered if it is taken."""
    number = 1 + sum(one == title or one.startswith(f"{title} #") for one in taken)
    return title if number == 1 else f"{title} #{number}"


def _list_suitable_policies(policy: Policy) -> list[Policy]:
    """The policy itself, and the same with every other algorithm that can keep its promises."""
    blind = policy.choice == "blind" and any(model.sensitive for model in policy.require)
    others = [
        policy.replace(algorithm=algorithm.name)
        for algorithm in known.ALL
        if algorithm.name != policy.algorithm.name
        and all(isinstance(model, algorithm.claims) for model in policy.require)
        and (not blind or algorithm in BLIND)
        and (policy.people is None or algorithm.name in PEOPLE_ALGORITHMS)
    ]
    return [policy, *others]


def _explain_rows_only(policy: Policy, algorithm: Any) -> tuple[str, str] | None:
    """An algorithm that cannot count people: its title, and why; None if it can."""
    if policy.people is None:
        return None
    chosen = policy.replace(people=None, algorithm=algorithm).algorithm
    if chosen.name in PEOPLE_ALGORITHMS:
        return None
    known = " or ".join(PEOPLE_ALGORITHMS)
    why = f"it counts rows and cannot count people; with 'people' use {known}"
    return name_algorithm(chosen), why


def _release(
    unit: Unit, source: Prepared, policy: Policy, counted: Any, progress: Progress | None
) -> Release:
    """One release; each algorithm gets a problem of its own, so that none helps another."""
    require_claimed(policy.algorithm, policy.require)
    problem = unit.plan(policy, counted)
    started = time.perf_counter()
    solution = run_algorithm(problem, policy, progress)
    seconds = time.perf_counter() - started
    answer = unit.answer(source, policy, counted, problem, solution)
    return Release(source, policy, answer, seconds)


def _attack(release: Release, progress: Progress | None) -> list[dict[str, Any]]:
    """What is gained by row order, summary data and classes that share a sensitive value."""
    policy = release.policy
    rows = release.to_arrow(unprotected=True, progress=progress)
    in_order = policy.order == "keep"
    note = "rows are in the order of the private table" if in_order else "rows are scrambled"
    if isinstance(release.answer, PeopleAnswer):
        given_away = count_people_given_away(release.answer)
    else:
        given_away = count_given_away(release.problem, release.solution)
    outcomes = (
        Outcome("row order", in_order, release.rows if in_order else 0, note),
        given_away,
        _find_homogeneous(rows, policy)
        if rows.num_rows
        else Outcome("homogeneity", False, 0, "no row was released"),
    )
    return [outcome.facts() for outcome in outcomes]


def _find_homogeneous(rows: pa.Table, policy: Policy) -> Outcome:
    """Classes of rows that share one sensitive value, or of people who all have one."""
    if policy.people is None:
        return homogeneity(rows, policy.quasi, policy.sensitive)
    found = find_known_values(rows, policy, policy.quasi, policy.sensitive)
    return replace(found, rows=(), note="" if found.applies else found.note)


def count_given_away(problem: Problem, solution: Solution | CellSolution) -> Outcome:
    """How many rows have a suppressed cell that published counts of the columns give away.

    See :func:`infer_cells`, which tells the cells; rows that are left out are rows of such cells.
    """
    if isinstance(solution, CellSolution):
        found = infer_cells(problem, solution.recoding)
        parts = np.unique(np.concatenate([NONE, *found.parts.values()]))
        rows, hidden = int(solution.recoding.rows[parts].sum()), bool(found.hidden)
        telling = list(found.cells)
    else:
        telling = [
            name
            for column, name in enumerate(problem.frequency.columns)
            if is_exposed(
                *count_column_at(problem, solution, column), find_largest_class_size(problem)
            )
        ]
        rows, hidden = solution.suppressed if telling else 0, solution.suppressed > 0
    note = f"by the counts of {', '.join(telling)}" if telling else ""
    return Outcome("summary data", hidden, rows, note if hidden else "nothing is suppressed")
