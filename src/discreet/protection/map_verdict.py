"""Whether a release has the protection of a map, and which rows break it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class MapVerdict:
    """A protection model, and the released rows that break it, by number from 1.

    ``reasons`` counts rows by what is wrong with them; ``rows`` are the numbers of all of them.
    ``refused`` says why the release as a whole cannot have the protection.

    >>> verdict = MapVerdict.of("k_map", {"fit nobody": np.array([False, True])}, 2)
    >>> verdict.holds, verdict.rows
    (False, (2,))
    """

    model: str
    rows: tuple[int, ...] = field(repr=False)
    reasons: Mapping[str, int]
    released: int
    notes: tuple[str, ...] = ()
    refused: str = ""

    @classmethod
    def of(
        cls,
        model: str,
        wrong: Mapping[str, Mask],
        released: int,
        notes: tuple[str, ...] = (),
        refused: str = "",
    ) -> MapVerdict:
        """The verdict on rows that are wrong for one of several reasons."""
        every = np.zeros(released, dtype=np.bool_)
        for mask in wrong.values():
            every |= mask
        rows = tuple((np.flatnonzero(every) + 1).tolist())
        counts = {reason: int(mask.sum()) for reason, mask in wrong.items() if mask.any()}
        return cls(model, rows, counts, released, notes, refused)

    @property
    def holds(self) -> bool:
        """Whether no row breaks the model, and the release as a whole does not."""
        return not self.rows and not self.refused

    def facts(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "model": self.model,
            "holds": self.holds,
            "rows_released": self.released,
            "rows_breaking": len(self.rows),
            "rows": list(self.rows),
            "reasons": dict(self.reasons),
            "refused": self.refused or None,
            "notes": list(self.notes),
        }
