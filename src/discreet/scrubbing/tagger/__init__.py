"""A small statistical model: which words stand where names, organizations and places stand."""

from __future__ import annotations
