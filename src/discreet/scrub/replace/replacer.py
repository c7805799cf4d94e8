"""Findings in a text give way to something else of their kind, the same for the same everywhere.

Notes
-----
[Sweeney2001]_, sec. 9.3.1: each detection algorithm has a replacement algorithm, the replacement
has the format of what was found, and "every time a particular name is encountered, it maps to the
same replacement".

Departures: consistency is keyed and has a scope of choice; see ``key.py``.

Cost: one pass over the findings; about two microseconds for one that was met before in its scope,
ten to forty for a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.kinds.zip_area import ZipTable
from discreet.replacement_key import ReplacementKey
from discreet.scrub.replace.case import folded
from discreet.scrub.replace.context import Choices, Context
from discreet.scrub.replace.date import RULES
from discreet.scrub.replace.place import PLACES
from discreet.scrub.replace.pseudonym import Known, pseudonyms
from discreet.scrub.replace.scrubbed import Replacement, Scrubbed
from discreet.scrub.replace.spans import Found, Span, meant_by, spans_of
from discreet.scrub.replace.stream import Stream
from discreet.scrub.replace.tag import tags
from discreet.scrub.replace.words import load_words
from discreet.scrub.visible import visible

STYLES = ("pseudonym", "tag", "blank", "remove")
SCOPES = ("document", "person", "corpus")
_MOST_SCOPES = 256


@dataclass(frozen=True)
class Replacer:
    """Replaces what was found, by made-up values, tags, blanks or nothing.

    ``scope`` says how far the same text has the same replacement: one document, all documents of
    a person (without a person: the document), or the corpus. ``key`` decides which; without one it
    is drawn for this run. ``dates``: ``month``, ``nearest``, ``month-only``, ``year``, ``shift``,
    ``keep``; ``relative`` dates: ``keep`` or ``remove``; ``places`` (states, countries): ``keep``,
    ``region``, ``remove``; ages above ``oldest`` are lumped; ``zips`` is another table of
    ZIP areas (lines of ``zip3,population``, with source and date); ``avoid`` are names that must
    not come out.

    Examples
    --------
    >>> from discreet.scrub.finding import Finding
    >>> seen = Finding(4, 10, "NAME", 0.9, "name", "title")
    >>> Replacer(style="tag").apply("Dr. Graves called.", [seen]).text
    'Dr. [NAME 1] called.'
    """

    style: str = "pseudonym"
    scope: str = "document"
    key: ReplacementKey = field(default_factory=ReplacementKey.for_this_run)
    dates: str = "month"
    language: str = "en"
    relative: str = "keep"
    places: str = "keep"
    oldest: int = 89
    zips: Path | None = None
    avoid: frozenset[str] = field(default=frozenset(), repr=False)
    _known: dict[tuple[str, str], Known] = field(default_factory=dict, init=False, repr=False)
    _keyless: dict[tuple[str, str], str | None] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        allowed = {"style": STYLES, "scope": SCOPES, "dates": RULES, "places": PLACES}
        allowed["relative"] = ("keep", "remove")
        for name, values in allowed.items():
            if getattr(self, name) not in values:
                raise ParameterError("replacer", name, f"one of {', '.join(values)}")
        if self.oldest < 1:
            raise ParameterError("replacer", "oldest", "an age above 0")
        object.__setattr__(self, "avoid", frozenset(map(folded, self.avoid)))
        if not isinstance(self.language, str):
            raise ParameterError("replacer", "language", "the code of a language, such as en")
        load_words(self.language)
        object.__setattr__(self, "_zip_table", ZipTable.load(self.zips))

    def apply(
        self,
        text: str,
        findings: Iterable[Found],
        person: str | None = None,
        document: str | None = None,
        same: Mapping[str, str] | None = None,
    ) -> Scrubbed:
        """The text with its findings replaced; nothing else of it changes.

        ``person`` and ``document`` are ids of any kind; a document without one is known by its
        text. ``same`` maps misspelt names to the names that were meant.
        """
        spans = spans_of(findings, len(text))
        known = self._scope(text, person, document)
        found = [visible(text[span.start : span.end]) for span in spans]
        new = self._new(found, spans, known, meant_by(spans, found, same or {}))
        return self._scrubbed(text, spans, found, new)

    def _new(
        self, found: list[str], spans: list[Span], known: Known, same: Mapping[str, str]
    ) -> list[str | None]:
        """The replacement of each finding; none where there is none."""
        kinds = [span.kind for span in spans]
        if self.style == "remove":
            return [""] * len(found)
        if self.style == "blank":
            return ["".join("*" if c not in "\r\n" else c for c in text) for text in found]
        if self.style == "tag":
            stream = None if known.is_document else known.context.stream
            return tags(found, kinds, load_words(self.language), same, stream)
        return pseudonyms(found, kinds, [span.whole for span in spans], known, same)

    def _scope(self, text: str, person: str | None, document: str | None) -> Known:
        """The context of a document's scope, kept with what was replaced in it."""
        secret = self.key.secret
        shifting = self.dates == "shift"
        wanted = self.scope == "document" or (
            person is None and (shifting or self.scope == "person")
        )
        if document is None and wanted:
            document = Stream(secret, "text", "").digest("text", text).hex()
        own = ("person", person) if person is not None else ("document", document or "")
        scope = {"corpus": ("corpus", ""), "person": own}.get(
            self.scope, ("document", document or "")
        )
        asked = ("\n".join(scope), "\n".join(own) if shifting else "")
        if asked not in self._known:
            if len(self._known) >= _MOST_SCOPES:
                self._known.clear()
            shift = Stream(secret, "shift " + own[0], own[1])
            self._known[asked] = Known(
                Context(Stream(secret, *scope), shift, load_words(self.language), self._choices()),
                scope[0] == "document",
                self._keyless,
            )
        return self._known[asked]

    def _choices(self) -> Choices:
        table: ZipTable = self.__dict__["_zip_table"]
        return Choices(self.dates, self.relative, self.places, self.oldest, table, self.avoid)

    def _scrubbed(
        self, text: str, spans: Sequence[Span], found: list[str], new: Sequence[str | None]
    ) -> Scrubbed:
        """Put the new texts in place."""
        parts: list[str] = []
        moved: list[Replacement] = []
        done = at = kept = removed = 0
        for (start, end, kind, *_), old, put in zip(spans, found, new, strict=True):
            if put is None:
                put, removed = f"[{kind}]", removed + 1
            elif put == old:
                kept += 1
            at += start - done
            parts += (text[done:start], put)
            moved.append(Replacement(start, end, at, at + len(put), kind))
            at, done = at + len(put), end
        parts.append(text[done:])
        key = "drawn for this run" if self.key.drawn else "given"
        return Scrubbed("".join(parts), tuple(moved), kept, removed, self.style, self.scope, key)
