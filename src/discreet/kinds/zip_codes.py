"""ZIP codes as people and spreadsheets write them, and their first three digits."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from discreet.kinds.tally import Flags, Ints, count_first_forms, make_flags, match_form
from discreet.kinds.zip_area import SMALL, ZipTable

LOST = r"\d{1,4}(\.0)?|\d{3,4}-\d{4}|\d{7,8}"
"""The forms of five digits, or of ZIP+4, that have lost their leading zeros."""
FORMS = {
    "three": r"\d{3}(\.0)?|\d{3}(\*\*|xx|##|--)",
    "coarser": r"\d{1,2}[*x#]{1,4}|[*x#]{2,5}",
    "five": r"\d{5}(\.0)?|\d{4}[*x#]",
    "plus four": r"\d{5}-?\d{4}",
    "zeros lost": LOST,
}
"""The forms of a ZIP code, the first that fits; a spreadsheet that takes 02138 for a number writes
2138. Three digits alone may be all that is released, so they are that."""
LONG = r"\d{4,5}(\.0)?|\d{3,5}-?\d{4}"
"""Forms that have more than three digits of a ZIP code."""


def tally_zips(values: pa.Array, counts: Ints, table: ZipTable) -> Counter[str]:
    """Rows by the form of the ZIP code; ``small`` are three digits of too few people."""
    found = count_first_forms(values, counts, FORMS)
    three = match_form(values, FORMS["three"])
    prefix = pc.utf8_slice_codeunits(values, 0, 3)
    found["small"] = int(counts[three & ~_may_stay(prefix, table)].sum())
    return found


def restore_zeros(values: pa.Array) -> tuple[pa.Array, Flags]:
    """ZIP codes with the leading zeros that a spreadsheet dropped, and which of them had lost some.

    What has five digits or is no ZIP code of the United States stays as it is.

    >>> texts, lost = restore_zeros(pa.array(["2138", "02139", "601", "2138-1234", "2138.0", "x"]))
    >>> texts.to_pylist(), int(lost.sum())
    (['02138', '02139', '00601', '02138-1234', '02138', 'x'], 4)
    """
    text = pc.utf8_trim_whitespace(values)
    lost = match_form(text, LOST)
    if not len(text) or not (lost | match_form(text, r"\d{5}\.0")).any():
        return values, lost
    code = pc.replace_substring_regex(text, r"^(\d{1,5})\.0$", r"\1")
    joined = pc.match_substring(code, "-")
    long = pc.greater(pc.utf8_length(code), 6)
    five, nine, ten = (pc.utf8_lpad(code, width=width, padding="0") for width in (5, 9, 10))
    padded = pc.if_else(joined, ten, pc.if_else(long, nine, five))
    told = pc.or_(pa.array(lost), pc.not_equal(code, text))
    return pc.if_else(told, padded, values), lost


def shorten_zip_codes(values: pa.Array, table: ZipTable) -> tuple[pa.Array, dict[str, Flags]]:
    """The released form of distinct ZIP codes, three digits or 000, and how each was treated.

    Where some values have more than three digits, shorter ones have lost their leading zeros and
    get them back. What is no ZIP code of the United States (``other``) becomes 000.
    """
    text = pc.replace_substring_regex(pc.utf8_trim_whitespace(values), r"\.0$", "")
    whole = bool(match_form(text, LONG).any())
    if whole:
        code, lost = restore_zeros(text)
        digits = match_form(code, r"\d{5}(-?\d{4})?")
    else:
        code, lost = pc.utf8_lpad(text, width=3, padding="0"), match_form(text, r"\d{1,2}")
        digits = match_form(text, r"\d{1,3}")
    masked = match_form(text, r"\d{3,4}[*x#]+")
    first = pc.if_else(pa.array(masked), text, code)
    prefix = pc.utf8_slice_codeunits(first, 0, 3)
    stays = (digits | masked) & _may_stay(prefix, table)
    return pc.if_else(pa.array(stays), prefix, SMALL), {
        "small": (digits | masked) & ~stays,
        "zeros lost": digits & lost,
        "other": ~digits & ~masked,
    }


def _may_stay(prefix: pa.Array, table: ZipTable) -> Flags:
    kept = pc.or_(
        pc.is_in(prefix, value_set=pa.array(table.kept, pa.string())), pc.equal(prefix, SMALL)
    )
    return make_flags(kept)
