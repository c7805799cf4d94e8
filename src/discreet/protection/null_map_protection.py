"""null-map: no released row can be mapped to anybody whom the data is about."""

from __future__ import annotations

from typing import ClassVar

from discreet.display import dataclass
from discreet.protection.evidence import Evidence
from discreet.protection.map_verdict import MapVerdict


@dataclass(frozen=True)
class NullMapProtection:
    """No released row fits the entry of a subject: rows lead nowhere, or to outsiders.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, null-map protection; fig. 19 (encryption). *Departures*: a row that is
    suppressed throughout has nothing to join by and maps to nobody, as sec. 4.2 says of it. The
    model speaks of the register given: whether the encryption can be undone is not looked at.
    *Cost*: one look at the evidence.
    """

    name: ClassVar[str] = "null_map"

    def __call__(self, found: Evidence) -> MapVerdict:
        """Judge a release by the evidence of the private table and the register."""
        wrong = {"fit a subject's entry": found.told & (found.subjects_fit > 0)}
        refused = found.links.unjudged
        if not found.subjects:
            refused = "the register lists none of the subjects"
        return MapVerdict.of(self.name, wrong, found.links.rows, found.links.notes, refused)
