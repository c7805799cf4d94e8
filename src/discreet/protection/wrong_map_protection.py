"""wrong-map: every released row points to one subject, and to the wrong one."""

from __future__ import annotations

from typing import ClassVar

from discreet.display import dataclass
from discreet.protection.evidence import Evidence
from discreet.protection.map_verdict import MapVerdict

FEWEST = 3


@dataclass(frozen=True)
class WrongMapProtection:
    """Each row fits exactly one subject, who is not the person it was collected from.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, wrong-map protection; fig. 20 (swapping). *Departures*: the printed
    formula says ``g(f(f_c(s))) = s``, that the row points to its own person; the text below it and
    the figure say that it does not, and we follow these. A row with a value outside the columns
    compared that is right for the person it points to breaks the model, as the paper's "ADS0
    requirement" asks. Releases of fewer than three rows are refused: with two, the other one is the
    right one. *Cost*: one look at the evidence.
    """

    name: ClassVar[str] = "wrong_map"

    def __call__(self, found: Evidence) -> MapVerdict:
        """Judge a release by the evidence of the private table and the register."""
        one = found.subjects_fit == 1
        wrong = {
            "fit no subject": found.subjects_fit == 0,
            "fit several subjects": found.subjects_fit > 1,
            "fit their own person": one & found.named_right,
            "tell a right value of the wrong person": one
            & ~found.named_right
            & found.discloses_named,
        }
        rows = found.links.rows
        few = f"a release of {rows} rows gives the right person away: it takes three"
        refused = few if rows < FEWEST else found.links.unjudged
        return MapVerdict.of(self.name, wrong, rows, found.links.notes, refused)
