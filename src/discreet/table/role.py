"""What a column is to an intruder, and so what may happen to it."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a column tells an intruder, decided by the data holder.

    `identifier` names a person outright, `quasi` helps to find one, `sensitive` is what the
    intruder wants to learn, `text` is free text, `other` is released as it is.

    >>> Role("quasi")
    <Role.quasi: 'quasi'>
    """

    identifier = "identifier"
    quasi = "quasi"
    sensitive = "sensitive"
    text = "text"
    other = "other"
