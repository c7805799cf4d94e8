"""Pseudonyms that nobody turns back: a keyed hash walks through the format of the identifier."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

import pyarrow as pa
import pyarrow.compute as pc

from discreet.errors import ParameterError, PseudonymKindError
from discreet.pseudonyms.distinct import Distinct
from discreet.pseudonyms.draws import draws
from discreet.pseudonyms.formats.phone import Phone
from discreet.pseudonyms.formats.shape import Shape
from discreet.pseudonyms.formats.social_security import SocialSecurity
from discreet.pseudonyms.formats.token import Token
from discreet.pseudonyms.key import checked_key
from discreet.pseudonyms.substituted import Substituted

if TYPE_CHECKING:
    from discreet.pseudonyms.formats.format import Format
    from discreet.replacement_key import ReplacementKey

FORMATS = (Shape, SocialSecurity, Phone, Token)
Unfit = Literal["refuse", "missing"]
_NAME = "one-way pseudonyms"


@dataclass(frozen=True)
class OneWay:
    """Made-up identifiers of the format; the same identifier has the same everywhere.

    The key and the ``domain`` (the name of the format if none is given) decide, not the column
    or the table. ``unfit`` says what becomes of values that are not of the format. No pseudonym is
    a value of the column, and no two different identifiers share one.

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
    *Departures*: the hash has a key, since all nine-digit numbers are soon tried. *Cost*: a hash
    (HMAC-SHA256) for each different value; with all checks two to three microseconds. Rows are
    only looked up.
    """

    key: ReplacementKey
    format: Format = field(default_factory=Shape)
    domain: str = ""
    unfit: Unfit = "refuse"

    def __post_init__(self) -> None:
        checked_key(_NAME, self.key)
        if not isinstance(self.format, FORMATS):
            raise ParameterError(_NAME, "format", "Shape(), SocialSecurity(), Phone() or Token()")
        if not isinstance(self.domain, str):
            raise ParameterError(_NAME, "domain", "a text")
        if self.unfit not in get_args(Unfit):
            raise ParameterError(_NAME, "unfit", "refuse or missing")

    def __call__(
        self,
        values: pa.Array | pa.ChunkedArray,
        among: pa.Array | pa.ChunkedArray | None = None,
        column: str = "values",
    ) -> Substituted:
        """The pseudonyms of a column.

        ``among`` holds further identifiers, such as those of the other tables of a release or of a
        register of everybody: pseudonyms are told apart from these too, so that those drawn anew
        are the same whichever part of the identifiers is at hand.
        """
        found = Distinct.of(values, column)
        fits = self._fits(found, column)
        written = found.texts if fits is None else found.texts.filter(fits)
        canonical = self.format.canonical(written)
        others = self._others(among, column)
        result = draws(canonical, others, self.format, self.key, self.domain, column)
        new = self.format.dress(written, result.of(canonical))
        if fits is not None:
            new = _with_gaps(new, fits)
        made_missing = len(found.texts) - len(written)
        rows = found.column_of(new, self.format.keeps_type)
        return Substituted(rows, len(found.texts), result.redrawn, found.missing, made_missing)

    def _fits(self, found: Distinct, column: str) -> pa.Array | None:
        """Which texts are of the format; none if all are."""
        fits = self.format.fits(found.texts)
        if found.whole_numbers and self.format.keeps_type:
            fits = pc.and_(fits, pc.match_substring_regex(found.texts, "^[0-9]{1,18}$"))
        unfit = len(fits) - (pc.sum(fits).as_py() or 0)
        if not unfit:
            return None
        if self.unfit == "refuse":
            raise PseudonymKindError(
                column,
                f"{unfit:,} of its {len(fits):,} different values are not {self.format.wanted}",
                "Mend them, let them be missing (unfit: missing), or take another format.",
            )
        return fits

    def _others(self, among: pa.Array | pa.ChunkedArray | None, column: str) -> pa.Array:
        if among is None:
            return pa.array([], pa.string())
        texts = Distinct.of(among, column).texts
        return self.format.canonical(texts.filter(self.format.fits(texts)))


def _with_gaps(new: pa.Array, fits: pa.Array) -> pa.Array:
    """The pseudonyms in their places, null between them."""
    return pc.replace_with_mask(pa.nulls(len(fits), pa.string()), fits, new)
