"""k-map: every released row could be any of k people of a register."""

from __future__ import annotations

from typing import ClassVar

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.linking.links import Links
from discreet.protection.evidence import Evidence
from discreet.protection.map_verdict import MapVerdict


@dataclass(frozen=True)
class KMapProtection:
    """Each released row fits at least k entries of the register, so that none can be picked.

    Parameters
    ----------
    k
        The fewest entries that a row may fit.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, k-map protection; fig. 21. *Departures*: the paper's population U is
    the register; the people whom it lacks are not counted, so k is rather too small than too
    large. A row that fits nobody fits fewer than k. The paper asks too that the row's own person
    is among those; where the private table is given, rows that do not fit it are noted, not
    refused: they point to others. *Cost*: one look at the links.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.linking.link import link
    >>> people = pa.table({"zip": ["02138", "02139", "02141"]})
    >>> KMapProtection(2)(link(pa.table({"zip": ["0213*", "0214*"]}), people)).rows
    (2,)
    """

    k: int
    name: ClassVar[str] = "k_map"

    def __post_init__(self) -> None:
        if type(self.k) is not int or self.k < 1:
            raise ParameterError(self.name, "k", "a whole number from 1 on")

    def __call__(self, found: Links | Evidence) -> MapVerdict:
        """Judge a release by its links to the register."""
        links = found.links if isinstance(found, Evidence) else found
        fits = links.fits
        wrong = {
            "fit nobody in the register": fits == 0,
            f"fit fewer than {self.k} entries": (fits > 0) & (fits < self.k),
        }
        if self.k == 1:
            wrong.popitem()
        notes = links.notes
        if links.true is not None and not links.true.all():
            notes = (
                *notes,
                f"{int((~links.true).sum()):,} rows do not fit an entry of their own person",
            )
        return MapVerdict.of(self.name, wrong, links.rows, notes, links.unjudged)
