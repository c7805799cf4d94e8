"""A finding: a span of text that a detector takes for personal information, and why."""

from __future__ import annotations

from typing import Any, NamedTuple

from discreet.display import safe_repr
from discreet.errors import ScrubError

BLOCK, LABEL, ADDRESS, FULL, PLACE, SINGLE, REST = 1, 2, 3, 4, 5, 6, 7
"""Precedence, as in figure 111: a compound entity beats its parts."""


@safe_repr
class Finding(NamedTuple):
    """Characters ``start`` to ``end`` are of a ``kind``, with a likelihood and a reason.

    It holds no text, so it can be shown anywhere. ``keep`` marks what special detectors find
    (medical terms, drugs, measurements): it is not replaced, and it shields its characters.
    ``whole`` marks a finding with a known name in it: no word of it may stay, not even Street or
    Hospital.

    Notes
    -----
    [Sweeney2001]_, sec. 9.3, fig. 111 and 113.

    Departures: likelihoods are shares (0.85), not per cent (85).

    Examples
    --------
    >>> Finding(0, 12, "NAME", 0.95, "full_name", "title").facts()["kind"]
    'NAME'
    """

    start: int
    end: int
    kind: str
    likelihood: float
    detector: str
    reason: str
    precedence: int = SINGLE
    keep: bool = False
    whole: bool = False

    def facts(self) -> dict[str, Any]:
        """The finding as plain data."""
        return self._asdict()


def make_finder_error(document: str, count: int) -> ScrubError:
    """The error for findings outside of the text."""
    return ScrubError(
        "",
        f"the finder gave {count:,} findings outside of {document}",
        "A finding is (start, end, kind) with 0 <= start < end <= length of the text.",
    )
