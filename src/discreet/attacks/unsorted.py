"""Row order: two files about the same people, laid side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from discreet.attacks.alike import fewer_alike
from discreet.attacks.coded_rows import CodedRows, Grouped, listed, numbered
from discreet.attacks.meaning import Meaning, Reading, require_overlap, shared_columns
from discreet.attacks.outcome import Outcome
from discreet.attacks.side_by_side import Laid, SideBySide, hidden_columns
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask

CHANCE = 0.002
"""Beside an earlier release, an order counts as the same if chance gives it less often."""

ORIGINAL = 0.0001
"""The same beside the private table, for all the orders that are tried together."""


@dataclass(frozen=True)
class Unsorted:
    """Rows that stand out once a release is laid beside another file, line by line.

    Parameters
    ----------
    quasi
        The columns that an intruder knows of a person.
    k
        A row is exposed if fewer than k rows are like it after matching by position.
    policy
        Its hierarchies say what released values stand for, and what a missing value means.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.1, with GT[0,1] and GT[1,0] of fig. 27. The order is the same if the
    rows go together at every position and a random order hardly ever does. *Departures*: either
    file may lack rows of the other. Beside the private table the attack also looks whether the
    release is sorted by a column that it generalizes or withholds, since whoever knows some values
    of that column then knows those in between. With several orders to try, the chance allowed is
    shared out. Under a policy with ``order: keep`` chance is not asked. *Cost*: a few passes over
    both files.

    >>> import pyarrow as pa
    >>> zips = ["02138", "02139", "02141", "02142"] * 3
    >>> first = pa.table({"zip": [z[:4] + "*" for z in zips], "sex": ["m", "f", "f", "m"] * 3})
    >>> second = pa.table({"zip": zips, "sex": ["*"] * 12})
    >>> Unsorted(("zip", "sex"), k=4)(second, first).rows_exposed
    12
    """

    quasi: tuple[str, ...]
    k: int = 2
    policy: Any = field(default=None, repr=False)

    def __call__(self, release: Any, other: Any, *, original: bool = False) -> Outcome:
        """Lay a release beside an earlier one, or beside the private table (``original``)."""
        first, second = CodedRows.of(release), CodedRows.of(other)
        shared = shared_columns(first, second)
        hidden = hidden_columns(first, second) if original else []
        reading = Reading.by(self.policy)
        used = dict.fromkeys([*shared, *self.quasi, *hidden])
        meanings = {
            name: reading.meaning(name, first, second, ground=original)
            for name in used
            if name in first.columns or name in second.columns
        }
        require_overlap(meanings, shared, first, second)
        files = SideBySide.of(first, second, shared, meanings)
        stand = [*files.as_they_stand()]
        by_column = [laid for name in hidden for laid in files.sorted_by(name)]
        tried = stand + by_column
        allowed = ORIGINAL / (1 + 2 * len(hidden)) if original else CHANCE
        telling = [laid for laid in tried if laid.chance <= allowed]
        if original and getattr(self.policy, "order", None) == "keep":
            telling = stand or telling
        if telling:
            return self._exposed(files, telling, meanings)
        name = second.name
        note = (
            f"rows go together with those of {name} in order, but chance would do that too"
            if tried
            else f"rows do not stand as in {name}"
        )
        more = {"other": name, "k": self.k, "by": None, "chance": None}
        return Outcome("unsorted", True, 0, note, found=more)

    def _exposed(
        self, files: SideBySide, telling: list[Laid], meanings: Mapping[str, Meaning]
    ) -> Outcome:
        """The rows that are too rare in any of the orders that tell."""
        marks = np.zeros(files.first.rows, dtype=np.bool_)
        others = np.zeros(files.second.rows, dtype=np.bool_)
        quasi = [name for name in self.quasi if name in meanings]
        for laid in telling:
            rare = _rare(files, laid, quasi, meanings, self.k)
            marks[laid.rows[rare]] = True
            others[laid.others[rare]] = True
        by = ", ".join(dict.fromkeys(laid.by for laid in telling))
        chance = min(laid.chance for laid in telling)
        name, exposed = files.second.name, int(marks.sum())
        note = (
            f"rows stand as in {name} ({by}), which chance would do at most once in "
            f"{1 / max(chance, 1e-9):,.0f} times; matched line by line, {exposed:,} rows have "
            f"fewer than {self.k} rows like them"
        )
        more = {"other": name, "k": self.k, "by": by, "chance": chance}
        return Outcome(
            "unsorted", True, exposed, note, listed(marks), earlier_rows=listed(others), found=more
        )


def _rare(
    files: SideBySide,
    laid: Laid,
    quasi: Sequence[str],
    meanings: Mapping[str, Meaning],
    k: int,
) -> Mask:
    """Which matched rows fewer than k rows are like on what both files say of them."""
    names = list(dict.fromkeys([*quasi, *([laid.column] if laid.column else ())]))
    if not len(laid.rows) or not names:
        return np.zeros(len(laid.rows), dtype=np.bool_)
    known = []
    for name in names:
        own = _codes(files.first, name, laid.rows)
        if laid.column in (None, name):
            known.append(meanings[name].meet(own, _codes(files.second, name, laid.others)))
        else:
            known.append(meanings[name].first[own])
    groups = Grouped.by(numbered(known, len(laid.rows)))
    distinct = [codes[groups.first] for codes in known]
    owner = np.arange(len(groups), dtype=np.int64)
    within = [meanings[name].within for name in names]
    return fewer_alike(distinct, owner, groups.rows, within, k)[groups.of_row]


def _codes(file: CodedRows, name: str, rows: Ints) -> Ints:
    told = name in file.columns
    return file.codes[name][rows] if told else np.zeros(len(rows), dtype=np.int64)
