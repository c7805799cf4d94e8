"""Mondrian: the table is cut, and each side again, while every side keeps the promises."""
