"""Labels before a number: ``MRN:``, ``CH#``. They say what it is, so they stay."""

from __future__ import annotations

import re
from functools import lru_cache

from discreet.scrub.replace.words import Words


@lru_cache(maxsize=8)
def label(words: Words) -> re.Pattern[str]:
    """Words known to be labels before a colon, or up to three capitals before ``#``.

    Examples
    --------
    >>> from discreet.scrub.replace.words import load_words
    >>> [bool(label(load_words("en")).match(text)) for text in ("MRN: 1", "CH#1", "Graves: 1")]
    [True, True, False]
    """
    known = rf"(?<!\w)(?:(?:{words.any_of('labels')})(?!\w)[.\s/]*)+[:#]+"
    return re.compile(rf"(?:{known}|(?<!\w)(?-i:[A-Z]{{1,3}})\s*#)\s*", re.IGNORECASE)
