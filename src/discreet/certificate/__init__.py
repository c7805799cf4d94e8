"""Signed statements about a release, and their check from the released file itself."""
