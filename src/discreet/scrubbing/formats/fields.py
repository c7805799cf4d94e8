"""Fields of JSON: which are looked at, whose record it is, and values that are known of it."""

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
    """Fields with text (all if none is named), the one that tells people apart, known ones."""

    text: tuple[str, ...] = ()
    person: str | None = None
    known: tuple[str, ...] = ()


@dataclass
class SeenFields:
    """The fields asked for, and those of them that a document has so far.

    ``known`` are the values of known fields in the record that was read last, at any depth.
    """

    asked: Fields
    seen: set[str] = field(default_factory=set)
    read: bool = False
    known: list[str] = field(default_factory=list)
    person: str | None = None

    def take(self, source: str) -> None:
        """Read a record, given as sound JSON."""
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
        """A text that is no record: nothing is known of it."""
        self.known, self.person = [], None

    def check(self, name: str) -> None:
        """Refuse a document that lacks a field: texts under another name would stay as they are."""
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


# The name of a field or element, as a person would write it before the value.


_JOINT = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Za-z])_(?=[A-Za-z])")


def write_cue(name: str) -> str:
    """What stands before a value: words run together are taken apart, or they look like a name.

    Examples
    --------
    >>> write_cue("w:patientName"), write_cue("MRN"), write_cue("date_of_birth"), write_cue("")
    ('patient name: ', 'MRN: ', 'date of birth: ', '')
    """
    plain = name.rpartition(":")[2]
    words = _JOINT.sub(" ", plain)
    told = words if words == plain else words.lower()
    return f"{told}: " if told else ""


# Known values of a row, and their words where a text has no capitals to tell names by.


_WORD = re.compile(r"[^\W\d_]{3,}")


def choose_known(text: str, values: Iterable[str]) -> tuple[str, ...]:
    """What to look for in a text: the values; in a text all in small letters, each of their words.

    There ``quell`` may be Cy Quell or the verb; in his own notes it is taken for him.

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
