"""What detectors found before, as the tagger sees it: a group for each token."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from discreet.scrub.finding import Finding
from discreet.scrub.page import Page

_GROUP = {
    "NAME": 1,
    "ORGANIZATION": 2,
    "TEAM": 2,
    "STREET": 3,
    "ADDRESS": 3,
    "CITY": 4,
    "STATE": 4,
    "COUNTRY": 4,
    "LOCATION": 4,
    "DATE": 5,
    "AGE": 5,
    "USERNAME": 6,
}
_OTHER, _KEPT = 7, 8
_WEAK, _WEAKER = 0.85, 8
"""Findings less likely than this are in groups of their own."""

CLAIMS = 17
"""Groups, and none."""


def claims(page: Page, findings: Iterable[Finding]) -> NDArray[np.intp]:
    """The group of what covers each token of a page, 0 where nothing does."""
    found = np.zeros(len(page.tokens), dtype=np.intp)
    for finding in findings:
        group = _KEPT if finding.keep else _GROUP.get(finding.kind, _OTHER)
        if not finding.keep and finding.likelihood < _WEAK:
            group += _WEAKER
        found[page.token_at(finding.start) : page.token_at(finding.end - 1) + 1] = group
    return found


def is_found(claimed: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which tokens are covered by a finding that is not kept."""
    found: NDArray[np.bool_] = (claimed > 0) & (claimed != _KEPT)
    return found
