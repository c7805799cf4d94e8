"""The page on which a person looks at what was found."""

from __future__ import annotations
