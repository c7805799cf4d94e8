"""mu-Argus: columns are generalized by hand, and cells of rare combinations are suppressed."""
