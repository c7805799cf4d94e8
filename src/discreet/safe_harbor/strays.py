"""Values that nothing but an identifier looks like, wherever they stand."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from discreet.identify.recognizers import Item
from discreet.safe_harbor.tally import Ints, matches
from discreet.safe_harbor.years import DAY, PLAIN_PART

_BYTE = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
WHOLE = {
    Item.PHONE: (
        r"(?:\+?1[ .-])?(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[ .-]\d{4}(?: *(?:x|ext\.?) *\d{1,6})?"
        r"|\+\d{1,3}[ ()./-]*(?:\d[ ()./-]*){7,14}"
    ),
    Item.MAIL: r"[^@\s]+@[^@\s]+\.[^@\s]+",
    Item.SSN: r"\d{3}-\d\d-\d{4}",
    Item.URL: r"(?:(?:https?|ftp)://|www\.)\S+\.\S+",
    Item.IP: rf"{_BYTE}(?:\.{_BYTE}){{3}}|(?:[0-9a-f]{{1,4}}:){{7}}[0-9a-f]{{1,4}}",
    Item.DEVICE: r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}",
    Item.PLACES: r"\d{5}-\d{4}",
}
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
    some = matches(values, ANY)  # one look is enough for most columns
    values, counts = values.filter(pa.array(some)), counts[some]
    for item, form in FORMS.items():
        found[item.value[1]] += int(counts[matches(values, form)].sum())
    found[Item.DATES.value[1]] += int(counts[matches(values, DATE)].sum())
    return found
