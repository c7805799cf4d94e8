"""The published schemas of what commands print as JSON."""
