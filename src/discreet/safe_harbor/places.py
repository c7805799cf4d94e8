"""States and countries: places that are not smaller than a state."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from discreet.identify.column_name import word_list
from discreet.identify.recognizers.countries import COUNTRIES
from discreet.safe_harbor.tally import Ints, flags

_CODES = word_list(
    """
    al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny
    nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy dc as gu mp pr vi aa ae ap
    """
)
_NAMES = frozenset(
    name.strip()
    for name in """
    alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida,
    georgia, hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland,
    massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada,
    new hampshire, new jersey, new mexico, new york, north carolina, north dakota, ohio, oklahoma,
    oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee, texas, utah,
    vermont, virginia, washington, west virginia, wisconsin, wyoming, district of columbia,
    puerto rico, guam, american samoa, virgin islands, northern mariana islands, northeast, midwest,
    south, west, north, east
    """.replace("\n", " ").split(",")
)
_LARGE = pa.array(sorted(_CODES | _NAMES | COUNTRIES), pa.string())


def tally_places(values: pa.Array, counts: Ints) -> Counter[str]:
    """Rows that name a state, a country or a region of states (``large``), and the ``other``."""
    folded = pc.replace_substring_regex(pc.utf8_lower(values), r"[-_. ]+", " ")
    known = pc.is_in(pc.utf8_trim_whitespace(folded), value_set=_LARGE)
    large = flags(known)
    return Counter({"large": int(counts[large].sum()), "other": int(counts[~large].sum())})
