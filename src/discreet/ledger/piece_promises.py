"""Whether promises on sensitive values hold for what several releases tell apart together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, ClassVar

import numpy as np

from discreet.algorithms import Problem, Solution
from discreet.display import dataclass
from discreet.errors import EarlierReleaseError
from discreet.frequency.classes import Classes, Floats, Histogram, Mask, add_up
from discreet.frequency.frequency_list import Entries, FrequencyList
from discreet.frequency.kernels import roll_up_values
from discreet.ledger.fingerprints import Numbers, number_lines
from discreet.ledger.known import Known
from discreet.ledger.pieces import Guard
from discreet.ledger.whole_table import find_places
from discreet.models import KAnonymity, LargestRisk
from discreet.models.model import ClassModel
from discreet.models.verdict import Verdict
from discreet.pipeline.plan import count_reference
from discreet.policy.policy import Policy

SIZES = (KAnonymity, LargestRisk)
"""Promises about numbers of rows, which the search has kept."""


def refuse_broken(
    guards: Sequence[Guard],
    models: Sequence[Any],
    policy: Policy,
    problem: Problem,
    solution: Solution,
    known: Known,
) -> None:
    """Refuse a release that, together with an earlier one, reveals what the models protect.

    Only groups that several releases together separate are checked: a class that is the same in one
    of them, or an unchanged piece, keeps what that release promised.
    """
    others = [model for model in models if not isinstance(model, SIZES)]
    for guard in guards:
        for model in others:
            if model.columns == guard.columns:
                _refuse(guard, model, policy, problem, solution, known)


def _refuse(
    guard: Guard, model: Any, policy: Policy, problem: Problem, solution: Solution, known: Known
) -> None:
    shown = _find_new_classes(guard, problem, solution)
    apart = number_lines([guard.separated.piece, shown + 1])
    told = _find_separated_groups(guard, policy, shown, apart)
    if told is None:
        return
    fix = "Ask for a part without the rows that they have, or promise numbers of rows only."
    if guard.separated.added.any() or guard.separated.gone:
        what = f"the table has changed since, and {model.name} cannot be judged on shared rows"
        raise EarlierReleaseError(known.numbers, what, fix)
    if not model.judge_classes(told, policy.quasi).holds:
        what = f"{model.name} does not hold for rows that this part and they distinguish"
        raise EarlierReleaseError(known.numbers, what, fix)


def _find_new_classes(guard: Guard, problem: Problem, solution: Solution) -> Numbers:
    """The class of every tuple of the whole table in the new release; -1 if it is in none."""
    codes = [
        hierarchy.maps[level][codes]
        for hierarchy, level, codes in zip(
            problem.lattice.hierarchies, solution.node, problem.frequency.codes, strict=True
        )
    ]
    keys = problem.counter.packing.pack(codes, len(problem.frequency))
    owner = find_places(solution.groups.keys.T, keys.T)
    owner = np.where((solution.kept > 0)[owner], owner, -1)
    found = np.full(len(guard.inside), -1, dtype=np.int64)
    found[guard.inside] = owner[guard.places]
    return found


def _find_separated_groups(
    guard: Guard, policy: Policy, shown: Numbers, apart: Numbers
) -> Classes | None:
    """The groups of rows that only several releases together tell apart; None if there are none."""
    frequency = guard.whole.frequency
    size = int(apart.max(initial=0)) + 1
    rows = add_up(apart, frequency.rows, size).astype(np.int64)
    piece_rows = guard.separated.rows[guard.separated.piece]
    class_rows = add_up(shown + 1, frequency.rows, int(shown.max(initial=-1)) + 2)[shown + 1]
    mine = rows[apart]
    new = np.where(shown >= 0, mine < class_rows, mine < piece_rows)
    new &= (shown >= 0) | guard.separated.seen[guard.separated.piece]
    if not new.any():
        return None
    wanted = np.zeros(size, dtype=np.bool_)
    wanted[apart[new]] = True
    histograms = {}
    for name, entries in frequency.sensitive.items():
        about = count_reference(policy, frequency, name)
        owner, value, amount = roll_up_values(
            entries.owner,
            entries.value,
            entries.count,
            apart.astype(np.int32),
            len(frequency.values[name]),
        )
        histograms[name] = Histogram(owner, value, amount, about)
    return Classes(rows, histograms).select(wanted)


# A promise on sensitive values, kept for every piece that earlier releases tell apart.


@dataclass(frozen=True, eq=False)
class PieceWise:
    """The promises about the sensitive values of a class hold for its rows of every piece.

    Parameters
    ----------
    inner
        The promise.
    tally
        The name under which rows are counted by piece and sensitive value together.
    pieces, values
        The piece and the sensitive value of each of these.

    Notes
    -----
    As :class:`discreet.ledger.pieces.Pieces`. *Cost*: one sort of the counts of a node.
    """

    inner: ClassModel
    tally: str
    pieces: Numbers = field(repr=False)
    values: Numbers = field(repr=False)

    name: ClassVar[str] = "earlier_releases"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The quasi-identifier of the promise."""
        return self.inner.columns

    @property
    def sensitive(self) -> str:
        """Rows are counted as sensitive values are."""
        return self.tally

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.inner.limit

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"{self.inner.promise}, also for rows that earlier releases distinguish"

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes of which some piece breaks the promise."""
        parts, owner = self._split_by_piece(classes)
        found = np.zeros(len(classes), dtype=np.bool_)
        found[owner[self.inner.fails(parts)]] = True
        return found

    def count_keepable(self, classes: Classes) -> Floats:
        """The rows of each piece that can be kept, added up."""
        parts, owner = self._split_by_piece(classes)
        return add_up(owner, self.inner.count_keepable(parts), len(classes))

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the worst piece."""
        found = self.inner.judge_classes(self._split_by_piece(classes)[0], columns)
        note = f"{found.model} of rows distinguishable with earlier releases"
        return replace(found, model=self.name, note=note)

    def _split_by_piece(self, classes: Classes) -> tuple[Classes, Numbers]:
        """The rows of each class by piece, and the class of each of these."""
        counts = classes.histograms[self.tally]
        about = classes.histograms[str(self.inner.sensitive)].reference
        there = counts.count > 0
        owner, pair, count = counts.owner[there], counts.value[there], counts.count[there]
        number = number_lines([owner, self.pieces[pair]])
        size = int(number.max(initial=-1)) + 1
        owners = np.zeros(size, dtype=np.int64)
        owners[number] = owner
        rows = add_up(number, count, size).astype(np.int64)
        value = self.values[pair].astype(np.int32)
        histogram = Histogram(number.astype(np.int32), value, count, about)
        return Classes(rows, {about.column: histogram}), owners


def promise_each_piece(
    guard: Guard, inner: ClassModel, part: FrequencyList, tally: str
) -> tuple[PieceWise, Entries]:
    """A promise for every piece of a reader, and the counts of the part that it judges."""
    name = str(inner.sensitive)
    entries = guard.whole.frequency.sensitive[name]
    inside = guard.inside[entries.owner]
    owner, count = entries.owner[inside], entries.count[inside]
    value = _translate_codes(guard, part, name)[entries.value[inside]]
    piece = guard.separated.piece[owner]
    place = np.full(len(guard.inside), -1, dtype=np.int64)
    place[guard.inside] = guard.places
    pair = number_lines([piece, value])
    size = int(pair.max(initial=-1)) + 1
    pieces, values = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    pieces[pair], values[pair] = piece, value
    line = number_lines([place[owner], pair])
    first = np.zeros(int(line.max(initial=-1)) + 1, dtype=np.int64)
    first[line] = np.arange(len(line))
    found = Entries(
        place[owner][first].astype(np.int32),
        pair[first].astype(np.int32),
        add_up(line, count, len(first)).astype(np.int64),
    )
    return PieceWise(inner, tally, pieces, values), found


def _translate_codes(guard: Guard, part: FrequencyList, name: str) -> Numbers:
    """The part's code of each sensitive value of the whole table; -1 if the part lacks it."""
    known = {value: code for code, value in enumerate(part.values[name])}
    values = guard.whole.frequency.values[name]
    return np.array([known.get(value, -1) for value in values], dtype=np.int64)
