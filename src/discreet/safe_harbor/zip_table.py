"""The table of ZIP areas, which texts and tables share: see `discreet.kinds.zip_area`."""

from __future__ import annotations

from discreet.kinds.zip_area import CURRENT, HEADS, OWN, PEOPLE, SMALL, ZipTable

__all__ = ["CURRENT", "HEADS", "OWN", "PEOPLE", "SMALL", "ZipTable"]
