"""Columns of numbers as arrays that can be computed with, and back into the types they had."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import TechniqueError
from discreet.techniques.arrow_rows import Ints, make_table, take_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.table.table import Table

    Floats = NDArray[np.float64]

NUMBER = r"^\s*[+-]?(0|[1-9][0-9]*|)(\.[0-9]+)?\.?([eE][+-]?[0-9]+)?\s*$"
LARGEST = 2**53
"""Whole numbers up to here are exact as floating-point numbers."""
FURTHEST = 1e150
"""The squares of larger numbers are beyond floating-point numbers, and so are their variances."""


def is_number(value: object) -> bool:
    """Whether a parameter is a finite number (True and False are none)."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return False
    most = float(np.finfo(np.float64).max)
    return bool(-most <= value <= most)


def is_text(kind: pa.DataType) -> bool:
    """Whether a type is text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """One column: `values` with NaN where missing; `whole` if every number in it is whole."""

    technique: str
    name: str
    values: Floats
    whole: bool
    found: pa.Array

    @property
    def missing(self) -> NDArray[np.bool_]:
        """A mask of the cells without a number."""
        return np.isnan(self.values)

    @property
    def known(self) -> Floats:
        """The numbers that are present."""
        return self.values[~self.missing]

    def round_to_digits(self, values: Floats) -> Floats:
        """New numbers with the digits that the column has room for."""
        kind = self.found.type
        if self.whole:
            return np.rint(values)
        if pa.types.is_decimal(kind):
            return np.round(values, kind.scale)
        return values.astype(np.float32).astype(np.float64) if kind == pa.float32() else values

    def back(
        self, values: Floats, exact: bool = False, as_found: NDArray[np.bool_] | None = None
    ) -> pa.Array:
        """New numbers as the column had them; missing stays missing.

        A column of whole numbers gets whole numbers. If `exact` it need not, a column that was not
        text becomes float64, and every missing value null. Cells `as_found` are left alone, so
        that 1.50 in a text stays 1.50.
        """
        kind = self.found.type
        text = is_text(kind)
        there = ~self.missing
        if self.whole and not exact:
            values = np.rint(values)
        self._check_room(values[there], kind, exact)
        new: pa.Array = pa.array(np.where(there, values, 0.0), pa.float64())
        if self.whole and not exact and (text or pa.types.is_integer(kind)):
            new = new.cast(pa.int64())
        if text or not exact:
            new = new.cast(kind)
        old = pa.scalar(None, new.type) if exact else self.found
        taken = there if as_found is None else there & ~as_found
        return new if taken.all() else pc.if_else(pa.array(taken), new, old)

    def _check_room(self, values: Floats, kind: pa.DataType, exact: bool) -> None:
        floating = pa.types.is_floating(kind) and not exact
        most = float(np.finfo(kind.to_pandas_dtype() if floating else np.float64).max)
        least = -most
        if pa.types.is_integer(kind) and not exact:
            limits = np.iinfo(kind.to_pandas_dtype())
            least, most = max(limits.min, -LARGEST), min(limits.max, LARGEST)
        elif self.whole and not exact:
            least, most = -LARGEST, LARGEST
        elif pa.types.is_decimal(kind) and not exact:
            most = 10.0 ** (kind.precision - kind.scale) * (1 - 1e-15)
            least = -most
        outside = int(np.count_nonzero(~((values >= least) & (values <= most))))
        if outside:
            what = f"would get {outside:,} numbers that its type ({kind}) cannot hold"
            raise TechniqueError(
                self.technique, self.name, what, "Give it a wider type, or change it less."
            )


def number_column(technique: str, rows: pa.Table, name: str) -> NumberColumn:
    """A column as numbers, or an error that says why it is not one of numbers."""
    found = take_column(rows, name)
    kind = found.type
    if is_text(kind):
        numbers = _read_from_text(technique, found, name)
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        numbers = found.cast(pa.float64(), safe=False)
    else:
        what = f"holds {kind}, not numbers"
        raise TechniqueError(technique, name, what, "Name a column of numbers.")
    values = np.array(numbers.to_numpy(zero_copy_only=False), np.float64)
    return _check_column(NumberColumn(technique, name, values, False, found))


def _read_from_text(technique: str, found: pa.Array, name: str) -> pa.Array:
    trimmed = pc.utf8_trim_whitespace(found)
    there = pc.fill_null(pc.not_equal(trimmed, ""), False)
    numbers = pc.if_else(there, trimmed, pa.scalar(None, trimmed.type))
    right = pc.match_substring_regex(numbers, NUMBER)
    wrong = len(found) - numbers.null_count - (pc.sum(right).as_py() or 0)
    if not wrong:
        plain = pc.replace_substring_regex(numbers, r"^\+", "")
        try:
            return plain.cast(pa.float64())
        except pa.ArrowInvalid:
            wrong = len(found) - numbers.null_count
    what = f"is not one of numbers: {wrong:,} of its values are words or codes (such as 007)"
    raise TechniqueError(technique, name, what, "Name a column of numbers.")


def _check_column(column: NumberColumn) -> NumberColumn:
    known = column.known
    if not len(known):
        raise TechniqueError(column.technique, column.name, "has no value at all", "Leave it out.")
    if not np.isfinite(known).all():
        infinite = int(np.count_nonzero(~np.isfinite(known)))
        what = f"has {infinite:,} infinite values"
        raise TechniqueError(column.technique, column.name, what, "Make them missing.")
    if np.abs(known).max() > FURTHEST:
        what = f"has numbers beyond {FURTHEST:g}, too large to compute with"
        raise TechniqueError(column.technique, column.name, what, "Give it a smaller unit.")
    kind = column.found.type
    kept = pa.types.is_floating(kind) or (pa.types.is_decimal(kind) and kind.scale > 0)
    whole = not kept and bool((known == np.rint(known)).all())
    if whole and np.abs(known).max() > LARGEST:
        what = "has whole numbers beyond 2 to the power of 53, as identifiers have"
        raise TechniqueError(column.technique, column.name, what, "Replace it instead.")
    return replace(column, whole=whole)


def replace_columns(
    table: Table, rows: pa.Table, new: Mapping[str, pa.Array], notices: Sequence[str] = ()
) -> Table:
    """The table with some columns changed, and notices to show to the data holder added."""
    for name, array in new.items():
        rows = rows.set_column(rows.schema.get_field_index(name), name, array)
    return make_table(table, rows, list(dict.fromkeys(notices)))


def note_missing_numbers(columns: Iterable[NumberColumn]) -> list[str]:
    """A note on missing values that stay missing."""
    counts = {c: int(np.count_nonzero(c.missing)) for c in columns}
    return [
        f"{c.technique}: the {count:,} missing value{'' if count == 1 else 's'} of '{c.name}' "
        f"stay{'s' if count == 1 else ''} missing."
        for c, count in counts.items()
        if count
    ]


def note_same(column: NumberColumn, values: Floats) -> list[str]:
    """A note on numbers that a technique left unchanged."""
    same = int(np.count_nonzero(values == column.values))
    of = f"of {len(column.known):,} values of '{column.name}'"
    return [f"{column.technique}: {same:,} {of} stay the same."] if same else []


def find_missing_patterns(missing: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """The rows with each pattern of missing values, in the order of the rows; one array a pattern.

    `missing` has a row for each row and a column for each column.
    """
    packed = np.packbits(missing, axis=1)
    whole = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    if not missing.any():
        return [np.arange(len(missing))]
    _, codes = np.unique(whole, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def covariance_root(covariance: Floats) -> Floats:
    """The symmetric square root, which exists for columns that depend on each other too."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T)


# Columns whose values have an order: numbers, dates and times.


DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
MICROSECONDS = 86_400e6
"""Of a day."""


def read_numbers(owner: str, column: str, values: pa.Array) -> Floats:
    """A number for each value that keeps their order (dates in days); NaN where missing.

    Texts are read as numbers, or else as dates written 2001-05-31; other columns are refused, and
    so are codes such as 02138, whose first zero says that they are no numbers.
    """
    found = read_ordered_numbers(values)
    if found is None:
        raise TechniqueError(
            owner,
            column,
            "holds values without an order",
            "Name a column of numbers, or of dates written like 2001-05-31.",
        )
    return found


def read_ordered_numbers(values: pa.Array) -> Floats | None:
    """As `numbers_of`, but None for a column without an order."""
    kind = values.type
    if values.null_count == len(values):
        return np.full(len(values), np.nan)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _read_places(values)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        values = values.cast(pa.timestamp("us", tz=getattr(kind, "tz", None)), safe=False)
        return _cast_to_floats(values.cast(pa.int64())) / MICROSECONDS
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return _cast_to_floats(values.cast(pa.int32() if kind.bit_width == 32 else pa.int64()))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _cast_to_floats(values)
    return None


def order_at_random(numbers: Floats, rng: np.random.Generator) -> Ints:
    """The places of the numbers from the smallest to the largest; ties in random order."""
    mixed = rng.permutation(len(numbers))
    return np.asarray(mixed[np.argsort(numbers[mixed], kind="stable")], dtype=np.int64)


def _read_places(values: pa.Array) -> Floats | None:
    """Each different text is read once."""
    coded = values.dictionary_encode()
    trimmed = pc.utf8_trim_whitespace(coded.dictionary)
    number = pc.all(pc.match_substring_regex(trimmed, NUMBER)).as_py()
    if not number and not pc.all(pc.match_substring_regex(trimmed, DATE)).as_py():
        return None
    try:
        numbers = _cast_to_floats(trimmed.cast(pa.float64() if number else pa.date32()))
    except pa.ArrowInvalid:
        return None
    places = coded.indices.fill_null(len(numbers)).to_numpy(zero_copy_only=False)
    return np.asarray(np.append(numbers, np.nan)[places])


def _cast_to_floats(values: pa.Array) -> Floats:
    values = values.cast(pa.int32()) if pa.types.is_date32(values.type) else values
    numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.asarray(numbers, dtype=np.float64)
