"""The steps of k-Similar, one file each, under the names of the thesis."""
