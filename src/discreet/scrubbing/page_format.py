"""How a document is laid out: as a letter, as notes, as delimited text, or as plain text.

Notes
-----
[Sweeney2001]_, sec. 9.3: a detector of formats looks at the document as a whole; here the tagger
uses what it tells. Delimited text has a detector of its own besides; for texts in one case see
``casing.py``.
"""

from __future__ import annotations

from discreet.scrubbing.templates.lexicon import Lexicon

FORMATS = ("text", "letter", "delimited", "notes")

_LOOKED_AT = 20_000
_SHORT = 60
"""Characters of a line that is shorter than lines of running text."""


def find_page_format(text: str, lexicon: Lexicon) -> str:
    """One of ``FORMATS``; a letter has a line that starts with a greeting of the language.

    Examples
    --------
    >>> find_page_format("Dear Ann,\\n\\nall is well.", Lexicon({"greeting": ["dear"]}))
    'letter'
    """
    lines = [line for line in text[:_LOOKED_AT].splitlines() if line and not line.isspace()]
    greeting = lexicon.union("greeting")
    if any(lexicon.known(line.split(None, 1)[0].lower()) & greeting for line in lines):
        return "letter"
    if len(lines) > 2 and sum(map(_is_delimited, lines)) > 0.8 * len(lines):
        return "delimited"
    short = sum(len(line) < _SHORT for line in lines)
    return "notes" if len(lines) > 3 and short > 0.6 * len(lines) else "text"


def _is_delimited(line: str) -> bool:
    return max(line.count(mark) for mark in "|\t;,") >= 3
