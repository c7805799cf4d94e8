"""Finds the provably best node of the lattice by branch and bound over boxes."""
