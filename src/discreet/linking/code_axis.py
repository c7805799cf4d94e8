"""Columns of codes: a code at a point, its first characters with the rest masked as a stretch."""

from __future__ import annotations

from discreet.display import dataclass
from discreet.linking.places import Place, at, before, behind

LAST = chr(0x10FFFF)


def is_masked(text: str, mask: str = "*") -> bool:
    """Whether a text is the beginning of a code with the rest masked: 0213*, but not ``*``."""
    return text.endswith(mask) and text.rstrip(mask) != "" and mask not in text.rstrip(mask)


@dataclass(frozen=True)
class CodeAxis:
    """Reads texts as they are, and masked ones as all texts of that length that begin so."""

    mask: str = "*"

    def place(self, text: str) -> Place | None:
        """Where a text or a masked text stands."""
        if not is_masked(text, self.mask):
            return at((len(text), text))
        kept = text.rstrip(self.mask)
        return Place(((before((len(text), kept)), behind((len(text), kept + LAST))),))
