"""The data holder's policy, and the way from a source to a release."""
