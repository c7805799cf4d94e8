"""Classes while they are being cut: their parts side by side, and where each lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask
from discreet.frequency.frequency_list import Codes


@dataclass(frozen=True, eq=False)
class Front:
    """Some classes, the parts of each in a row.

    Part i is ``rows[i]`` rows of the distinct tuple ``owner[i]``, at ``ranks[c, i]`` on the axis of
    column c. Class p begins at part ``start[p]``, has ``size[p]`` rows, and lies from ``low[p]`` to
    ``high[p]``, a rank a column. Its columns are tried in the order ``order[p]``; ``turn[p]`` of
    them were.
    """

    owner: Ints
    rows: Ints
    ranks: Codes
    start: Ints
    size: Ints
    low: Ints
    high: Ints
    order: Ints
    turn: Ints

    def __len__(self) -> int:
        return len(self.start)

    @property
    def place(self) -> Ints:
        """The class of each part."""
        return np.repeat(np.arange(len(self)), self._lengths)

    @property
    def column(self) -> Ints:
        """The column that each class is cut along next."""
        found: Ints = self.order[np.arange(len(self)), self.turn]
        return found

    @property
    def _lengths(self) -> Ints:
        return np.diff(np.append(self.start, len(self.owner)))

    def open(self, least: int) -> Mask:
        """Classes that are large enough to be cut and have a column left that they differ in."""
        tried = self.turn >= self.order.shape[1]
        column = self.order[np.arange(len(self)), np.where(tried, 0, self.turn)]
        each = np.arange(len(self))
        differs = self.low[each, column] < self.high[each, column]
        found: Mask = ~tried & differs & (self.size >= 2 * least)
        return found

    def only(self, wanted: Mask) -> Front:
        """Some of the classes."""
        if wanted.all():
            return self
        inside, length = np.repeat(wanted, self._lengths), self._lengths[wanted]
        return Front(
            self.owner[inside],
            self.rows[inside],
            self.ranks[:, inside],
            np.cumsum(length) - length,
            self.size[wanted],
            self.low[wanted],
            self.high[wanted],
            self.order[wanted],
            self.turn[wanted],
        )

    def next_turn(self) -> Front:
        """The same classes, to be cut along the next of their columns."""
        return replace(self, turn=self.turn + 1)


def joined(fronts: Sequence[Front]) -> Front:
    """All classes of several fronts."""
    parts = np.cumsum([0, *(len(front.owner) for front in fronts)])
    return Front(
        np.concatenate([front.owner for front in fronts]),
        np.concatenate([front.rows for front in fronts]),
        np.concatenate([front.ranks for front in fronts], axis=1),
        np.concatenate([f.start + before for f, before in zip(fronts, parts, strict=False)]),
        np.concatenate([front.size for front in fronts]),
        np.concatenate([front.low for front in fronts]),
        np.concatenate([front.high for front in fronts]),
        np.concatenate([front.order for front in fronts]),
        np.concatenate([front.turn for front in fronts]),
    )
