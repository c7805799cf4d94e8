"""Counts the documents of a run that are probably not in the language that was set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from discreet.display import dataclass
from discreet.errors import argument
from discreet.scrubbing.languages.load import list_languages
from discreet.scrubbing.languages.notice import guess_language, name_language

_NAMED = 10
"""Most documents that are named for each language."""
_SHOWN = 3


@dataclass
class NoticedLanguages:
    """Documents by suspected language; ``columns`` counts cells of a table by column.

    ``unclear`` documents have too few words to decide. Documents have their names in the output,
    and nothing of their text is kept.
    """

    language: str = ""
    suspected: Counter[str] = field(default_factory=Counter)
    unclear: int = 0
    columns: dict[str, Counter[str]] = field(default_factory=dict)
    named: dict[str, list[str]] = field(default_factory=dict)

    def add(self, language: str, name: str, contents: Mapping[str, str]) -> None:
        """Add a document: its texts, by column if it is a row of a table."""
        self.language = language
        guesses = {column: guess_language(text, language) for column, text in contents.items()}
        others = {c: g for c, g in guesses.items() if g is not None and g != language}
        if not any(guesses.values()):
            self.unclear += 1
        for column, code in others.items():
            if column:
                self.columns.setdefault(column, Counter())[code] += 1
        for code in sorted(set(others.values())):
            self.suspected[code] += 1
            named = self.named.setdefault(code, [])
            if len(named) < _NAMED:
                named.append(name)

    def list_notices(self, documents: int) -> list[str]:
        """A sentence or two for each suspected language, given the total number of documents."""
        return [
            self._write_notice(code, count, documents)
            for code, count in self.suspected.most_common()
        ]

    def _write_notice(self, code: str, count: int, documents: int) -> str:
        first, rest = self.named[code][:_SHOWN], count - _SHOWN
        names = "; ".join(first) + (f"; {rest:,} more" if rest > 0 else "")
        many = f"{count:,} of {documents:,} documents ({names}) {'look' if count > 1 else 'looks'}"
        who, them = (f"{names} looks", "it") if documents == 1 else (many, "them")
        fix = (
            f"Scrub {them} again with {argument('language', code)}."
            if code in list_languages()
            else f"This language is not supported: check {them} by hand."
        )
        return (
            f"{who} {name_language(code)}, not {name_language(self.language)}: names and places "
            f"may remain there. {fix}"
        )

    def write_column_notice(self, column: str) -> str:
        """The notice for a column of a release, without row counts."""
        names = [name_language(code) for code, _ in self.suspected.most_common()]
        return (
            f"Texts of column '{column}' look {' or '.join(names)}, not "
            f"{name_language(self.language)}: names and places may remain there. Set 'language' "
            "under its 'scrub', or do not release it."
        )

    def facts(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "suspected": dict(sorted(self.suspected.items())),
            "unclear": self.unclear,
            "columns": {
                column: dict(sorted(codes.items())) for column, codes in self.columns.items()
            },
            "documents": {code: list(names) for code, names in sorted(self.named.items())},
        }
