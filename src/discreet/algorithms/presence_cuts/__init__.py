"""The steps of MPALM: which column is cut, at which value, and which parts may stand."""
