"""From a policy and a counted table to the problem that an algorithm solves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.algorithms.problem import Problem
from discreet.attacks.linking.fits import ColumnFits
from discreet.frequency.classes import Ints, Reference
from discreet.frequency.count import Counted, add_register, count
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy import Flat, Hierarchy
from discreet.hierarchy.atoms import Atoms
from discreet.hierarchy.lattice import Node
from discreet.hierarchy.ranges import OddValues, sort_values
from discreet.models import DeltaPresence, Model, RegisterModel, TCloseness
from discreet.models.register_refusals import (
    make_columns_error,
    make_key_error,
    make_rows_error,
    make_unclear_error,
    make_unmatched_error,
)
from discreet.models.t_closeness import make_hierarchy_error, make_order_error
from discreet.pipeline.auto_hierarchies import list_row_codes, settle_auto
from discreet.pipeline.progress import Progress, defer_interrupts
from discreet.policy.policy import Policy
from discreet.table.cleaning import clean_table
from discreet.table.header import settle_names
from discreet.table.read import read
from discreet.table.table import Table


def list_promised_columns(policy: Policy) -> tuple[str, ...]:
    """The sensitive columns that some promise is about, in the order of the policy."""
    wanted = {model.sensitive for model in policy.require}
    return tuple(name for name in policy.sensitive if name in wanted)


def plan_problem(
    policy: Policy,
    frequency: FrequencyList,
    more: Sequence[Model] = (),
    floor: Node | None = None,
) -> Problem:
    """Build hierarchies and reference distributions, and put the problem together.

    Earlier releases may ask for ``more`` promises, and for levels of at least ``floor``. The
    highest anonymity level leaves no level but the top.
    """
    policy = settle_auto(policy, list_row_codes(frequency, policy.quasi))
    columns = policy.columns
    hierarchies = [
        build_hierarchy(policy, name, frequency.values[name]) for name in frequency.columns
    ]
    if policy.anonymity is not None and policy.anonymity.most_general:
        floor = tuple(hierarchy.height for hierarchy in hierarchies)
    return Problem(
        frequency,
        hierarchies,
        (*policy.require, *more),
        policy.measure,
        policy.suppress,
        [columns[name].weight for name in frequency.columns],
        {name: count_reference(policy, frequency, name) for name in frequency.sensitive},
        policy.prefer,
        policy.missing.wildcard,
        floor,
    )


def build_hierarchy(policy: Policy, column: str, values: Sequence[str | None]) -> Hierarchy:
    """The hierarchy of a column over the values found; without one in the policy, value then *."""
    builder = policy.columns[column].hierarchy or Flat()
    built: Hierarchy = builder.build(column, values)
    return built


def find_odd_values(policy: Policy, problem: Any) -> tuple[OddValues, ...]:
    """How many values of the quasi columns do not fit their hierarchies as the others do.

    Rows are counted where the problem is about rows.
    """
    found = []
    frequency = problem.frequency if isinstance(problem, Problem) else None
    for hierarchy in problem.lattice.hierarchies:
        column, values = hierarchy.column, hierarchy.labels[0]
        if column not in policy.columns:
            continue
        kinds = sort_values(policy.columns[column].hierarchy, column, values)
        if kinds is None:
            continue
        rows = None
        if frequency is not None and policy.people is None:
            codes = frequency.codes[frequency.columns.index(column)]
            rows = np.bincount(codes, weights=frequency.rows, minlength=len(values)).tolist()
        found.append(OddValues.of(column, kinds, rows))
    return tuple(one for one in found if one is not None)


def count_reference(policy: Policy, frequency: FrequencyList, column: str) -> Reference:
    """How a sensitive column is distributed over the whole table, before any suppression."""
    values = frequency.values[column]
    entries = frequency.sensitive[column]
    counts = np.bincount(entries.value, weights=entries.count, minlength=len(values))
    about = [m for m in policy.require if isinstance(m, TCloseness) and m.column == column]
    ranks = {m.order: _rank_values(m, values) for m in about if m.distance == "ordered"}
    levels: tuple[npt.NDArray[np.int32], ...] = ()
    if any(m.distance == "hierarchical" for m in about):
        if policy.columns[column].hierarchy is None:
            raise make_hierarchy_error(column)
        levels = build_hierarchy(policy, column, values).maps
    return Reference(column, counts.astype(np.int64), ranks, levels)


def _rank_values(model: TCloseness, values: Sequence[str | None]) -> npt.NDArray[np.int64]:
    """The rank of each value from low to high; a missing value comes last."""
    if model.order is not None:
        place = {value: i for i, value in enumerate(model.order)}
        unlisted = sum(value is not None and value not in place for value in values)
        if unlisted:
            raise make_order_error(model.column, unlisted, listed=True)
        keys = [float(len(place) if v is None else place[v]) for v in values]
    else:
        keys = [math.inf if v is None else _read_number(v) for v in values]
        unordered = sum(math.isnan(key) for key in keys)
        if unordered:
            raise make_order_error(model.column, unordered, listed=False)
    order = sorted(range(len(values)), key=lambda code: (keys[code], values[code] or ""))
    rank = np.empty(len(values), dtype=np.int64)
    rank[order] = np.arange(len(values))
    return rank


def _read_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


# The registers that a policy names, counted together with the table.


def count_registers(
    source: Table, policy: Policy, counted: Counted, progress: Progress | None = None
) -> Counted:
    """Count the people of each register that a promise is about, on the quasi columns.

    Refuses a register that lacks columns, whose values the table does not share, or that makes the
    promise impossible.
    """
    rows = counted.frequency.total
    for model in policy.require:
        if not isinstance(model, RegisterModel):
            continue
        names = _map_names(policy, model)
        people = settle_names(read(model.register), names.values())
        how = policy.cleanings(names)
        people = clean_table(people, {other: how[name] for name, other in names.items()})
        columns = _list_columns(people, policy, model)
        with defer_interrupts(progress) as tell:
            tell("counting a register")
            register = count(
                people, columns, progress=lambda rows: tell(f"counting a register, {rows:,} rows")
            ).frequency
        model.check_size(rows, register.total)
        if model.tally not in counted.frequency.tallies:
            _require_shared(counted.frequency, register)
            counted = add_register(counted, register, model.tally)
            _require_clear(policy, counted.frequency, model.name)
        if isinstance(model, DeltaPresence):
            _require_part(source, counted.frequency, model, people)
    return counted


def _map_names(policy: Policy, model: RegisterModel) -> dict[str, str]:
    """What each quasi column is called in the register."""
    names = model.names or {}
    return {name: names.get(name, name) for name in policy.quasi}


def _list_columns(people: Table, policy: Policy, model: RegisterModel) -> list[str]:
    """The register's columns for the quasi columns, in their order."""
    wanted = _map_names(policy, model)
    lacking = {name: other for name, other in wanted.items() if other not in people.columns}
    if lacking:
        others = [name for name in people.columns if name not in wanted.values()]
        raise make_columns_error(model.register, model.name, lacking, others)
    return list(wanted.values())


def _require_shared(table: FrequencyList, register: FrequencyList) -> None:
    """Refuse a register that has no value of some column: it is written in another way."""
    shared = {}
    for own, other in zip(table.columns, register.columns, strict=True):
        theirs = set(register.values[other])
        met = sum(value in theirs for value in table.values[own])
        shared[own] = (met, len(table.values[own]))
    if any(met == 0 for met, _ in shared.values()):
        raise make_unmatched_error(shared)


def _require_clear(policy: Policy, frequency: FrequencyList, model: str) -> None:
    """Refuse hierarchies in which one text means different people, which nobody could check.

    The search counts people by the hierarchy; a check of the release reads its texts.
    Both must come to the same people for every text that could be released.
    """
    policy = settle_auto(policy, list_row_codes(frequency, policy.quasi))
    for name in frequency.columns:
        values = frequency.values[name]
        hierarchy = build_hierarchy(policy, name, values)
        texts = {text for labels in hierarchy.labels for text in labels}
        atoms = Atoms.of(name, texts, policy.columns[name].hierarchy, ground=values)
        for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True):
            fits = ColumnFits.of(atoms, labels, values)
            under = np.bincount(codes, minlength=len(labels))
            ground = np.arange(len(values), dtype=np.int32)
            if (fits.mass != under).any() or not fits.contains(codes, ground).all():
                raise make_unclear_error(name, model)


def _require_part(
    source: Table, frequency: FrequencyList, model: DeltaPresence, people: Table
) -> None:
    """Refuse a private table with people whom the public one lacks."""
    if model.key is None:
        more = frequency.rows - frequency.tallies[model.tally]
        lacking = int(more[more > 0].sum())
        if lacking:
            by = "the quasi columns"
            raise make_rows_error(model.public, model.name, lacking, frequency.total, by)
        return
    _require_keys(source, frequency, model, people)


def _require_keys(
    source: Table, frequency: FrequencyList, model: DeltaPresence, people: Table
) -> None:
    """Refuse keys that are no keys, or that the public table lacks or has with other values."""
    assert model.key is not None
    names = model.names or {}
    others = [name for name in frequency.columns if name != model.key]
    private = _count_by_key(source, source.name, model, others)
    theirs = [names.get(name, name) for name in others]
    public = _count_by_key(people, model.public.name, model, theirs)
    pairs = zip(private.columns, public.columns, strict=True)
    known = [_match_values(private.values[own], public.values[their]) for own, their in pairs]
    where = np.full(len(public.values[model.key]) + 1, -1, dtype=np.int64)
    where[public.codes[0]] = np.arange(len(public))
    place = where[known[0][private.codes[0]]]
    there = place >= 0
    for mine, their, meant in zip(private.codes, public.codes, known, strict=True):
        there &= meant[mine] == their[place]
    lacking = int(private.rows[~there].sum())
    if lacking:
        by = f"{model.key} and the quasi columns"
        raise make_rows_error(model.public, model.name, lacking, frequency.total, by)


def _count_by_key(
    table: Table, name: str, model: DeltaPresence, columns: list[str]
) -> FrequencyList:
    """A table counted by its key first; refused if that is missing or repeats."""
    key = str(model.key)
    if key not in table.columns:
        raise make_key_error(name, model.name, key, "is not a column")
    found = count(table, [key, *columns]).frequency
    codes, values = found.codes[0], found.values[key]
    if None in values and (missing := int(found.rows[codes == values.index(None)].sum())):
        raise make_key_error(name, model.name, key, f"is missing in {missing:,} rows")
    repeated = found.total - len(np.unique(codes))
    if repeated:
        raise make_key_error(name, model.name, key, f"repeats in {repeated:,} rows")
    return found


def _match_values(own: Sequence[str | None], their: Sequence[str | None]) -> Ints:
    """The code that each value has in the other table; -1 if it has none."""
    code = {value: number for number, value in enumerate(their)}
    return np.array([code.get(value, -1) for value in own], dtype=np.int64)
