"""JSON fields: which are scrubbed, which names the person, and which hold known values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any, NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.errors import SourceError


@safe_repr
class Fields(NamedTuple):
    """Fields with text (all if none is named), the person field, and fields with known values."""

    text: tuple[str, ...] = ()
    person: str | None = None
    known: tuple[str, ...] = ()


@dataclass
class SeenFields:
    """The requested fields, and those seen in a document so far.

    ``known`` are the values of known fields, at any depth, in the last record read.
    """

    asked: Fields
    seen: set[str] = field(default_factory=set)
    read: bool = False
    known: list[str] = field(default_factory=list)
    person: str | None = None

    def take(self, source: str) -> None:
        """Read a record that is valid JSON."""
        self.read = True
        self.known, self.person = [], None
        if not any(self.asked):
            return
        record = json.loads(source)
        for name, value in _list_pairs(record):
            self.seen.add(name)
            if name in self.asked.known:
                self.known += _list_texts(value)
        if isinstance(record, dict) and self.asked.person is not None:
            value = record.get(self.asked.person)
            self.person = None if value is None else str(value)

    def forget(self) -> None:
        """Clear the known values, for a text that is not a record."""
        self.known, self.person = [], None

    def check(self, name: str) -> None:
        """Refuse a document that lacks a field: texts under another name would not be scrubbed."""
        who = (self.asked.person,) if self.asked.person is not None else ()
        missing = [f for f in (*self.asked.text, *self.asked.known, *who) if f not in self.seen]
        if self.read and missing:
            what = f"no record has the field '{missing[0]}'"
            raise SourceError(name, what, "Names are case-sensitive.")


def _list_pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """All keys at any depth with their values."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield from value.items()
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def _list_texts(value: Any) -> Iterator[str]:
    """The texts and numbers of a value."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _list_texts(one)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


# The name of a field or element, written the way a person would before its value.


_JOINT = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Za-z])_(?=[A-Za-z])")


def write_cue(name: str) -> str:
    """The text before a value: joined words are split, since they would look like a name.

    Examples
    --------
    >>> write_cue("w:patientName"), write_cue("MRN"), write_cue("date_of_birth"), write_cue("")
    ('patient name: ', 'MRN: ', 'date of birth: ', '')
    """
    plain = name.rpartition(":")[2]
    words = _JOINT.sub(" ", plain)
    told = words if words == plain else words.lower()
    return f"{told}: " if told else ""


# Known values of a row, and their single words for texts without capitals.


_WORD = re.compile(r"[^\W\d_]{3,}")


def choose_known(text: str, values: Iterable[str]) -> tuple[str, ...]:
    """The values to search a text for; if it is all in small letters, also each of their words.

    ``quell`` may be Cy Quell or the verb; in his own notes it is taken for him.

    Examples
    --------
    >>> choose_known("then quell left", ["Cy Quell", "4711"])
    ('Cy Quell', '4711', 'Quell')
    >>> choose_known("Then he will leave", ["Will Lee"])
    ('Will Lee',)
    """
    values = tuple(values)
    if not text.islower():
        return values
    words = (word for value in values for word in _WORD.findall(value))
    return tuple(dict.fromkeys((*values, *words)))
