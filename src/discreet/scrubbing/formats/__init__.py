"""Kinds of documents: how their text is taken out, and put back with nothing else changed."""

from __future__ import annotations
