"""The words of a condition: names, numbers, texts, signs, each with its place."""

from __future__ import annotations

import re

from discreet.display import dataclass
from discreet.errors import WhereError

LONGEST = 100_000
"""Letters of a condition; a longer one is a list that belongs in a file."""

KEYWORDS = ("and", "or", "not", "in", "between", "like", "is", "null")
"""Words that are no column unless in double quotes, in any case."""

_WORD = re.compile(
    r"""\s*(?:
    (?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
    | (?P<name>[^\W\d]\w*)
    | "(?P<quoted>(?:[^"]|"")*)"
    | '(?P<text>(?:[^']|'')*)'
    | (?P<sign><>|!=|<=|>=|[=<>(),])
    )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Word:
    """One word: its kind, what it says, and its place, counted from 1.

    The kinds are ``number``, ``name`` (a column), ``text``, ``sign``, ``keyword`` and ``end``.
    """

    kind: str
    said: str
    place: int

    def is_(self, *said: str) -> bool:
        """Whether this is one of these signs or keywords."""
        return self.kind in ("sign", "keyword") and self.said in said


def words(text: str) -> list[Word]:
    """Split a condition into words; the last one is the end.

    >>> [word.kind for word in words("zip LIKE '02%'")]
    ['name', 'keyword', 'text', 'end']

    Notes
    -----
    *Cost*: one look at each letter.
    """
    if len(text) > LONGEST:
        what = f"a condition has at most {LONGEST:,} letters, this has {len(text):,}"
        raise WhereError(what, "Mark the rows in a column of the table instead.")
    found, at = [], 0
    end = len(text.rstrip())
    while at < end:
        match = _WORD.match(text, at)
        if match is None:
            raise _unreadable(text, at)
        assert match.lastgroup is not None
        found.append(_word(match.lastgroup, match))
        at = match.end()
    return [*found, Word("end", "", end + 1)]


def _word(kind: str, match: re.Match[str]) -> Word:
    said, place = match[kind], match.start(kind) + 1
    match kind:
        case "quoted":
            return Word("name", said.replace('""', '"'), place - 1)
        case "text":
            return Word("text", said.replace("''", "'"), place - 1)
        case "name" if said.lower() in KEYWORDS:
            return Word("keyword", said.lower(), place)
    return Word(kind, said, place)


def _unreadable(text: str, at: int) -> WhereError:
    """Say where a word is that is none."""
    at += len(text[at:]) - len(text[at:].lstrip())
    place = at + 1
    if text[at] in "'\"":
        kind = "text" if text[at] == "'" else "column name"
        return WhereError(
            f"position {place}: the quote of a {kind} is not closed", "Close it.", place
        )
    if text[at].isdigit() or text[at] in "+-.":
        what = f"position {place}: this is no number"
        return WhereError(what, "Put codes in single quotes, such as '02138-1'.", place)
    what = f"position {place}: this sign means nothing here"
    return WhereError(
        what, "Put texts in single quotes and odd column names in double ones.", place
    )
