"""Detectors that look once, at the winners of the first turn, before these are posted."""

from __future__ import annotations


class LateDetector:
    """Marks a detector as late: its page has ``found``, and the blackboard is not filled yet."""
