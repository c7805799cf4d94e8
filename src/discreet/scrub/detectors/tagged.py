"""Words that stand as names, organizations and places stand, whatever lists say of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.late import LateDetector
from discreet.scrub.finding import REST, Finding
from discreet.scrub.page import Page

_LEAST = 0.5
_LEAST_ID = 0.9
"""Numbers are for detectors that know their forms; here only those that stand as names do."""


@dataclass(frozen=True)
class TaggedDetector(LateDetector):
    """Finds what the language's tagger tells."""

    name: str = "tagged"
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """What is likely part of a name or a place by how it stands."""
        tagger = page.language.tagger
        if tagger is None:
            return
        for tag in tagger.tags(page, _LEAST):
            words = [at for at in range(tag.first, tag.after) if page.tokens[at][0].isalnum()]
            is_sure = tag.label != "ID" or tag.likelihood >= _LEAST_ID
            if is_sure and words and _letters(page, words) > 1:
                start, end = page.start(words[0]), page.end(words[-1])
                yield Finding(start, end, tag.label, tag.likelihood, self.name, tag.reason, REST)


def _letters(page: Page, words: list[int]) -> int:
    """How many letters and digits there are: one alone is the rest of an abbreviation."""
    return sum(len(page.tokens[at].rstrip()) for at in words)


TAGGED = TaggedDetector(
    examples=(
        (
            "On Monday Wexhurlo told us that the boiler had failed again.",
            (("Wexhurlo", "NAME"),),
        ),
        ("Results were reviewed and the plan was changed. Continue as before.", ()),
    )
)
