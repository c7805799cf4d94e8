"""The formats of pseudonyms, one for each kind of identifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.kinds.contact import (
    AREAS,
    FICTION_LINE,
    FICTION_LINES,
    FIRST_AREA,
    UNISSUED_PHONE_START,
)
from discreet.kinds.national import (
    SSN_SERIALS,
    UNISSUED_SSN_AREA,
    UNISSUED_SSN_AREAS,
    UNISSUED_SSN_GROUPS,
)
from discreet.pseudonyms.keyed_hash import BLOCK
from discreet.pseudonyms.texts import (
    DIGITS,
    NINE,
    ZERO,
    build_texts,
    count_bytes,
    encode_base32,
    flatten_texts,
    group_by_length,
    keep_bytes,
    mark_bytes,
    read_byte_at,
    replace_digits,
    write_numbers,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.pseudonyms.keyed_hash import Chance


# The common interface of all formats of pseudonyms.


class Format(Protocol):
    """A kind of identifier. All texts are without missing ones and, after `fits`, of the kind.

    `wanted` names the identifiers in the plural, for errors; `keeps_type` says that pseudonyms of
    whole numbers are whole numbers. A `roomy` format has so many pseudonyms that no two draws meet;
    pseudonyms of one that is `apart` are nobody's identifiers.
    """

    name: ClassVar[str]
    wanted: ClassVar[str]
    keeps_type: ClassVar[bool]
    roomy: ClassVar[bool]
    apart: ClassVar[bool]

    def numbers(self, whole: pa.Array) -> pa.Array:
        """Whole numbers as such identifiers are written; null where none would stay a number."""
        ...

    def fits(self, written: pa.Array) -> pa.Array:
        """Which of the texts are identifiers of this kind."""
        ...

    def canonical(self, written: pa.Array) -> pa.Array:
        """One way of writing for each identifier: what is hashed and compared."""
        ...

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """A pseudonym for each, in the canonical way of writing."""
        ...

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """The pseudonyms, written as the identifiers were."""
        ...


# Phone numbers that no line has.
#
# Notes
# -----
# [Sweeney2001]_, sec. 6.1, for made-up alternatives.
#
# Departures: in the North American plan 555-0100 to 555-0199 are set apart for fiction in every
# area. With the 800 area codes that may be written this gives 80,000 numbers, without an area code
# 100. ``unassigned`` gives a thousand million (without area code a million) that start with 0, as
# no area or exchange does. Numbers of other plans start with 000, which no plan issues.
#
# Cost: a hash a number.


Range = Literal["fiction", "unassigned"]
_MARKS, _PLUS = " ()./-", ord("+")
_LATER = mark_bytes("23456789")


@dataclass(frozen=True)
class Phone:
    """7 to 15 digits with the usual marks; the range is the same for all tables of a key."""

    name: ClassVar[str] = "phone"
    wanted: ClassVar[str] = "phone numbers (7 to 15 digits, without letters)"
    keeps_type: ClassVar[bool] = True
    roomy: ClassVar[bool] = False
    apart: ClassVar[bool] = True

    range: Range = "fiction"

    def __post_init__(self) -> None:
        if self.range not in get_args(Range):
            raise ParameterError("phone", "range", "fiction or unassigned")

    def numbers(self, whole: pa.Array) -> pa.Array:
        """American numbers of the range for fiction; the others would start with 0."""
        stays = (_is_american(whole) | _has_one(whole)) & (self.range == "fiction")
        return pc.if_else(pa.array(stays), whole, None)

    def fits(self, written: pa.Array) -> pa.Array:
        """7 to 15 digits, spaces, brackets, dots, slashes and dashes; a plus in front."""
        written = pc.fill_null(written, "")
        digits, lengths = count_bytes(written, DIGITS), np.asarray(pc.binary_length(written))
        plus = read_byte_at(written, 0) == _PLUS
        usual = count_bytes(written, DIGITS | mark_bytes(_MARKS)) + plus == lengths
        starts = (DIGITS | mark_bytes("+ ("))[read_byte_at(written, 0)]
        return pa.array(usual & starts & (digits >= 7) & (digits <= 15))

    def canonical(self, written: pa.Array) -> pa.Array:
        """The digits; +1 and 1 before an American number fall away, another plus stays."""
        signed, one = keep_bytes(written, DIGITS | mark_bytes("+")), _has_one(written)
        if not one.any():
            return signed
        return pc.if_else(pa.array(one), pc.utf8_slice_codeunits(signed, -10), signed)

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """Numbers of the range; those of other plans with 000 in front."""
        widths = np.asarray(pc.binary_length(canonical))
        american, plus = _is_american(canonical), read_byte_at(canonical, 0) == _PLUS
        groups = (widths * 4 + american * 2 + plus).astype(np.uint8)  # 16 characters at most
        parts, order = [], []
        for group in np.flatnonzero(np.bincount(groups)).tolist():
            rows = np.flatnonzero(groups == group)
            width, kind = divmod(group, 4)
            texts = canonical.take(pa.array(rows))
            parts.append(self._group(texts, width - kind % 2, kind >= 2, chance))
            order.append(rows)
        if not parts:
            return canonical
        drawn = pa.concat_arrays(parts).take(pa.array(np.argsort(np.concatenate(order))))
        if not plus.any():
            return drawn
        return pc.if_else(pa.array(plus), pc.binary_join_element_wise("+", drawn, ""), drawn)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """The marks, and a leading 1, as they were."""
        digits, one = keep_bytes(drawn, DIGITS), _has_one(written)
        if one.any():
            front = pc.if_else(pa.array(one), "1", "")
            digits = pc.binary_join_element_wise(front, digits, "")
        return replace_digits(written, digits)

    def _group(self, texts: pa.Array, width: int, american: bool, chance: Chance) -> pa.Array:
        """Pseudonyms for numbers of one width and plan."""
        if not american:
            free = width - len(UNISSUED_PHONE_START)  # zeros, which the width puts in front
            return write_numbers(chance.below(texts, 10**free), width)
        if self.range == "unassigned":
            return write_numbers(chance.below(texts, 10 ** (width - 1)), width)
        return write_numbers(
            _make_fiction_numbers(chance.below(texts, AREAS * FICTION_LINES), width), width
        )


def _make_fiction_numbers(chances: NDArray[np.uint64], width: int) -> NDArray[np.uint64]:
    """555-01dd, after an area from 200 to 999 if there is one."""
    area, line = np.divmod(chances, np.uint64(FICTION_LINES))
    number = np.uint64(FICTION_LINE) + line
    if width == 7:
        return np.asarray(number)
    return np.asarray((area + np.uint64(FIRST_AREA)) * np.uint64(10_000_000) + number)


def _is_american(digits: pa.Array) -> NDArray[np.bool_]:
    """Seven or ten digits that start with 2 to 9, as an area or exchange does."""
    widths = np.asarray(pc.binary_length(digits))
    return np.asarray(((widths == 7) | (widths == 10)) & _LATER[read_byte_at(digits, 0)])


def _has_one(written: pa.Array) -> NDArray[np.bool_]:
    """Whether a 1 stands before ten digits of an American number."""
    found = np.asarray(count_bytes(written, DIGITS) == 11)
    if found.any():
        digits = keep_bytes(written.filter(pa.array(found)), DIGITS)
        found[found] = (read_byte_at(digits, 0) == ord("1")) & _LATER[read_byte_at(digits, 1)]
    return found


# Identifiers of any kind: letters become letters, digits digits; marks and length stay.
#
# Notes
# -----
# [Sweeney2001]_, sec. 6.1 and, for the form, fig. 108 (``CH#32-841-09787``, ``CH#18-512-32871``).
#
# Departures: a first digit that is not 0 becomes one that is not 0, so that numbers keep their
# length. Letters beyond A to Z become letters from A to Z.
#
# Cost: a hash for each 8 characters.


LONGEST = 256
_CHOICES = BLOCK // 2
"""Characters that one digest decides: two bytes each."""


def _build_alphabets() -> NDArray[np.uint32]:
    """For each byte the first character that may take its place, and how many there are."""
    table = np.ones((2, 256), np.uint32)
    table[0] = np.arange(256)
    for first, last in ((ZERO, NINE), (ord("A"), ord("Z")), (ord("a"), ord("z"))):
        table[:, first : last + 1] = [[first], [last - first + 1]]
    return table


_OTHERS = tuple(
    (rf"[^\x00-\x7F\P{{{kind}}}]", plain)
    for kind, plain in (("Lu", "A"), ("L", "a"), ("M", "a"), ("N", "0"))
)
"""Classes of Unicode without the characters of ASCII, and what stands for them."""
_INSIDE = _build_alphabets()
_FIRST = _INSIDE.copy()
_FIRST[:, ZERO + 1 : NINE + 1] = [[ZERO + 1], [9]]


@dataclass(frozen=True)
class Shape:
    """The pattern of letters and digits as found; upper case stays upper case."""

    name: ClassVar[str] = "shape"
    wanted: ClassVar[str] = f"identifiers with a letter or a digit, of at most {LONGEST} characters"
    keeps_type: ClassVar[bool] = True
    roomy: ClassVar[bool] = False
    apart: ClassVar[bool] = False

    def numbers(self, whole: pa.Array) -> pa.Array:
        """As they are, if they have no sign and fit into 64 bits whichever digits they get."""
        return pc.if_else(pc.match_substring_regex(whole, "^[0-9]{1,18}$"), whole, None)

    def fits(self, written: pa.Array) -> pa.Array:
        """There is something to change, and it is no document."""
        written = pc.fill_null(written, "")
        short = pc.less_equal(pc.utf8_length(written), LONGEST)
        fits = pa.array(count_bytes(written, _INSIDE[1] > 1) > 0)
        if pc.all(pc.string_is_ascii(written)).as_py() is False:
            fits = pc.or_(fits, pc.match_substring_regex(written, r"[\pL\pN]"))
        return pc.and_(fits, short)

    def canonical(self, written: pa.Array) -> pa.Array:
        """As written; accents in one of the two ways that Unicode has (NFC)."""
        if pc.all(pc.string_is_ascii(written)).as_py() is not False:
            return written
        return pc.utf8_normalize(written, form="NFC")

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """Another text of the same pattern."""
        plain = _fold_letters(canonical)
        ends, data = flatten_texts(plain)
        new = np.empty_like(data)
        for rows, cells in group_by_length(plain):
            if isinstance(rows, slice):
                return build_texts(ends, _draw_characters(cells, canonical, chance).ravel())
            drawn = _draw_characters(cells, canonical.take(pa.array(rows)), chance)
            new[ends[rows][:, None] + np.arange(cells.shape[1])] = drawn
        return build_texts(ends, new)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """As drawn: the marks are those of the identifier."""
        return drawn


def _draw_characters(
    cells: NDArray[np.uint8], texts: pa.Array, chance: Chance
) -> NDArray[np.uint8]:
    """Other characters for texts of one length, place by place."""
    length, rows = cells.shape[1], cells.T.copy()  # a place after the other in memory
    new = np.empty_like(rows)
    for start in range(0, length, _CHOICES):
        chances = chance.digests(texts, start // _CHOICES).view("<u2").T.astype(np.uint32)
        for place in range(start, min(start + _CHOICES, length)):
            alphabet = _FIRST if place == 0 and length > 1 else _INSIDE
            first, many = alphabet[0, rows[place]], alphabet[1, rows[place]]
            new[place] = first + (chances[place - start] * many >> 16)
    return np.ascontiguousarray(new.T)


def _fold_letters(texts: pa.Array) -> pa.Array:
    """Letters and digits of all alphabets as those of ASCII; other characters as they are."""
    if pc.all(pc.string_is_ascii(texts)).as_py() is not False:
        return texts
    for other, plain in _OTHERS:
        texts = pc.replace_substring_regex(texts, other, plain)
    return texts


# Social security numbers that were never given to anybody.
#
# Notes
# -----
# [Sweeney2001]_, sec. 6.1, fig. 37: SSNs are "automatically replaced with made-up alternatives".
#
# Departures: the made-up numbers have an area and a group that are never given out
# (:mod:`discreet.kinds.national` has the ranges).
#
# Cost: a hash a number.


_PARTED = [0, 1, 2, 4, 5, 7, 8, 9, 10]
"""Where the digits are, with a mark between the parts."""
_NUMBER = r"^[1-9][0-9]{6,8}$"
ROOM = UNISSUED_SSN_AREAS * UNISSUED_SSN_GROUPS * SSN_SERIALS
"""How many there are: 48,995,100."""


@dataclass(frozen=True)
class SocialSecurity:
    """Nine digits, with dashes, spaces or nothing between; 9dd-(01 to 49)-(0001 to 9999)."""

    name: ClassVar[str] = "ssn"
    wanted: ClassVar[str] = "social security numbers (nine digits)"
    keeps_type: ClassVar[bool] = True
    roomy: ClassVar[bool] = False
    apart: ClassVar[bool] = True

    def numbers(self, whole: pa.Array) -> pa.Array:
        """With the zeros in front that a number lacks: no area is below 001, no group below 01."""
        return pc.if_else(
            pc.match_substring_regex(whole, _NUMBER), pc.ascii_lpad(whole, 9, "0"), None
        )

    def fits(self, written: pa.Array) -> pa.Array:
        """Nine digits, in one of the three usual ways."""
        fits = np.zeros(len(written), bool)
        for rows, cells in group_by_length(pc.fill_null(written, "")):
            parts = cells[:, _PARTED] if cells.shape[1] == 11 else cells
            if parts.shape[1] == 9:
                fits[rows] = DIGITS[parts].all(axis=1)
            if parts is not cells:
                between = cells[:, [3, 6]]
                same = (between == ord("-")).all(axis=1) | (between == ord(" ")).all(axis=1)
                fits[rows] &= same
        return pa.array(fits)

    def canonical(self, written: pa.Array) -> pa.Array:
        """The nine digits."""
        digits = np.empty((len(written), 9), np.uint8)
        for rows, cells in group_by_length(written):
            digits[rows] = cells if cells.shape[1] == 9 else cells[:, _PARTED]
        return build_texts(
            np.arange(len(written) + 1, dtype=np.int32) * np.int32(9), digits.ravel()
        )

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """Numbers of the range that nobody has."""
        left, serial = np.divmod(chance.below(canonical, ROOM), np.uint64(SSN_SERIALS))
        area, group = np.divmod(left, np.uint64(UNISSUED_SSN_GROUPS))
        one, first = np.uint64(1), np.uint64(UNISSUED_SSN_AREA)
        number = ((area + first) * np.uint64(100) + group + one) * np.uint64(10_000)
        return write_numbers(number + serial + one, 9)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """The dashes or spaces as they were."""
        return replace_digits(written, drawn)


# Texts of one length that look like nothing: for identifiers whose format has too little room.
#
# Notes
# -----
# [Sweeney2001]_, sec. 6.1, for made-up alternatives.
#
# Departures: the format is not kept. Numbers from 1 to 1000 in a column of a thousand rows leave no
# other numbers of their length; these do.
#
# Cost: a hash an identifier.


_FEWEST, _MOST = 16, 25


@dataclass(frozen=True)
class Token:
    """``length`` characters of a to z and 2 to 7, five bits each; whole numbers become text."""

    name: ClassVar[str] = "token"
    wanted: ClassVar[str] = "texts"
    keeps_type: ClassVar[bool] = False
    roomy: ClassVar[bool] = True
    apart: ClassVar[bool] = True

    length: int = 20

    def __post_init__(self) -> None:
        if type(self.length) is not int or not _FEWEST <= self.length <= _MOST:
            raise ParameterError("token", "length", f"a whole number from {_FEWEST} to {_MOST}")

    def numbers(self, whole: pa.Array) -> pa.Array:
        """As they are: a number and its text have the same token."""
        return whole

    def fits(self, written: pa.Array) -> pa.Array:
        """Everything does."""
        return pa.array(np.ones(len(written), bool))

    def canonical(self, written: pa.Array) -> pa.Array:
        """As written; accents in one of the two ways that Unicode has."""
        return Shape().canonical(written)

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """One character for each five bits of the hash, as far as the length goes."""
        return pc.utf8_slice_codeunits(encode_base32(chance.digests(canonical)), 0, self.length)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """As drawn."""
        return drawn
