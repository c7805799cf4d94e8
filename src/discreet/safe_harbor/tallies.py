"""Ages as numbers, as spans, and as the group of the oldest."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.kinds.catalogue import ALL, Item
from discreet.kinds.places import LARGE_PLACES
from discreet.kinds.tally import Flags, Ints, count_first_forms, make_flags, match_form
from discreet.kinds.written_years import DAY, OLDEST, PLAIN_PART

_UNIT = r"(?: ?(?:y|yr|yrs|years?|years? old|y/?o))?"
PLAIN = r"\d{1,3}(?:\.\d+)?"
NUMBER = rf"(?P<low>\d{{1,3}})(?:[.,]\d+)?{_UNIT}"
SPAN = (
    r"[\[(]?(?P<low>\d{1,3})(?:[.,]\d+)?(?: ?[-–,;] ?| to <?)(?P<high>\d{1,3})(?:[.,]\d+)?"
    rf"[\[\])]?{_UNIT}"
)
GROUP = (
    r"(?P<low>90) ?(?:\+|plus|(?:years? )?(?:or|and) (?:older|over|above|more))"
    rf"{_UNIT}|(?:>=|≥) ?90{_UNIT}|(?:>|over|above) ?89{_UNIT}"
)
OPEN = r"(?:>=?|≥|over|above) ?(?P<low>\d{1,3})|(?P<from>\d{1,3}) ?(?:\+|(?:or|and) (?:older|over))"
"""Groups without an upper end, other than that of 90 or older."""
UNDER = r"(?:<=?|≤|under|below|up to) ?\d{1,3}"
WORDS = r"[^\d]+"
"""Words such as adult, which give no number."""

_NAMED = {
    "number": PLAIN,
    "years": NUMBER,
    "group": GROUP,
    "span": SPAN,
    "open": OPEN,
    "under": UNDER,
    "words": WORDS,
}
_FORMS = {
    name: form.replace("?P<low>", "?:").replace("?P<high>", "?:").replace("?P<from>", "?:")
    for name, form in _NAMED.items()
}


def tally_ages(values: pa.Array, counts: Ints) -> Counter[str]:
    """Rows by form; ``over`` tell an age over 89 other than as 90 or older, ``ninety`` just 90.

    A span such as 90 to 90 (``reaching``) is over, unless 90 in it stands for 90 or older; one
    that ends above 90, such as 85-94 (``beyond``), is over even then.
    """
    found = count_first_forms(values, counts, _FORMS)
    age = _read_number(values, NUMBER, "low")
    low, high = _read_number(values, SPAN, "low"), _read_number(values, SPAN, "high")
    start = np.fmax(_read_number(values, OPEN, "low"), _read_number(values, OPEN, "from"))
    grouped = _match_known(values, GROUP)
    ninety = age == OLDEST + 1
    over = (age > OLDEST + 1) | (low > OLDEST + 1) | ((start > OLDEST) & ~grouped)
    reaching = ((low > OLDEST) | (high > OLDEST + 1)) & ~over
    fraction = ninety & _match_known(values, r"90[.,]0*[1-9]\d*" + _UNIT)
    found["over"] = int(counts[over | fraction].sum())
    found["reaching"] = int(counts[reaching].sum())
    found["beyond"] = int(counts[reaching & (high > OLDEST + 1)].sum())
    found["ninety"] = int(counts[ninety & ~fraction].sum())
    return found


def _read_number(values: pa.Array, form: str, name: str) -> np.ndarray:
    """The number of that name in each value, NaN if there is none."""
    taken = pc.struct_field(pc.extract_regex(values, f"(?i)^(?:{form})$"), name)
    number = pc.if_else(pc.equal(taken, ""), pa.scalar(None, taken.type), taken)
    return np.asarray(number.cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)


def _match_known(values: pa.Array, form: str) -> Flags:
    plain = form.replace("?P<low>", "?:")
    return match_form(values, plain)


# States and countries: places that are not smaller than a state.


_LARGE = pa.array(sorted(LARGE_PLACES), pa.string())


def tally_places(values: pa.Array, counts: Ints) -> Counter[str]:
    """Rows that name a state, a country or a region of states (``large``), and the ``other``."""
    folded = pc.replace_substring_regex(pc.utf8_lower(values), r"[-_. ]+", " ")
    known = pc.is_in(pc.utf8_trim_whitespace(folded), value_set=_LARGE)
    large = make_flags(known)
    return Counter({"large": int(counts[large].sum()), "other": int(counts[~large].sum())})


# Values that nothing but an identifier looks like, wherever they stand.


SEARCHED = (
    Item.PHONE, Item.MAIL, Item.SSN, Item.URL, Item.IP, Item.DEVICE, Item.PLACES,
)  # fmt: skip
"""The items searched for; of two that occur in equally many rows the first is reported."""
_FORM_OF = {one.item: one.form for one in ALL if one.form is not None}
WHOLE = {item: _FORM_OF[item] for item in SEARCHED}
"""Telephone numbers, addresses of mail and networks, social security numbers, ZIP+4."""
WITHIN = (Item.PHONE, Item.MAIL, Item.SSN, Item.URL)
"""These are known among other words, too."""
FORMS = {
    item: rf"(?:.*[\s,;:(<])?(?:{form})(?:[\s,;:.)>].*)?" if item in WITHIN else form
    for item, form in WHOLE.items()
}
DATE = f"{DAY}|{PLAIN_PART}"
ANY = "|".join(f"(?:{form})" for form in (*FORMS.values(), DATE))


def tally_strays(values: pa.Array, counts: Ints) -> Counter[str]:
    """Rows by the letter of the identifier that their value looks like."""
    found: Counter[str] = Counter()
    some = match_form(values, ANY)  # one look is enough for most columns
    values, counts = values.filter(pa.array(some)), counts[some]
    for item, form in FORMS.items():
        found[item.value[1]] += int(counts[match_form(values, form)].sum())
    found[Item.DATES.value[1]] += int(counts[match_form(values, DATE)].sum())
    return found
