"""Joins a release with generalized values to data that others have."""

from __future__ import annotations
