"""Several algorithms on one table under one policy: protection against detail."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from discreet import algorithms as known
from discreet.algorithms.blind_choice import BLIND
from discreet.algorithms.claims import require_claimed
from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import DiscreetError, ParameterError, UnknownColumnError
from discreet.pipeline.anonymize import Release
from discreet.pipeline.attack import Attacked
from discreet.pipeline.people.people import People
from discreet.pipeline.prepare import Prepared, prepare
from discreet.pipeline.progress import Progress
from discreet.pipeline.rows import Rows
from discreet.pipeline.search import run_algorithm
from discreet.pipeline.stages import Unit
from discreet.pipeline.withstand import Intruder, attack_release
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
    _attacked: dict[str, Attacked] = field(default_factory=dict)

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
            "format": "discreet-compare/1",
            "measure": self.measure,
            "results": [
                {
                    "title": title,
                    **release.facts(),
                    "holds": release.holds,
                    "rows_at_risk": max((v.rows_at_risk for v in release.verdicts), default=0),
                    **self._attacked[title].list_findings(),
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
    on each release as well, those of :func:`~discreet.pipeline.withstand.attack_release`, by
    somebody who has no file but published counts. *Cost*: one count, then each algorithm, then a
    few passes over the rows for each release that is attacked.
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
            releases[title] = make_release(unit, source, chosen, counted, progress)
        except (ParameterError, UnknownColumnError):
            raise
        except DiscreetError as error:
            refused[title] = str(error)
    attacked = {
        title: attack_release(release, Intruder(), progress, trust_order=True)
        for title, release in releases.items()
    }
    return Comparison(releases, refused, policy.measure.name, attacked)


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
        elif isinstance(value, Mapping):
            told += [f"{key} {one}" for key, one in value.items()]
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
        if algorithm.name not in (policy.algorithm.name, known.Fixed.name)  # levels of nobody
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


def make_release(
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
