"""The definition that the maps serve: nobody is confidently tied to what is theirs."""

from __future__ import annotations

from typing import ClassVar

from discreet.display import dataclass
from discreet.protection.evidence import Evidence
from discreet.protection.map_verdict import MapVerdict


@dataclass(frozen=True)
class BasicAnonymousDataSystem:
    """No row leads to its own person alone, that person to this row alone, with a right value.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, ADS0, property 9; fig. 18 and 23 and the two examples after it. A row
    that fits its own person must (a) fit somebody else as well, or (b) not be the only row that
    fits that person, or (c) tell nothing right of that person outside the columns compared.
    *Departures*: where no other columns are released, (c) is no way out: a row then tells that
    somebody is in the table. One right value is enough to break (c). Releases that the same
    recipient has, inference from what all fitting rows share and probabilities are not looked at:
    a class with one diagnosis passes. *Cost*: one look at the evidence.
    """

    name: ClassVar[str] = "basic_anonymous_data_system"

    def __call__(self, found: Evidence) -> MapVerdict:
        """Judge a release by the evidence of the private table and the register."""
        links = found.links
        own = links.true if links.true is not None else links.unique
        alone = own & links.unique & (found.rows_of_subject <= 1)
        wrong = {"are tied to their own person": alone & found.discloses_own}
        refused = found.links.unjudged
        if not found.subjects:
            refused = "the register lists none of the subjects"
        return MapVerdict.of(self.name, wrong, links.rows, links.notes, refused)
