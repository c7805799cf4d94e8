"""Promises about the sensitive values of people, each of whom may have several."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.classes import Classes, Floats, Mask, add_up
from discreet.models.l_diversity import LDiversity
from discreet.models.model import Model
from discreet.models.t_closeness import TCloseness
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.pipeline.people.counted_people import CountedPeople
from discreet.pipeline.people.people_values import (
    GroupedReference,
    Holders,
    count_grouped_holders,
    count_holders,
)
from discreet.policy.people import PeoplePolicy

GROUPED = "\0 by rows"
"""Ends the name of counts that are compared with people who have as many rows."""


@dataclass(frozen=True)
class PeopleDiversity(LDiversity):
    """However an intruder chooses ``ell - 1`` values, somebody of the class has none of them.

    In a class of N people let n1, n2 ... be how many of them have the most frequent value in some
    row, the second, and so on. Distinct asks for n1 + ... + n(ell-1) < N, recursive for
    n1 < c * (N - n1 - ... - n(ell-1)).

    Notes
    -----
    [Machanavajjhala2007]_, sec. 4, which has one value per person: there both are its definitions.
    *Departures*: a person counts for every value that they have, so a value that everybody has is
    never hidden behind others; whichever one value of each person is looked at, the class is
    diverse by the paper's definition. Entropy needs one value per person. *Cost*: sorts the (class,
    value) pairs.
    """

    @property
    def hereditary(self) -> bool:
        """Whether every part of a failing class fails too: all have the value, so all of a part."""
        return self.kind == "distinct" and self.ell <= 2

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass: people without a row in the table show nothing."""
        return 1

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes in which some values are known of everybody, or of too many."""
        if self.kind == "entropy":
            return super().fails(classes)
        if self.c is not None:
            return self._measure(classes) >= self.c - TOLERANCE
        _, others = self._measure_others(classes)
        return others <= 0

    def count_keepable(self, classes: Classes) -> Floats:
        """People of each class that some finer grouping could still release.

        Of a part at most N - n1 people lack the most frequent value of the class, whatever the
        part is; and not all parts of a class that fails pass, or the class would.
        """
        if self.kind == "entropy":
            return super().count_keepable(classes)
        failing, rows = self.fails(classes), classes.rows.astype(np.float64)
        most = rows - 1
        if self.ell >= 2:
            first, _ = self._measure_others(classes)
            factor = math.inf if self.c is None else 1 + self.c
            lacking = np.maximum(rows - first, 1e-9) * factor
            most = np.minimum(most, np.where(first < rows, lacking, 0.0))
        return np.where(failing, most, rows)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the least diverse class."""
        failing = self.fails(classes)
        measured = self._measure(classes)
        worst = max if self.kind == "recursive" else min
        return Verdict(
            self.name,
            not failing.any(),
            float(worst(measured, default=0.0)),
            self.limit,
            int(classes.rows[failing].sum()),
            columns,
            f"{self.kind}, column {self.column}",
        )

    def _measure(self, classes: Classes) -> Floats:
        """The largest ell of each class; or how far its most frequent value is from the limit."""
        if self.kind == "entropy":
            histogram = classes.histograms[self.column]
            return self._measure_diversity(classes, histogram, histogram.count.astype(np.float64))
        if self.kind == "recursive":
            first, others = self._measure_others(classes)
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.where(others > 0, first / others, np.inf)
        owner, _, total = self._sort_values(classes)
        below = add_up(owner, (total < classes.rows[owner]).astype(np.float64), len(classes))
        everybody = np.zeros(len(classes))
        np.maximum.at(everybody, owner, total)
        return np.where(everybody < classes.rows, np.inf, below + 1)

    def _sort_values(self, classes: Classes) -> tuple[Any, Any, Floats]:
        """Owner, place from the most frequent on, and people up to there, of each value."""
        histogram = classes.histograms[self.column]
        order = np.lexsort((-histogram.count, histogram.owner))
        owner, count = histogram.owner[order], histogram.count[order].astype(np.float64)
        first = np.searchsorted(owner, np.arange(len(classes)))
        place = np.arange(len(owner)) - first[owner]
        sums = np.cumsum(count)
        before = np.concatenate([[0.0], sums])[first]
        return owner, place, sums - before[owner]

    def _measure_others(self, classes: Classes) -> tuple[Floats, Floats]:
        """People with the most frequent value, and those beyond the ell - 1 most frequent ones.

        A class without values is one of people who have no row in the table: nothing is shown.
        """
        owner, place, total = self._sort_values(classes)
        first, several = np.zeros(len(classes)), np.zeros(len(classes))
        first[owner[place == 0]] = total[place == 0]
        inside = place < self.ell - 1
        np.maximum.at(several, owner[inside], total[inside])
        return first, classes.rows - several


@dataclass(frozen=True)
class PeopleCloseness(TCloseness):
    """In every class about as many people have each value as of all people with as many rows.

    With p the share of a class's people who have a value in some row, and q that of all people with
    as many rows, the distance is the larger of the sum of p - q over the values with more, and that
    of q - p over those with less.

    Notes
    -----
    [Li2007]_, sec. 4: where everybody has one value, both sums are the paper's equal distance.
    *Departures*: shares do not add up to 1, since a person may have several values; the number of
    rows is known of a person and no level hides it, so it is not held against a class. *Cost*:
    linear in the (class, value) pairs.
    """

    hereditary: ClassVar[bool] = False

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes whose shares are too far from those of all people."""
        return self._measure(classes) > self.t + TOLERANCE

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the class furthest from all people."""
        distances = self._measure(classes)
        failing = distances > self.t + TOLERANCE
        measured = float(distances.max()) if len(distances) else 0.0
        at_risk = int(classes.rows[failing].sum())
        note = f"{self.distance} distance, column {self.column}, compared with all people"
        return Verdict(self.name, not failing.any(), measured, self.t, at_risk, columns, note)

    def _find_least_distance(self, classes: Classes, size: Floats) -> Floats:
        """The least distance that people of a class can have who are fewer than it has."""
        common, whole, _ = self._compare(classes, size)
        return whole - common

    def _measure(self, classes: Classes) -> Floats:
        common, whole, own = self._compare(classes, classes.rows.astype(np.float64))
        return np.maximum(whole, own) - common

    def _compare(self, classes: Classes, size: Floats) -> tuple[Floats, Floats, Floats]:
        """What shares have in common with those of all people, and what each side adds up to."""
        histogram = classes.histograms[self.column + GROUPED]
        reference, owner = histogram.reference, histogram.owner
        assert isinstance(reference, GroupedReference)
        share = histogram.count / size[owner]
        common = add_up(owner, np.minimum(reference.expected[histogram.value], share), len(classes))
        whole = np.zeros(len(classes))
        whole[owner] = reference.whole[reference.group[histogram.value]]
        return common, whole, add_up(owner, share, len(classes))


def read_over_people(models: Iterable[Model]) -> tuple[Model, ...]:
    """What promises mean where people are counted."""
    return tuple(_read_over_people(model) for model in models)


def _read_over_people(model: Any) -> Any:
    kinds: dict[type[Any], type[Any]] = {LDiversity: PeopleDiversity, TCloseness: PeopleCloseness}
    kind = kinds.get(type(model))
    if kind is None:
        if model.sensitive is not None:
            raise InternalError(f"{model.name} was to be promised for people")
        return model
    return kind(**{one.name: getattr(model, one.name) for one in fields(model) if one.init})


def count_all_holders(
    counted: CountedPeople, models: Iterable[Any], people: PeoplePolicy
) -> dict[str, Holders]:
    """What the promises look at: who has which value, once for each column and comparison."""
    found: dict[str, Holders] = {}
    for model in models:
        if isinstance(model, LDiversity) and model.column not in found:
            found[model.column] = count_holders(counted, model.column)
        elif isinstance(model, TCloseness) and model.column + GROUPED not in found:
            grouped = count_grouped_holders(counted, model.column, people.records)
            found[model.column + GROUPED] = grouped
    return found
