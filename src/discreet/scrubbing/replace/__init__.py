"""Replacement of what scrub found: same format, consistent, keyed."""

from __future__ import annotations

from discreet.replacement_key import ReplacementKey
from discreet.scrubbing.replace.replacer import Replacement, Replacer, Scrubbed

__all__ = ["Replacement", "ReplacementKey", "Replacer", "Scrubbed"]
