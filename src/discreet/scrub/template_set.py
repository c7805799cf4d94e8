"""Templates of a file together, and where each of them fits.

Notes
-----
Departures: none of substance; the thesis says nothing of how templates are matched.

Cost: all templates share one pass over the tokens, see ``dispatch.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from discreet.scrub.casing import NORMAL
from discreet.scrub.dispatch import Match
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.one_pass import OnePass
from discreet.scrub.template import Template

Fit = tuple[Template, int, int]
"""A template, the first token it fits, and the token after the last."""


class TemplateSet:
    """Finds templates in tokens.

    Examples
    --------
    >>> dear = Template("NAME", '"dear" [<first>]', 0.9, "dear", "greetings")
    >>> names = TemplateSet([dear], Lexicon({"first": ["mary"]}))
    >>> [(first, after) for _, first, after in names.matches(["Dear ", "Mary", ","], "greetings")]
    [(1, 2)]
    """

    def __init__(self, templates: Iterable[Template], lexicon: Lexicon) -> None:
        self.templates = tuple(templates)
        self._lexicon = lexicon
        self._sections = frozenset(template.section for template in self.templates)

    @cached_property
    def _one_pass(self) -> OnePass:
        return OnePass({"": self.templates}, self._lexicon)

    def has(self, section: str) -> bool:
        """Whether a section has any template."""
        return section in self._sections

    def matches(self, tokens: list[str], section: str, casing: str = NORMAL) -> list[Fit]:
        """Where templates of a section fit; of one template, no two matches overlap."""
        matches = self._one_pass.matches(tokens, casing).get("", ())
        return by_section(matches, self.templates).get(section, [])


def by_section(matches: Iterable[Match], templates: Sequence[Template]) -> dict[str, list[Fit]]:
    """Matches of templates by their sections, in their order; of one template, no two overlap."""
    found: dict[str, list[Fit]] = {}
    for number, first, after, apart in sorted(matches):
        if apart:
            template = templates[number]
            found.setdefault(template.section, []).append((template, first, after))
    return found
