"""Known values of a row, and their words where a text has no capitals to tell names by."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]{3,}")


def known_in(text: str, values: Iterable[str]) -> tuple[str, ...]:
    """What to look for in a text: the values; in a text all in small letters, each of their words.

    There ``quell`` may be Cy Quell or the verb; in his own notes it is taken for him.

    Examples
    --------
    >>> known_in("then quell left", ["Cy Quell", "4711"])
    ('Cy Quell', '4711', 'Quell')
    >>> known_in("Then he will leave", ["Will Lee"])
    ('Will Lee',)
    """
    values = tuple(values)
    if not text.islower():
        return values
    words = (word for value in values for word in _WORD.findall(value))
    return tuple(dict.fromkeys((*values, *words)))
