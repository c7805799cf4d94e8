"""Joining a release to what others hold, where the release has generalized values."""
