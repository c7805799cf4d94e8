"""Small changes to a policy that may keep more of the data, and what each gives up for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from discreet.algorithms import ALL as ALGORITHMS
from discreet.algorithms.blind_choice import BLIND
from discreet.algorithms.claims import round_up_share
from discreet.algorithms.mondrian.mondrian import Mondrian
from discreet.display import dataclass, format_count
from discreet.hierarchy import Cuts, Dates, Flat, Intervals, Prefix, propose, write_spec
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.proposals.widths import make_nested
from discreet.policy.parts import Auto
from discreet.policy.people import RecordRule
from discreet.policy.policy import Policy

SHARES = (0.01, 0.02, 0.05)
"""Shares of rows that may be suppressed, as they are tried."""

PER_COLUMN, PER_CELL = ("optimal",), ("mondrian", "local")
"""Algorithms that are tried instead of others: levels per column lose more than levels per cell,
and mondrian is faster than local, above all where it has not been compiled yet."""

CAPS = (1, 2, 3)
"""Rows that a person may keep, as they are tried."""

ENOUGH = 0.95
"""A column that keeps this much of its detail is not worth a change of its own."""

WRITTEN = (Cuts, Dates, Intervals, Prefix)
"""Hierarchies that are written out in a change; others may hold values of the table."""

FEWEST = 3
"""Different values that a column needs for a hierarchy between the value and ``*``."""

RAISED, LOWERED = ("t", "delta", "beta", "max"), ("k", "ell")
"""Parameters of models that promise less as they grow, and those that do as they shrink."""

FIRST_STEP = 0.05
"""What a parameter is raised to that is 0."""

STEPS = 8
"""Steps that a promise is weakened by, one after the other, where it cannot be kept."""


@dataclass(frozen=True, eq=False)
class Change:
    """One change to a policy.

    ``about`` names what it changes: of two changes about the same thing only one can be made.
    ``weakening`` is 0 where every promise stays as it is, and otherwise the share of a promise that
    is given up: 0.2 for k 4 instead of 5, 1 for a promise that is left out.
    """

    kind: str
    about: str
    text: str
    weakening: float
    edit: Callable[[Policy], Policy]

    @property
    def weakens(self) -> bool:
        """Whether something is promised no more, or less of it."""
        return self.weakening > 0


def list_changes(
    policy: Policy,
    values: Mapping[str, Sequence[str | None]],
    left: Mapping[str, float],
    rows: int | None,
    least_suppressed: int | None = None,
) -> list[Change]:
    """Every change that is worth a try, those first that promise as much as before.

    ``values`` are the different values of each quasi column, ``left`` the granularity that it keeps
    now; nothing of either is in a change. ``rows`` is the number of rows of the table, where it is
    known. Without any release, ``least_suppressed`` rows must go to make one possible.
    """
    reachable = bool(left)
    found = [
        *_list_shares(policy, rows, least_suppressed),
        *_list_algorithms(policy),
        *_list_hierarchies(policy, values, left),
        *_list_caps(policy),
        *_list_left_out(policy, left),
        *_list_weaker(policy, 1 if reachable else STEPS),
    ]
    return sorted(found, key=lambda change: change.weakens)


# Changes that weaken no promise.


def _list_shares(policy: Policy, rows: int | None, least: int | None) -> Iterator[Change]:
    """Let more rows be suppressed; no row is named that way, but some are not in the release."""
    shares = [share for share in SHARES if share > policy.suppress]
    if least is not None and rows:
        needed = round_up_share(least, rows)
        shares = [share for share in shares if share >= needed]
        if policy.suppress < needed < 1 and needed not in shares:
            shares.insert(0, needed)
    before = {_limit(policy.suppress, rows)}
    for share in shares:
        limit = _limit(share, rows)
        if limit not in before:
            before.add(limit)
            yield make_share_change(share)


def _limit(share: float, rows: int | None) -> float:
    return share if rows is None else int(share * rows + 1e-9)


def make_share_change(share: float) -> Change:
    """Let this share of the rows be suppressed."""
    text = f"suppress up to {100 * share:g} % of the rows"
    return Change("suppress", "suppress", text, 0, lambda policy: policy.replace(suppress=share))


def _list_algorithms(policy: Policy) -> Iterator[Change]:
    """Algorithms that lose less and can keep the same promises."""
    now = policy.algorithm.name
    better = PER_CELL if now in (*PER_COLUMN, *PER_CELL) else (*PER_COLUMN, *PER_CELL)
    for name in better:
        if name != now and can_run(policy, name):
            yield make_algorithm_change(name)


def can_run(policy: Policy, name: str) -> bool:
    """Whether an algorithm can keep what a policy promises."""
    algorithm = next(one for one in ALGORITHMS if one.name == name)
    if policy.choice == "blind" and any(model.sensitive for model in policy.require):
        return algorithm in BLIND
    if policy.people is not None and algorithm not in BLIND:
        return False
    return all(isinstance(model, algorithm.claims) for model in policy.require)


WHAT = {
    "optimal": "the best level per column",
    "local": "levels per cell",
    "mondrian": "levels per cell, numbers cut where the rows are",
}


def make_algorithm_change(name: str) -> Change:
    """Let another algorithm find the release."""
    text = f"algorithm {name} ({WHAT[name]})"

    def edit(policy: Policy) -> Policy:
        # Given a limit, local goes on until it is over.
        limit = None if name == "local" else policy.time_limit
        return policy.replace(algorithm=write_algorithm(policy, name), time_limit=limit)

    return Change("algorithm", "algorithm", text, 0, edit)


def write_algorithm(policy: Policy, name: str) -> Any:
    """An algorithm as a policy writes it; mondrian cuts numbers where the rows are."""
    numbers = [
        column
        for column in policy.quasi
        if isinstance(builder := policy.columns[column].hierarchy, Intervals | Cuts)
        and builder.others == "refuse"
    ]
    return {name: {"ranges": numbers}} if name == "mondrian" and numbers else name


def _list_hierarchies(
    policy: Policy, values: Mapping[str, Sequence[str | None]], left: Mapping[str, float]
) -> Iterator[Change]:
    """A hierarchy for columns without one, and more widths for those that have a few."""
    for name in policy.quasi:
        if name not in values or left.get(name, 0.0) >= ENOUGH:
            continue
        now = policy.columns[name].hierarchy
        found = find_hierarchy(now, name, values[name])
        if found is not None:
            said, text = found
            yield make_hierarchy_change(name, said, text)


def find_hierarchy(
    now: Builder | None, name: str, values: Sequence[str | None]
) -> tuple[Any, str] | None:
    """A hierarchy with more levels than a column has now, as a policy writes it, and what it is.

    None where there is none. What is learnt from the values of the table is not written out.
    """
    proposed = propose(name, values).builder
    if now is None or isinstance(now, Flat):
        if len(values) < FEWEST:
            return None
        written = isinstance(proposed, WRITTEN)
        return write_spec(proposed) if written else {"auto": True}, f"a hierarchy for {name}"
    built = proposed if isinstance(now, Auto) else now
    if isinstance(built, Intervals) and (built.origin or built.bottom or built.top):
        return None  # these limits are the data holder's
    more = make_nested(built, values)
    return None if more == built else (write_spec(more), f"more levels for {name}")


def make_hierarchy_change(name: str, said: Any, text: str) -> Change:
    """Give a column another hierarchy."""

    def edit(policy: Policy) -> Policy:
        return edit_columns(policy, {name: _with_hierarchy(policy.columns[name], said)})

    return Change("hierarchy", f"column {name}", text, 0, edit)


def _with_hierarchy(column: Any, said: Any) -> dict[str, Any]:
    now = {key: getattr(column, key) for key in type(column).model_fields}
    return {**now, "hierarchy": said}


def _list_caps(policy: Policy) -> Iterator[Change]:
    """Keep a few rows of each person, so that whole records are more alike."""
    if policy.people is None or policy.people.records.kind not in ("keep", "cap"):
        return
    now = min(policy.people.records.numbers, default=math.inf)
    for cap in (one for one in CAPS if one < now):
        text = f"at most {format_count(cap, 'row')} per person, drawn at random"
        yield Change("records", "records", text, 0, _cap_records(cap))


def _cap_records(cap: int) -> Callable[[Policy], Policy]:
    def edit(policy: Policy) -> Policy:
        return policy.replace(people=replace(policy.people, records=RecordRule("cap", (cap,))))

    return edit


def _list_left_out(policy: Policy, left: Mapping[str, float]) -> Iterator[Change]:
    """Leave out one quasi column, so that the others keep more."""
    needed = {name for model in policy.require for name in model.columns or ()}
    if len(policy.quasi) < 2:
        return
    for name in policy.quasi:
        if name in needed or not policy.columns[name].weight:
            continue
        text = f"leave out {name}"
        yield Change("leave out", f"column {name}", text, 0, _leave_out(name))


def _leave_out(name: str) -> Callable[[Policy], Policy]:
    def edit(policy: Policy) -> Policy:
        prefer = tuple(one for one in policy.prefer if one != name)
        algorithm = policy.algorithm
        if isinstance(algorithm, Mondrian):
            ranges = tuple(one for one in algorithm.ranges if one != name)
            algorithm = replace(algorithm, ranges=ranges)
        return edit_columns(policy, {name: None}, prefer=prefer, algorithm=algorithm)

    return edit


def edit_columns(policy: Policy, changed: Mapping[str, Any], **more: Any) -> Policy:
    """The policy with some columns changed, or without those that are None."""
    columns = {**policy.columns, **changed}
    kept = {name: column for name, column in columns.items() if column is not None}
    return policy.replace(columns=kept, **more)


# Changes that weaken a promise.


def _list_weaker(policy: Policy, steps: int) -> Iterator[Change]:
    """Each promise a step weaker, or left out where it is about a sensitive column."""
    if policy.anonymity is not None:
        yield from _list_lower_levels(policy)
    for model in policy.require:
        if policy.anonymity is not None and model.name == "k_anonymity":
            continue
        yield from _list_weaker_models(model, steps)
        if model.sensitive is not None and len(policy.require) > 1:
            text = f"no {model.name} for {model.sensitive}"
            yield Change("promise", _name(model), text, 1.0, _swap(model, ()))


def _list_weaker_models(model: Any, steps: int) -> Iterator[Change]:
    about = f" of {model.sensitive}" if model.sensitive is not None else ""
    first: dict[str, float] = {}
    now = model
    for _ in range(steps):
        found = _weaken(now)
        if found is None:
            return
        key, new = found
        old = first.setdefault(key, getattr(model, key))
        now = replace(now, **{key: new})
        text = f"{model.name}{about}: {key} {old:g} -> {new:g}"
        low, high = sorted((old, new))
        weakening = 1 - low / high
        yield Change("promise", _name(model), text, weakening, _swap(model, (now,)))


def _weaken(model: Any) -> tuple[str, float] | None:
    """The parameter of a model that decides how much it promises, one step weaker."""
    for key in LOWERED:
        value = getattr(model, key, None)
        if value is not None and value > 2:
            return key, value - max(1, value // 5) if value == int(value) else value - 1
    for key in RAISED:
        value = getattr(model, key, None)
        if value is not None and model.name not in FIXED:
            new = float(f"{1.25 * value:.3g}") if value else FIRST_STEP
            return (key, new) if new < 1 or key in ("delta", "beta") else None
    return None


FIXED = ("delta_presence", "probabilistic")
"""Models whose limits follow from what misuse costs, or from a population."""


def _name(model: Any) -> str:
    return f"{model.name} of {model.sensitive} on {model.columns}"


def _swap(model: Any, others: Iterable[Any]) -> Callable[[Policy], Policy]:
    new = tuple(others)

    def edit(policy: Policy) -> Policy:
        require = [one for old in policy.require for one in (new if old == model else (old,))]
        return policy.replace(require=require)

    return edit


def _list_lower_levels(policy: Policy) -> Iterator[Change]:
    """The next lower anonymity level."""
    level = policy.anonymity
    new = round(level.level - 0.1, 6)
    if new <= 0:
        return
    spec = level.write_spec()
    mapped = {**spec, "level": new} if isinstance(spec, dict) else new
    text = f"anonymity {level.level:g} -> {new:g}"
    yield Change("promise", "anonymity", text, 1 - new / level.level,
                 lambda policy: policy.replace(anonymity=mapped))  # fmt: skip
