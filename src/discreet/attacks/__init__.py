"""What an intruder gets out of a release."""
