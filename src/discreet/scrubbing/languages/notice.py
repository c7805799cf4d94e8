"""Notices a text that is not in the language set for scrubbing.

Frequent words decide between the languages in Latin script, and letters between scripts. Nothing of
the text is kept; the answer is a code.

Notes
-----
Words are weighted by their frequency (``wordfreq``), as log10 of odds: a word that is ten times as
frequent in one language as in another adds one in favour of it. A language is named only if three
words support it and the odds are clear, so short texts often get no answer.

Departures: no paper covers this.

Cost: the first words of a text; other languages are loaded, in some tenths of a second, only when a
text has few frequent words of the one that is set.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from discreet.scrubbing.languages.load import read_zipf

NAMES = {
    "en": "English", "de": "German", "es": "Spanish", "fr": "French", "it": "Italian",
    "nl": "Dutch", "pt": "Portuguese", "ca": "Catalan", "ro": "Romanian", "pl": "Polish",
    "cs": "Czech", "sh": "Serbo-Croatian", "sv": "Swedish", "da": "Danish", "nb": "Norwegian",
    "fi": "Finnish", "hu": "Hungarian", "tr": "Turkish", "id": "Indonesian",
}  # fmt: skip
"""Languages in Latin script that can be recognized."""

SCRIPTS = {
    "ARABIC": "Arab", "CYRILLIC": "Cyrl", "GREEK": "Grek", "HEBREW": "Hebr", "DEVANAGARI": "Deva",
    "BENGALI": "Beng", "TAMIL": "Taml", "THAI": "Thai", "HANGUL": "Hang", "HIRAGANA": "Jpan",
    "KATAKANA": "Jpan", "CJK": "Hani", "GEORGIAN": "Geor", "ARMENIAN": "Armn",
}  # fmt: skip
"""The first word of a letter's Unicode name, and the code of its script."""

SCRIPT_NAMES = {
    "Arab": "Arabic", "Cyrl": "Cyrillic", "Grek": "Greek", "Hebr": "Hebrew", "Deva": "Devanagari",
    "Beng": "Bengali", "Taml": "Tamil", "Thai": "Thai", "Hang": "Korean", "Jpan": "Japanese",
    "Hani": "Chinese", "Geor": "Georgian", "Armn": "Armenian",
}  # fmt: skip
OTHER = "other"
"""Few words of the language that is set, or of any other known one."""

_WORD = re.compile(r"[^\W\d_]{2,}")
"""Single letters are initials, options and codes in any language."""

_SAMPLE = 6_000
"""Characters of a text that are read."""
_FREQUENT = 4.0
"""Lowest Zipf value of words that count: one in a hundred thousand."""
_FLOOR = 3.5
"""Zipf value assumed for a word in a language in which it is not frequent."""
_USUAL = 5.8
"""Zipf value of function words, such as articles and prepositions."""
_SURE_SHARE = 0.25
_ODDS, _RATIO, _SUPPORT = 4.0, 1.4, 3
_REPEATED = 2
"""Most times that one word of a text counts."""
_MANY, _FEW_KNOWN = 20, 0.12
_LETTERS = 6


def name_language(code: str) -> str:
    """The name of a code from ``guess_language`` in a sentence.

    Examples
    --------
    >>> name_language("de"), name_language("Cyrl"), name_language("other")
    ('German', 'in Cyrillic script', 'in another language')
    """
    if code == OTHER:
        return "in another language"
    return NAMES.get(code) or f"in {SCRIPT_NAMES[code]} script"


def guess_language(text: str, language: str) -> str | None:
    """The code of the likely language of a text; None if too few words decide it.

    ``language`` is the one that is set; there must be clear odds for another. Scripts have the four
    letters of ISO 15924.

    Examples
    --------
    >>> guess_language("Die Patientin klagt über starke Schmerzen im Knie.", "en")
    'de'
    >>> guess_language("She was seen because of the pain in her knee.", "en")
    'en'
    >>> guess_language("ok", "en") is None
    True
    """
    sample = text[:_SAMPLE].lower()
    script = _find_script(sample)
    if script is not None:
        return script
    words = Counter(_WORD.findall(sample))
    if len(words) < _SUPPORT:
        return None
    total = sum(words.values())
    own = _read_frequent(language)
    usual = sum(count for word, count in words.items() if own.get(word, 0) >= _USUAL)
    support = sum(own.get(word, 0) >= _USUAL for word in words)
    if support > _SUPPORT and usual > _SURE_SHARE * total:
        return language
    scores, supports = _score_languages(words, language)
    best = max(scores, key=lambda code: (scores[code], code == language))
    if best == language:
        return language if support >= _SUPPORT else None
    behind = scores[language]
    if scores[best] - behind >= _ODDS and scores[best] > _RATIO * behind:
        return best if supports[best] >= _SUPPORT else None
    known = sum(count for word, count in words.items() if word in own)
    return OTHER if len(words) >= _MANY and known < _FEW_KNOWN * total else None


def _score_languages(
    words: Mapping[str, int], language: str
) -> tuple[dict[str, float], dict[str, int]]:
    """For each language the sum of its word weights, and how many words support it."""
    scores = dict.fromkeys(NAMES, 0.0)
    supports = dict.fromkeys(NAMES, 0)
    own, weights = _read_frequent(language), _read_all()
    for word, count in words.items():
        set_zipf = own.get(word, _FLOOR)
        for code, zipf in weights.get(word, ()):
            scores[code] += (zipf - _FLOOR) * min(count, _REPEATED)
            supports[code] += zipf > set_zipf
    return scores, supports


def _find_script(sample: str) -> str | None:
    """The script of most letters, if it is not the Latin one."""
    if sample.isascii():
        return None
    letters = [letter for letter in sample if letter > "\u024f" and letter.isalpha()]
    if len(letters) < _LETTERS or 2 * len(letters) < sum(map(str.isalpha, sample)):
        return None
    found = Counter(
        unicodedata.name(letter, "").split(" ", 1)[0].split("-")[0] for letter in letters
    )
    scripts = Counter[str]()
    for name, count in found.items():
        if name in SCRIPTS:
            scripts[SCRIPTS[name]] += count
    if not scripts:
        return None
    if scripts["Jpan"]:
        return "Jpan"
    return max(scripts, key=lambda code: scripts[code])


@lru_cache(maxsize=1)
def _read_all() -> dict[str, list[tuple[str, float]]]:
    """The frequent words of all languages, each with the languages and Zipf values."""
    found: dict[str, list[tuple[str, float]]] = {}
    for code in NAMES:
        for word, zipf in _read_frequent(code).items():
            found.setdefault(word, []).append((code, zipf))
    return found


@lru_cache(maxsize=len(NAMES))
def _read_frequent(language: str) -> dict[str, float]:
    """The frequent words of a language with their Zipf values."""
    return read_zipf(language, _FREQUENT)
