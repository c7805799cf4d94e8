"""A small statistical model that recognizes names, organizations and places by their context."""

from __future__ import annotations
