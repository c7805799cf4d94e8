"""Joining a release to what others hold, where the release has generalized values."""

from __future__ import annotations
