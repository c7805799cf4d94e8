"""Codes released by their first characters only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import Hierarchy, Level
from discreet.hierarchy.refusals import make_nesting_error, make_spec_error


@dataclass(frozen=True)
class Prefix:
    """Release the first characters of a code and mask the rest: 02138 as 0213*, then 021**.

    Parameters
    ----------
    lengths
        How many characters are kept at level 1, 2, ...: each fewer than the one before.
    mask
        The character that stands for each character taken away.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2, fig. 26 and 28. *Departures*: the figure writes 0 for what is taken
    away in one place and * in another; we write the mask.

    A value keeps its own length: 0213 is never mixed up with 02138, whose level 1 is ``0213*``. A
    value with no more characters than are kept stays as it is. So the length of a value is
    released up to the level below ``*``. Each label depends on the label below it alone, so the
    levels are nested whatever the values are.

    *Cost*: one pass over the distinct values a level.

    Examples
    --------
    >>> Prefix([4, 3]).build("zip", ["02138", "02139", "0214"]).labels[1:]
    (('0213*', '0214'), ('021**', '021*'), ('*',))
    """

    lengths: tuple[int, ...]
    mask: str = "*"

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", tuple(self.lengths))
        whole = all(type(length) is int and length > 0 for length in self.lengths)
        if not self.lengths or not whole:
            what = "the numbers of characters to keep must be whole and above zero"
            raise make_spec_error("prefix", what, "Write for instance [4, 3].")
        for finer, coarser in pairwise(self.lengths):
            if coarser >= finer:
                raise make_nesting_error("prefix", finer, coarser, "it keeps no fewer characters")
        if not isinstance(self.mask, str) or len(self.mask) != 1:
            raise make_spec_error("prefix", "the mask must be one character", "Write '*'.")

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Mask the values of a column; missing values stay missing up to ``*``."""
        levels = [[self._keep(value, length) for value in values] for length in self.lengths]
        return Hierarchy.from_levels(column, values, [Level.of_texts(texts) for texts in levels])

    def _keep(self, value: str | None, length: int) -> str | None:
        if value is None or len(value) <= length:
            return value
        return value[:length] + self.mask * (len(value) - length)
