"""English: word lists, templates and what packages know of English words."""

from __future__ import annotations
