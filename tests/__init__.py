"""The tests; a package of its own name, since others install one called tests too."""
