"""The provably best release that decides cell by cell: boxes, row prices, an integer program."""
