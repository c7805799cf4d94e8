"""The observations of each token of a page, as rows of a sparse matrix, for fitting."""

from __future__ import annotations

from array import array

from discreet.scrub.page import Page
from discreet.scrub.page_format import FORMATS
from discreet.scrub.tagger.claims import CLAIMS, claims
from discreet.scrub.tagger.observer import Observer, Seen
from discreet.scrub.tagger.weights import REACH, Layout
from discreet.scrub.tagger.word_class import CLASSES


class Rows:
    """Observations of tokens, row after row."""

    def __init__(self, observer: Observer, layout: Layout, casing: str) -> None:
        self._observer, self._layout, self._casing = observer, layout, casing
        self._seen: dict[str, Seen] = {}
        self.size = layout.size
        self.columns = array("i")
        self.ends = array("q", [0])

    def add(self, page: Page) -> None:
        """Add the tokens of a page, after detectors looked at it."""
        seen = [self._look(token) for token in page.tokens]
        claimed = claims(page, page.found).tolist()
        form = self._layout.formats + FORMATS.index(page.format) * len(CLASSES)
        for place in range(len(seen)):
            self._add_near(seen, place)
            self._add_classes(seen, place)
            self._add_words(seen, place)
            self._add_claims(claimed, seen, place)
            self.columns.append(form + seen[place].word_class)
            self.columns.append(self._layout.always)
            self.ends.append(len(self.columns))

    def _look(self, token: str) -> Seen:
        if token not in self._seen:
            self._seen[token] = self._observer.look(token, self._casing)
        return self._seen[token]

    def _add_near(self, seen: list[Seen], place: int) -> None:
        layout = self._layout
        for near in range(max(0, place - REACH), min(len(seen), place + REACH + 1)):
            block = (near - place + REACH) * layout.shared
            self.columns.extend(block + number for number in seen[near].shared)
        self.columns.extend(layout.letters + number for number in seen[place].letters)

    def _add_classes(self, seen: list[Seen], place: int) -> None:
        before = seen[place - 1].word_class if place else 0
        after = seen[place + 1].word_class if place + 1 < len(seen) else 0
        both = before * len(CLASSES) + seen[place].word_class
        self.columns.append(self._layout.classes + both * len(CLASSES) + after)

    def _add_words(self, seen: list[Seen], place: int) -> None:
        before = seen[place - 1].word if place else 0
        after = seen[place + 1].word if place + 1 < len(seen) else 0
        for first, word in ((self._layout.before, before), (self._layout.after, after)):
            self.columns.append(first + word * len(CLASSES) + seen[place].word_class)

    def _add_claims(self, claimed: list[int], seen: list[Seen], place: int) -> None:
        layout = self._layout
        pair = claimed[place] * len(CLASSES) + seen[place].word_class
        self.columns.append(layout.claimed + pair)
        if not any(claimed):
            return
        for near in range(max(0, place - 2), min(len(seen), place + 3)):
            self.columns.append(layout.claims + (near - place + 2) * CLAIMS + claimed[near])
