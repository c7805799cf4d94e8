"""Word lists, as the folders of languages have them."""

from __future__ import annotations

from collections.abc import Iterator


def read_words(text: str) -> Iterator[str]:
    """Words of a list: separated by spaces, or by commas where an entry has several words.

    Examples
    --------
    >>> list(read_words("Mr Mrs  # titles\\nnew york, Los Angeles"))
    ['mr', 'mrs', 'new york', 'los angeles']
    """
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip().lower()
        for word in line.split(",") if "," in line else line.split():
            if word.strip():
                yield " ".join(word.split())
