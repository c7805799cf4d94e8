"""Document formats: how text is extracted, and put back with nothing else changed."""

from __future__ import annotations
