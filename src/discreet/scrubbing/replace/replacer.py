"""Replaces findings in a text by something else of their kind, the same text always the same way.

Notes
-----
[Sweeney2001]_, sec. 9.3.1: each detection algorithm has a replacement algorithm, the replacement
has the format of what was found, and "every time a particular name is encountered, it maps to the
same replacement".

Departures: consistency is keyed, within a scope that can be chosen.

Cost: one pass over the findings; about two microseconds for one that was seen before in its scope,
ten to forty for a new one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from discreet.display import dataclass, safe_repr
from discreet.errors import ParameterError
from discreet.kinds.zip_area import ZipTable
from discreet.replacement_key import ReplacementKey
from discreet.scrubbing.finding import make_finder_error
from discreet.scrubbing.invisible import strip_hidden
from discreet.scrubbing.replace.context import Choices, Context, Stream
from discreet.scrubbing.replace.dates import RULES
from discreet.scrubbing.replace.kinds import MAY_STAY, REPLACERS
from discreet.scrubbing.replace.name import (
    has_initial,
    list_known_initials,
    list_name_words,
    split_titles,
)
from discreet.scrubbing.replace.place import PLACES
from discreet.scrubbing.replace.words import Words, fold_word, load_words

# Made-up values for the findings of a document, cached for later documents of the same scope.


_MOST_KEPT = 100_000
_NAMED = frozenset({"NAME", "BLOCK"})
"""Kinds with names, whose initials and misspellings depend on the document."""


@dataclass(frozen=True, repr=False)
class Known:
    """A scope: its context, and replacements that do not depend on the document.

    ``keyless`` has replacements that do not depend on the scope either.
    """

    context: Context
    is_document: bool
    keyless: dict[tuple[str, str], str | None]
    new: dict[tuple[str, str], str | None] = field(default_factory=dict)


def make_pseudonyms(
    found: list[str], kinds: list[str], whole: list[bool], known: Known, same: Mapping[str, str]
) -> list[str | None]:
    """Made-up values; those that depend on the document are not cached.

    In a finding that is ``whole`` every word is replaced, and nothing stays unchanged.
    """
    if len(known.new) > _MOST_KEPT:
        known.new.clear()
        known.context.made.clear()
    if len(known.keyless) > _MOST_KEPT:
        known.keyless.clear()
    context, kept = known.context, known.new
    names = {text for text, kind in zip(found, kinds, strict=True) if kind == "NAME"}
    here, kept_here = context, kept
    if same or any(map(has_initial, names)):
        initials = list_known_initials(sorted(names), context.words)
        here, kept_here = replace(context, same=same, initials=initials), {}
    stores = dict.fromkeys(_NAMED, (kept_here, here))
    stores |= dict.fromkeys(_list_keyless(context.choices), (known.keyless, context))
    new: list[str | None] = []
    for kind, text, is_whole in zip(kinds, found, whole, strict=True):
        asked = (kind, text)
        store, around = stores.get(kind, (kept, context))
        if is_whole:
            new.append(_put(kind, text, replace(around, whole=True), may_stay=False))
            continue
        if asked not in store:
            store[asked] = _put(kind, text, around, may_stay=kind in MAY_STAY)
        new.append(store[asked])
    return new


def _put(kind: str, text: str, context: Context, may_stay: bool) -> str | None:
    """The replacement of a text; None if there is none or it equals the text."""
    replacer = REPLACERS.get(kind)
    put = replacer(text, kind, context) if replacer else None
    return put if put != text or may_stay else None


def _list_keyless(choices: Choices) -> tuple[str, ...]:
    """Kinds that are generalized: their replacement is the same in every scope."""
    return ("ZIP", "AGE", "STATE", "COUNTRY", *(("DATE",) if choices.dates != "shift" else ()))


# A text after replacement, and where every replacement is.


@safe_repr
class Replacement(NamedTuple):
    """Characters ``start`` to ``end`` of the original became ``new_start`` to ``new_end``."""

    start: int
    end: int
    new_start: int
    new_end: int
    kind: str


@dataclass(frozen=True)
class Scrubbed:
    """The new text and its replacements in order; none of them holds original text.

    ``kept`` counts findings that stay as they were by choice (a state, an age below 90),
    ``removed`` those that could not be replaced sensibly and became their kind in brackets.
    """

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    kept: int
    removed: int
    style: str
    scope: str
    key: str

    def facts(self) -> dict[str, Any]:
        """Counts as plain data; no text."""
        return {
            "style": self.style,
            "scope": self.scope,
            "key": self.key,
            "findings": dict(sorted(Counter(r.kind for r in self.replacements).items())),
            "kept": self.kept,
            "removed": self.removed,
        }


# Where to replace, and which words are misspellings of which.


CLOSE = 0.7
"""Least similarity of a misspelt word and the one that was meant."""


@safe_repr
class Span(NamedTuple):
    """A span to replace, whether it counts as misspelt, whether no word of it may stay."""

    start: int
    end: int
    kind: str
    is_misspelt: bool
    whole: bool


class Found(Protocol):
    """The attributes that replacement needs from a finding."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def keep(self) -> bool: ...


def list_spans(findings: Iterable[Found], length: int) -> list[Span]:
    """The spans to replace, in order; of two overlapping findings the second gets the rest."""
    spans: list[Span] = []
    wrong = done = 0
    for finding in sorted(findings, key=lambda f: (f.start, -f.end)):
        if finding.keep:
            continue
        start, end = finding.start, finding.end
        if not 0 <= start < end <= length:
            wrong += 1
        elif end > done:
            start = max(start, done)
            whole = getattr(finding, "whole", False)
            spans.append(Span(start, end, finding.kind, "misspelt" in finding.reason, whole))
            done = end
    if wrong:
        raise make_finder_error("the text", wrong)
    return spans


def map_misspellings(
    spans: list[Span], found: list[str], same: Mapping[str, str]
) -> dict[str, str]:
    """Misspelt words mapped to the intended ones: those given, and those the machine marked."""
    meant = {fold_word(wrong): fold_word(right) for wrong, right in same.items()}
    misspelt = [text for span, text in zip(spans, found, strict=True) if span.is_misspelt]
    if not misspelt:
        return meant
    right: set[str] = set()
    for span, text in zip(spans, found, strict=True):
        if span.kind == "NAME" and not span.is_misspelt:
            right.update(list_name_words(text))
    for text in misspelt:
        for word in list_name_words(text):
            near = get_close_matches(word, right - {word}, 1, CLOSE)
            if near and word not in right:
                meant.setdefault(word, near[0])
    return meant


# Findings of a document that refer to the same thing get the same tag.
#
# ``Frank Graves``, ``Mr. Graves`` and ``GRAVES`` count as one person within a document; where two
# people share a last name, the last name alone is taken for the one with the most names.


def map_entities(
    found: Iterable[tuple[str, str]], words: Words, same: Mapping[str, str]
) -> dict[tuple[str, str], str]:
    """For each (kind, text), its entity: a text that all its forms share."""
    about: dict[tuple[str, str], str] = {}
    names: list[tuple[frozenset[str], str]] = []
    for kind, text in found:
        if kind == "NAME":
            parts = list_name_words(split_titles(text, words)[1])
            names.append((frozenset(same.get(part, part) for part in parts), text))
        about[kind, text] = "".join(filter(str.isalnum, fold_word(text))) or text
    names.sort(key=lambda item: (-len(item[0]), item[1]))
    by_word: dict[str, list[frozenset[str]]] = {}
    for parts_of, text in names:
        if not parts_of:
            continue
        whole = _find_whole_name(parts_of, by_word)
        about["NAME", text] = " ".join(sorted(whole))
    return about


def _find_whole_name(
    parts: frozenset[str], by_word: dict[str, list[frozenset[str]]]
) -> frozenset[str]:
    """The longer name that contains all these words, or these words as a new name."""
    for known in by_word.get(min(parts), ()):
        if parts <= known:
            return known
    for part in parts:
        by_word.setdefault(part, []).append(parts)
    return parts


# Tags: ``[NAME 1]`` for the first person of a document, wherever and however they are named.
#
# Within a document tags are numbered in order. In a wider scope a count would depend on the
# documents read before, so the number is keyed: six digits, the same wherever the key is used.


_NUMBERS = 1_000_000
_BETWEEN = re.compile(r"([,;]\s+| [-–/&] |/)")
"""What may be between two people in one finding."""


def make_tags(
    found: Sequence[str],
    kinds: Sequence[str],
    words: Words,
    same: Mapping[str, str],
    stream: Stream | None,
) -> list[str | None]:
    """The tag of each finding; numbered in order, or by key if there is a stream."""
    cut = [
        _split_people(text) if kind == "NAME" else [text]
        for kind, text in zip(kinds, found, strict=True)
    ]
    pairs = [(kind, text) for kind, parts in zip(kinds, cut, strict=True) for text in parts[::2]]
    about = map_entities(dict.fromkeys(pairs), words, same)
    numbers: dict[tuple[str, str], str] = {}
    count: dict[str, int] = {}
    for kind, text in pairs:
        entity = (kind, about[kind, text])
        if entity in numbers:
            continue
        if stream is None:
            count[kind] = count.get(kind, 0) + 1
            numbers[entity] = str(count[kind])
        else:
            numbers[entity] = f"{stream.number('tag ' + kind, entity[1], _NUMBERS):06d}"
    made = {pair: f"[{pair[0]} {numbers[pair[0], about[pair]]}]" for pair in about}
    return [
        "".join(part if place % 2 else made[kind, part] for place, part in enumerate(parts))
        for kind, parts in zip(kinds, cut, strict=True)
    ]


def _split_people(text: str) -> list[str]:
    """The people in a finding, and the text between them: two full names are two people.

    Examples
    --------
    >>> _split_people("Frank Graves, Ann Lee"), _split_people("Graves, Frank")
    (['Frank Graves', ', ', 'Ann Lee'], ['Graves, Frank'])
    """
    first, *rest = _BETWEEN.split(text)
    people = [first]
    for between, name in zip(rest[::2], rest[1::2], strict=True):
        if " " in people[-1] and " " in name:
            people += between, name
        else:
            people[-1] += between + name
    return people


STYLES = ("pseudonym", "tag", "blank", "remove")
SCOPES = ("document", "person", "corpus")
_MOST_SCOPES = 256


@dataclass(frozen=True)
class Replacer:
    """Replaces findings by made-up values, tags, blanks or nothing.

    ``scope`` says how far the same text has the same replacement: one document, all documents of a
    person (without a person: the document), or the corpus. ``key`` decides which; without one it is
    drawn for this run. ``dates``: ``month``, ``nearest``, ``month-only``, ``year``, ``shift``,
    ``keep``; ``relative`` dates: ``keep`` or ``remove``; ``places`` (states, countries): ``keep``,
    ``region``, ``remove``; ages above ``oldest`` become one group; ``zips`` is another table of ZIP
    areas (lines of ``zip3,population``, with source and date); ``avoid`` are names that must not be
    made up.

    Examples
    --------
    >>> from discreet.scrubbing.finding import Finding
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
        object.__setattr__(self, "avoid", frozenset(map(fold_word, self.avoid)))
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
        spans = list_spans(findings, len(text))
        known = self._find_scope(text, person, document)
        found = [strip_hidden(text[span.start : span.end]) for span in spans]
        new = self._list_replacements(
            found, spans, known, map_misspellings(spans, found, same or {})
        )
        return self._make_scrubbed(text, spans, found, new)

    def _list_replacements(
        self, found: list[str], spans: list[Span], known: Known, same: Mapping[str, str]
    ) -> list[str | None]:
        """The replacement of each finding, or None."""
        kinds = [span.kind for span in spans]
        if self.style == "remove":
            return [""] * len(found)
        if self.style == "blank":
            return ["".join("*" if c not in "\r\n" else c for c in text) for text in found]
        if self.style == "tag":
            stream = None if known.is_document else known.context.stream
            return make_tags(found, kinds, load_words(self.language), same, stream)
        return make_pseudonyms(found, kinds, [span.whole for span in spans], known, same)

    def _find_scope(self, text: str, person: str | None, document: str | None) -> Known:
        """The context of a document's scope, cached with its replacements."""
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
                Context(
                    Stream(secret, *scope), shift, load_words(self.language), self._list_choices()
                ),
                scope[0] == "document",
                self._keyless,
            )
        return self._known[asked]

    def _list_choices(self) -> Choices:
        table: ZipTable = self.__dict__["_zip_table"]
        return Choices(self.dates, self.relative, self.places, self.oldest, table, self.avoid)

    def _make_scrubbed(
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
