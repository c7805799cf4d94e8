"""Pseudonyms that nobody turns back: a keyed hash walks through the format of the identifier."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass, safe_repr
from discreet.errors import ParameterError, PseudonymError
from discreet.pseudonyms.book import Book
from discreet.pseudonyms.draws import Draws, draws
from discreet.pseudonyms.formats import Phone, Shape, SocialSecurity, Token
from discreet.pseudonyms.key import require_domain, require_key
from discreet.pseudonyms.texts import Distinct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discreet.pseudonyms.formats import Format
    from discreet.replacement_key import ReplacementKey


# A column with its pseudonyms, and what was done to get them.


@dataclass(frozen=True, eq=False)
class Substituted:
    """The pseudonyms in the order of the rows; counts are of different values.

    ``redrawn`` values do not have their first draw, which another value had too, or which was a
    value of the column: without a book their pseudonyms depend on which other values there are.
    ``changed`` values had another pseudonym in the book, which is a value of the column now.
    """

    values: pa.Array
    distinct: int
    redrawn: int = 0
    missing: int = 0
    made_missing: int = 0
    changed: int = 0
    book: Book = field(default_factory=Book)

    def __repr__(self) -> str:
        return f"Substituted({self.distinct} different values)"

    def facts(self) -> dict[str, Any]:
        """Counts, without any value."""
        return {
            "rows": len(self.values),
            "distinct": self.distinct,
            "redrawn": self.redrawn,
            "changed": self.changed,
            "missing": self.missing,
            "made_missing": self.made_missing,
        }


FORMATS = (Shape, SocialSecurity, Phone, Token)
Unfit = Literal["refuse", "missing"]
_NAME = "one-way pseudonyms"


@safe_repr
class _Read(NamedTuple):
    """The texts of the format as written, in the canonical way, and which of all they are."""

    written: pa.Array
    canonical: pa.Array
    fits: pa.Array | None = None


@dataclass(frozen=True)
class OneWay:
    """Made-up identifiers of the format; the same identifier has the same everywhere.

    The key and the ``domain`` decide, not the column or the table. ``unfit`` says what becomes of
    values that are not of the format. No pseudonym is a value of the column, and no two different
    identifiers share one. Where a format has so few that draws meet, a `Book` keeps those that drew
    again the same in all tables and releases; without one they depend on which others there are.

    Examples
    --------
    >>> from discreet.replacement_key import ReplacementKey
    >>> hide = OneWay(ReplacementKey(bytes(32)), SocialSecurity())
    >>> made = hide(pa.array(["123-45-6789", None, "123456789"])).values.to_pylist()
    >>> made[0].replace("-", "") == made[2], made[0][0], made[1]
    (True, '9', None)

    Notes
    -----
    [Sweeney2001]_, sec. 6.1, fig. 37, and sec. 4.1, fig. 17 (substitution).
    *Departures*: the hash has a key, since all nine-digit numbers are soon tried. *Cost*: three
    hashes (AES-CMAC) for each different value, with all checks about a microsecond. Rows are only
    looked up.
    """

    key: ReplacementKey
    format: Format = field(default_factory=Shape)
    domain: str = ""
    unfit: Unfit = "refuse"

    def __post_init__(self) -> None:
        require_key(_NAME, self.key)
        if not isinstance(self.format, FORMATS):
            raise ParameterError(_NAME, "format", "Shape(), SocialSecurity(), Phone() or Token()")
        require_domain(_NAME, self.domain, empty=True)
        if self.unfit not in get_args(Unfit):
            raise ParameterError(_NAME, "unfit", "refuse or missing")

    def __call__(
        self,
        values: pa.Array | pa.ChunkedArray,
        book: Book | None = None,
        column: str = "values",
    ) -> Substituted:
        """The pseudonyms of a column.

        ``book`` is that of earlier pseudonyms: identifiers in it keep theirs. The
        book of the answer has these and the new ones.
        """
        found = Distinct.of(values, column)
        read = self._read(found, column)
        drawn = self._draws(read.canonical, Book() if book is None else book, column)
        return self._substitute_column(found, read, drawn, same=True)

    def draws(self, columns: Mapping[str, Distinct], book: Book) -> Draws:
        """The draws for all distinct identifiers of some columns."""
        every = [self._read(found, name).canonical for name, found in columns.items()]
        drawn = self._draws(pa.concat_arrays(every), book, "', '".join(columns))
        return replace(drawn, first=None, places=None)

    def substitute_column(self, found: Distinct, drawn: Draws, column: str) -> Substituted:
        """The pseudonyms of a column that was drawn for."""
        return self._substitute_column(found, self._read(found, column), drawn)

    def count_unfit(self, found: Distinct, column: str) -> int:
        """How many of the different values are not of the format; refused if none may be."""
        return len(found.texts) - len(self._read(found, column).written)

    def _draws(self, canonical: pa.Array, book: Book, column: str) -> Draws:
        return draws(canonical, self.format, self.key, self.domain, book, column)

    def _substitute_column(
        self, found: Distinct, read: _Read, drawn: Draws, same: bool = False
    ) -> Substituted:
        new = self.format.dress(read.written, drawn.of(read.canonical, same))
        if read.fits is not None:
            new = _place_with_gaps(new, read.fits)
        rows = found.column_of(new, self.format.keeps_type)
        unfit = len(found.texts) - len(read.written)
        return Substituted(
            rows,
            len(found.texts),
            len(drawn.later),
            found.missing,
            unfit,
            drawn.changed,
            drawn.book,
        )

    def _read(self, found: Distinct, column: str) -> _Read:
        texts = found.texts
        if found.whole_numbers:
            texts = self.format.numbers(texts)
        fits = pc.fill_null(self.format.fits(texts), False)
        unfit = len(fits) - (pc.sum(fits).as_py() or 0)
        if not unfit:
            return _Read(texts, self.format.canonical(texts))
        if self.unfit == "refuse":
            raise PseudonymError(
                what=f"{unfit:,} of its {len(fits):,} different values are not "
                f"{self.format.wanted}",
                fix="Fix them, let them be missing (unfit: missing), or take another format.",
                column=column,
            )
        written = texts.filter(fits)
        return _Read(written, self.format.canonical(written), fits)


def _place_with_gaps(new: pa.Array, fits: pa.Array) -> pa.Array:
    """The pseudonyms in their places, null between them."""
    return pc.replace_with_mask(pa.nulls(len(fits), pa.string()), fits, new)
