"""German: word lists, templates and what packages know of German words."""

from __future__ import annotations
