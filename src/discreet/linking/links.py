"""What an intruder gets by joining a release to a register."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass, plural

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 1000, 10_000)


@dataclass(frozen=True, eq=False)
class Links:
    """For each released row, in file order, how many entries of a register it fits.

    Parameters
    ----------
    fits
        Entries of the register that each row fits.
    register_rows
        Entries that the register has.
    columns
        The columns compared: the release's name, then the register's.
    values
        For each column the different released texts, less ``*``, and how many of them fit any
        value of the register.
    true
        Whether the person whom a row is about is among the entries that it fits; None if the truth
        is not known.
    notes
        What should be known before the numbers are used.
    changed
        What the policy does to columns, and was done to the register's too.
    unusable
        Columns that could not be compared, and why.

    Examples
    --------
    >>> links = Links(np.array([1, 4, 4]), 100, {"age": "age"}, {"age": (2, 2)})
    >>> links.below(2).tolist(), links.expected_hits
    ([1], 1.5)
    """

    fits: Ints = field(repr=False)
    register_rows: int
    columns: Mapping[str, str]
    values: Mapping[str, tuple[int, int]]
    true: Mask | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    changed: Mapping[str, str] = field(default_factory=dict)
    unusable: Mapping[str, str] = field(default_factory=dict)

    @property
    def unjudged(self) -> str:
        """Why these links say nothing of how well a release is protected; empty if they do."""
        told = ", ".join(f"{name} ({why})" for name, why in self.unusable.items())
        return f"it cannot be judged: not compared are {told}" if told else ""

    def __repr__(self) -> str:
        unique = int(self.unique.sum())
        rows = plural(self.rows, "row")
        return f"Links({rows}, register of {self.register_rows:,}, {unique:,} fit one entry only)"

    @property
    def rows(self) -> int:
        """Rows of the release."""
        return len(self.fits)

    def below(self, k: int) -> Ints:
        """The numbers, from 1, of rows that fit fewer than k entries."""
        return np.flatnonzero(self.fits < k) + 1

    @property
    def unique(self) -> Mask:
        """Rows that fit one entry only: the register puts a name, right or wrong, to them."""
        return np.equal(self.fits, 1)

    @property
    def expected_hits(self) -> float:
        """Rows that a guess names: for each row one of the entries that it fits, at random.

        Where the truth is known, only rows count whose person is among the entries that they fit;
        else all do, as if the register held everybody.
        """
        there = self.fits > 0 if self.true is None else self.true
        return float((1.0 / self.fits[there]).sum())

    @property
    def blind_hits(self) -> float:
        """Rows that a guess names that does not look at the release: any entry for each row."""
        return self.rows / self.register_rows if self.register_rows else 0.0

    @property
    def correct_hits(self) -> int | None:
        """Rows that fit one entry, and that is the right one; None if the truth is not known."""
        return None if self.true is None else int((self.unique & self.true).sum())

    def facts(self) -> dict[str, Any]:
        """The links as plain data."""
        fits = self.fits
        return {
            "rows": self.rows,
            "register_rows": self.register_rows,
            "columns": dict(self.columns),
            "values": {
                name: {"released": released, "matched": matched}
                for name, (released, matched) in self.values.items()
            },
            "rows_fitting_none": int((fits == 0).sum()),
            "rows_fitting_one": int(self.unique.sum()),
            "smallest": int(fits.min()) if len(fits) else None,
            "median": float(np.median(fits)) if len(fits) else None,
            "largest": int(fits.max()) if len(fits) else None,
            "distribution": self.distribution(),
            "expected_hits": self.expected_hits,
            "blind_hits": self.blind_hits,
            "unique_hits": int(self.unique.sum()),
            "correct_hits": self.correct_hits,
            "rows_true_among_fits": None if self.true is None else int(self.true.sum()),
            "columns_changed": dict(self.changed),
            "columns_not_used": dict(self.unusable),
            "notes": list(self.notes),
        }

    def distribution(self) -> dict[str, int]:
        """Rows by how many entries they fit, in steps: ``0``, ``1``, ``2-4``, up to ``10000+``."""
        place = np.searchsorted(STEPS, self.fits, side="right") - 1
        counts = np.bincount(place, minlength=len(STEPS)).tolist()
        names = [
            str(first) if end == first + 1 else f"{first}-{end - 1}"
            for first, end in pairwise(STEPS)
        ]
        return dict(zip([*names, f"{STEPS[-1]}+"], counts, strict=True))
