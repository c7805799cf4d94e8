"""Lattices too large to be searched through: the best answer within 30 seconds, with its bound."""

from __future__ import annotations

from functools import partial

from bench.case import Benchmark, Case, Measured

SIZES = {1: 3, 2: 9, 3: 24, 4: 60, 5: 120, 6: 400}
"""Values of a column whose hierarchy has that height."""

SIXTEEN = (6, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1)
TWENTY_FOUR = (6, 5, 4, 4, 4, 4, *[3] * 8, *[2] * 8, 1, 1)
ROWS = 100_000
SECONDS = 30.0


def lattice(heights: tuple[int, ...], suppress: float) -> Measured:
    """Search a made table with one column for each of the heights."""
    from bench.made import made_problem
    from bench.search import solve

    sizes = [SIZES[height] for height in heights]
    return solve(made_problem(sizes, heights, ROWS, suppress, seed=1), SECONDS)


BENCHMARK = Benchmark(
    "lattice",
    f"Made tables of {ROWS:,} rows with correlated columns, k = 5, measure loss, limit 30 s of\n"
    "wall time. gap: how far below its score the bound is, at most. ARX refuses such lattices.",
    (
        Case("16 columns, suppress 0", partial(lattice, SIXTEEN, 0.0)),
        Case("16 columns, suppress 4 %", partial(lattice, SIXTEEN, 0.04)),
        Case("24 columns, suppress 0", partial(lattice, TWENTY_FOUR, 0.0)),
        Case("24 columns, suppress 4 %", partial(lattice, TWENTY_FOUR, 0.04)),
    ),
)
