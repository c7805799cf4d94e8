"""Templates of a file together: their alphabet, and where each of them fits.

Notes
-----
Departures: none of substance; the thesis says nothing of how templates are matched.

Cost: all templates share one pass over the tokens, see ``dispatch.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from discreet.scrub.alphabet import Alphabet
from discreet.scrub.dispatch import Dispatch
from discreet.scrub.expression import Expression, View, atoms_of
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.template import Template


class TemplateSet:
    """Finds templates in the classes of tokens.

    Examples
    --------
    >>> dear = Template("NAME", '"dear" [<first>]', 0.9, "dear", "greetings")
    >>> names = TemplateSet([dear], Lexicon({"first": ["mary"]}))
    >>> classes = names.alphabet.classes(["Dear ", "Mary", ","])
    >>> [(first, after) for _, first, after in names.matches(classes, "greetings")]
    [(1, 2)]
    """

    def __init__(self, templates: Iterable[Template], lexicon: Lexicon) -> None:
        self.templates = tuple(templates)
        atoms = dict.fromkeys(text for t in self.templates for text in atoms_of(t))
        self.alphabet = Alphabet(atoms, lexicon)
        self.expressions = [Expression(template, self.alphabet) for template in self.templates]
        self._sections = frozenset(template.section for template in self.templates)

    @cached_property
    def dispatch(self) -> Dispatch:
        """What runs the templates together."""
        return Dispatch(self)

    def has(self, section: str) -> bool:
        """Whether a section has any template."""
        return section in self._sections

    def matches(self, classes: str, section: str) -> Iterator[tuple[Template, int, int]]:
        """Each place where a template fits: the template, first token, token after the last."""
        yield from self.by_section(View(self.alphabet, classes)).get(section, ())

    def by_section(self, view: View) -> dict[str, list[tuple[Template, int, int]]]:
        """The places where templates fit, by section; of one template, no two overlap."""
        spans = self.dispatch.spans(view)
        found: dict[str, list[tuple[Template, int, int]]] = {}
        for number in sorted(spans):
            template = self.templates[number]
            places = found.setdefault(template.section, [])
            places.extend((template, first, after) for first, after in spans[number])
        return found
