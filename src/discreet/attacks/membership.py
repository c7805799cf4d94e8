"""Membership in the release: people of a register who are certainly in it, or certainly not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import list_row_numbers
from discreet.attacks.outcome import Outcome
from discreet.attacks.register_linking import RegisterFits
from discreet.display import dataclass
from discreet.models.verdict import TOLERANCE


@dataclass(frozen=True)
class Membership:
    """How sure an intruder with a register is that a person is in the table, or is not.

    Parameters
    ----------
    columns
        The register's name for each quasi column of the release.
    least, most
        The range of chances promised; without a promise only certainty counts, 0 or 1.
    policy
        Its hierarchies say what released values stand for, and what a missing value means.

    Notes
    -----
    [Nergiz2007]_: delta-presence, seen as an attack. Among the people who fit a class, as many are
    in the table as the class has rows: the chance of each is rows / people. Rows left out belong to
    people who fit no class. *Departures*: where somebody fits several classes the chances are
    added, at most 1, and ``overlapping`` in what is found says so: that is an estimate. Rows left
    out are not counted, so somebody who fits no class may be one of them. Classes that fit nobody,
    or have more rows than people, show that the register is not complete; they expose nobody.
    *Cost*: different tuples of the register by classes, by bitmaps.

    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["1", "1", "2"]})
    >>> Membership({"zip": "zip"})(pa.table({"zip": ["1", "1"]}), people).found["people_surely_in"]
    2
    """

    columns: Mapping[str, str]
    least: float | None = None
    most: float | None = None
    policy: Any = field(default=None, repr=False)

    def __call__(self, release: Any, register: Any, left_out: int = 0) -> Outcome:
        """Weigh the classes of a release, and the rows known to be left out, against a register."""
        fits = RegisterFits.of(release, register, self.columns, self.policy)
        rows, people = fits.classes.rows, fits.fits
        share = np.where(people >= rows, rows / np.maximum(people, 1), 0.0)
        chance = _measure_chances(fits, share, left_out)
        most = 1 - 2 * TOLERANCE if self.most is None else self.most
        least = 2 * TOLERANCE if self.least is None else self.least
        over = share > most + TOLERANCE
        outside = (chance > most + TOLERANCE) | (chance < least - TOLERANCE)
        marks = over[fits.classes.of_row]
        learned = int(fits.people[outside].sum())
        found = {
            **_summarize_chances(fits, chance),
            "rows_more_than_people": int(rows[people < rows].sum()),
            "columns_changed": dict(fits.changed),
            "columns_not_used": dict(fits.unusable),
            "least": self.least,
            "most": self.most,
        }
        return Outcome(
            "membership",
            True,
            int(marks.sum()),
            "; ".join([_note(found), *fits.notes]),
            list_row_numbers(marks),
            people_exposed=learned,
            counts=self.least is not None or self.most is not None,
            found=found,
        )


def _measure_chances(fits: RegisterFits, share: Any, left_out: int) -> Any:
    """The chance of everybody in the register to be in the table."""
    number = np.bincount(fits.person, minlength=len(fits.people))
    chance = np.bincount(fits.person, share[fits.kind], minlength=len(fits.people))
    others = number == 0
    chance[others] = left_out / max(1, int(fits.people[others].sum()))
    return np.minimum(1, chance)


def _summarize_chances(fits: RegisterFits, chance: Any) -> dict[str, Any]:
    """Who is in the table for certain, who fits no row of it, and the range of chances."""
    number = np.bincount(fits.person, minlength=len(fits.people))
    return {
        "register_rows": int(fits.people.sum()),
        "people_surely_in": int(fits.people[chance >= 1 - TOLERANCE].sum()),
        "people_fitting_no_row": int(fits.people[number == 0].sum()),
        "largest_chance": float(chance.max()),
        "smallest_chance": float(chance.min()),
        "overlapping": bool((number > 1).any()),
    }


def _note(found: Mapping[str, Any]) -> str:
    sure, none, rows = (
        found[key] for key in ("people_surely_in", "people_fitting_no_row", "register_rows")
    )
    note = f"of {rows:,} people, {sure:,} are surely in the table and {none:,} fit no row of it"
    if found["rows_more_than_people"]:
        lacking = found["rows_more_than_people"]
        note = f"{note}; {lacking:,} rows fit fewer people than their class has: the register lacks"
        note = f"{note} somebody"
    return note
