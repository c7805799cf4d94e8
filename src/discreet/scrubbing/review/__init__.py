"""The page on which a person reviews the findings."""

from __future__ import annotations
