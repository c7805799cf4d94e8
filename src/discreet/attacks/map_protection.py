"""The map protections of the thesis: nobody is confidently tied to their own data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.attacks.evidence import Evidence
from discreet.attacks.linking.link import Links
from discreet.display import dataclass
from discreet.errors import ParameterError

# Whether a release has the protection of a map, and which rows break it.


Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class MapVerdict:
    """A protection model, and the released rows that break it, by number from 1.

    ``reasons`` counts rows by what is wrong with them; ``rows`` are the numbers of all of them.
    ``refused`` says why the release as a whole cannot have the protection.

    >>> verdict = MapVerdict.of("k_map", {"fit nobody": np.array([False, True])}, 2)
    >>> verdict.holds, verdict.rows
    (False, (2,))
    """

    model: str
    rows: tuple[int, ...] = field(repr=False)
    reasons: Mapping[str, int]
    released: int
    notes: tuple[str, ...] = ()
    refused: str = ""

    @classmethod
    def of(
        cls,
        model: str,
        wrong: Mapping[str, Mask],
        released: int,
        notes: tuple[str, ...] = (),
        refused: str = "",
    ) -> MapVerdict:
        """The verdict on rows that are wrong for one of several reasons."""
        every = np.zeros(released, dtype=np.bool_)
        for mask in wrong.values():
            every |= mask
        rows = tuple((np.flatnonzero(every) + 1).tolist())
        counts = {reason: int(mask.sum()) for reason, mask in wrong.items() if mask.any()}
        return cls(model, rows, counts, released, notes, refused)

    @property
    def holds(self) -> bool:
        """Whether no row breaks the model, and the release as a whole does not."""
        return not self.rows and not self.refused

    def facts(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "model": self.model,
            "holds": self.holds,
            "rows_released": self.released,
            "rows_breaking": len(self.rows),
            "rows": list(self.rows),
            "reasons": dict(self.reasons),
            "refused": self.refused or None,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class BasicAnonymousDataSystem:
    """No row leads to its own person alone, that person to this row alone, with a right value.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, ADS0, property 9; fig. 18 and 23 and the two examples after it. A row
    that fits its own person must (a) fit somebody else as well, or (b) not be the only row that
    fits that person, or (c) tell nothing right of that person outside the columns compared.
    *Departures*: if no other columns are released, (c) does not help: a row then reveals that
    somebody is in the table. One right value is enough to break (c). Other releases of the same
    recipient, inference from what all fitting rows share, and probabilities are not considered: a
    class with one diagnosis passes. *Cost*: one pass over the evidence.
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


# null-map: no released row can be mapped to anybody whom the data is about.


@dataclass(frozen=True)
class NullMapProtection:
    """No released row fits the entry of a subject: rows lead nowhere, or to outsiders.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, null-map protection; fig. 19 (encryption). *Departures*: a completely
    suppressed row has nothing to join by and maps to nobody, as sec. 4.2 says. The model is about
    the given register: whether the encryption can be undone is not considered. *Cost*: one pass
    over the evidence.
    """

    name: ClassVar[str] = "null_map"

    def __call__(self, found: Evidence) -> MapVerdict:
        """Judge a release by the evidence of the private table and the register."""
        wrong = {"fit a subject's entry": found.joinable & (found.subjects_fit > 0)}
        refused = found.links.unjudged
        if not found.subjects:
            refused = "the register lists none of the subjects"
        return MapVerdict.of(self.name, wrong, found.links.rows, found.links.notes, refused)


# k-map: every released row could be any of k people of a register.


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
    refused: they point to others. *Cost*: one pass over the links.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.attacks.linking.link import link
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


# wrong-map: every released row points to one subject, and to the wrong one.


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
    right one. *Cost*: one pass over the evidence.
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
