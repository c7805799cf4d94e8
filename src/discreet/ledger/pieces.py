"""Pieces of the table that several releases tell apart: none in a class, or enough rows."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Histogram, Ints, Mask
from discreet.models.verdict import Verdict


@dataclass(frozen=True, eq=False)
class Pieces:
    """Of every piece that earlier releases tell apart, a class has no rows, or at least so many.

    Rows are in one piece if every earlier release shows them alike, or shows none of them. Whoever
    holds those releases and the new one can tell a class of the new one by pieces.

    Parameters
    ----------
    tally
        The name under which rows are counted by piece.
    k
        The smallest number of rows that somebody may tell apart.
    needs
        How many rows of each piece a class needs if it has any.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2 and 5.5.3. *Departures*: the thesis has the later release generalize
    the earlier one; parts of a table overlap, so what two of them tell apart is counted instead
    (``docs/decisions/0028-parts-are-compared-by-what-they-tell-apart.md``). *Cost*: as l-diversity.
    """

    tally: str
    k: int
    needs: Ints = field(repr=False)
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "earlier_releases"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1

    @property
    def sensitive(self) -> str:
        """Rows by piece are counted as sensitive values are."""
        return self.tally

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.k

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"fewer than {self.k} rows are never told apart by earlier releases"

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes with too few rows of some piece."""
        histogram = classes.histograms[self.tally]
        found = np.zeros(len(classes), dtype=np.bool_)
        found[histogram.owner[self._few(histogram)]] = True
        return found

    def keepable(self, classes: Classes) -> Floats:
        """What is too few of a piece here is too few at every finer node."""
        histogram = classes.histograms[self.tally]
        amounts = np.where(self._few(histogram), 0, histogram.count)
        return classes.sums(histogram, amounts)

    def verdict(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the smallest number of rows that is told apart."""
        histogram = classes.histograms[self.tally]
        there = histogram.count[histogram.count > 0]
        failing = self.fails(classes)
        return Verdict(
            self.name,
            not failing.any(),
            float(there.min()) if len(there) else 0.0,
            self.k,
            int(classes.rows[failing].sum()),
            columns,
            "fewest rows that are told apart beside earlier releases" if len(there) else "",
        )

    def _few(self, histogram: Histogram) -> Mask:
        found: Mask = (histogram.count > 0) & (histogram.count < self.needs[histogram.value])
        return found
