"""Keys and quasi-identifiers: the fewest columns, all minimal sets, what can be published."""
