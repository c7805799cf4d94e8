"""k-Similar: rows are clustered with the k rows closest to them, under the names of the thesis."""
