"""A small statistical model: which words stand where names, organizations and places stand."""
