"""Hierarchies from published standards: countries by region, diagnoses by chapter, and others.

`Known` builds one that a policy names; `find_known` suggests one for a column. The data is in small
dated files that are read on first use.
"""

from __future__ import annotations

from discreet.hierarchy.known.builder import REST, Count, Known
from discreet.hierarchy.known.catalogue import CATALOGUE, hash_edition
from discreet.hierarchy.known.find import KnownHierarchy, find_known

__all__ = [
    "CATALOGUE",
    "REST",
    "Count",
    "Known",
    "KnownHierarchy",
    "find_known",
    "hash_edition",
]
