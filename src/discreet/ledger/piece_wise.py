"""A promise on sensitive values, kept for every piece that earlier releases tell apart."""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Histogram, Mask, add_up
from discreet.frequency.frequency_list import Entries, FrequencyList
from discreet.ledger.guard import Guard
from discreet.ledger.numbered import Numbers, numbered
from discreet.models.model import ClassModel
from discreet.models.verdict import Verdict


@dataclass(frozen=True, eq=False)
class PieceWise:
    """What is promised of the sensitive values of a class holds for its rows of every piece.

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
        return f"{self.inner.promise}, also in what earlier releases tell apart"

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes of which some piece breaks the promise."""
        parts, owner = self._parts(classes)
        found = np.zeros(len(classes), dtype=np.bool_)
        found[owner[self.inner.fails(parts)]] = True
        return found

    def keepable(self, classes: Classes) -> Floats:
        """What can be kept of each piece, added up."""
        parts, owner = self._parts(classes)
        return add_up(owner, self.inner.keepable(parts), len(classes))

    def verdict(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the worst piece."""
        found = self.inner.verdict(self._parts(classes)[0], columns)
        note = f"{found.model} of what is told apart beside earlier releases"
        return replace(found, model=self.name, note=note)

    def _parts(self, classes: Classes) -> tuple[Classes, Numbers]:
        """The rows of each class by piece, and the class of each of these."""
        counts = classes.histograms[self.tally]
        about = classes.histograms[str(self.inner.sensitive)].reference
        there = counts.count > 0
        owner, pair, count = counts.owner[there], counts.value[there], counts.count[there]
        number = numbered([owner, self.pieces[pair]])
        size = int(number.max(initial=-1)) + 1
        owners = np.zeros(size, dtype=np.int64)
        owners[number] = owner
        rows = add_up(number, count, size).astype(np.int64)
        value = self.values[pair].astype(np.int32)
        histogram = Histogram(number.astype(np.int32), value, count, about)
        return Classes(rows, {about.column: histogram}), owners


def piece_wise(
    guard: Guard, inner: ClassModel, part: FrequencyList, tally: str
) -> tuple[PieceWise, Entries]:
    """A promise for every piece of a reader, and the counts of a part that it looks at."""
    name = str(inner.sensitive)
    entries = guard.whole.frequency.sensitive[name]
    inside = guard.inside[entries.owner]
    owner, count = entries.owner[inside], entries.count[inside]
    value = _codes(guard, part, name)[entries.value[inside]]
    piece = guard.told.piece[owner]
    place = np.full(len(guard.inside), -1, dtype=np.int64)
    place[guard.inside] = guard.places
    pair = numbered([piece, value])
    size = int(pair.max(initial=-1)) + 1
    pieces, values = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    pieces[pair], values[pair] = piece, value
    line = numbered([place[owner], pair])
    first = np.zeros(int(line.max(initial=-1)) + 1, dtype=np.int64)
    first[line] = np.arange(len(line))
    found = Entries(
        place[owner][first].astype(np.int32),
        pair[first].astype(np.int32),
        add_up(line, count, len(first)).astype(np.int64),
    )
    return PieceWise(inner, tally, pieces, values), found


def _codes(guard: Guard, part: FrequencyList, name: str) -> Numbers:
    """The part's code of each sensitive value of the whole table; -1 where it lacks it."""
    known = {value: code for code, value in enumerate(part.values[name])}
    values = guard.whole.frequency.values[name]
    return np.array([known.get(value, -1) for value in values], dtype=np.int64)
