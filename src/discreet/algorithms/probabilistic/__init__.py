"""Probabilistic anonymity: each column by itself, as coarse as the population requires."""
