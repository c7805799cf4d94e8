"""The steps of mu-Argus, by the names that the thesis gives them."""
