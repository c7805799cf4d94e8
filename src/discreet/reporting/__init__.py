"""Results as pictures; never reads a row of private data."""
