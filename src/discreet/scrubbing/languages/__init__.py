"""Languages: one folder each, with word lists, templates and knowledge from packages."""

from __future__ import annotations
