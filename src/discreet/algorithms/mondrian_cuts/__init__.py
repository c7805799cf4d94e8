"""The steps of mondrian: columns as axes, cuts, and which of them are allowed."""
