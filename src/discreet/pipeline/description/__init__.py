"""A release described in plain facts: what it keeps, what it lost, and what was tried on it."""
