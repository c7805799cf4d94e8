"""Scrub: personal information in text, found by competing detectors."""
