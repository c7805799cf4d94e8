"""Words used in a sentence the way names, organizations and places are, in a list or not."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrubbing.casing import LOWER
from discreet.scrubbing.detectors.detector import Example, LateDetector
from discreet.scrubbing.finding import REST, Finding
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.alphabet import NORMAL

_LEAST = 0.5
_LEAST_SURE = 0.9
"""For numbers, which other detectors know by shape, and for texts in small letters only."""


@dataclass(frozen=True)
class TaggedDetector(LateDetector):
    """Finds what the language's tagger labels."""

    name: str = "tagged"
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """What is likely part of a name or a place, judging by its context."""
        tagger = page.language.tagger
        if tagger is None:
            return
        for tag in tagger.tags(page, _LEAST):
            words = [at for at in range(tag.first, tag.after) if page.tokens[at][0].isalnum()]
            words = _drop_plain_words(page, words)
            is_doubtful = tag.label == "ID" or page.casing == LOWER
            is_sure = tag.likelihood >= (_LEAST_SURE if is_doubtful else _LEAST)
            if is_sure and any(len(page.tokens[at].rstrip()) > 1 for at in words):
                start, end = page.start(words[0]), page.end(words[-1])
                yield Finding(start, end, tag.label, tag.likelihood, self.name, tag.reason, REST)


def _drop_plain_words(page: Page, words: list[int]) -> list[int]:
    """The tokens without a leading "at" or a trailing "phone"; none if only "She" is left."""
    lexicon, tokens = page.lexicon, page.tokens
    lower, small = lexicon.bits["lower"], lexicon.bits["function_word"]
    label = lexicon.union("heading", "dated_word")
    masks = {at: lexicon.mask(tokens[at]) for at in words}
    if page.casing == NORMAL:
        while words and masks[words[0]] & lower and masks[words[0]] & (small | label):
            if tokens[words[0]].strip() == "the":
                break
            words = words[1:]
        while words and masks[words[-1]] & lower and masks[words[-1]] & label:
            if masks[words[-1]] & small:
                break
            words = words[:-1]
    called = lexicon.union("first", "sure_last")
    is_nobody = all(masks[at] & small and not masks[at] & called for at in words)
    return [] if is_nobody else words


TAGGED = TaggedDetector(
    examples=(
        (
            "On Monday Wexhurlo told us that the boiler had failed again.",
            (("Wexhurlo", "NAME"),),
        ),
        ("Results were reviewed and the plan was changed. Continue as before.", ()),
    )
)
