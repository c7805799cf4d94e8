"""What published counts tell of the hidden cells of one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from discreet.attacks.meaning import Meaning
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask
from discreet.hierarchy.hierarchy import SUPPRESSED

Texts: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class InferredCells:
    """What is known of one column after subtraction.

    ``rows`` marks the released rows whose hidden cell has one possible value; ``left_out`` says
    that all rows left out have one value, ``left_out_counted`` that it is known how many have
    which. ``counted`` says that the latter is known of suppressed cells but not which cell is
    which. ``known`` has the set of values that is left for each text.
    """

    column: str
    rows: Mask
    hidden: int
    left_out: bool
    left_out_counted: bool
    counted: bool
    known: Ints
    meaning: Meaning


def as_released(
    texts: Sequence[str | None], values: Sequence[str | None]
) -> tuple[str | None, ...]:
    """The released texts; a missing one is suppressed unless missing values are counted."""
    if None in values:
        return tuple(texts)
    return tuple(SUPPRESSED if text is None else text for text in texts)
