"""Why a promise could not be checked at all, which counts as not kept."""

from __future__ import annotations


class Unchecked(Exception):
    """A check cannot say; ``verify`` turns this into a verdict that does not hold."""
