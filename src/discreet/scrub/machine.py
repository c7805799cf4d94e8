"""The machine: detectors look at a document twice, compete, and help each other by a blackboard.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111 and 112.

Departures: detectors look twice. What the first look finds is posted; the second look, in which
only templates that use posts run, sees all of it, so the end of a letter helps its beginning.

Cost: linear in the text. Word classes are kept from document to document, so many documents want
one Scrubber.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.scrub.blackboard import Blackboard
from discreet.scrub.casing import LOWER
from discreet.scrub.detectors import ALL, Detector
from discreet.scrub.detectors.late import LateDetector
from discreet.scrub.finding import Finding
from discreet.scrub.join import join
from discreet.scrub.known_names import NAMED_KINDS, KnownNames, cover_known, mark_words
from discreet.scrub.languages.load import Language, load_language
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.name_or_place import settle_names
from discreet.scrub.page import Page
from discreet.scrub.posting import post_findings, post_person
from discreet.scrub.resolve import resolve

OFF_BY_DEFAULT = frozenset({"OCCUPATION", "RELATIVE_DATE"})
"""Kinds that are found only when asked for: they identify nobody by themselves."""


@dataclass(frozen=True)
class Scrubber:
    """Finds personal information in text, with a likelihood and a reason for each finding.

    ``kinds`` limits what is found, ``special`` uses the special detectors that cut false alarms,
    ``people`` are names the data holder knows of, which are found wherever they are,
    ``likelihoods`` changes templates by ``section/name``. Documents of one ``person`` help each
    other.

    Examples
    --------
    >>> scrubber = Scrubber()
    >>> text = "Virginia P. Weston came. I feel better after seeing Virginia."
    >>> [text[f.start : f.end] for f in scrubber.find(text)]
    ['Virginia P. Weston', 'Virginia']
    """

    language: str = "en"
    threshold: float = 0.7
    kinds: frozenset[str] | None = None
    special: bool = True
    people: tuple[str, ...] = ()
    likelihoods: Mapping[str, float] = field(default_factory=dict)
    detectors: tuple[Detector, ...] = ALL
    _boards: dict[str, Blackboard] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ParameterError("scrub", "threshold", "from 0 to 1")
        if self.kinds is not None:
            object.__setattr__(self, "kinds", frozenset(self.kinds))
        known = load_language(self.language)
        object.__setattr__(
            self, "_words", known.trained(self.likelihoods) if self.likelihoods else known
        )
        everybody = self._boards.setdefault("", Blackboard())
        for name in self.people:
            post_person(name, everybody)
        object.__setattr__(self, "_names", KnownNames(self.people))

    def find(self, text: str, person: str | None = None) -> list[Finding]:
        """What there is in a text, in its order and without overlaps; kept findings left out.

        ``person`` is any id of the person the text is about: what is found in one document of a
        person helps in the next.
        """
        page, winners = self._winners(text, person)
        wanted = [f for f in winners if f.keep or self.is_wanted(f.kind)]
        return [f for f in join(self._with_names(page, wanted), text) if not f.keep]

    def find_all(self, text: str, person: str | None = None) -> list[Finding]:
        """As ``find``, with what special detectors found, and kinds that were not asked for."""
        return join(self._with_names(*self._winners(text, person)), text)

    def candidates(self, text: str, person: str | None = None) -> tuple[Page, list[Finding]]:
        """All that detectors found in a text, before it competes, and the page.

        The page's turn is 2 if the second look found more.
        """
        page, found = self._first_look(text, person)
        post_findings(page)
        page.turn = 2
        second = self._look(page)
        page.turn = 2 if second else 1
        return page, [*found, *second]

    def first_look(self, text: str) -> Page:
        """A text as it is after the first look, before anything is posted."""
        return self._first_look(text, None)[0]

    @property
    def lexicon(self) -> Lexicon:
        """What is known of the language's words."""
        return self._language().lexicon

    def post(self, name: str, person: str) -> None:
        """Tell a name of a person, which is then looked for in the documents of that person."""
        post_person(name, self._board(person))

    def forget(self, person: str) -> None:
        """Drop what is known of a person, so that memory does not grow with their number."""
        if person:
            self._boards.pop(person, None)

    def _first_look(self, text: str, person: str | None) -> tuple[Page, list[Finding]]:
        """The page with its winners, and all that was found."""
        page = Page(text, self._language(), self._board(person))
        findings = self._look(page)
        page.found = resolve(findings, self.threshold, text)
        late = self._look(page, late=True)
        if late:
            findings += late
            page.found = resolve([*page.found, *late], self.threshold, text)
        page.found = settle_names(page, page.found)
        return page, findings

    def _winners(self, text: str, person: str | None) -> tuple[Page, list[Finding]]:
        page, found = self.candidates(text, person)
        if page.turn == 1:
            return page, page.found
        return page, settle_names(page, resolve(found, self.threshold, text))

    def _with_names(self, page: Page, findings: list[Finding]) -> list[Finding]:
        """The findings, with the names the data holder knows and the full names of the text."""
        text, is_small = page.text, page.casing == LOWER
        is_named = self.is_wanted("NAME")
        listed: KnownNames = self.__dict__["_names"]
        covered = cover_known(text, findings, listed.find(text, is_small), "listed", is_named)
        covered = mark_words(text, covered, listed.words, NAMED_KINDS)
        full = {text[f.start : f.end] for f in covered if f.kind == "NAME" and not f.keep}
        names = KnownNames(name for name in full if " " in name.strip())
        return cover_known(text, covered, names.find(text), "name found in full", is_named)

    def _look(self, page: Page, late: bool = False) -> list[Finding]:
        findings: list[Finding] = []
        for detector in self.detectors:
            if isinstance(detector, LateDetector) == late:
                findings.extend(detector.find(page))
        return findings if self.special else [f for f in findings if not f.keep]

    def _language(self) -> Language:
        words: Language = self.__dict__["_words"]
        return words

    def _board(self, person: str | None) -> Blackboard:
        if person:
            return self._boards.setdefault(person, Blackboard(self._boards[""]))
        return Blackboard(self._boards[""])

    def is_wanted(self, kind: str) -> bool:
        """Whether findings of a kind are asked for."""
        return kind not in OFF_BY_DEFAULT if self.kinds is None else kind in self.kinds


def texts(text: str, findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """The found characters with their kind, as examples and tests write them."""
    return [(text[f.start : f.end], f.kind) for f in findings]
