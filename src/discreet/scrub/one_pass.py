"""All templates of a turn, whatever their file, in one pass over the tokens of a text.

Notes
-----
[Sweeney2001]_, sec. 9.3: detection algorithms run "in parallel".

Departures: none.

Cost: see ``dispatch.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from discreet.scrub.alphabet import Alphabet
from discreet.scrub.atoms import Atoms
from discreet.scrub.casing import NORMAL
from discreet.scrub.dispatch import Dispatch, Match
from discreet.scrub.expression import Expression, atoms_of
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.template import Template

CASELESS = "caseless_"
"""How sections begin whose templates are only for texts in one case."""


class OnePass:
    """The templates of one or more files, run together.

    Examples
    --------
    >>> dear = Template("NAME", '"dear" [<first>]', 0.9, "dear", "greeting")
    >>> one_pass = OnePass({"a.txt": [dear]}, Lexicon({"first": ["mary"]}))
    >>> one_pass.matches(["Dear ", "Mary"])["a.txt"]
    [(0, 1, 2, True)]
    """

    def __init__(self, files: Mapping[str, Sequence[Template]], lexicon: Lexicon) -> None:
        self._file = [file for file, templates in files.items() for _ in templates]
        self.templates = [template for templates in files.values() for template in templates]
        self._atoms = Atoms((a for t in self.templates for a in atoms_of(t)), lexicon)
        self._expressions = [Expression(t, self._atoms.bits) for t in self.templates]
        self._by_casing: dict[str, tuple[Alphabet, Dispatch]] = {}

    def matches(
        self, tokens: list[str], casing: str = NORMAL, posted: Mapping[str, int] | None = None
    ) -> dict[str, list[Match]]:
        """The matches in each file; ``posted`` are tokens on the blackboard with their bits."""
        if casing not in self._by_casing:
            self._by_casing[casing] = Alphabet(self._atoms, casing), self._dispatch(casing)
        alphabet, dispatch = self._by_casing[casing]
        found: dict[str, list[Match]] = {}
        for match in dispatch.run(alphabet.letters(tokens, posted)):
            found.setdefault(self._file[match[0]], []).append(match)
        return found

    def _dispatch(self, casing: str) -> Dispatch:
        """What runs the templates that are for texts of a casing."""
        wanted = {
            number: expression
            for number, expression in enumerate(self._expressions)
            if casing != NORMAL or not expression.template.section.startswith(CASELESS)
        }
        return Dispatch(wanted, self._atoms.bits)
