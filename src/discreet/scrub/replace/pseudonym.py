"""Made-up values for the findings of a document, kept for the next ones of the same scope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from discreet.display import dataclass
from discreet.scrub.replace.context import Choices, Context
from discreet.scrub.replace.kinds import MAY_STAY, REPLACERS
from discreet.scrub.replace.name import has_initial, known_initials

_MOST_KEPT = 100_000
_NAMED = frozenset({"NAME", "BLOCK"})
"""Kinds with names, whose initials and misspellings depend on the document."""


@dataclass(frozen=True, repr=False)
class Known:
    """A scope: its context, and replacements that do not depend on the document.

    ``keyless`` has those that do not depend on the scope either.
    """

    context: Context
    is_document: bool
    keyless: dict[tuple[str, str], str | None]
    new: dict[tuple[str, str], str | None] = field(default_factory=dict)


def pseudonyms(
    found: list[str], kinds: list[str], whole: list[bool], known: Known, same: Mapping[str, str]
) -> list[str | None]:
    """Made-up values; those that depend on the document are not kept for the next.

    Of what is ``whole`` every word is replaced, and nothing comes out as it was.
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
        initials = known_initials(sorted(names), context.words)
        here, kept_here = replace(context, same=same, initials=initials), {}
    stores = dict.fromkeys(_NAMED, (kept_here, here))
    stores |= dict.fromkeys(_keyless(context.choices), (known.keyless, context))
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
    """The replacement of a text; none if there is none, or if it is the text itself."""
    replacer = REPLACERS.get(kind)
    put = replacer(text, kind, context) if replacer else None
    return put if put != text or may_stay else None


def _keyless(choices: Choices) -> tuple[str, ...]:
    """Kinds that are made coarser: their replacement is the same in every scope."""
    return ("ZIP", "AGE", "STATE", "COUNTRY", *(("DATE",) if choices.dates != "shift" else ()))
