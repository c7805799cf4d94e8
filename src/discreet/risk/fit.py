"""Whether a fitted model describes the small classes of a table."""

from __future__ import annotations

import numpy as np

from discreet.frequency.classes import Floats
from discreet.risk.class_sizes import ClassSizes

LOOKED_AT = 8
"""Class sizes that a fit is judged by, from 1 on."""

SIGNIFICANT = 22.5
"""The sum of squared misses over expectations that a right model exceeds once in a thousand."""

MATERIAL = 0.03
"""Share of the classes looked at that a model may miss, however surely it does."""


def misfit(sizes: ClassSizes, expected: Floats) -> tuple[float, float]:
    """How far small classes are from what is expected: squared misses, and the share missed."""
    seen = np.array([sizes.of_size(size) for size in range(1, len(expected) + 1)], dtype=float)
    miss = np.abs(seen - expected)
    squares = miss * miss / np.maximum(expected, 1e-9)
    return float(squares.sum()), float(miss.sum() / max(1.0, seen.sum()))


def objection(squares: float, share: float) -> str | None:
    """What to say of a fit that is surely wrong, and by enough to matter."""
    if squares <= SIGNIFICANT or share <= MATERIAL:
        return None
    return (
        f"the fitted model misses the number of classes of 1 to {LOOKED_AT} rows by "
        f"{100 * share:.1f} %, more than chance explains, so it does not describe this table"
    )
