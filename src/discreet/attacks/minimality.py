"""What the choice of a release reveals: the program would not have generalized without a reason."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import scipy

from discreet.algorithms.fixed import Fixed
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution
from discreet.attacks.coded_rows import list_row_numbers
from discreet.attacks.outcome import Outcome, make_not_applied, make_not_decided
from discreet.attacks.same_choice import Rivals, SameChoice, search_each_world
from discreet.attacks.worlds import (
    Fits,
    People,
    Tallied,
    list_every_world,
    tally_every_world,
    tally_sampled_worlds,
    tally_walks,
)
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.classes import Floats, Ints, Reference
from discreet.models.verdict import TOLERANCE

NAME = "minimality"

ROWS_DRAWN = 5_000_000
"""Most people in all drawn worlds together, if many worlds are tried at a time."""

ROWS_SEARCHED = 100_000
"""The same, if the algorithm has to be run for each."""

LARGEST_SEARCHED = 2_000
"""Most people in a table for which the algorithm is run repeatedly."""

MORE = 60
"""Divided by the number of rivals: the factor for further worlds if too few fit."""

FEW = 30
"""With fewer sampled worlds that fit, no belief is estimated from them."""

WALKS = 12
LARGEST_WALK = 400
"""Most people in a table for which walks are used."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Minimality:
    """The belief in sensitive values of somebody who knows the program and who is in the table.

    Such an intruder considers every assignment of the sensitive values of each released class to
    its people, and keeps those for which the program would have made this very release.

    Parameters
    ----------
    worlds
        Up to this many assignments all are tried; beyond it some are drawn.
    samples
        How many are drawn at most; fewer if each takes long.
    seed
        For what is drawn.

    Notes
    -----
    [Wong2007]_, sec. 3, and [Zhang2007]_, sec. 3: beliefs are shares of the worlds that fit, each
    as likely as another. *Departures*: any model, algorithm and number of tuples; a world fits if
    the program, run on it, gives the same texts for the same people. The intruder is taken to know
    the class of each person, and of people who are left out which values they have between them.
    People are exposed if any value, true or not, is believed beyond both what is promised and what
    the class shows: that depends only on what the intruder knows, so that refusing a release for it
    reveals nothing. *Cost*: one search per world.
    """

    worlds: int = 5_000
    samples: int = 2_000
    seed: int = 0

    def __call__(self, made: Any) -> Outcome:
        """Attack a :class:`~discreet.pipeline.anonymize.Release`, which holds the private table."""
        policy, problem, solution = made.policy, made.problem, made.solution
        if not problem.frequency.sensitive:
            return make_not_applied(NAME, NO_SENSITIVE)
        if policy.choice == "blind":
            return Outcome(NAME, True, 0, BLIND, found={"method": "blind", "columns": {}})
        if why := _explain_unrepeatable(made):
            return make_not_decided(NAME, *why)
        same = SameChoice(problem, solution, policy.algorithm, made.stars)
        if not same.gives_same_release(problem.frequency.sensitive):
            return make_not_decided(NAME, "the choice of this release cannot be repeated", MUCH)
        people = People.of(made.table, problem, same.shown)
        rows = len(people.tuple_of)
        fits: Fits
        if Rivals.can_decide(problem, solution, policy.algorithm):
            rivals = Rivals(people, problem, solution)
            fits, drawn = rivals.fits, ROWS_DRAWN // rows
            more = max(1, MORE // max(1, len(rivals)))
        elif rows <= LARGEST_SEARCHED:
            fits, drawn, more = partial(search_each_world, people, same), ROWS_SEARCHED // rows, 1
        else:
            return make_not_decided(NAME, TOO_LARGE, MUCH)
        drawn = min(self.samples, max(100, drawn))
        tallied, method = self._tally_worlds(people, fits, drawn, drawn * more)
        if not method:
            return make_not_decided(NAME, _explain_undecided(tallied), MUCH)
        return _make_outcome(people, problem, tallied, method, made.table.name)

    def _tally_worlds(
        self, people: People, fits: Fits, drawn: int, most: int
    ) -> tuple[Tallied, str]:
        """Try all worlds, else some at random, else those that can be reached from the true one."""
        worlds = list_every_world(people, self.worlds)
        if worlds is not None:
            return tally_every_world(people, worlds, fits), "exact"
        random = np.random.default_rng(self.seed)
        tallied = tally_sampled_worlds(people, drawn, random, fits, FEW, most)
        if tallied.fitting >= FEW:
            return tallied, "sampled"
        if len(people.tuple_of) > LARGEST_WALK:
            return tallied, ""
        steps = max(100, 10 * len(people.tuple_of))
        return tally_walks(people, WALKS, steps, random, fits), "walk"


BLIND = (
    "the levels were chosen without the sensitive values (choice: blind), so knowing the program "
    "reveals no more than the classes show"
)


NO_SENSITIVE = "no promise is about a sensitive column, so the choice does not depend on one"

UNKNOWN = "What the choice of levels reveals is unknown and may be a lot."
USE_BLIND = (
    "Use choice: blind in the policy (with optimal, datafly or spalm), whose choice reveals "
    "nothing."
)
MUCH = f"{UNKNOWN} {USE_BLIND}"

TOO_LARGE = "the table is too large to make the choice again for other sensitive values"


def _explain_unrepeatable(made: Any) -> tuple[str, str] | None:
    """Why the choice of a release cannot be repeated for other values, and what to do then."""
    policy, solution = made.policy, made.solution
    if getattr(made, "known", ()):
        why = "earlier releases of a ledger had a say in the choice, which is not repeated"
        return (
            why,
            f"{UNKNOWN} choice: blind does not go with a ledger, so judge who could know it.",
        )
    if solution.algorithm == Fixed.name:
        return "the levels were chosen by a person, which cannot be repeated", MUCH
    if policy.missing.wildcard:
        return "missing values match any value, so that classes overlap", MUCH
    if not any(_covers_quasi(model, policy.quasi) for model in policy.require if model.sensitive):
        return "every promise about a sensitive column is for some of the quasi columns only", MUCH
    if isinstance(solution, Solution) and ((solution.dropped > 0) & (solution.kept > 0)).any():
        return "rows of one class are released and left out", MUCH
    timed = policy.time_limit is not None or solution.algorithm == "optimal"
    if timed and not solution.search.proven:
        why = "the search was ended by the clock, so that its choice cannot be repeated"
        return why, f"{UNKNOWN} Give the search more time, or: {USE_BLIND}"
    return None


def _covers_quasi(model: Any, quasi: Sequence[str]) -> bool:
    return not model.columns or set(model.columns) == set(quasi)


def _explain_undecided(tallied: Tallied) -> str:
    return (
        f"{tallied.fitting:,} of {tallied.tried:,} worlds drawn would have given this release, "
        f"fewer than the {FEW} that an estimate needs in a table of this size"
    )


def bound_belief(model: Any, reference: Reference) -> Floats:
    """The largest belief in each value of a column that a promise allows, as it is usually read.

    ``distinct`` and ``entropy`` l-diversity bound no belief strictly: 1/ell is what they are taken
    to mean. The others follow from their definitions.
    """
    share = reference.shares
    match model.name:
        case "l_diversity" if model.kind == "recursive":
            bound = np.full(len(share), model.c / (model.c + 1) if model.ell >= 2 else 1.0)
        case "l_diversity":
            bound = np.full(len(share), 1 / model.ell)
        case "t_closeness" if model.distance == "equal":
            bound = share + model.t
        case "t_closeness":  # what is moved goes at least one step, or one level, each time
            ordered = model.distance == "ordered"
            steps = len(share) - 1 if ordered else len(reference.levels) - 1
            bound = share + model.t * max(1, steps)
        case "beta_likeness" if model.kind == "enhanced":
            with np.errstate(divide="ignore"):
                bound = share * (1 + np.minimum(model.beta, -np.log(share)))
        case "beta_likeness":
            bound = share * (1 + model.beta)
        case "delta_disclosure":
            bound = share * model.factor
        case _:
            raise InternalError(f"no limit on belief is known for {model.name}")
    limit: Floats = np.minimum(1.0, np.nan_to_num(bound, nan=1.0))
    return limit


@dataclass(frozen=True, eq=False)
class _Column:
    """Beliefs about one sensitive column: of each tuple's people, in each value."""

    belief: Floats
    low: Floats
    high: Floats
    by_class: Floats
    promised: Floats

    @property
    def over(self) -> Any:
        """People whose value is certain, or believed beyond both the promise and the class."""
        limit = np.maximum(self.promised, self.by_class)
        return (self.low > limit + TOLERANCE).any(axis=1) | self.certain

    @property
    def certain(self) -> Any:
        """People who certainly have a value although the class shows several."""
        sure = (self.low >= 1 - TOLERANCE) & (self.by_class < 1 - TOLERANCE)
        return sure.any(axis=1)

    def _find_not_excluded(self, released: Any) -> float | None:
        """The largest belief beyond the limits that the worlds drawn leave possible, if any."""
        limit = np.maximum(self.promised, self.by_class)
        beyond = (self.high > limit + TOLERANCE) & released[:, None]
        return float(self.high[beyond].max()) if beyond.any() else None

    def facts(self, people: People) -> dict[str, Any]:
        released = np.bincount(people.tuple_of[~people.left_out], minlength=len(self.belief)) > 0
        gain = np.where(released[:, None], self.belief - self.by_class, -np.inf)
        shown = np.where(released[:, None], self.belief, -np.inf)
        worst = np.unravel_index(int(shown.argmax()), shown.shape)
        own = ~people.left_out
        return {
            "worst_belief": float(self.belief[worst]),
            "low": float(self.low[worst]),
            "high": float(self.high[worst]),
            "by_class": float(self.by_class[worst]),
            "promised": float(self.promised[worst[1]]),
            "largest_gain": max(0.0, float(gain.max())),
            "not_excluded": self._find_not_excluded(released),
            "rows_exposed": int(self.over[people.tuple_of][own].sum()),
            "rows_certain": int(self.certain[people.tuple_of][own].sum()),
        }


def _judge_columns(
    people: People, problem: Problem, tallied: Tallied, method: str
) -> Iterator[tuple[str, _Column]]:
    """Every sensitive column that a promise for all quasi columns guards."""
    for name, codes in people.values.items():
        reference = problem.counter.references[name]
        bounds = [
            bound_belief(model, reference)
            for model in problem.requirement.models
            if model.sensitive == name and _covers_quasi(model, problem.frequency.columns)
        ]
        if not bounds:
            continue
        size = len(reference.counts)
        belief, by_class = (
            _sum_by_value(tallied.mean, codes, size),
            _measure_class_shares(people, codes, size),
        )
        low, high = belief, belief
        if method != "exact":
            walks = None if tallied.walks is None else _sum_by_value(tallied.walks, codes, size)
            low, high = _find_interval(belief, by_class, tallied.fitting, walks)
        yield name, _Column(belief, low, high, by_class, np.min(bounds, axis=0))


def _sum_by_value(beliefs: Floats, codes: Ints, size: int) -> Floats:
    """Beliefs in combinations as beliefs in the values of one column."""
    found = np.zeros((*beliefs.shape[:-1], size))
    for combination, value in enumerate(codes):
        found[..., value] += beliefs[..., combination]
    return np.clip(found, 0.0, 1.0)


def _measure_class_shares(people: People, codes: Ints, size: int) -> Floats:
    """The share of each value in the class of each tuple: what the release itself shows."""
    counts = np.zeros((int(people.class_of.max()) + 1, size))
    np.add.at(counts, (people.class_of, codes[people.value_of]), 1)
    class_of = np.zeros(int(people.tuple_of.max()) + 1, dtype=np.int64)
    class_of[people.tuple_of] = people.class_of
    shares: Floats = (counts / np.maximum(1, counts.sum(axis=1, keepdims=True)))[class_of]
    return shares


def _find_interval(
    belief: Floats, by_class: Floats, fitting: int, walks: Floats | None
) -> tuple[Floats, Floats]:
    """Intervals of the beliefs, jointly with 95 % confidence.

    Clopper and Pearson's interval for worlds drawn: where several people are alike their mean
    varies less, so it is wide enough. Student's for the means of several walks.
    """
    beliefs = max(1, int(((by_class > 0) & (by_class < 1)).sum()))
    tail = (1 - CONFIDENCE) / 2 / beliefs
    if walks is not None:
        wide = scipy.special.stdtrit(len(walks) - 1, 1 - tail)
        wide = wide * walks.std(axis=0, ddof=1) / math.sqrt(len(walks))
        return np.clip(belief - wide, 0, 1), np.clip(belief + wide, 0, 1)
    hits = belief * fitting
    low = np.where(hits > 0, scipy.special.betaincinv(hits, fitting - hits + 1, tail), 0.0)
    high = np.where(
        hits < fitting, scipy.special.betaincinv(hits + 1, fitting - hits, 1 - tail), 1.0
    )
    return np.nan_to_num(low, nan=0.0), np.nan_to_num(high, nan=1.0)


def _make_outcome(
    people: People, problem: Problem, tallied: Tallied, method: str, table: str
) -> Outcome:
    columns = dict(_judge_columns(people, problem, tallied, method))
    over = np.any([column.over for column in columns.values()], axis=0)[people.tuple_of]
    facts = {name: column.facts(people) for name, column in columns.items()}
    rows, left_out = over & ~people.left_out, over & people.left_out
    found = {
        "other": table,
        "method": method,
        "worlds": tallied.tried,
        "worlds_fitting": tallied.fitting,
        "left_out_exposed": int(left_out.sum()),
        "columns": facts,
    }
    exposed = int(rows.sum())
    return Outcome(
        NAME,
        True,
        exposed,
        _note(found),
        people_exposed=int(left_out.sum()),
        earlier_rows=list_row_numbers(over),
        counts=exposed > 0,
        found=found,
    )


HOW = {
    "exact": "{worlds_fitting:,} of {worlds:,} possible worlds fit the release",
    "sampled": "estimated: {worlds_fitting:,} of {worlds:,} worlds drawn fit the release",
    "walk": "estimated by walks from the true table, which may overstate it: too few worlds drawn "
    "at random fit the release",
}


def _note(found: Mapping[str, Any]) -> str:
    """What somebody who knows the program learns, without any value."""
    parts = []
    for name, column in found["columns"].items():
        most = f"{name}: believes {column['worst_belief']:.3g} at most"
        if found["method"] != "exact":  # the largest of many estimates is mostly too large
            most += f", as estimated (between {column['low']:.3g} and {column['high']:.3g})"
        shows = f"the class shows {column['by_class']:.3g}, promised is {column['promised']:.3g}"
        sure = f", certain of {column['rows_certain']:,} rows" if column["rows_certain"] else ""
        if found["method"] != "exact" and column["not_excluded"] is not None:
            # "no row exposed" must not read as "nobody can be exposed"
            sure += f"; too few worlds to exclude beliefs up to {column['not_excluded']:.3g}"
        parts.append(f"{most} ({shows}){sure}")
    if found["left_out_exposed"]:
        parts.append(f"{found['left_out_exposed']:,} people who are left out are exposed")
    return "; ".join([*parts, HOW[found["method"]].format(**found)])
