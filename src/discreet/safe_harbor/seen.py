"""All that is known of one column when it is judged."""

from __future__ import annotations

import re
from collections import Counter

from discreet.display import dataclass
from discreet.identify.column_name import joined, phrases
from discreet.identify.evidence import Evidence
from discreet.identify.judge import Suspicion
from discreet.identify.recognizers import ALL, Item, Recognizer
from discreet.identify.recognizers.places import CITY, POSTCODE
from discreet.safe_harbor.checked import ColumnStanding, Standing
from discreet.table.role import Role

YEARS = ("birth date", "birth year", "date")
READ = ("postal code", "age", *YEARS)
"""Kinds of columns of which each value is read."""
NUMBER = re.compile(r"\d\d")
DROP = "Give it role: identifier"
MORE_NAMES = {
    POSTCODE: ("zcta", "zip3", "zip4", "zip9"),
    CITY: ("geoid", "geocode", "cbsa", "msa", "puma", "ward", "block group", "hrr", "hsa"),
}
"""Names of geocodes that an inspection does not know."""


@dataclass(frozen=True, repr=False)
class Seen:
    """All that is known of one column: name, sampled values, suspicion, and counted rows."""

    evidence: Evidence
    suspicion: Suspicion
    recognizer: Recognizer | None
    tally: Counter[str]
    strays: Counter[str]

    @property
    def filled(self) -> int:
        """Rows that have a value."""
        return self.evidence.profile.filled

    def stands(
        self, standing: Standing, item: Item | None, why: str, fix: str = ""
    ) -> ColumnStanding:
        """The finding about this column."""
        letter = None if item is None else item.value[1]
        counts = {"rows": self.evidence.profile.rows, "filled": self.filled, **self.tally}
        kind = "" if self.recognizer is None else self.recognizer.kind
        return ColumnStanding(self.evidence.profile.name, letter, standing, why, fix, kind, counts)


def recognized(evidence: Evidence, suspicion: Suspicion) -> Recognizer | None:
    """What the column is taken for: what was recognized, else what its name alone says.

    A column that is called a ZIP code, an age or a date is read as one, whatever most values are.
    """
    known = phrases(evidence.profile.name)
    for recognizer, names in MORE_NAMES.items():
        if any(joined(name) in known for name in names):
            return recognizer
    found = next((one for one in ALL if one.kind == suspicion.recognized), None)
    if not evidence.named:
        return found
    named = evidence.named[0]
    reads = named.kind in READ and suspicion.role is not Role.identifier
    if evidence.profile.distinct <= 2:  # a column such as zip_known, unless it tells numbers
        return named if reads and any(map(NUMBER.search, evidence.values)) else found
    return named if found is None or reads else found


def certain(found: Suspicion) -> bool:
    """Whether a column is one of the identifiers that must go, with nothing against it."""
    return found.role is Role.identifier and found.item is not None and found.doubt is None


def rows(count: int) -> str:
    """A number of rows, in words."""
    return f"{count:,} row{'' if count == 1 else 's'}"
