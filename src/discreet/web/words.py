"""Every text that the app shows, in each language, from one file per screen.

A file of ``texts/`` has an entry per text with all languages side by side, so that none is left
behind: ``title = {en = "Roles", de = "Rollen"}``. ``{count}`` is filled in; where a number decides
between one and more, ``en_one`` and ``de_one`` are for one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""The languages, each by its own name; the first one is spoken where none fits."""

FOLDER = Path(__file__).with_name("texts")
_MARKS = {"en": (",", "."), "de": (".", ",")}
"""What parts thousands, and what decimals."""


@lru_cache(1)
def load_texts() -> Mapping[str, Mapping[str, str]]:
    """All texts by file and key, such as ``roles.title``; each maps languages to words."""
    return {
        f"{path.stem}.{key}": entry
        for path in sorted(FOLDER.glob("*.toml"))
        for key, entry in tomllib.loads(path.read_text(encoding="utf-8")).items()
    }


def choose_language(accepted: str) -> str:
    """The language for a header ``Accept-Language``.

    >>> choose_language("fr-CH, de;q=0.9, en;q=0.8"), choose_language("")
    ('de', 'en')
    """
    weighed = []
    for place, part in enumerate(accepted.split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            weighed.append((-float(weight or 1), place, name.partition("-")[0].lower()))
        except ValueError:
            continue
    return next((name for _, _, name in sorted(weighed) if name in LANGUAGES), "en")


class Words:
    """The texts of one language, and how it writes numbers."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = load_texts()

    def say(self, key: str, /, **values: Any) -> str:
        """A text with values filled in; numbers are written as the language does."""
        entry = self._texts[key]
        one = entry.get(f"{self.language}_one")
        text = one if one is not None and values.get("count") == 1 else entry[self.language]
        return text.format(**{name: self.write(value) for name, value in values.items()})

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        return key in self._texts

    def write(self, value: Any) -> str:
        """A value in a sentence: whole numbers in groups, others with three digits that count."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        return self.number(value)

    def number(self, value: float | None, digits: int = 3) -> str:
        """A number; ``digits`` are those that count where it is not whole."""
        if value is None:
            return "–"
        if isinstance(value, int):
            return self._localize(f"{value:,}")
        shown = f"{value:,.{digits}g}" if abs(value) < 1000 else f"{value:,.0f}"
        return self._localize(shown)

    def percent(self, share: float | None, decimals: int = 1) -> str:
        """A share as a percentage; what is not quite none or all is not called so."""
        if share is None:
            return "–"
        percent, least = 100 * share, 10**-decimals
        if 0 < percent < least:
            return f"< {self._localize(f'{least:.{decimals}f}')} %"
        if 100 - least < percent < 100:
            return f"> {self._localize(f'{100 - least:.{decimals}f}')} %"
        text = f"{percent:.{decimals}f}"
        return f"{self._localize(text.rstrip('0').rstrip('.') if '.' in text else text)} %"

    def _localize(self, number: str) -> str:
        group, point = _MARKS[self.language]
        return number.translate({ord(","): group, ord("."): point})
