"""The classes of both tables and the risk of their rows, with a register of people if given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.errors import DiscreetError
from discreet.frequency.classes import Ints
from discreet.frequency.count import count
from discreet.frequency.frequency_list import FrequencyList
from discreet.pipeline.description.compared import Compared
from discreet.pipeline.description.counted_table import CountedTable
from discreet.pipeline.description.facts import Classes, Risks, RiskValues
from discreet.pipeline.description.figures import summarize_classes
from discreet.pipeline.description.released_labels import ReleasedLabels
from discreet.pipeline.prepare import open_for
from discreet.policy.about import find_threshold
from discreet.risks.register import Register
from discreet.risks.table_risk import TableRisk

NO_LEVEL = (
    "The register was not compared with the release: cells of a column differ in their level, or "
    "the level is not known."
)


def describe_classes(sizes: Ints | None) -> Classes | None:
    """Classes by size; None if the table lacks a quasi column."""
    return None if sizes is None else summarize_classes(sizes)


def describe_risks(both: Compared, population: int | None) -> Risks:
    """The risk before and after, against the threshold of the policy."""
    threshold, reason = find_threshold(both.policy)
    after = _measure(both, both.after, both.sizes_after, threshold, population)
    before = None
    if both.before is not None:
        before = _measure(both, both.before, both.sizes_before, threshold, population)
    return Risks(
        threshold=threshold, threshold_reason=reason, before=before, after=after or _make_no_risk()
    )


def _measure(
    both: Compared,
    counted: CountedTable,
    sizes: Ints | None,
    threshold: float,
    population: int | None,
) -> RiskValues | None:
    if sizes is None:
        return None
    if not len(sizes):
        return _make_no_risk()
    listed = _count_register(both, counted)
    if listed is None:
        people = population if (population or 0) >= int(sizes.sum()) else None
        found = TableRisk(threshold, people)(FrequencyList(both.policy.quasi, (), sizes, {}))
    else:
        found = TableRisk(threshold)(*listed)
    estimates = () if found.population is None else found.population.estimates
    uniques = [one.uniques for one in estimates if one.method == "dankar"]
    return RiskValues(
        prosecutor_highest=found.prosecutor.highest,
        prosecutor_average=found.prosecutor.average,
        journalist_highest=found.journalist.highest,
        journalist_method=found.journalist.method,
        marketer=found.marketer,
        rows_above_threshold=found.prosecutor.rows_at_risk,
        population_uniques=uniques[0] if uniques else None,
    )


def _make_no_risk() -> RiskValues:
    return RiskValues(
        prosecutor_highest=None,
        prosecutor_average=None,
        journalist_highest=None,
        journalist_method="no rows",
        marketer=None,
        rows_above_threshold=0,
    )


# A register of people, at the level of the table that it is compared with.


def _count_register(both: Compared, counted: CountedTable) -> tuple[FrequencyList, Register] | None:
    """The classes of a table with the people of the register in each; None if that is not known."""
    quasi = both.policy.quasi
    if both.register is None or both.policy.people is not None or not quasi:
        return None
    people = open_for(both.register, both.policy)
    if not set(quasi) <= set(people.columns):
        both.notes.append("The register lacks a quasi column: its people were not counted.")
        return None
    listed = count(people, quasi).frequency
    classes = _group_classes(counted, quasi)
    codes = []
    for place, name in enumerate(quasi):
        labels, label_of = listed.values[name], np.arange(len(listed.values[name]))
        if counted is both.after:
            level = _find_level(both, name, listed)
            if level is None:
                both.notes.append(NO_LEVEL)
                return None
            labels, label_of = level.labels, level.label_of
        own = {label: code for code, label in enumerate(classes.values[name])}
        meant = np.array([own.get(label, -1) for label in labels], dtype=np.int64)
        codes.append(meant[label_of[listed.codes[place]]])
    there = np.all([one >= 0 for one in codes], axis=0)
    shown = FrequencyList(
        tuple(quasi), tuple(one[there] for one in codes), listed.rows[there], classes.values
    )
    try:
        return classes, Register.of(classes, shown)
    except DiscreetError:
        both.notes.append("Nobody in the register has the values of the table.")
        return None


def _find_level(both: Compared, name: str, listed: FrequencyList) -> ReleasedLabels | None:
    """The values of the register at the level of the release."""
    known = {name: both.labels[name].level} if name in both.labels else both.run.levels
    try:
        found = ReleasedLabels.find(
            both.policy, name, listed.values[name], both.count_told(name), known
        )
    except DiscreetError:
        return None
    return None if found.level is None else found


def _group_classes(counted: CountedTable, quasi: Sequence[str]) -> FrequencyList:
    """The classes of a counted table on its quasi columns."""
    stacked = np.stack([counted.code(name).codes for name in quasi])
    codes, place = np.unique(stacked, axis=1, return_inverse=True)
    rows = np.bincount(place.reshape(-1), weights=counted.joint.rows).astype(np.int64)
    values = {name: counted.joint.values[name] for name in quasi}
    return FrequencyList(tuple(quasi), tuple(codes), rows, values)
