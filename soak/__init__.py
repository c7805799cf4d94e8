"""Long random trials of the product, checked by code that shares nothing with it.

``python -m soak --help`` says how to run them; ``make soak`` runs all parts.
"""
