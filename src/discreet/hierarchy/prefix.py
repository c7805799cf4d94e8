"""Codes released by their first characters only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import Hierarchy, Level
from discreet.hierarchy.ranges import Others, check_others, make_levels
from discreet.hierarchy.refusals import make_nesting_error, make_spec_error


@dataclass(frozen=True)
class Prefix:
    """Release the first characters of a code and mask the rest: 02138 as 0213*, then 021**.

    Parameters
    ----------
    lengths
        How many characters are kept at level 1, 2, ...: each fewer than the one before.
    mask
        The character that replaces each masked character.
    code
        How many characters a code has, if some values continue after it: with 5, level 1 of
        02138-1234 is that of 02138. All lengths must be smaller.
    others
        With ``code``: what happens to values that do not begin with such a code. ``refuse`` keeps
        them as codes of their own length; ``group`` releases them as ``other``.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2, fig. 26 and 28. *Departures*: the figure writes 0 for masked
    characters in one place and * in another; we write the mask.

    A value keeps its own length: 0213 is never confused with 02138, whose level 1 is ``0213*``. A
    value with no more characters than are kept stays unchanged. So the length of a value is
    released up to the level below ``*``. Each label depends only on the label below it, so the
    levels are nested whatever the values are.

    *Cost*: one pass over the distinct values per level.

    Examples
    --------
    >>> Prefix([4, 3]).build("zip", ["02138", "02139", "0214"]).labels[1:]
    (('0213*', '0214'), ('021**', '021*'), ('*',))
    >>> Prefix([4], code=5, others="group").build("zip", ["02138-1234", "02139", "n"]).labels[1:]
    (('0213*', 'other'), ('*',))
    """

    lengths: tuple[int, ...]
    mask: str = "*"
    code: int | None = field(default=None, repr=False)
    others: Others = field(default="refuse", repr=False)

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
        check_others("prefix", self.others)
        if self.code is None and self.others == "group":
            fix = "Say how long a code is: prefix: {lengths: [4, 3], code: 5, others: group}."
            raise make_spec_error("prefix", "'others' needs 'code'", fix)
        if self.code is not None and (type(self.code) is not int or self.code <= self.lengths[0]):
            what = "'code' must be a whole number above all lengths"
            raise make_spec_error("prefix", what, "Write for instance {lengths: [4, 3], code: 5}.")

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Mask the values of a column; missing values stay missing up to ``*``."""
        if self.others == "group":
            levels = self._sort(values)[0]
        else:
            masked = [[self._keep(value, length) for value in values] for length in self.lengths]
            levels = [Level.of_texts(texts) for texts in masked]
        return Hierarchy.from_levels(column, values, levels)

    def sort_values(self, column: str, values: Sequence[str | None]) -> list[str]:
        """How each value was treated: as a code, as a code with a suffix, or as the rest."""
        if self.others == "refuse":
            return ["missing" if value is None else "fits" for value in values]
        return self._sort(values)[1]

    def has_code(self, value: str) -> bool:
        """Whether a value is a code of the given length, possibly with a suffix.

        >>> [Prefix([3], code=5).has_code(text) for text in ("02138", "02138-1234", "Boston")]
        [True, True, False]
        """
        if self.code is None or len(value) < self.code:
            return False
        code, rest = value[: self.code], value[self.code :]
        if not code.isalnum() or not any(sign.isdigit() for sign in code):
            return False
        return not rest or not rest[0].isalnum() or (code + rest).isdecimal()

    def _sort(self, values: Sequence[str | None]) -> tuple[list[Level], list[str]]:
        fits = [value is not None and self.has_code(value) for value in values]
        rows = [
            [
                self._keep(value, length) if fit else None
                for value, fit in zip(values, fits, strict=True)
            ]
            for length in self.lengths
        ]
        return make_levels(values, rows)

    def _keep(self, value: str | None, length: int) -> str | None:
        if value is None or len(value) <= length:
            return value
        end = self.code if self.code is not None and self.has_code(value) else len(value)
        return value[:length] + self.mask * (end - length)
