"""Replacement of what scrub found: same format, consistent, keyed."""

from discreet.replacement_key import ReplacementKey
from discreet.scrub.replace.replacer import Replacer
from discreet.scrub.replace.scrubbed import Replacement, Scrubbed

__all__ = ["Replacement", "ReplacementKey", "Replacer", "Scrubbed"]
