"""A text after replacement, and where everything went."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import Any, NamedTuple

from discreet.display import dataclass, safe_repr


@safe_repr
class Replacement(NamedTuple):
    """Characters ``start`` to ``end`` of the original are ``new_start`` to ``new_end`` now."""

    start: int
    end: int
    new_start: int
    new_end: int
    kind: str


@dataclass(frozen=True)
class Scrubbed:
    """The new text and its replacements in order; nothing in it is of the original.

    ``kept`` counts findings that stay as they were by choice (a state, an age below 90),
    ``removed`` those that could not be replaced sensibly and have their kind in brackets instead.
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
