"""MPALM: the public table is cut as long as nobody's presence is revealed."""
