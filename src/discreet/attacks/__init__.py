"""Attacks: what an intruder can learn from a release."""
