"""The single tests of a condition: true, false, or unknown for each cell of a column."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass

NUMBER = r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$"
DAY = r"^\d{4}-\d{2}-\d{2}([T ].*)?$"

WILD = {"%": ".*", "_": "."}

COMPARE: dict[str, Callable[..., pa.Array]] = {
    "=": pc.equal,
    "!=": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
}


class Column:
    """The cells of a column in a batch, read as numbers or days when a test first asks.

    ``cells`` are texts, null where missing.
    """

    def __init__(self, cells: pa.Array) -> None:
        self.cells = cells
        self._read: dict[str, pa.Array] = {}

    @property
    def numbers(self) -> pa.Array:
        """The cells as numbers, null where they are none."""
        if "numbers" not in self._read:
            trimmed = pc.utf8_trim_whitespace(_only(self.cells, NUMBER))
            plain = pc.utf8_ltrim(trimmed, characters="+")
            self._read["numbers"] = pc.cast(plain, pa.float64())
        return self._read["numbers"]

    @property
    def days(self) -> pa.Array:
        """The days of ISO dates and times as text, whose order is theirs; null for other cells."""
        if "days" not in self._read:
            days = pc.utf8_slice_codeunits(_only(self.cells, DAY), 0, 10)
            read = pc.strptime(days, format="%Y-%m-%d", unit="s", error_is_null=True)
            # 30 February is read as 1 March, so what was read is compared with what stands there.
            real = pc.equal(pc.strftime(read, format="%Y-%m-%d"), days)
            self._read["days"] = pc.if_else(real, days, pa.scalar(None, days.type))
        return self._read["days"]


def _only(cells: pa.Array, shape: str) -> pa.Array:
    fits = pc.match_substring_regex(cells, shape)
    return pc.if_else(fits, cells, pa.scalar(None, cells.type))


@dataclass(frozen=True)
class Number:
    """A comparison with a number; a cell that is no number is neither true nor false."""

    column: str
    sign: str
    value: float

    def __call__(self, column: Column) -> pa.Array:
        """Compare every cell."""
        return COMPARE[self.sign](column.numbers, self.value)


@dataclass(frozen=True)
class Text:
    """Whether a cell is this text, letter for letter, or is not."""

    column: str
    sign: str
    value: str

    def __call__(self, column: Column) -> pa.Array:
        """Compare every cell."""
        return COMPARE[self.sign](column.cells, self.value)


@dataclass(frozen=True)
class Day:
    """Whether a cell is before or after a day; a cell that is no ISO date is neither."""

    column: str
    sign: str
    value: str

    def __call__(self, column: Column) -> pa.Array:
        """Compare every cell."""
        return COMPARE[self.sign](column.days, self.value)


@dataclass(frozen=True)
class Among:
    """Whether a cell is one of some numbers or texts."""

    column: str
    numbers: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    _sets: tuple[pa.Array, pa.Array] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sets = pa.array(self.numbers, pa.float64()), pa.array(self.texts, pa.string())
        object.__setattr__(self, "_sets", sets)

    def __call__(self, column: Column) -> pa.Array:
        """Look up every cell."""
        numbers, texts = self._sets
        found = _look_up(column.cells, texts) if len(texts) else None
        if len(numbers):
            as_numbers = _look_up(column.numbers, numbers)
            found = as_numbers if found is None else pc.or_kleene(found, as_numbers)
        return found


def _look_up(cells: pa.Array, wanted: pa.Array) -> pa.Array:
    """Whether each cell is wanted; unknown where there is none."""
    found = pc.is_in(cells, value_set=wanted)
    return pc.if_else(pc.is_valid(cells), found, pa.scalar(None, pa.bool_()))


@dataclass(frozen=True)
class Like:
    """Whether a cell has a shape: % is any text, _ any letter, case counts."""

    column: str
    shape: str

    def __call__(self, column: Column) -> pa.Array:
        """Match every cell; Arrow's own LIKE takes a backslash beside a % for two."""
        letters = (WILD.get(letter) or re.escape(letter) for letter in self.shape)
        return pc.match_substring_regex(column.cells, f"(?s)^(?:{''.join(letters)})$")


@dataclass(frozen=True)
class Missing:
    """Whether a cell is missing."""

    column: str

    def __call__(self, column: Column) -> pa.Array:
        """Look at every cell; the answer is never unknown."""
        return pc.is_null(column.cells)


Test = Number | Text | Day | Among | Like | Missing
