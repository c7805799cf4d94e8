"""Languages: one folder each, with word lists, templates and what its packages know."""

from __future__ import annotations
