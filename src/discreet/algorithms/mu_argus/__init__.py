"""mu-Argus: columns are generalized by hand, rare combinations lose single cells."""
