"""Facts gathered from the texts of a document or a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, field, fields

from discreet.display import dataclass

# The facts that one document, or all documents of a person, reveal.


@dataclass(frozen=True, slots=True)
class Facts:
    """Quasi-identifiers of a text; what it does not mention is empty.

    ``age`` is the person's highest age mentioned, in years; ``place`` is where the person lives, or
    else the place named most; ``year`` is the latest year, ``birth`` the year of birth; ``events``
    are rare events, and ``history`` has them with the age at which they happened.

    Notes
    -----
    [Sweeney2001]_, sec. 9.5, fig. 115: "an overall sequence of events can provide a preponderance
    of details that identify an individual".

    Departures: the thesis shows the harm and gives no way to measure it; the columns are ours.

    Examples
    --------
    >>> Facts(age="5", events="divorce").filled_columns
    2
    """

    age: str = ""
    sex: str = ""
    place: str = ""
    year: str = ""
    birth: str = ""
    occupation: str = ""
    family: str = ""
    events: str = ""
    history: str = ""

    @property
    def filled_columns(self) -> int:
        """How many columns are not empty."""
        return sum(map(bool, astuple(self)))


COLUMNS = tuple(field.name for field in fields(Facts))


SURE = 100
"""Weight of a place or sex that is stated outright, against one that is only mentioned."""


@dataclass
class Notes:
    """The facts so far, with counts where the most frequent one will be used."""

    ages: set[int] = field(default_factory=set)
    years: set[int] = field(default_factory=set)
    births: Counter[int] = field(default_factory=Counter)
    sexes: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    occupations: set[str] = field(default_factory=set)
    family: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    history: set[tuple[int, str]] = field(default_factory=set)

    def facts(self) -> Facts:
        """The facts, each column in a fixed order so that equal facts are equal texts."""
        return Facts(
            age=str(max(self.ages)) if self.ages else "",
            sex=_pick_most_frequent(self.sexes, ties=False),
            place=_pick_most_frequent(self.places),
            year=str(max(self.years)) if self.years else "",
            birth=str(_pick_most_frequent(self.births)),
            occupation=_join_values(self.occupations),
            family=_join_values(self.family),
            events=_join_values(self.events),
            history=_join_values(f"{age} {event}" for age, event in sorted(self.history)),
        )


def _pick_most_frequent(counts: Counter[str] | Counter[int], ties: bool = True) -> str:
    """The most frequent value; of several the first, or none unless ``ties`` are allowed."""
    best = counts.most_common(2)
    if not best or (not ties and len(best) == 2 and best[0][1] == best[1][1]):
        return ""
    return str(best[0][0])


def _join_values(values: Iterable[str]) -> str:
    given = list(values)
    return "; ".join(given if not isinstance(values, set) else sorted(given))
