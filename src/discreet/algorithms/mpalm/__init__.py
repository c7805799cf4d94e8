"""MPALM: the public table is cut while nobody's presence is told."""
