"""The name of a field or element, as a person would write it before the value."""

from __future__ import annotations

import re

_JOINT = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Za-z])_(?=[A-Za-z])")


def cue(name: str) -> str:
    """What stands before a value: words run together are taken apart, or they look like a name.

    Examples
    --------
    >>> cue("w:patientName"), cue("MRN"), cue("date_of_birth"), cue("")
    ('patient name: ', 'MRN: ', 'date of birth: ', '')
    """
    plain = name.rpartition(":")[2]
    words = _JOINT.sub(" ", plain)
    told = words if words == plain else words.lower()
    return f"{told}: " if told else ""
