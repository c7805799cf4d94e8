"""The steps of local recoding: walk the lattice, improve the classes, keep the promises."""
