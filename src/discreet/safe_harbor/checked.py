"""The result of the safe harbor check: every column with its rule, and whether it is met."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Any

from discreet.display import dataclass
from discreet.kinds.catalogue import Item
from discreet.kinds.written_years import Cutoff
from discreet.kinds.zip_area import ZipTable

# The eighteen identifiers that must go, each with what may stay.


NOTHING = "nothing: the column must go"


@dataclass(frozen=True)
class Rule:
    """One identifier of the rule: its letter, its words, and what of it may be released.

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2)(i). The words are shortened; the rule itself decides.
    """

    item: Item
    allowed: str = NOTHING

    @property
    def letter(self) -> str:
        """A to R."""
        return self.item.value[1]

    @property
    def words(self) -> str:
        """The subject of the rule."""
        return self.item.value[4:]

    def facts(self) -> dict[str, str]:
        """The rule as plain data."""
        return {"rule": self.letter, "about": self.words, "allowed": self.allowed}


_ALLOWED = {
    Item.PLACES: (
        "states, and the first three digits of a ZIP code if more than 20,000 people live where "
        "ZIP codes begin so, else 000"
    ),
    Item.DATES: "the year, and ages up to 89; all above together, as 90 or older",
    Item.OTHER: (
        "a code that is not derived from or related to information about the person, if it is "
        "used for nothing else and its key is not disclosed (164.514(c))"
    ),
}
RULES: tuple[Rule, ...] = tuple(Rule(item, _ALLOWED.get(item, NOTHING)) for item in Item)
"""All eighteen, (A) to (R)."""

ACTUAL_KNOWLEDGE = (
    "Safe harbor also requires that you have no actual knowledge that the remaining data could "
    "identify somebody, alone or with other information (164.514(b)(2)(ii)); no program can check "
    "that."
)
NOT_SEEN = (
    "The check goes by the names and values of columns. It does not see what a column means that "
    "it does not recognize, what free text or pictures reveal, what several columns reveal "
    "together (an age and a later year, a rare diagnosis in a small place), or who else knows what."
)
NO_K = "Safe harbor promises no k: a row may be unique in the release. Add k_anonymity for that."
"""The sentences in every output next to the findings."""


class Standing(StrEnum):
    """Whether a column meets its rule."""

    meets = "meets"
    breaks = "breaks"
    look = "look"
    """It cannot be told: a person must look."""


@dataclass(frozen=True)
class Question:
    """The context of the table: the day, the ZIP table, and what a policy does with columns.

    `released` are the columns that leave the house (all, if None). `scrubbed` columns are text
    whose identifiers were replaced, `replaced` ones hold pseudonyms, `codes` are by the data
    holder's word assigned at random, `capped` ones say 90 for 90 or older. `dated` are scrubbed
    columns whose dates keep more than the year.
    """

    cutoff: Cutoff
    zip_table: ZipTable
    released: tuple[str, ...] | None = None
    scrubbed: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    capped: tuple[str, ...] = ()

    @classmethod
    def on(cls, day: object = None, zip_table: Path | None = None, **more: Any) -> Question:
        """For a day (today, if not given) and a file of ZIP areas (ours, if not given)."""
        asked = datetime.date.today() if day is None else day
        return cls(Cutoff.of(asked), ZipTable.load(zip_table), **more)


@dataclass(frozen=True)
class ColumnStanding:
    """One column: the letter of its rule (None if none applies), and how it stands with it."""

    column: str
    rule: str | None
    standing: Standing
    why: str
    fix: str = ""
    kind: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "column": self.column,
            "rule": self.rule,
            "standing": self.standing.value,
            "why": self.why,
            "fix": self.fix,
            "counts": {name: count for name, count in self.counts.items() if count},
        }


@dataclass(frozen=True)
class Checked:
    """How the columns of a table stand with safe harbor; holds no value of the table."""

    name: str
    rows: int
    question: Question
    columns: tuple[ColumnStanding, ...]
    notices: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether no rule is broken, as far as names and values of columns tell."""
        return not self.broken

    @property
    def broken(self) -> tuple[ColumnStanding, ...]:
        """The columns that break a rule."""
        return self.list_standing(Standing.breaks)

    def list_standing(self, standing: Standing) -> tuple[ColumnStanding, ...]:
        """The columns that stand so."""
        return tuple(one for one in self.columns if one.standing is standing)

    def facts(self) -> dict[str, Any]:
        """The result as plain data, ready for JSON."""
        return {
            "file": self.name,
            "rows": self.rows,
            "holds": self.holds,
            "broken": sorted({one.rule for one in self.broken if one.rule}),
            "as_of": self.question.cutoff.day.isoformat(),
            "zip_table": self.question.zip_table.facts(),
            "columns": [one.facts() for one in self.columns],
            "notices": [*self.notices, ACTUAL_KNOWLEDGE, NOT_SEEN],
        }
