"""German: word lists, templates and knowledge from packages."""

from __future__ import annotations
