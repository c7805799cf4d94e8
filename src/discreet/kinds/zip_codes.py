"""ZIP codes as people and spreadsheets write them, and their first three digits."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from discreet.kinds.tally import Flags, Ints, count_first_forms, make_flags, match_form
from discreet.kinds.zip_area import SMALL, ZipTable

FORMS = {
    "three": r"\d{3}(\.0)?|\d{3}(\*\*|xx|##|--)",
    "coarser": r"\d{1,2}[*x#]{1,4}|[*x#]{2,5}",
    "five": r"\d{5}(\.0)?|\d{4}[*x#]",
    "plus four": r"\d{5}-?\d{4}",
    "zeros lost": r"\d{1,2}(\.0)?|\d{4}(\.0)?|\d{7,8}|\d{3,4}-\d{4}",
}
"""The forms of a ZIP code; a spreadsheet that takes 02138 for a number writes 2138."""
LONG = r"\d{4,5}(\.0)?|\d{3,5}-?\d{4}"
"""Forms that have more than three digits of a ZIP code."""


def tally_zips(values: pa.Array, counts: Ints, table: ZipTable) -> Counter[str]:
    """Rows by the form of the ZIP code; ``small`` are three digits of too few people."""
    found = count_first_forms(values, counts, FORMS)
    three = match_form(values, FORMS["three"])
    prefix = pc.utf8_slice_codeunits(values, 0, 3)
    found["small"] = int(counts[three & ~_may_stay(prefix, table)].sum())
    return found


def shorten_zip_codes(values: pa.Array, table: ZipTable) -> tuple[pa.Array, dict[str, Flags]]:
    """What may be released of different ZIP codes: three digits, or 000; and which were what.

    Where some values have more than three digits, shorter ones have lost their leading zeros and
    get them back. What is no ZIP code of the United States (``other``) becomes 000.
    """
    text = pc.replace_substring_regex(pc.utf8_trim_whitespace(values), r"\.0$", "")
    whole = bool(match_form(text, LONG).any())
    code = pc.replace_substring_regex(text, r"^(\d{3,5})-?\d{4}$", r"\1")
    digits = match_form(code, r"\d{1,5}" if whole else r"\d{1,3}")
    masked = match_form(text, r"\d{3,4}[*x#]+")
    padded = pc.utf8_lpad(code, width=5 if whole else 3, padding="0")
    first = pc.if_else(pa.array(masked), text, padded)
    prefix = pc.utf8_slice_codeunits(first, 0, 3)
    stays = (digits | masked) & _may_stay(prefix, table)
    return pc.if_else(pa.array(stays), prefix, SMALL), {
        "small": (digits | masked) & ~stays,
        "zeros lost": digits & match_form(code, r"\d{1,4}" if whole else r"\d{1,2}"),
        "other": ~digits & ~masked,
    }


def _may_stay(prefix: pa.Array, table: ZipTable) -> Flags:
    kept = pc.or_(
        pc.is_in(prefix, value_set=pa.array(table.kept, pa.string())), pc.equal(prefix, SMALL)
    )
    return make_flags(kept)
