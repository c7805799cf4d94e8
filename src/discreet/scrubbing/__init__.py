"""Scrub: personal information in text, found by competing detectors."""

from __future__ import annotations
