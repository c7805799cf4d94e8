"""The facts that one document, or all documents of a person, tell."""

from __future__ import annotations

from dataclasses import astuple, fields

from discreet.display import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """Quasi-identifiers of a text; what is not told is empty.

    ``age`` is the highest that is told of the person, in years; ``place`` is where the person
    lives, or else the place named most; ``year`` is the latest, ``birth`` that of birth;
    ``events`` are rare events, and ``history`` has them with the age at which they came to pass.

    Notes
    -----
    [Sweeney2001]_, sec. 9.5, fig. 115: "an overall sequence of events can provide a preponderance
    of details that identify an individual".

    Departures: the thesis shows the harm and gives no way to measure it; the columns are ours.

    Examples
    --------
    >>> Facts(age="5", events="divorce").told
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
    def told(self) -> int:
        """In how many columns there is something."""
        return sum(map(bool, astuple(self)))


COLUMNS = tuple(field.name for field in fields(Facts))
