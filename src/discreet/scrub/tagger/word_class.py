"""The class of a token, one of some forty: what a reader sees of it at a glance."""

from __future__ import annotations

from collections.abc import Mapping

_MARKS = {
    "full stop": ".!?",
    "comma": ",",
    "colon": ":",
    "opening": "([{<",
    "closing": ")]}>",
    "dash": "-–—",
    "slash": "/\\|",
    "quote": "\"'“”‘’«»",
    "at sign": "@",
    "ampersand": "&",
    "number sign": "#",
    "semicolon": ";",
}

_RULES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("empty line", ("blank",), ()),
    ("line end", ("newline",), ()),
    ("gap", ("gap",), ()),
    ("possessive", ("possessive",), ()),
    ("mark", ("mark",), ()),
    ("number", ("digits",), ()),
    ("letters and digits", ("alnum",), ()),
    ("initial", ("initial",), ()),
    ("title", ("sure_title",), ()),
    ("small function word", ("lower",), ("function_word",)),
    ("small title", ("lower",), ("title",)),
    ("word for a relative", ("lower",), ("relation",)),
    ("small name", ("small",), ("sure_first", "sure_last", "nick")),
    ("small word that may be a name", ("small",), ()),
    ("small word", ("lower",), ("ordinary",)),
    ("small word in no list", ("lower", "mixed"), ()),
    ("first name in capitals", ("upper",), ("sure_first",)),
    ("last name in capitals", ("upper",), ("sure_last",)),
    ("word in capitals", ("upper",), ("ordinary",)),
    ("letters in capitals", ("upper",), ()),
    ("word of organizations", ("org_word", "institution", "company_word"), ()),
    ("word of streets", ("street_type",), ()),
    ("month or weekday", ("month", "weekday"), ()),
    ("first name", ("sure_first", "nick"), ()),
    ("city, state or country", ("sure_city", "state", "country"), ()),
    ("last name", ("sure_last",), ()),
    ("town", ("city",), ()),
    ("capitalized word that may be a name", ("ordinary",), ("first", "last")),
    ("capitalized frequent word", ("frequent",), ()),
    ("capitalized word", ("ordinary",), ()),
    ("new capitalized word", ("unknown",), ()),
)
"""Classes in the order in which they are tried: one of the first features, one of the second."""

CLASSES = ("edge of the text", *_MARKS, *(name for name, _, _ in _RULES), "other word")
"""The names of the classes; the first stands before and after a text."""

_MARK_CLASS = {mark: 1 + place for place, marks in enumerate(_MARKS.values()) for mark in marks}


def word_class(text: str, mask: int, bits: Mapping[str, int]) -> int:
    """The place of a token's class in ``CLASSES``; ``bits`` are those of the language's features.

    Examples
    --------
    >>> from discreet.scrub.lexicon import Lexicon
    >>> lexicon = Lexicon({"sure_first": ["mary"]})
    >>> [CLASSES[word_class(t, lexicon.mask(t), lexicon.bits)] for t in ("Mary", ",", "12")]
    ['first name', 'comma', 'number']
    """
    if mask & bits["mark"] and text in _MARK_CLASS:
        return _MARK_CLASS[text]
    for place, (_, shapes, features) in enumerate(_RULES, 1 + len(_MARKS)):
        if any(mask & bits.get(shape, 0) for shape in shapes) and (
            not features or any(mask & bits.get(feature, 0) for feature in features)
        ):
            return place
    return len(CLASSES) - 1
