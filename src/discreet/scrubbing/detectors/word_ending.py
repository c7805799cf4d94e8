"""Tokens by the end of the word: what long lists of drugs or streets have in common."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.scrubbing.page import Page

_KEPT = 300_000


class WordEnding:
    """Which tokens of a page end as given; each different token is looked at once.

    ``endings`` are separated by blanks; ``stem`` is the number of letters that must go before one.

    Examples
    --------
    >>> WordEnding("pril statin").ends("Lisinopril "), WordEnding("pril").ends("April")
    (True, False)
    """

    def __init__(self, endings: str, stem: int = 3) -> None:
        self._endings, self._stem = tuple(endings.split()), stem
        self._seen: set[str] = set()
        self._fit: set[str] = set()

    def ends(self, token: str) -> bool:
        """Whether a token has one of the endings, with a stem before it."""
        word = token.strip().lower()
        if not word.endswith(self._endings):
            return False
        return len(word) >= self._stem + min(len(e) for e in self._endings if word.endswith(e))

    def places(self, page: Page) -> Iterator[int]:
        """The tokens of a page that fit."""
        new = page.vocabulary - self._seen
        if new:
            self._fit.update(filter(self.ends, new))
            if len(self._seen) < _KEPT:
                self._seen |= new
        fit = page.vocabulary & self._fit
        if fit:
            yield from (place for place, token in enumerate(page.tokens) if token in fit)
