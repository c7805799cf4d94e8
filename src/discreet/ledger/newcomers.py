"""Rows that nobody has seen before: none in a class, or at least k together."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.models.verdict import Verdict


@dataclass(frozen=True)
class Newcomers:
    """Rows of a class that no finer earlier release has number 0, or at least ``k``.

    A class of a coarser release holds old rows, which are known more finely already, and new ones,
    of which nothing else is known. Without the old ones the new ones must still be k.

    Parameters
    ----------
    k
        The smallest group of new rows.
    reader
        Tells apart the recipients who hold different releases.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.3, asks that a later release be a generalization of the earlier one.
    *Departures*: that is not enough for the rows that came in between; see
    ``docs/explain/ledger.md``. A class with an earlier class that has lost rows fails: which of its
    rows are new cannot be told. *Cost*: two sums a class.
    """

    k: int
    reader: int = 1

    name: ClassVar[str] = "earlier_releases"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1
    columns: ClassVar[None] = None
    sensitive: ClassVar[None] = None

    @property
    def tally(self) -> str:
        """The name of the sums of rows that a finer earlier release has."""
        return f"known {self.reader}"

    @property
    def doubt(self) -> str:
        """The name of the sums of earlier classes that have lost rows."""
        return f"doubtful {self.reader}"

    def new(self, classes: Classes) -> Floats:
        """Rows of each class that are in no finer earlier release."""
        found: Floats = np.maximum(classes.rows - np.asarray(classes.tallies[self.tally]), 0.0)
        return found

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.k

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"no class has 1 to {self.k - 1} rows that earlier releases lack"

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes with too few new rows, or with earlier classes that lost rows."""
        new = self.new(classes)
        failing: Mask = ((new > 0) & (new < self.k)) | (np.asarray(classes.tallies[self.doubt]) > 0)
        return failing

    def keepable(self, classes: Classes) -> Floats:
        """Where new rows are too few, they are so at every finer node."""
        new = self.new(classes)
        return np.where(new < self.k, classes.rows - new, classes.rows)

    def verdict(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the smallest group of new rows."""
        released = classes.only(classes.rows > 0)
        failing, new = self.fails(released), self.new(released)
        some = new[new > 0]
        return Verdict(
            self.name,
            not failing.any(),
            float(some.min()) if len(some) else 0.0,
            self.k,
            int(released.rows[failing].sum()),
            columns,
            "fewest rows of a class that no finer earlier release has" if len(some) else "",
        )
