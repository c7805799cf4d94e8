"""Probabilistic anonymity: each column by itself, as coarse as a population demands."""
