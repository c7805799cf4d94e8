"""The provably best node of the lattice: boxes are cut, bounded and dropped."""
