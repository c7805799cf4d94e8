"""The best release that decides cell by cell: boxes, row prices, and an integer program."""
