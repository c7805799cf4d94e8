"""delta-presence: nobody of a public table is known to be in the private one, or not to be."""

from __future__ import annotations

import math
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.models.model import LeftOut
from discreet.models.parameters import require_file, require_names
from discreet.models.register_check import check_delta_presence
from discreet.models.register_refusals import make_size_error
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.number_range import check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence

EMPTY = "no rows are released, so the promise is empty"


@dataclass(frozen=True)
class DeltaPresence:
    """For each person of the public table, the chance to be in the private one stays in a range.

    The intruder knows the public table, sees the release, and knows how many rows were left out.
    Whoever fits a released class is in the table with the chance rows / people of that class.
    Whoever fits none is so with the chance rows left out / people who fit none.

    Parameters
    ----------
    public
        The file with the people among whom the private ones are, a row each.
    min
        The least chance that anybody may be given.
    max
        The largest chance that anybody may be given.
    key
        A column that tells whose row it is, in both tables. Without it rows are matched by the
        quasi columns.
    names
        The public table's name of each quasi column that is called otherwise there.
    columns
        All quasi columns; a public table is not joined on some of them.

    Notes
    -----
    [Nergiz2007]_, definitions 5 and 6, theorem 1 and equation 2, for releases in which nobody fits
    two classes. *Departures*: rows may be left out; the people who fit no released class then are
    one more class. *Cost*: one pass over the public table; a division a class.

    >>> model = DeltaPresence(Path("people.csv"), 0.2, 0.5)
    >>> classes = Classes(np.array([1, 3, 1]), tallies={model.tally: np.array([2.0, 4.0, 9.0])})
    >>> model.fails(classes).tolist()
    [False, True, True]
    """

    public: Path
    min: float = field(metadata=within(0, most=1))
    max: float = field(metadata=within(0, most=1))
    key: str | None = None
    names: dict[str, str] | None = None
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "delta_presence"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1

    def __post_init__(self) -> None:
        require_file(self.name, "public", self.public)
        check_range(self, "min")
        check_range(self, "max")
        require_names(self.name, "names", self.names)
        if self.key is not None and not isinstance(self.key, str):
            raise ParameterError(self.name, "key", "the name of a column")
        if self.min > self.max:
            raise ParameterError(self.name, "min", f"at most max, which is {self.max:g}")
        object.__setattr__(self, "public", Path(self.public))

    @property
    def sensitive(self) -> None:
        """None: it does not use sensitive values."""
        return None

    @property
    def register(self) -> Path:
        """The file of the public table."""
        return self.public

    @property
    def tally(self) -> str:
        """The name of the counts of the public table."""
        return f"register {self.public} {sorted((self.names or {}).items())}"

    def check_size(self, rows: int, register: int) -> None:
        """Refuse a range that leaves out the share of the public table that is private."""
        share = rows / max(1, register)
        if rows > register:
            what = f"has {register:,} rows, fewer than the {rows:,} of the table, which must be a "
            raise make_size_error(self.public, what + "part of it")
        if share < self.min - TOLERANCE:
            raise make_size_error(
                self.public,
                f"makes the chance to be in the table {share:.6g} for everybody, below min, which "
                f"is {self.min:g}; set min to that or less",
            )
        if share > self.max + TOLERANCE:
            raise make_size_error(
                self.public,
                f"makes the chance to be in the table {share:.6g} for everybody, above max, which "
                f"is {self.max:g}; set max to that or more",
            )

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes whose people are too likely, or too unlikely, to be in the table."""
        return self._mark_outside(classes.rows, np.asarray(classes.tallies[self.tally]))

    def count_keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release."""
        return np.minimum(classes.rows, self._bound_rows(np.asarray(classes.tallies[self.tally])))

    def judge_left_out(self, classes: Classes, fails: Mask) -> LeftOut:
        """Judge the chance of the people whom no released class fits.

        Finer nodes must leave out at least the rows that are too many for their people here, and
        as many as make up for people of whom too few are rows.
        """
        rows, people = classes.rows, np.asarray(classes.tallies[self.tally])
        rest = fails | (rows == 0)
        left, among = int(rows[rest].sum()), float(people[rest].sum())
        allowed = among == 0 or not self._mark_outside(np.array([left]), np.array([among]))[0]
        many = np.maximum(0.0, rows - self._bound_rows(people)).sum()
        few = np.maximum(0.0, self.min * people - rows).sum()
        least = math.ceil(max(many, few) - TOLERANCE * max(1.0, float(people.sum())))
        return LeftOut(bool(allowed), max(0, least))

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.max

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return (
            f"everybody in {self.public.name} is in the table with a probability between "
            f"{self.min:g} and {self.max:g}"
        )

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_delta_presence(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the chance that is furthest out of the range, or nearest to its end.

        ``classes`` are all classes that fit anybody, with the rows that are released of each.
        """
        rows, people = classes.rows, np.asarray(classes.tallies[self.tally])
        released = rows > 0
        outside = self._mark_outside(rows[released], people[released])
        at_risk = int(rows[released][outside].sum())
        among = float(people[~released].sum())
        rest = np.array([classes.left_out]), np.array([among])
        all_rows = np.append(rows[released], rest[0][: among > 0])
        all_people = np.append(people[released], rest[1][: among > 0])
        chances = all_rows / np.maximum(1.0, all_people)
        holds = not self._mark_outside(all_rows, all_people).any()
        measured = float(chances[self._find_worst(chances)]) if len(chances) else 0.0
        note = "" if released.any() else EMPTY
        return Verdict(self.name, holds, measured, self.max, at_risk, columns, note)

    def _find_worst(self, chances: Floats) -> int:
        """The place of the chance that is furthest beyond max, or else beyond or nearest to min."""
        over, under = chances - self.max, self.min - chances
        return int(np.argmax(over if over.max() >= under.max() else under))

    def _bound_rows(self, people: Floats) -> Floats:
        """The most rows that parts of a class of this many people can release together."""
        most: Floats = np.floor(self.max * people + TOLERANCE * np.maximum(1.0, people))
        return most

    def _mark_outside(self, rows: np.ndarray, people: Floats) -> Mask:
        slack = TOLERANCE * np.maximum(1.0, people)
        low, high = self.min * people - slack, self.max * people + slack
        outside: Mask = (rows < low) | (rows > high)
        return outside
