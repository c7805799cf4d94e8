"""The eighteen identifiers that must go, each with what may stay."""

from __future__ import annotations

from discreet.display import dataclass
from discreet.identify.recognizers import Item

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
        """What the rule is about."""
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
    "Safe harbor also needs that you have no actual knowledge that what is left could identify "
    "somebody, alone or with other information (164.514(b)(2)(ii)): no program can check that."
)
NOT_SEEN = (
    "The check goes by the names and values of columns. It does not see what a column means that "
    "it does not recognize, what free text or pictures tell, what several columns tell together "
    "(an age and a later year, a rare diagnosis in a small place), or who else knows what."
)
NO_K = (
    "Safe harbor promises no k: a row may be alone in what is released. Add k_anonymity for that."
)
"""What every output says beside the findings."""
