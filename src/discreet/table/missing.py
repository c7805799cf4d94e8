"""What a policy says of missing values: what one means, and which words stand for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from discreet.display import dataclass
from discreet.errors import SourceError, did_you_mean

MEANINGS = ("value", "wildcard")
EXAMPLE = 'Write missing: {values: [NA, "?", unknown], as: value}.'


@dataclass(frozen=True)
class Missing:
    """What a missing value means, and which words of the table stand for one.

    Parameters
    ----------
    meaning
        ``value``: a missing value is a value of its own; ``wildcard``: it may be any value.
    values
        Words that mean missing, such as ``NA``, in every column. Spaces around a cell do not count;
        the empty text is always missing, and with it in the list so are cells of spaces.

    >>> Missing(values=("NA", "?")).write_spec()
    {'values': ['NA', '?']}
    >>> Missing("wildcard").write_spec()
    'wildcard'
    """

    meaning: Literal["value", "wildcard"] = "value"
    values: tuple[str, ...] = ()

    @property
    def wildcard(self) -> bool:
        """Whether a missing value matches any value."""
        return self.meaning == "wildcard"

    def write_spec(self, folder: Any = None) -> Any:
        """The same as a policy writes it."""
        if not self.values:
            return self.meaning
        more = {"as": self.meaning} if self.wildcard else {}
        return {"values": list(self.values), **more}


def parse_missing(said: Any) -> Missing:
    """What a policy says of missing values: value, wildcard, or words with their meaning.

    >>> parse_missing({"values": ["NA"], "as": "wildcard"}).write_spec()
    {'values': ['NA'], 'as': 'wildcard'}
    """
    if isinstance(said, Missing):
        return said
    if isinstance(said, str):
        return Missing(_parse_meaning(said))
    if isinstance(said, list | tuple):
        return Missing(values=parse_words(said))
    if not isinstance(said, Mapping):
        raise SourceError(f"needs value, wildcard or the words that mean missing. {EXAMPLE}")
    _refuse_keys(said, ("values", "as"))
    return Missing(_parse_meaning(said.get("as", "value")), parse_words(said.get("values", ())))


def parse_words(said: Any) -> tuple[str, ...]:
    """The words for missing of one column: one, a list of them, or a list under ``values``."""
    if isinstance(said, Mapping):
        if "as" in said:
            what = "what a missing value means is said once, for the whole table"
            raise SourceError(f"{what}. Write 'as' in the missing of the policy.")
        _refuse_keys(said, ("values",))
        said = said.get("values", ())
    words = [said] if isinstance(said, str) else [] if said is None else said
    if not isinstance(words, list | tuple) or not all(isinstance(one, str) for one in words):
        what = "needs a list of words; numbers and null are written in quotes"
        raise SourceError(f'{what}: [NA, "?", "999"].')
    return tuple(dict.fromkeys(words))


def _parse_meaning(said: Any) -> Any:
    if said not in MEANINGS:
        told = f"'{said[:40]}'" if isinstance(said, str) else "this"
        raise SourceError(f"{told} is not understood. {did_you_mean(str(said), MEANINGS)}")
    return said


def _refuse_keys(said: Mapping[Any, Any], known: Sequence[str]) -> None:
    for key in said:
        if key not in known:
            raise SourceError(f"'{key}' is not a key here. {did_you_mean(str(key), known)}")


WORDS_SCHEMA: dict[str, Any] = {
    "description": "Words that mean missing; those that look like numbers in quotes.",
    "type": "array",
    "items": {"type": "string"},
}
MISSING_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"enum": list(MEANINGS)},
        WORDS_SCHEMA,
        {
            "type": "object",
            "properties": {
                "values": WORDS_SCHEMA,
                "as": {
                    "description": "A `value` of its own, or a `wildcard` for any value.",
                    "enum": list(MEANINGS),
                    "default": "value",
                },
            },
            "additionalProperties": False,
        },
    ]
}
COLUMN_WORDS_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string"},
        WORDS_SCHEMA,
        {
            "type": "object",
            "properties": {"values": WORDS_SCHEMA},
            "additionalProperties": False,
        },
        {"type": "null"},
    ]
}
"""What a policy may say under ``missing``, for the table and for a column."""


# What is done to the values of one column as they are read.


@dataclass(frozen=True)
class Cleaning:
    """Words that mean missing in a column, and whether its ZIP codes get lost zeros back."""

    words: tuple[str, ...] = ()
    zeros: bool = False

    def __bool__(self) -> bool:
        return bool(self.words) or self.zeros


def propose_words(marks: Mapping[str, int]) -> tuple[str, ...]:
    """The words for missing that a column seems to have, the commonest first.

    ``marks`` are words that people write where they know nothing, with the rows that have each; a
    profile of a column has them.

    >>> propose_words({"NA": 3, "?": 20, " ": 1})
    ('?', 'NA', '')
    """
    found = sorted(marks, key=lambda mark: (-marks[mark], mark))
    return tuple(dict.fromkeys(mark.strip() for mark in found))
